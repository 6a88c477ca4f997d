"""Real books and notes: every file gives text or its right error, and the same as last time.

The golden files hold counts and digests, never text. After a change that is meant, write them
again with `CLEANBREAK_GOLDEN=write pytest tests/readers/test_corpus.py` and read the difference.
"""

import hashlib
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cleanbreak as cb

GOLDEN = Path(__file__).parent / "golden"
WRITING = os.environ.get("CLEANBREAK_GOLDEN") == "write"


def summary(file: Path) -> dict[str, Any]:
    """What is stable and telling about a document, without its text."""
    try:
        document = cb.read(file)
    except cb.CleanbreakError as error:
        return {"error": error.code}
    check_sections(document)
    return {
        "characters": len(document.text),
        "sections": dict(sorted(Counter(section.kind for section in document.sections).items())),
        "warnings": {warning.code: warning.count for warning in document.warnings},
        "sha256": hashlib.sha256(document.text.encode()).hexdigest()[:16],
    }


def check_sections(document: cb.Document) -> None:
    """Pages partition the text; every section lies in it."""
    pages = [section.span for section in document.sections if section.kind == "page"]
    assert [page.start for page in pages] == [0, *(page.end for page in pages)][: len(pages)]
    assert not pages or pages[-1].end == len(document.text)
    assert all(0 <= s.span.start <= s.span.end <= len(document.text) for s in document.sections)


def of_folder(folder: Path) -> dict[str, Any]:
    """The summaries of a folder of notes as one: hundreds of small files."""
    files = [summary(file) for file in sorted(folder.rglob("*.md"))]
    whole: dict[str, Counter[str]] = {"sections": Counter(), "warnings": Counter()}
    for found in files:
        for kind, counts in whole.items():
            counts.update(found.get(kind, {}))
    return {
        "files": len(files),
        "errors": dict(sorted(Counter(f["error"] for f in files if "error" in f).items())),
        "characters": sum(found.get("characters", 0) for found in files),
        **{kind: dict(sorted(counts.items())) for kind, counts in whole.items()},
        "sha256": hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16],
    }


def corpus(shared: Path, kind: str) -> dict[str, Any]:
    folder = shared / "corpus" / kind
    if kind == "md":
        return {vault.name: of_folder(vault) for vault in sorted(folder.iterdir())}
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): summary(file) for file in files}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["txt", "md", "epub", "pdf"])
def test_corpus_reads_as_before(kind: str, shared: Path) -> None:
    """No crash, no hang, no silent loss: any change shows."""
    found = corpus(shared, kind)
    golden = GOLDEN / f"{kind}.json"
    if WRITING:
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    assert json.loads(golden.read_text("utf-8")) == found


def test_golden_files_are_not_being_written() -> None:
    """A run that writes what it compares with proves nothing."""
    assert not WRITING
