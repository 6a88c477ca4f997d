"""Tables of contents of EPUB 2 (NCX) and EPUB 3, and pages of the printed book."""

import pytest

import cleanbreak as cb
from cleanbreak.readers.epub import read_epub
from cleanbreak.readers.file import SourceFile
from readers.epubs import CONTAINER, XHTML, package, page, zipped

NCX_TYPE = "application/x-dtbncx+xml"
CHAPTERS = {
    "a.xhtml": "<h1>Part One</h1><p>The ferry left.</p>",
    "b.xhtml": "<h2>Fog</h2><p>Nobody rang.</p><h3 id='later'>Later</h3><p>Someone did.</p>",
    "c.xhtml": "<h1>Part Two</h1><p>The ferry came back.</p>",
}


def point(title: str, href: str, *inner: str) -> str:
    return (
        f"<navPoint><navLabel><text>{title}</text></navLabel><content src='{href}'/>"
        f"{''.join(inner)}</navPoint>"
    )


def ncx(points: str, pages: str = "") -> str:
    listed = f"<pageList>{pages}</pageList>" if pages else ""
    return (
        '<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">'
        f"<navMap>{points}</navMap>{listed}</ncx>"
    )


def page_target(title: str, href: str) -> str:
    return (
        f"<pageTarget type='normal'><navLabel><text>{title}</text></navLabel>"
        f"<content src='{href}'/></pageTarget>"
    )


def read(
    contents: str, *, spine: str = "", nav: str = "", media_type: str = NCX_TYPE
) -> cb.Document:
    """A book of `CHAPTERS` with `contents` as its NCX and perhaps a navigation document."""
    items = [(href[0], href, XHTML) for href in CHAPTERS] + [("toc", "toc.ncx", media_type)]
    extra = f'<item id="n" href="nav.xhtml" media-type="{XHTML}" properties="nav"/>' if nav else ""
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package(items, ["a", "b", "c"], extra=extra, spine_attributes=spine),
        "OPS/toc.ncx": contents,
        **{f"OPS/{href}": page(body) for href, body in CHAPTERS.items()},
    }
    if nav:
        files["OPS/nav.xhtml"] = page(nav)
    return read_epub(SourceFile("book.epub", zipped(files)), limits=cb.Limits())


def outline(document: cb.Document, kind: str = "chapter") -> list[tuple[int, str, str]]:
    """Level, title and first words of each section."""
    return [
        (s.level, s.title, document.text[s.span.start :].partition("\n")[0])
        for s in document.sections
        if s.kind == kind
    ]


NESTED = point("Part One", "a.xhtml", point("Fog", "b.xhtml", point("Later", "b.xhtml#later")))


@pytest.mark.parametrize(("spine", "media_type"), [(' toc="toc"', "text/xml"), ("", NCX_TYPE)])
def test_chapters_of_an_ncx_have_the_levels_of_its_points(spine: str, media_type: str) -> None:
    """The outermost point is level 1; the NCX is found by the spine's `toc`, or by its type."""
    document = read(ncx(NESTED + point("Part Two", "c.xhtml")), spine=spine, media_type=media_type)
    assert outline(document) == [
        (1, "Part One", "Part One"),
        (2, "Fog", "Fog"),
        (3, "Later", "Later"),
        (1, "Part Two", "Part Two"),
    ]
    first = next(section for section in document.sections if section.title == "Part One")
    assert "Someone did." in document.text[first.span.start : first.span.end]
    assert "Part Two" not in document.text[first.span.start : first.span.end]


def test_a_point_without_a_label_or_a_target_is_no_chapter() -> None:
    """Titles are joined over markup and line ends; a target outside the book is counted."""
    points = (
        "<navPoint><content src='a.xhtml'/></navPoint>"
        + point("The\n  <em>second</em> part", "c.xhtml")
        + point("Nowhere", "z.xhtml")
    )
    document = read(ncx(points))
    assert (1, "The second part", "Part Two") in outline(document)
    assert "Nowhere" not in [title for _, title, _ in outline(document)]
    assert {w.code: w.count for w in document.warnings}["CHAPTER_TARGET_MISSING"] == 1


def test_an_ncx_that_is_no_xml_gives_the_headings_of_the_chapters() -> None:
    """A damaged table of contents costs no text."""
    document = read("")
    titles = [title for _, title, _ in outline(document, "heading")]
    assert titles == ["Part One", "Fog", "Later", "Part Two"]


def test_pages_of_an_ncx_complete_a_navigation_document_without_any() -> None:
    """EPUB 3's chapters win over those of the NCX; its page list is used if there is no other."""
    pages = page_target("i", "a.xhtml") + page_target("1", "b.xhtml#later")
    nav = "<nav epub:type='toc'><ol><li><a href='c.xhtml'>Only this</a></li></ol></nav>"
    document = read(ncx(NESTED, pages), nav=nav)
    assert [title for _, title, _ in outline(document)] == ["Only this"]
    assert [title for _, title, _ in outline(document, "page")] == ["i", "1"]


def test_a_navigation_document_with_chapters_and_pages_needs_no_ncx() -> None:
    """The NCX is then not asked at all."""
    nav = (
        "<nav epub:type='toc'><ol><li><a href='c.xhtml'>Only this</a></li></ol></nav>"
        "<nav epub:type='page-list'><ol><li><a href='a.xhtml'>9</a></li></ol></nav>"
    )
    document = read(ncx(NESTED, page_target("i", "a.xhtml")), nav=nav)
    assert [title for _, title, _ in outline(document)] == ["Only this"]
    assert [title for _, title, _ in outline(document, "page")] == ["9"]


def test_a_chapter_named_outside_the_archive_is_read_inside_it_with_a_warning() -> None:
    """`../../b.xhtml` climbs out of the book: nothing outside is read, and a warning says so."""
    files = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package(
            [("a", "a.xhtml", XHTML), ("b", "../../b.xhtml", XHTML)], ["a", "b"]
        ),
        "OPS/a.xhtml": page("<p>Inside.</p>"),
        "b.xhtml": page("<p>At the root.</p>"),
    }
    document = read_epub(SourceFile("book.epub", zipped(files)), limits=cb.Limits())
    assert document.text == "Inside.\n\nAt the root."
    assert {w.code: w.count for w in document.warnings}["HREF_UNSAFE"] == 1
