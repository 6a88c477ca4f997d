"""The two parsers of markup feed the same rules and give the same chapter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.readers.html.blocks import Rules
from cleanbreak.readers.html.expat import feed_xml
from cleanbreak.readers.html.frame import DEEPEST, TooDeep
from cleanbreak.readers.html.lexbor import feed_html
from cleanbreak.readers.html.lighten import BREAK, TURN, WRAPPERS, lightened
from cleanbreak.readers.html.markup import as_html, prepare
from cleanbreak.readers.html.styles import PLAIN, Styles
from cleanbreak.readers.html.text import read_chapter
from cleanbreak.readers.html.walker import Walker
from readers.epubs import page

HIDING = PLAIN._replace(hidden=frozenset({"gone"}))
WORDS = st.sampled_from([
    "a", " ", "word", " two words ", "\n", "x\n  y", "&amp;", "&lt;", "&nbsp;", "&#150;", "&#10;", "&#13;\r\n", "&#xD;", "é",
    "12", "\u3000", "&shy;", "<![CDATA[c & d]]>", "<!-- no -->", "5. x", "“q”", "  ", "&#x2014;",
])  # fmt: skip
ATTRIBUTES = st.sampled_from([
    "", "", "", ' id="x"', ' id="y"', ' epub:type="pagebreak" title="3"', ' epub:type="noteref"',
    ' hidden=""', ' class="c"', ' style="display:none"', ' epub:type="pagebreak"',
    ' class="gone"', ' xml:lang="fr"', ' class="a b" id="w"', ' epub:type="z3998:name se:x"', " class='gone'",
])  # fmt: skip
EMPTY = st.sampled_from([
    "<br/>", "<br />", '<br class="gone"/>', '<br class="c"/>', "<img alt='W'/>", "<img alt='A ship at sea'/>", "<img src='x'/>", "<i/>", '<b id="x"/>',
    '<span epub:type="pagebreak" title="9"/>',
])  # fmt: skip
INLINE = ("i", "span", "abbr", "q", "sup", "sub", "b", "ruby", "code")


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


@given(BODIES, st.sampled_from([frozenset(), {"x", "y"}]), st.sampled_from([PLAIN, HIDING]))
def test_both_parsers_give_the_same_chapter(body: str, anchors: set[str], styles: Styles) -> None:
    """Text, places and counts: the slow parser stands in for the fast one at any chapter."""
    markup = prepare(page(body).encode()).utf8
    fast, slow = (Walker(anchors, styles=styles) for _ in range(2))
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


@pytest.mark.parametrize("tag", WRAPPERS)
def test_elements_that_are_taken_away_have_no_rule(tag: str) -> None:
    assert Rules()[tag] is None


def test_light_markup_has_breaks_for_paragraphs() -> None:
    markup = b'<p class="a">One <i>two</i>.</p> <p>Three<br/>four.</p> <p id="x">Five.</p>'
    light = f'<p class="a">One two.{TURN}Three{BREAK}four.</p> <p id="x">Five.</p>'
    assert lightened(markup, {"x"}, frozenset()) == light.encode()
    assert lightened(markup, (), frozenset()).count(TURN.encode()) == 2


@pytest.mark.parametrize(
    "marked",
    [
        '<p hidden="">Gone.</p>',
        '<p class="gone">Gone.</p>',
        "<p style='display:none'>Gone.</p>",
        '<p><span class="gone">Gone.</span></p>',
        '<p><i role="doc-noteref">7</i></p>',
        '<p>Not<br class="gone"/>e</p>',
    ],
)
def test_marked_element_between_paragraphs_keeps_its_meaning(marked: str) -> None:
    """What hides or refers is not taken away with the plain elements around it."""
    body = f"<p>First <i>words</i>.</p>\n{marked}\n<p>Last <span>words</span>.</p>"
    walker = Walker(styles=HIDING)
    assert feed_xml(prepare(page(body).encode()).utf8, walker)
    chapter = walker.chapter()
    assert chapter.text.replace("Note\n\n", "") == "First words.\n\nLast words."
    assert chapter.left_out.hidden + chapter.left_out.note_references == 1


def test_nesting_too_deep_for_one_parser_is_left_to_the_other() -> None:
    """Which refuses it before it parses, as its time grows with the square."""
    deep = DEEPEST + 1
    body = "<div>" * deep + "word" + "</div>" * deep
    markup = prepare(page(body).encode())
    assert not feed_xml(markup.utf8, Walker())
    with pytest.raises(TooDeep):
        read_chapter(markup)
