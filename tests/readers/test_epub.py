"""EPUB: blocks become lines and paragraphs, and every place is found again."""

import io
import zipfile
from typing import Any

import pytest

import cleanbreak as cb
from cleanbreak.errors import (
    SourceEmptyError,
    SourceEncryptedError,
    SourceLimitError,
    SourceMalformedError,
)
from cleanbreak.readers.epub import read_epub
from cleanbreak.readers.file import SourceFile
from readers.epubs import CONTAINER, XHTML, book, package, page, zipped


def read(data: bytes, **limits: int) -> cb.Document:
    return read_epub(SourceFile("book.epub", data), limits=cb.Limits(**limits))


def text_of(body: str, **arguments: Any) -> str:
    return read(book({"a.xhtml": page(body, **arguments)})).text


def codes(document: cb.Document) -> dict[str, int]:
    return {warning.code: warning.count for warning in document.warnings}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>One\n  two</p>\n<p>three</p>", "One two\n\nthree"),
        ("<p>a <b> b</b> c</p>", "a b c"),
        ("<p>a</p>tail<p>b</p>", "a\n\ntail\n\nb"),
        ("<p>one<br/>two<br/><br/>three</p>", "one\ntwo\n\nthree"),
        ("<div>line</div><div>line</div>", "line\nline"),
        ("<div><div>a</div><div>b</div></div><div><div>c</div></div>", "a\nb\n\nc"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><p>d</p>", "a\nb\n\nc\n\nd"),
        ("<h1>T</h1><p>x</p><hr/><p>y</p>", "T\n\nx\n\ny"),
        ("<p>no\u00a0break\u3000kept</p>", "no\u00a0break\u3000kept"),
        ("<pre>a\n  b\tc\n</pre><p>d</p>", "a\n  b\tc\n\n\nd"),
        ("<p>x<!-- not this --></p><script>nor()</script><style>this{}</style>", "x"),
        ("<p>Wert&shy;papier</p>", "Wertpapier"),
        ("<p>x<![CDATA[ & <y>]]></p>", "x & <y>"),
        ("<p><i/>a<span/>b</p><p>c</p>", "ab\n\nc"),
        ("<script src='x'/><p>a</p><title/><p>b</p>", "a\n\nb"),
        ("<p>1&#47;2 &lt;&amp;&hellip;</p>", "1/2 <&…"),
        ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac><msup><mi>x</mi><mn>2</mn></msup></math>", "1/2x^2"),
        ("<svg><title>not</title><text>a</text><text>b<tspan x='1'>c</tspan></text></svg>", "a\nb\nc"),
        ("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby></p>", "漢字"),
    ],
)  # fmt: skip
def test_blocks_become_lines_and_paragraphs(body: str, text: str) -> None:
    """What a browser sets apart is set apart; what it joins is joined."""
    assert text == text_of(body)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("<tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>", "a\tb\nc\td"),
        ("<tr><td></td><td>b</td><td></td></tr><tr><th>c</th></tr>", "\tb\nc"),
        ("<tr><td><p>a</p><p>b</p></td><td>c<br/>d</td></tr>", "a b\tc d"),
        ("<tr><td><p>a</p><p>b</p><p>c</p></td></tr>", "a\n\nb\n\nc"),
    ],
)
def test_tables_keep_their_rows(table: str, text: str) -> None:
    """A row is a line, a cell stands behind a tab; a cell that lays out a page is no cell."""
    assert text == text_of(f"<table>{table}</table>")


def test_note_references_are_left_out_and_counted() -> None:
    """The mark of a note would read as part of the word before it."""
    body = (
        '<p>word<a epub:type="noteref" href="#n1">1</a>, next<sup><a href="#n2">2</a></sup> and '
        'x<sup>2</sup></p><aside id="n1"><p>The note.</p></aside>'
    )
    document = read(book({"a.xhtml": page(body)}))
    assert document.text == "word, next and x^2\n\nThe note."
    assert codes(document) == {"NOTE_REFERENCE_SKIPPED": 2}


def test_words_that_lead_to_a_note_are_text() -> None:
    """Only marks are left out, not what a sentence is made of."""
    body = '<p>See <a epub:type="noteref" href="#n">the long note on lamps</a>.</p>'
    assert text_of(body) == "See the long note on lamps."


def test_page_breaks_become_pages() -> None:
    """Pages partition the text and have the printed numbers; the marks themselves are no text."""
    body = (
        '<p>before</p><span epub:type="pagebreak" title="12" id="p12"/><p>twelve '
        '<span role="doc-pagebreak" aria-label="13">13</span>thirteen</p>'
    )
    document = read(book({"a.xhtml": page(body)}))
    assert document.text == "before\n\ntwelve thirteen"
    pages = [(s.title, document.text[s.span.start : s.span.end]) for s in document.sections]
    assert pages == [("", "before\n\n"), ("12", "twelve "), ("13", "thirteen")]


def test_chapters_nest_and_end_where_the_next_begins() -> None:
    """Targets inside one file count as well as files."""
    nav = (
        '<ol><li><a href="a.xhtml">One</a><ol><li><a href="a.xhtml#s">Part</a></li></ol></li>'
        '<li><span>Group</span><ol><li><a href="b%20c.xhtml">Two</a></li></ol></li></ol>'
    )
    chapters = {"a.xhtml": page('<p>a</p><a id="s"/><p>s</p>'), "b c.xhtml": page("<p>b</p>")}
    document = read(book(chapters, nav=nav))
    assert document.text == "a\n\ns\n\nb"
    found = [(s.kind, s.level, s.title, tuple(s.span)) for s in document.sections]
    assert found == [
        ("chapter", 1, "One", (0, 6)),
        ("chapter", 2, "Part", (3, 6)),
        ("chapter", 1, "Group", (6, 7)),
        ("chapter", 2, "Two", (6, 7)),
    ]


@pytest.mark.parametrize("element", ["<html", "<body", "<p"])
def test_targets_may_be_any_element(element: str) -> None:
    """Tables of contents name the body, or the whole file, by its id as well."""
    markup = page("<p>a</p>").replace(element, f'{element} id="x"', 1)
    document = read(book({"a.xhtml": markup}, nav='<ol><li><a href="a.xhtml#x">A</a></li></ol>'))
    assert [(s.title, tuple(s.span)) for s in document.sections] == [("A", (0, 1))]
    assert codes(document) == {}


def test_headings_stand_in_for_a_missing_table_of_contents() -> None:
    """A book without one has its headings as sections."""
    document = read(book({"a.xhtml": page("<h1>A <i>b</i></h1><p>x</p><h2>C</h2><p>y</p>")}))
    assert [(section.kind, section.level, section.title) for section in document.sections] == [
        ("heading", 1, "A b"),
        ("heading", 2, "C"),
    ]


def test_chapter_target_that_is_nowhere_is_told() -> None:
    """An anchor that is missing falls back to its file; a file that is missing is left out."""
    nav = '<ol><li><a href="a.xhtml#no">A</a></li><li><a href="gone.xhtml">B</a></li></ol>'
    document = read(book({"a.xhtml": page("<p>a</p>")}, nav=nav))
    assert [section.title for section in document.sections] == ["A"]
    assert codes(document) == {"CHAPTER_TARGET_MISSING": 2}


def test_repeated_and_missing_spine_items() -> None:
    """A chapter is read once, however often the order names it; a missing one is a warning."""
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package([("a", "a.xhtml", XHTML)], ["a", "b", "a"]),
        "OPS/a.xhtml": page("<p>a</p>"),
    }
    document = read(zipped(files))
    assert document.text == "a"
    assert codes(document) == {"SPINE_ITEM_MISSING": 1, "SPINE_ITEM_REPEATED": 1}
    assert document.metadata.properties["spine"][:1] == [{"href": "a.xhtml", "start": 0, "end": 1}]


def test_items_that_are_no_documents_fall_back() -> None:
    """An item of a foreign kind is replaced by its fallback; without one there is a warning."""
    extra = (
        '<item id="j" href="d.json" media-type="application/json" fallback="a"/>'
        '<item id="p" href="p.png" media-type="image/png"/>'
    )
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package([("a", "a.xhtml", XHTML)], ["j", "p"], extra=extra),
        "OPS/a.xhtml": page("<p>a</p>"),
    }
    document = read(zipped(files))
    assert document.text == "a"
    assert codes(document) == {"SPINE_ITEM_UNSUPPORTED": 1}


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [("utf-8", "iso-8859-1"), ("utf-16", "utf-8"), ("utf-16-le", "utf-16"), ("cp1251", "windows-1251"),
     ("cp1252", "iso-8859-1"), ("iso2022_jp", "iso-2022-jp"), ("utf-8-sig", "us-ascii")],
)  # fmt: skip
def test_chapters_in_any_encoding(encoding: str, declared: str) -> None:
    """Proof before declaration, declaration before guess."""
    words = {"cp1251": "Привет, мир", "iso2022_jp": "吾輩は猫である"}.get(encoding, "Café “naïve”")
    markup = page(f"<p>{words}</p>").replace("utf-8", declared, 1)
    document = read(book({"a.xhtml": markup.encode(encoding)}))
    assert words == document.text
    assert codes(document) == {}


def test_broken_bytes_do_not_sink_the_book() -> None:
    """A chapter with a damaged character is read; the damage is counted."""
    markup = page("<p>" + "é" * 30 + "@</p>").encode().replace(b"@", b"\xff")
    document = read(book({"a.xhtml": markup}))
    assert document.text == "é" * 30 + "\ufffd"
    assert codes(document) == {"TEXT_DAMAGED": 1}


def test_entities_of_the_chapter_itself() -> None:
    """Plain internal entities are put in; others never fetched, never multiplied."""
    doctype = (
        '<!DOCTYPE html [<!ENTITY who "Ann"> <!ENTITY x SYSTEM "file:///etc/passwd">'
        '<!ENTITY a "&who;&who;">]>'
    )
    text = text_of("<p>&who; [&x;] [&a;]</p>", before=doctype)
    assert text == "Ann [] []"


def test_metadata_of_old_and_new_packages() -> None:
    """Titles, authors and language, in any case in which the package writes their names."""
    metadata = (
        "<dc:Title>T &eacute;</dc:Title><dc:creator>A</dc:creator><dc:creator>B</dc:creator>"
        "<dc:language>fr</dc:language>"
    )
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package([("a", "a.xhtml", XHTML)], ["a"], metadata=metadata),
        "OPS/a.xhtml": page("<p>a</p>"),
    }
    found = read(zipped(files)).metadata
    assert (found.title, found.authors, found.language) == ("T é", ("A", "B"), "fr")


@pytest.mark.parametrize("href", ["../OPS/a.xhtml", "/OPS/a.xhtml", "..\\OPS\\a.xhtml", "A.XHTML",
                                  "./x/../a.xhtml", "%61.xhtml", "a.xhtml?v=1#top"])  # fmt: skip
def test_sloppy_names_of_files_are_found(href: str) -> None:
    """Case, slashes, escapes and detours do not lose a chapter."""
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package([("a", href, XHTML)], ["a"]),
        "OPS/a.xhtml": page("<p>found</p>"),
    }
    assert read(zipped(files)).text == "found"


def test_damaged_chapter_is_left_out_and_told() -> None:
    """Its bytes cannot be trusted; the rest of the book is not lost with it."""
    data = bytearray(book({"a.xhtml": page("<p>good</p>"), "b.xhtml": page("<p>bad</p>" * 40)}))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        at = archive.getinfo("OPS/b.xhtml").header_offset + 30 + len("OPS/b.xhtml") + 20
    data[at] ^= 0xFF
    document = read(bytes(data))
    assert document.text == "good"
    assert codes(document) == {"SPINE_ITEM_DAMAGED": 1}


def test_book_of_nothing_but_damage_is_malformed() -> None:
    """Nothing to read is an error, and which one depends on why."""
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package([("a", "a.xhtml", XHTML)], ["a"]),
    }
    with pytest.raises(SourceMalformedError):
        read(zipped(files))
    with pytest.raises(SourceEmptyError):
        read(zipped({**files, "OPS/a.xhtml": page("<p> <img src='x'/></p>")}))


def test_nul_in_a_chapter_is_counted() -> None:
    """HTML parsers drop it, which would be a silent loss."""
    document = read(book({"a.xhtml": page("<p>a\0b</p>")}))
    assert document.text == "a\ufffdb"
    assert codes(document) == {"CONTROL_REPLACED": 1}


def test_book_whose_chapters_lie_elsewhere_is_not_called_empty() -> None:
    """There is text, but it is not fetched."""
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package([("a", "https://books.example/a.xhtml", XHTML)], ["a"]),
    }
    with pytest.raises(SourceMalformedError):
        read(zipped(files))


def test_book_without_a_reading_order_is_not_called_empty() -> None:
    """Its chapters are there, so "no text" would mislead."""
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package([("a", "a.xhtml", XHTML)], []),
        "OPS/a.xhtml": page("<p>a</p>"),
    }
    with pytest.raises(SourceMalformedError, match="names no chapter"):
        read(zipped(files))


@pytest.mark.parametrize(("algorithm", "fine"), [("http://www.idpf.org/2008/embedding", True),
                                                 ("http://www.w3.org/2001/04/xmlenc#aes256-cbc", False)])  # fmt: skip
def test_encryption_counts_only_where_it_hides_text(algorithm: str, fine: bool) -> None:
    """Scrambled fonts are no DRM."""
    encryption = (
        '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData>'
        f'<e:EncryptionMethod Algorithm="{algorithm}"/><e:CipherData>'
        '<e:CipherReference URI="OPS/a.xhtml"/></e:CipherData></e:EncryptedData></encryption>'
    )
    data = book({"a.xhtml": page("<p>a</p>")}, files={"META-INF/encryption.xml": encryption})
    if fine:
        assert read(data).text == "a"
    else:
        with pytest.raises(SourceEncryptedError):
            read(data)


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        ({"max_inflated_bytes": 100_000}, "max_inflated_bytes"),
        ({"ratio_floor_bytes": 100_000}, "max_inflate_ratio"),
        ({"max_entries": 3}, "max_entries"),
    ],
)
def test_bombs_go_over_a_limit(limits: dict[str, int], limit: str) -> None:
    """Each limit is counted while inflating, not believed."""
    data = book({"a.xhtml": page("<p>a</p>" + " " * 3_000_000)})
    with pytest.raises(SourceLimitError) as caught:
        read(data, **limits)
    assert limit == caught.value.details["limit"]


def test_honest_repetition_is_under_the_floor() -> None:
    """A short book of one letter packs a thousandfold and is still a book."""
    assert text_of("<p>" + "a" * 1_000_000 + "</p>") == "a" * 1_000_000


def test_sizes_that_lie_are_not_believed() -> None:
    """The directory says 10 bytes; the chapter is read whole or not at all."""
    data = bytearray(book({"a.xhtml": page("<p>" + "word " * 1000 + "</p>")}))
    entry = data.rindex(b"PK\x01\x02", 0, data.rindex(b"OPS/a.xhtml"))
    data[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    assert read(bytes(data)).text.endswith("word")


def test_deeply_nested_markup_is_refused_quickly() -> None:
    """Parsing it would take time in the square of its depth."""
    deep = page("<div>" * 100_000 + "x" + "</div>" * 100_000)
    document = read(book({"a.xhtml": deep, "b.xhtml": page("<p>b</p>")}))
    assert document.text == "b"
    assert codes(document) == {"SPINE_ITEM_DAMAGED": 1}


def test_depth_within_the_limit_needs_no_recursion() -> None:
    """A thousand levels would overflow a recursive reader."""
    assert text_of("<div>" * 3000 + "x" + "</div>" * 3000) == "x"


def test_soft_and_hard_names_of_entries() -> None:
    """An entry whose name holds a literal escape is found as written."""
    assert read(book({"a%20b.xhtml": page("<p>a</p>")})).text == "a"


def test_navigation_in_the_spine_is_no_text() -> None:
    """Of the navigation document only what is not a list for the machine is read."""
    extra = f'<item id="nav" href="nav.xhtml" media-type="{XHTML}" properties="nav"/>'
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package([("a", "a.xhtml", XHTML)], ["nav", "a"], extra=extra),
        "OPS/nav.xhtml": page('<p>Foreword</p><nav epub:type="toc"><ol><li>List</li></ol></nav>'),
        "OPS/a.xhtml": page("<p>a</p>"),
    }
    assert read(zipped(files)).text == "Foreword\n\na"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>a<![CDATA[<b>]]>c<![CDATA[&]]></p>", "a<b>c&"),
        ("<p>a</p>" + "<![CDATA[" * 50_000, "a"),
        ("<p>a</p>" + "<!--" * 50_000, "a"),
        ("<p>a</p>" + "<br/>" * 50_000, "a"),
    ],
)
def test_endless_openings_take_linear_time(body: str, text: str) -> None:
    """Sections and comments that never close are looked through once."""
    assert text == text_of(body).replace("\n", "")
