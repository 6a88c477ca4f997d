"""Search by meaning from nothing to a hit, through the command line, in a fresh home folder.

The model is fetched: where neither the model hub nor the package index can be reached, the tests are
skipped and say so.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

for needed in ("numpy", "onnx", "onnxruntime", "safetensors", "tokenizers"):
    pytest.importorskip(needed, reason="the extra local is not installed")

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs/meaning.md").read_text("utf-8")
SHOWN = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh home and the samples, with the model installed by its command."""
    folder = tmp_path_factory.mktemp("fresh")
    shutil.copytree(PROJECT / "samples", folder / "samples")
    done = run(folder, "cleanbreak models install minilm")
    if "MODEL_INSTALL" in done.stderr:
        pytest.skip("neither the model hub nor the package index can be reached from here")
    assert done.returncode == 0, done.stderr
    return folder


def run(folder: Path, command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    name, *words = shlex.split(command)
    return subprocess.run(
        [sys.executable, "-m", name, *words],
        cwd=folder,
        env={
            **os.environ,
            "CLEANBREAK_HOME": str(folder / "home"),
            "PYTHONUTF8": "1",
            **environment,
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def offline(folder: Path, command: str) -> str:
    """What a command prints; nothing can be fetched."""
    done = run(folder, command, HTTPS_PROXY="http://127.0.0.1:9", PIP_NO_INDEX="1")
    assert (done.returncode, done.stderr) == (0, ""), command
    return done.stdout


def test_a_question_is_answered_after_install_ingest_and_embed(folder: Path) -> None:
    offline(folder, "cleanbreak ingest lib samples")
    assert offline(folder, "cleanbreak embed lib --model minilm").count(" embedded\n") == 4
    assert "nothing to do" in offline(folder, "cleanbreak embed lib")
    assert "embeddings complete" in offline(folder, "cleanbreak status lib")
    assert "no problems" in offline(folder, "cleanbreak verify lib")
    found = offline(
        folder, 'cleanbreak search lib "why did nobody answer the letter" --mode hybrid'
    )
    assert found.startswith("1. the-keeper-of-sand-point.")
    assert "meaning 0." in found


def test_the_page_shows_what_is_printed(folder: Path) -> None:
    """The commands of docs/meaning.md in their order, and what stands below them."""
    assert len(SHOWN) == 3
    for commands, shown in SHOWN:
        lines = [line for line in commands.splitlines() if line.startswith("cleanbreak ")]
        printed = "".join(offline(folder, line) for line in lines)
        # The fixture has installed it.
        printed = printed.replace("was installed already", "is installed")
        assert printed.strip() == shown.strip()


def test_what_meaning_finds_words_do_not(folder: Path) -> None:
    offline(folder, "cleanbreak ingest one samples/the-keeper-of-sand-point.epub")
    offline(folder, "cleanbreak embed one --model minilm")
    question = '"the farm animal at the railway platform" --limit 1'
    assert "goat" in offline(folder, f"cleanbreak search one {question}")
    assert "goat" not in run(folder, f"cleanbreak search one {question} --mode words").stdout
