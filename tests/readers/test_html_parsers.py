"""The two parsers of markup feed the same rules and give the same chapter."""

from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.readers.html.expat import feed_xml
from cleanbreak.readers.html.lexbor import feed_html
from cleanbreak.readers.html.markup import as_html, prepare
from cleanbreak.readers.html.walker import Walker
from readers.epubs import page

WORDS = st.sampled_from([
    "a", " ", "word", " two words ", "\n", "x\n  y", "&amp;", "&lt;", "&nbsp;", "&#150;", "&#10;", "é",
    "12", "\u3000", "&shy;", "<![CDATA[c & d]]>", "<!-- no -->", "5. x", "“q”", "  ", "&#x2014;",
])  # fmt: skip
ATTRIBUTES = st.sampled_from([
    "", "", "", ' id="x"', ' id="y"', ' epub:type="pagebreak" title="3"', ' epub:type="noteref"',
    ' hidden=""', ' class="c"', ' style="display:none"', ' epub:type="pagebreak"',
])  # fmt: skip
EMPTY = st.sampled_from([
    "<br/>", "<img alt='W'/>", "<img alt='A ship at sea'/>", "<img src='x'/>", "<i/>", '<b id="x"/>',
    '<span epub:type="pagebreak" title="9"/>',
])  # fmt: skip
INLINE = ("i", "span", "q", "sup", "sub", "b", "ruby", "code")


@st.composite
def element(draw: st.DrawFn, tags: tuple[str, ...], inner: st.SearchStrategy[str]) -> str:
    tag = draw(st.sampled_from(tags))
    content = "".join(draw(st.lists(inner, max_size=4)))
    return f"<{tag}{draw(ATTRIBUTES)}>{content}</{tag}>"


PHRASES = st.recursive(
    WORDS | EMPTY, lambda inner: st.one_of(inner, element(INLINE, inner)), max_leaves=8
)
LINKS = element(("a",), PHRASES).map(lambda text: text.replace("<a", '<a href="#n"', 1))
FORMULAS = st.recursive(
    element(("mi", "mn", "mo"), st.sampled_from(["x", "2", "+", " y "])),
    lambda inner: element(("mrow", "mfrac", "msup", "msqrt", "mroot", "msubsup"), inner),
    max_leaves=6,
).map(lambda formula: f"<math>{formula}</math>")
PARAGRAPHS = element(("p", "h1", "h3", "pre"), PHRASES | FORMULAS | LINKS)
ROWS = st.lists(element(("td", "th"), PHRASES | PARAGRAPHS), min_size=1, max_size=3).map(
    lambda cells: f"<tr>{''.join(cells)}</tr>"
)
TABLES = st.lists(ROWS, min_size=1, max_size=3).map(
    lambda rows: f"<table><tbody>{''.join(rows)}</tbody></table>"
)
BLOCKS = st.recursive(
    PARAGRAPHS | TABLES,
    lambda inner: st.one_of(
        element(("div", "section", "blockquote", "figure", "aside"), inner | WORDS),
        st.lists(element(("li",), inner | PHRASES), max_size=3).map(
            lambda items: f'<ol start="4">{"".join(items)}</ol>'
        ),
    ),
    max_leaves=10,
)
BODIES = st.lists(BLOCKS, max_size=5).map("\n".join)


@given(BODIES)
def test_both_parsers_give_the_same_chapter(body: str) -> None:
    """Text, places and counts: the slow parser stands in for the fast one at any chapter."""
    markup = prepare(page(body).encode()).utf8
    fast, slow = Walker({"x", "y"}), Walker({"x", "y"})
    assert feed_xml(markup, fast)
    feed_html(as_html(markup), slow)
    assert fast.chapter() == slow.chapter()


@given(BODIES)
def test_places_lie_in_the_text(body: str) -> None:
    """In the order in which they stand."""
    walker = Walker({"x", "y"})
    assert feed_xml(prepare(page(body).encode()).utf8, walker)
    chapter = walker.chapter()
    places = [
        [page.offset for page in chapter.pages],
        [heading.offset for heading in chapter.headings],
        [figure.start for figure in chapter.figures],
    ]
    assert all(offsets == sorted(offsets) for offsets in places)
    assert all(0 <= offset <= len(chapter.text) for offsets in places for offset in offsets)
    assert all(figure.start <= figure.end <= len(chapter.text) for figure in chapter.figures)


def test_markup_that_is_not_well_formed_is_left_to_the_other_parser() -> None:
    """So is markup that declares something: an entity may be a bomb."""
    assert not feed_xml(b"<html><p>a<br></p></html>", Walker())
    assert not feed_xml(b'<!DOCTYPE h [<!ENTITY a "b">]><h>&a;</h>', Walker())
