"""The shared cases of tricky and hostile files: what each must give.

`-k pdf`, `-k epub`, `-k txt` and `-k md` pick a kind.
"""

import codecs
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cleanbreak as cb
from cleanbreak.core.markdown.parser import Link, inlines
from pending import FILES, marks

FOLDER = Path(__file__).parents[2].parent / "shared" / "cases"
LINES = (FOLDER / "files.jsonl").read_text("utf-8").splitlines() if FOLDER.is_dir() else []
CASES = [json.loads(line) for line in LINES]

CODES = {
    # The cases' words for errors and warnings, and ours.
    "empty_document": "SOURCE_EMPTY",
    "no_text": "SOURCE_EMPTY",
    "drm_encrypted": "SOURCE_ENCRYPTED",
    "zip_bomb": "SOURCE_LIMIT",
    "too_large": "SOURCE_LIMIT",
    "corrupt_archive": "SOURCE_MALFORMED",
    "invalid_epub": "SOURCE_MALFORMED",
    "corrupt_pdf": "SOURCE_MALFORMED",
    "unsupported_type": "SOURCE_UNSUPPORTED",
    "missing_spine_item": "SPINE_ITEM_MISSING",
    "href_case_mismatch": "HREF_CASE_MISMATCH",
    "unsafe_href": "HREF_UNSAFE",
    "remote_resource": "RESOURCE_REMOTE",
    "front_matter_invalid": "FRONT_MATTER_INVALID",
    "unmapped_glyphs": "GLYPH_UNMAPPED",
    "page_without_text": "PAGE_WITHOUT_TEXT",
    "repaired": "PDF_REPAIRED",
}
SUPERSETS = {"iso8859-7": "cp1253", "euc_jp": "euc_jis_2004"}
"""If a detector cannot distinguish two encodings, the larger one is named; the text is equal."""

CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
NEWLINE = re.compile(r"\r\n|\r|\n")


def marked(case: dict[str, Any]) -> Any:
    """The case as a parameter, expected to fail where it is pending."""
    return pytest.param(case, id=case["file"], marks=marks(FILES, case["file"]))


@pytest.mark.usefixtures("shared")
def test_all_cases_are_here() -> None:
    """A file of cases that is found is not found empty."""
    assert len(CASES) >= 88


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("case", [marked(case) for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    """The file gives what is right, or the right error."""
    expect = case["expect"]
    started = time.monotonic()
    outcome = read_or_error(FOLDER / "files" / case["file"])
    if isinstance(outcome, cb.CleanbreakError):
        assert outcome.code in {CODES[word] for word in expect.get("error", ())}, outcome
    else:
        assert "error" not in expect or "or_contains" in expect
        assert list(problems(outcome, expect)) == []
    assert time.monotonic() - started < expect.get("max_seconds", 30)
    assert not Path(expect.get("no_write", "/no/such")).exists()


def read_or_error(file: Path) -> cb.Document | cb.CleanbreakError:
    try:
        return cb.read(file)
    except cb.CleanbreakError as error:
        return error


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("case", [marked(c) for c in CASES if "max_rss_mib" in c["expect"]])
def test_memory_of(case: dict[str, Any]) -> None:
    """Reading takes no more memory than stated, child process and all."""
    peak = peak_memory(FOLDER / "files" / case["file"])
    assert peak < case["expect"]["max_rss_mib"] << 20


def peak_memory(file: Path) -> int:
    """Bytes of the larger of a fresh process that reads `file` and its children."""
    code = (
        "import cleanbreak as cb, pathlib, re, resource as r, sys\n"
        "try: cb.read(sys.argv[1])\n"
        "except cb.CleanbreakError: pass\n"
        "from cleanbreak.readers import isolate\n"
        "isolate._close_idle()\n"
        # Linux hands a new program the high-water mark of the process that started it, here the
        # whole test run's; what it keeps in /proc is the program's own.
        "status = pathlib.Path('/proc/self/status')\n"
        "own = int(re.search(r'VmHWM:\\s+(\\d+)', status.read_text())[1]) if status.exists() "
        "else r.getrusage(r.RUSAGE_SELF).ru_maxrss\n"
        "print(max(own, r.getrusage(r.RUSAGE_CHILDREN).ru_maxrss))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, os.fspath(file)], capture_output=True, text=True, check=True
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(done.stdout) * unit


def flat(text: str) -> str:
    """Text with its white space made one, as line ends of a page or a paragraph are ours."""
    return " ".join(text.split())


def problems(document: cb.Document, expect: dict[str, Any]) -> Iterator[str]:
    """What in `document` is not as expected."""
    for key in expect.keys() - CHECKS.keys() - UNCHECKED:
        yield f"no check for {key!r}"
    for key, check in CHECKS.items():
        if key in expect and not check(document, expect[key]):
            yield f"{key}: wanted {expect[key]!r}"


def sections(document: cb.Document, *kinds: str) -> list[cb.Section]:
    return [section for section in document.sections if section.kind in kinds]


def shown(document: cb.Document) -> str:
    """The text, or of a note the part under its headings.

    A note's text is the file's, front matter and all, so that offsets are file offsets; that the
    front matter is no *content* means that no section holds it.
    """
    assert document.source is not None
    if document.source.media_type != "text/markdown":
        return document.text
    starts = [section.span.start for section in document.sections]
    return document.text[min(starts, default=0) :]


def has_encoding(document: cb.Document, wanted: str) -> bool:
    name = codecs.lookup(wanted).name
    assert document.source is not None
    return document.source.encoding in (name, SUPERSETS.get(name))


def has_order(document: cb.Document, markers: list[str]) -> bool:
    places = [document.text.find(marker) for marker in markers]
    return -1 not in places and places == sorted(places)


def has_lines(document: cb.Document, lines: dict[str, int]) -> bool:
    def line(marker: str) -> int:
        return 1 + len(NEWLINE.findall(document.text, 0, document.text.index(marker)))

    return all(line(marker) == wanted for marker, wanted in lines.items())


def innermost(document: cb.Document, marker: str, kind: str) -> cb.Section:
    at = document.text.index(marker)
    around = [s for s in sections(document, kind) if s.span.start <= at < s.span.end]
    return max(around, key=lambda section: (section.level, section.span.start))


def page_number(document: cb.Document, marker: str) -> int:
    return 1 + sections(document, "page").index(innermost(document, marker, "page"))


def spine_index(document: cb.Document, marker: str) -> int | None:
    at = document.text.index(marker)
    for number, item in enumerate(document.metadata.properties["spine"]):
        if item["start"] <= at < item["end"]:
            return number
    return None


def destinations(document: cb.Document) -> list[str]:
    return [i.destination for i in inlines(document.text) if isinstance(i, Link) and i.wiki]


CHECKS = {
    "text": lambda d, v: d.text == v,
    "contains": lambda d, v: all(part in d.text or flat(part) in flat(d.text) for part in v),
    "or_contains": lambda d, v: all(flat(part) in flat(d.text) for part in v),
    "not_contains": lambda d, v: not any(p in shown(d) or p in flat(shown(d)) for p in v),
    "order": has_order,
    "lines": has_lines,
    "encoding": has_encoding,
    "no_control": lambda d, v: not CONTROL.search(d.text),
    "headings": lambda d, v: [[s.level, s.title] for s in sections(d, "chapter", "heading")] == v,
    "chapter_of": lambda d, v: all(innermost(d, m, "chapter").title == t for m, t in v.items()),
    "pages": lambda d, v: len(sections(d, "page")) == v,
    "labels": lambda d, v: [s.title for s in sections(d, "page")] == v,
    "page_of": lambda d, v: all(page_number(d, m) == n for m, n in v.items()),
    "spine": lambda d, v: all(spine_index(d, m) == n for m, n in v.items()),
    "front_matter": lambda d, v: d.metadata.properties == (v or {}),
    "links": lambda d, v: destinations(d) == v,
    # Each of a case's words is an answer that would do.
    "warn": lambda d, v: bool({CODES[word] for word in v} & {w.code for w in d.warnings}),
}
UNCHECKED = {"error", "max_seconds", "max_rss_mib", "no_write"}
"""Checked around the reading, not on the document."""
