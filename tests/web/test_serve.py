"""`cleanbreak serve` as a process, over a real socket."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from cleanbreak.cli.app import app
from cleanbreak.web.opening import new_desk

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path):
    """A server of one file; its address, a client with the token, and the process."""
    (tmp_path / "tea.md").write_text("# Tea\n\nHot. Strong.\n", "utf-8")
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    process = subprocess.Popen(
        [sys.executable, "-m", "cleanbreak", "serve", "tea.md", "--no-open", "--json"],
        cwd=tmp_path,
        env=os.environ | {"XDG_RUNTIME_DIR": str(runtime), "XDG_DATA_HOME": str(tmp_path / "data")},
        stdout=subprocess.PIPE,
        text=True,
    )
    said = ""
    while not said.rstrip().endswith("}"):
        line = process.stdout.readline()
        assert line, process.wait()
        said += line
    opened = json.loads(said)
    token = Path(opened["token_file"]).read_text().strip()
    assert token not in said
    with httpx.Client(
        base_url=opened["url"], headers={"Authorization": f"Bearer {token}"}
    ) as client:
        yield opened, client, process
    if process.poll() is None:
        process.kill()
    process.wait()
    process.stdout.close()


def test_the_page_is_served_and_ends_on_ctrl_c(server):
    opened, client, process = server
    started = time.perf_counter()
    assert "<main" in client.get("/").text
    print(f"first answer after {1000 * (time.perf_counter() - started):.0f} ms")
    [document] = client.get("/api/v1/documents").json()["documents"]
    assert document["source_filename"] == "tea.md"
    assert httpx.get(opened["url"]).status_code == 401
    if os.name == "posix":
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert not Path(opened["token_file"]).exists()


def test_a_wildcard_address_is_wrong_usage(tmp_path):
    (tmp_path / "a.txt").write_text("a", "utf-8")
    shown = CliRunner().invoke(app, ["serve", str(tmp_path / "a.txt"), "--host", "0.0.0.0"])
    assert shown.exit_code == 2


def test_what_is_named_becomes_a_world_a_vault_or_a_document(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("a", "utf-8")
    (tmp_path / "b.txt").write_text("b", "utf-8")
    desk = new_desk([tmp_path / "notes", tmp_path / "b.txt", tmp_path / "new"])
    assert [(place.kind, place.exists) for place in desk.places] == [
        ("vault", True),
        ("world", False),
    ]
    desk.read_files()
    assert len(desk.documents.items()) == 1


def test_a_file_that_is_not_there_is_named(tmp_path):
    shown = CliRunner().invoke(app, ["serve", str(tmp_path / "nothing.epub")])
    assert shown.exit_code == 1
    assert "nothing.epub" in shown.stderr
