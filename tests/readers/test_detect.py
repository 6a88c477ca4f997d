"""What kind a file is, by content and name together."""

from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.errors import SourceUnsupportedError
from cleanbreak.readers.detect import Kind, detect
from readers.epubs import book, page

PDF = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"
EPUB = book({"a.xhtml": page("<p>a</p>")})
ZIP = b"PK\x03\x04" + b"\0" * 26 + b"word/document.xml"


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.txt", b"text", Kind.TEXT),
        ("A.TXT", b"text", Kind.TEXT),
        ("README", b"text", Kind.TEXT),
        ("a.md", b"# T", Kind.MARKDOWN),
        ("a.Markdown", b"# T", Kind.MARKDOWN),
        ("a.b.md", b"# T", Kind.MARKDOWN),
        (".md", b"# T", Kind.TEXT),
        ("a.pdf", PDF, Kind.PDF),
        ("a.PDF", b"junk before\n" + PDF, Kind.PDF),
        ("a", PDF, Kind.PDF),
        ("a.pdf", b"no header at all", Kind.PDF),
        ("a.epub", EPUB, Kind.EPUB),
        ("a", EPUB, Kind.EPUB),
        ("a.epub", ZIP, Kind.EPUB),
        ("a.epub", b"no zip", Kind.EPUB),
        ("a.txt", b"How %PDF-1.7 files start", Kind.TEXT),
        ("a.txt", b"<html>quoted</html>", Kind.TEXT),
        ("a.HTM", b"<p>a", Kind.HTML),
        ("a", b"\n<!DOCTYPE html><p>a", Kind.HTML),
        ("a.docx", ZIP, Kind.DOCX),
        ("a.rtf", b"{\\rtf1 a}", Kind.RTF),
    ],
)
def test_kind(name: str, head: bytes, kind: Kind) -> None:
    """The extension distinguishes text and Markdown; content that proves a kind needs none."""
    assert (kind, ()) == detect(name, head)


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.txt", PDF, Kind.PDF),
        ("a.md", EPUB, Kind.EPUB),
        ("a.epub", PDF, Kind.PDF),
        ("a.zip", EPUB, Kind.EPUB),
        ("a.bin", PDF, Kind.PDF),
        ("a.doc", b"{\\rtf1\\ansi text}", Kind.RTF),
    ],
)
def test_content_wins_over_a_name_that_says_otherwise(name: str, head: bytes, kind: Kind) -> None:
    """A PDF named .txt is read as a PDF with a warning, and not garbled."""
    found = detect(name, head)
    assert (kind, ["KIND_MISMATCH"]) == (found.kind, [w.code for w in found.warnings])


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.xlsx", ZIP),
        ("a.txt", ZIP),
        ("a", ZIP),
        ("a.xyz", b"text"),
        ("a.epub", b"\xff\xd8\xff\xe0 a picture"),
        ("a.pdf", b"\n<!DOCTYPE html><p>Not found"),
        ("a", b"\x89PNG\r\n"),
        ("a.txt", b"T" * 60 + b"BOOKMOBI"),
    ],
)
def test_foreign_kinds_are_refused(name: str, head: bytes) -> None:
    """What is not read is named, so that a person knows what to convert."""
    with pytest.raises(SourceUnsupportedError) as caught:
        detect(name, head)
    assert {"name": name} == caught.value.details


def test_mismatch_is_a_warning_of_the_document(tmp_path: Path) -> None:
    """It is read, and the document says what it was."""
    file = tmp_path / "book.txt"
    file.write_bytes(EPUB)
    document = cb.read(file)
    assert document.text == "a"
    assert [warning.code for warning in document.warnings] == ["KIND_MISMATCH"]
    assert document.source is not None
    assert document.source.media_type == "application/epub+zip"
