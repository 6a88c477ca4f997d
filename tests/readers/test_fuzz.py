"""Mutated files: each reader gives a document or a coded error, and nothing else.

What fuzzing found stands below as tests of its own.
"""

import contextlib
import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cleanbreak as cb
from cleanbreak.errors import SourceError
from cleanbreak.readers.epub import read_epub
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.markdown import read_markdown
from readers.epubs import book, page, zipped

SAMPLES = Path(__file__).parents[2] / "samples"
EPUB = (SAMPLES / "the-keeper-of-sand-point.epub").read_bytes()
PDF = (SAMPLES / "the-keeper-of-sand-point.pdf").read_bytes()
NOTE = (SAMPLES / "the-keeper-of-sand-point.md").read_bytes()[:3000]
LIMITS = cb.Limits(max_inflated_bytes=1 << 24)

TOKENS = [
    b"<", b">", b"</", b"/>", b"&", b"&#0;", b"&#xD800;", b"&#xFFFFFF;", b"\0", b"\xff", b"\xfe\xff",
    b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<!DOCTYPE x [", b'<!ENTITY a "b">', b"<table>", b"<td>",
    b"<pre>", b"<ruby>", b"<nav>", b"<svg>", b"<math>", b"<template>", b"<body>", b'id="x"',
    b'href="#x"', b'href="%"', b'href="//"', b"<br></br>", b"<itemref/>", b"\xed\xa0\x80", b"\xc2\xad",
    b'epub:type="pagebreak"', b'epub:type="noteref"', b"---\n", b"[[", b"\r", b"1" * 400,
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """`data` with a few pieces cut out, repeated, overwritten or put in."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = at + draw(st.integers(0, 60))
        piece = draw(st.sampled_from([b"", data[at:end] * 3, *TOKENS]) | st.binary(max_size=8))
        data = data[:at] + piece + data[draw(st.sampled_from([at, end])) :]
    return data


def entries(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "mimetype"}


RICH = book(
    {
        "a.xhtml": page(
            '<h1 id="h">T</h1><p>x<a epub:type="noteref" href="#n">1</a> y</p><table><tr><td>a</td>'
            '<td>b</td></tr></table><span epub:type="pagebreak" title="3"/><ruby>b<rt>r</rt></ruby>'
            "<pre> p\n q</pre><svg><text>s</text></svg><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>"
        ),
        "b.xhtml": page("<div><div>v</div><div>w</div></div><ul><li>l</li></ul>&eacute;&shy;"),
    },
    nav='<ol><li><a href="a.xhtml#h">A</a><ol><li><a href="b.xhtml">B</a></li></ol></li></ol>',
)
FILES = entries(RICH)


def check(document: cb.Document) -> None:
    text = document.text
    assert text.strip()
    text.encode()
    assert not set(text) & set("\0\ufffe\uffff")
    assert all(0 <= s.span.start <= s.span.end <= len(text) for s in document.sections)


def read(data: bytes) -> None:
    with contextlib.suppress(SourceError):
        check(read_epub(SourceFile("book.epub", data), limits=LIMITS))


@given(mutated(EPUB))
def test_mutated_archives(data: bytes) -> None:
    """Directory, headers and packed bytes gone wrong."""
    read(data)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(FILES)), st.data())
def test_mutated_entries(name: str, data: st.DataObject) -> None:
    """Package, navigation and chapters gone wrong in an archive that is whole."""
    read(zipped({**FILES, name: data.draw(mutated(FILES[name]))}))


@given(mutated(NOTE))
def test_mutated_notes(data: bytes) -> None:
    """Front matter, markup and encoding gone wrong."""
    with contextlib.suppress(SourceError):
        check(read_markdown(SourceFile("note.md", data)))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mutated(PDF))
def test_mutated_pdfs(tmp_path: Path, data: bytes) -> None:
    """A C library stands behind these, so they go the whole way through a child process."""
    file = tmp_path / "book.pdf"
    file.write_bytes(data)
    with contextlib.suppress(SourceError):
        check(cb.read(file))


@pytest.mark.parametrize(
    "nav", ["<ol><li>" * 2000 + '<a href="a.xhtml">x</a>', '<ol><li><a href="%00">x</a>']
)
def test_odd_navigation_does_not_hurt(nav: str) -> None:
    """Lists within lists without end, names that are none."""
    assert read_epub(SourceFile("b.epub", book({"a.xhtml": page("<p>a</p>")}, nav=nav))).text == "a"


def test_references_to_surrogates_in_a_package() -> None:
    """Recovering from them, the XML parser made strings that could not be had."""
    container = FILES["META-INF/container.xml"].replace(b"urn:", b"&#xD800;&#55296;&lt;urn:", 1)
    read(zipped({**FILES, "META-INF/container.xml": container}))
