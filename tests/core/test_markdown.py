"""What `cleanbreak.core.markdown` reads, against examples and a CommonMark reference."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from cleanbreak.core.markdown import parser as markdown
from cleanbreak.core.markdown.front_matter import body_start, front_matter
from cleanbreak.core.markdown.math import without_newlines_in_math
from cleanbreak.errors import TextInvalidError
from strategies import notes

REFERENCE = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def titles(text: str) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in markdown.headings(text)]


def reference_headings(text: str) -> list[tuple[int, int, str]]:
    """Level, line and title of each heading of the top level, as markdown-it says."""
    tokens = REFERENCE.parse(text[body_start(text) :])
    return [
        (int(opening.tag[1]), opening.map[0], visible(inline))
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open" and opening.level == 0 and opening.map
    ]


def visible(token: Token) -> str:
    parts = []
    for child in token.children or []:
        if child.type in {"text", "code_inline"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
        elif child.type == "image":
            parts.append(visible(child))
    return " ".join("".join(parts).split())


def our_headings(text: str) -> list[tuple[int, int, str]]:
    """The same of ours; the line is that of the first mark, as a section may start before it."""
    start = body_start(text)
    found = []
    for section in markdown.headings(text):
        at = max(start, section.span.start)
        at += len(re.match(r"[ \t\r\n\ufeff]*", text[at:])[0])
        line = len(re.findall(r"\r\n|\n|\r", text[start:at]))
        found.append((section.level, line, section.title))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n## B\n", [(1, "A"), (2, "B")]),
        ("A\n===\nB\n---\n", [(1, "A"), (2, "B")]),
        ("Over\ntwo lines\n===\n", [(1, "Over two lines")]),
        ("## C#\n## F# ##\n## Go #\n", [(2, "C#"), (2, "F#"), (2, "Go")]),
        ("#\n\n##\n", [(1, ""), (2, "")]),
        ("#tag\n\n####### seven\n\n\\# no\n", []),
        ("#\tTabbed\n   ### Three  \n    # code\n", [(1, "Tabbed"), (3, "Three")]),
        ("# a\r\n\r\n## b\r\n", [(1, "a"), (2, "b")]),
        ("# a\r\r## b\r", [(1, "a"), (2, "b")]),
        ("\ufeff# Bom\n", [(1, "Bom")]),
        ("\ufeff---\na: 1\n---\n# x\n", [(1, "x")]),
        ("+++\na = 1\n# no\n+++\n# x\n", [(1, "x")]),
        ("---\n\n# x\n\n---\n", [(1, "x")]),
        ("x\n\n---\na: 1\n---\n", [(2, "a: 1")]),
        ("> # quoted\n\n- # listed\n\n1. a\n\n   # item\n", []),
        ("```\n# a\n~~~\n# b\n```\n# c\n", [(1, "c")]),
        ("````\n```\n# a\n````\n# c\n", [(1, "c")]),
        ("~~~\n# a\n", []),
        ("<!--\n# a\n-->\n<pre>\n# b\n</pre>\n# c\n", [(1, "c")]),
        ("# A `b` **c** [d](e) ![f](g) <i>h</i> &amp; \\*\n", [(1, "A b c d f h & *")]),
        (
            "# [only](link)\n# [[Note|alias]]\n# [[Note]]\n",
            [(1, "only"), (1, "alias"), (1, "Note")],
        ),
        ("# [a][b]\n\n[b]: c\n", [(1, "a")]),
        ("| a |\n|---|\n| # b |\n", []),
    ],
)
def test_headings(text: str, expected: list[tuple[int, str]]) -> None:
    """Level and visible title of each heading of the top level, and of nothing else."""
    assert expected == titles(text)


def test_section_ends_at_the_next_of_its_level_or_higher() -> None:
    """Skipped levels are popped rightly."""
    text = "a\n# 1\n### 3\n## 2\n# 1\n"
    spans = [text[slice(*section.span)] for section in markdown.headings(text)]
    assert spans == ["# 1\n### 3\n## 2\n", "### 3\n", "## 2\n", "# 1\n"]


@pytest.mark.parametrize("before", ["\n\n", "\ufeff", " \r\n"])
def test_blank_text_before_the_first_heading_belongs_to_it(before: str) -> None:
    """So that no chunk of a note is blank, or only a byte order mark."""
    (section,) = markdown.headings(f"{before}# é\n")
    assert (0, len(before) + 4) == section.span


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: 1\n---\nx", "a: 1\n"),
        ("\ufeff---\r\na: 1\r\n---\r\n", "a: 1\r\n"),
        ("---\ra: 1\r...\r", "a: 1\r"),
        ("---\n---\n", ""),
        ("---\n  indented: 1\n---\n", "  indented: 1\n"),
        ("---\n日付: 1\n$x:\n---\n", "日付: 1\n$x:\n"),
        ("---\n# only a comment\n---", "# only a comment\n"),
        ('---\n"quoted key": [\n---\n', '"quoted key": [\n'),
        ("+++\n[params]\n+++\n", "[params]\n"),
    ],
)
def test_front_matter(text: str, body: str) -> None:
    """YAML or TOML, at the very start, in any newline style."""
    found = front_matter(text)
    assert found is not None
    assert body == text[slice(*found.body)]


@pytest.mark.parametrize(
    "text",
    [
        "---\na: 1\n",
        "---\n\nSome text: more.\n\n---\n",
        "---\n- a\n---\n",
        "---\n- a: b\n---\n",
        "---\n> a: b\n---\n",
        "---\nhttp://a.example\n---\n",
        "---\nProse without a key\n---\n",
        "\n---\na: 1\n---\n",
        " ---\na: 1\n---\n",
        "----\na: 1\n----\n",
        "+++\nprose\n+++\n",
        "",
    ],
)
def test_no_front_matter(text: str) -> None:
    """Unclosed, not at the very start, without a key, or after a blank line: a thematic break."""
    assert front_matter(text) is None


def test_blocks_cover_nested_structure() -> None:
    """Blocks come outer before inner, from the start of their line, in code points."""
    text = "é\r\n\r\n> q\r\n\r\n- a\r\n  - b\r\n\r\n    ```\r\n    c\r\n    ```\r\n| x |\r\n|---|\r\n| y |\r\n"
    expected = [
        ("paragraph", 0, "é\r\n"), ("quote", 0, "> q\r\n"), ("paragraph", 1, "> q\r\n"),
    ]  # fmt: skip
    found = [
        (block.kind, block.depth, text[block.start : block.end]) for block in markdown.blocks(text)
    ]
    assert expected == found[:3]
    assert [kind for kind, _, _ in found[3:]] == [
        "list",
        "item",
        "list",
        "item",
        "paragraph",
        "fence",
        "table",
        "row",
        "row",
    ]
    assert found[8][2] == "    ```\r\n    c\r\n    ```"


def test_inlines_tell_links_from_prose() -> None:
    """Tags may be searched in prose; code, HTML, front matter and link texts are none."""
    text = (
        "---\na: '[[no]]'\n---\n# H\né #t `#c` [#l](u%20v.md) ![[e#f]] [[n\\|m]] <b>\n\n    #code\n"
    )
    found = list(markdown.inlines(text))
    links = [inline for inline in found if isinstance(inline, markdown.Link)]
    prose = [inline for inline in found if isinstance(inline, markdown.Prose)]
    assert [(link.destination, link.wiki, link.embed) for link in links] == [
        ("u%20v.md", False, False),
        ("e#f", True, True),
        ("n", True, False),
    ]
    assert [text[slice(*link.span)] for link in links] == [
        "[#l](u%20v.md)",
        "![[e#f]]",
        "[[n\\|m]]",
    ]
    assert [
        (text[slice(*run.span)], run.in_heading) for run in prose if text[slice(*run.span)].strip()
    ] == [("H", True), ("é #t ", False)]


@pytest.mark.parametrize("read", [markdown.headings, lambda text: list(markdown.blocks(text))])
def test_half_of_a_surrogate_pair_is_refused(read) -> None:
    """It has no UTF-8 form, so no byte offset; the error tells where it is."""
    with pytest.raises(TextInvalidError) as caught:
        read("# a\n\ud800")
    assert caught.value.details["offset"] == 4


@pytest.mark.parametrize(
    "text",
    [
        "> " * 5_000 + "x",
        "- " * 5_000 + "x",
        "(" * 40_000,
        "[" * 40_000,
        "*a_ " * 20_000,
        "[[a" * 20_000,
        "<a " * 20_000,
        "---\n" + "a\n" * 40_000,
        "---\n" + "#" * 40_000 + "\n" * 20_000 + "x",
        "---\n" + "# a " * 20_000 + "\nx\n---\n",
        "# " + "*a " * 20_000,
        "\n".join("> " * depth for depth in range(300)),
    ],
)
def test_deep_and_long_input_ends(text: str) -> None:
    """Nothing recurses and nothing is quadratic: each of these would take minutes."""
    markdown.headings(text)
    assert all(0 <= block.start <= block.end <= len(text) for block in markdown.blocks(text))
    assert all(text[slice(*inline.span)] for inline in markdown.inlines(text))


@example("\t# A\n\r# A\n")
@given(notes)
def test_headings_are_those_of_the_reference(text: str) -> None:
    """Level, line and title, on notes made of tricky pieces.

    Without what the reference and the parser read differently and CommonMark leaves rare or open:
    tables, which are no part of it; blanks that only Unicode calls so; definitions before HTML;
    display math.
    """
    text = without_newlines_in_math(text)
    assume(not re.search(r"\||[^\S \t\r\n]|\[ref\]:", text))
    assert reference_headings(text) == our_headings(text)


@given(notes)
def test_offsets_are_exact(text: str) -> None:
    """Spans lie in the text, in order; a top-level block starts a line."""
    top = [block for block in markdown.blocks(text) if block.depth == 0]
    for block in top:
        assert block.start == 0 or text[block.start - 1] in "\r\n\ufeff"
    assert [block.start for block in top] == sorted({block.start for block in top})
    sections = markdown.headings(text)
    assert all(text[section.span.start : section.span.end] for section in sections)


@pytest.mark.slow
def test_corpus_headings_are_those_of_the_reference(shared: Path) -> None:
    """Every note of six public vaults; titles with wikilinks aside, which CommonMark lacks."""
    notes_seen = 0
    for path in sorted((shared / "corpus" / "md").rglob("*.md")):
        text = path.read_bytes().decode("utf-8", "replace")
        notes_seen += 1
        for theirs, ours in zip(reference_headings(text), our_headings(text), strict=True):
            assert theirs[:2] == ours[:2]
            assert theirs == ours or "[[" in theirs[2]
    assert notes_seen > 0


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nplugin: parsed\ntags: [a,\n  b\n]\n\n---\n",
        "---\r\n \r\nup:\r\n# by hand\r\n- x\r\n---",
        "+++\n\ntags = ['a']\n+++\n",
    ],
)
def test_front_matter_may_start_with_a_blank_line(text: str) -> None:
    """The Excalidraw plugin writes it so."""
    found = front_matter(text)
    assert found is not None
    assert found.span == (0, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nDear Ann: I am well.\nHow are you?\n\n---\n",
        "---\n\n# A title\n\n---\n",
        "---\n\n---\n",
        "---\n\n- an item\n- key: value\n---\n",
    ],
)
def test_prose_between_thematic_breaks_is_no_front_matter(text: str) -> None:
    assert front_matter(text) is None
