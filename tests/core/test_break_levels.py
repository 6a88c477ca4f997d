"""Each chunk names the level of the break at which it ends, and the text bears it out (law 9)."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleanbreak import (
    BoundarySplitter,
    Chunk,
    CodeSplitter,
    Document,
    MarkdownSplitter,
    Section,
    SentenceSplitter,
    Span,
    TokenSplitter,
    sentences,
)
from cleanbreak.core.code.languages import load_language
from cleanbreak.core.code.outline import outline
from strategies import notes, programs, texts

NEWLINES = "\n\r\x85\u2028\u2029"
WHITE = (
    NEWLINES
    + "\t\x0b\x0c\x1c\x1d\x1e\x1f \u1680\u205f\u3000\u200b"
    + "".join(chr(code) for code in range(0x2000, 0x200B) if code != 0x2007)
)
BLANK_LINE = re.compile(rf"(?:\r\n|[{NEWLINES}])[^\S{NEWLINES}]*[{NEWLINES}]")
MARK_AT_THE_END = re.compile(
    r"[.!?…‼‽⁇⁈⁉։;;׃؝؞؟۔܀܁܂߹।॥෴။።፧፨᙮᠃᠉។៕᭚᭛᭞᭟᰻᰼᱾᱿།꡶꡷꣎꣏꤯꧈꧉꩝꩞꩟꯫。！？｡．︒﹒﹖﹗]"
    "[\"'’”»›)\\]}）］｝〕〉》」』】〗〙〛｠｣﹂﹄﹚﹜﹞]*$"
)
CLAUSE_MARK_AT_THE_END = re.compile(
    "[,;:–—、，；：､﹐﹑﹔﹕،؛፣፤፥፦၊][\"'’”»›)\\]}）］｝〕〉》」』】〗〙〛｠｣﹂﹄﹚﹜﹞—]*$"
)
# What may stand before a block on its first line: quote signs, bullets, numbers, boxes, indents.
BLOCK_OPENING = re.compile(r"[\s>*+\-\d.)\[\]xX|:\ufeff]*$")
HEADING = re.compile(
    rf"[^\S{NEWLINES}]*(?:#{{1,6}}(?:\s|$)|[^\n\r]+(?:(?:\r\n|[\n\r])[^\n\r]+)*(?:\r\n|[\n\r]) {{0,3}}(?:=+|-+)[ \t]*(?:[\n\r]|$))"
)


def is_true(text: str, chunk: Chunk, sentence_ends: set[int], heading_starts: set[int]) -> bool:
    """Whether the text itself shows the level, by rules much coarser than those that cut."""
    before, after = text[: chunk.end], text[chunk.end :]
    content = before.rstrip(WHITE + "\u00a0\u2007\u202f\u2060\ufeff")
    beside_white = before[-1] in WHITE or after[:1] in WHITE
    return {
        "end": not after,
        "heading": bool(HEADING.match(after)) or chunk.end in heading_starts,
        "block": before[-1] in NEWLINES
        or BLOCK_OPENING.match(re.split(r"[\n\r]", before)[-1]) is not None
        or not re.split(r"[\n\r]", after)[0].strip(),
        "paragraph": BLANK_LINE.search(before[len(content) :]) is not None,
        "line": re.search(f"[{NEWLINES}]", before[len(content) :]) is not None,
        "sentence": not sentence_ends.isdisjoint((chunk.end, len(content)))
        or MARK_AT_THE_END.search(content) is not None,
        "clause": CLAUSE_MARK_AT_THE_END.search(content) is not None,
        "word": beside_white,
        "grapheme": not beside_white,
        "chapter": False,
    }[chunk.break_level]


def assert_true_levels(
    text: str, chunks: list[Chunk], heading_starts: frozenset[int] = frozenset()
) -> None:
    """Assert law 9 for every chunk; only the last one ends at the end."""
    spans = sentences(text)
    # A sentence ends where its text does, and again behind the blanks that belong to it.
    content_ends = {
        start + len(text[start:end].rstrip(WHITE + "\u00a0\u2007\u202f\u2060\ufeff"))
        for start, end in spans
    }
    sentence_ends = {span.end for span in spans} | content_ends
    for chunk in chunks:
        assert is_true(text, chunk, sentence_ends, set(heading_starts)), (
            chunk.break_level,
            text[max(0, chunk.end - 20) : chunk.end],
            text[chunk.end : chunk.end + 20],
        )
        assert (chunk.break_level == "end") == (chunk.end == len(text))


sizes = st.integers(1, 60)


@settings(deadline=None)
@given(text=texts, size=sizes, lookback=st.integers(0, 60), soft=st.sampled_from(("auto", "never")))
def test_boundary(text: str, size: int, lookback: int, soft: str) -> None:
    """The level at which the look-back found the break, or what the limit happened to hit."""
    splitter = BoundarySplitter(size, lookback, 0, soft_wraps=soft)
    assert_true_levels(text, splitter.split(text))


@settings(deadline=None)
@given(text=texts, size=sizes)
def test_a_chooser_of_the_callers(text: str, size: int) -> None:
    """A chooser gives a length and no level: the text is asked."""
    splitter = BoundarySplitter(size, 0, 0, find_split_point=lambda rest, n, _: min(n, len(rest)))
    assert_true_levels(text, splitter.split(text))


@settings(deadline=None)
@given(
    text=texts,
    sentence_count=st.none() | st.integers(1, 4),
    size=sizes,
    percent=st.integers(0, 75),
    measure=st.sampled_from(("words", "characters")),
)
def test_sentences(
    text: str, sentence_count: int | None, size: int, percent: int, measure: str
) -> None:
    """Sentences, and what a sentence over the limit was cut at."""
    splitter = SentenceSplitter(
        sentence_count, size, percent, measure=measure, oversize="emit", language="en"
    )
    assert_true_levels(text, splitter.split(text))


@settings(deadline=None)
@given(text=notes, size=sizes, merge=st.integers(0, 80), measure=st.sampled_from((len, "words")))
def test_markdown(text: str, size: int, merge: int, measure: object) -> None:
    """Headings and blocks, then what a block over the limit was cut at."""
    splitter = MarkdownSplitter(size, 0, measure, merge_small=merge, oversize="emit")
    assert_true_levels(text, splitter.split(text))


@settings(deadline=None)
@given(text=texts, size=sizes, starts=st.sets(st.integers(0, 200), min_size=1, max_size=4))
def test_markdown_of_a_document_with_headings(text: str, size: int, starts: set[int]) -> None:
    """The headings are those of the sections, wherever they stand."""
    starts = {start for start in starts if start < len(text)}
    sections = tuple(
        Section(kind="heading", title="A", level=1, span=Span(start, len(text)))
        for start in sorted(starts)
    )
    splitter = MarkdownSplitter(size, 0, "characters", oversize="emit")
    chunks = splitter.split(Document(text, sections=sections))
    assert_true_levels(text, chunks, frozenset(starts))


@settings(deadline=None)
@given(
    text=programs,
    size=sizes,
    language=st.sampled_from(("auto", "cpp", "python", "rust", "typescript")),
    measure=st.sampled_from((len, "words")),
)
def test_code(text: str, size: int, language: str, measure: object) -> None:
    """Nodes, then what a line or a node over the limit was cut at."""
    splitter = CodeSplitter(size, language, measure, oversize="emit")
    nodes = outline(text, load_language(language), size).node_starts if language != "auto" else ()
    chunks = splitter.split(text)
    for chunk in chunks[:-1]:
        assert (chunk.break_level == "block") == (chunk.end in nodes)
    assert_true_levels(text, [chunk for chunk in chunks if chunk.break_level != "block"])


@settings(deadline=None)
@given(text=texts, size=sizes, measure=st.sampled_from(("words", "characters")))
def test_tokens(text: str, size: int, measure: str) -> None:
    """Blank lines that went along with a sentence make its end the end of a paragraph."""
    assert_true_levels(text, TokenSplitter(size, measure, oversize="emit").split(text))


TEXT = (
    "# Log\n\nThe keeper climbed. Lamps burned,\nas they had.\n\nThe wind rose, and rose; it did not "
    "rest\n\n\nAntidisestablishmentarianism was a word\n# Night\n\n- calm\n- dark and rather cold"
)
LEVELS = {
    "boundary": (
        BoundarySplitter(26, 24, 0),
        [
            "paragraph",
            "sentence",
            "line",
            "paragraph",
            "word",
            "paragraph",
            "grapheme",
            "paragraph",
        ],
    ),
    "boundary, cut at the limit": (
        BoundarySplitter(20, 0, 0),
        ["grapheme", "word", "grapheme", "word", "grapheme", "grapheme", "word"],
    ),
    "sentences": (
        SentenceSplitter(max_tokens=26, measure="characters", language="en"),
        ["paragraph", "sentence", "line", "paragraph", "clause", "paragraph", "grapheme"],
    ),
    "markdown": (
        MarkdownSplitter(26, 0),
        ["sentence", "line", "paragraph", "word", "paragraph", "grapheme", "heading", "block"],
    ),
    "tokens": (
        TokenSplitter(26, "characters"),
        [
            "paragraph",
            "sentence",
            "line",
            "paragraph",
            "word",
            "paragraph",
            "grapheme",
            "paragraph",
        ],
    ),
}


@pytest.mark.parametrize("name", LEVELS)
def test_every_level_is_named(name: str) -> None:
    """One text with every kind of break, so that the law above is about something."""
    splitter, levels = LEVELS[name]
    chunks = splitter.split(TEXT)
    assert [chunk.break_level for chunk in chunks][: len(levels)] == levels
    assert chunks[-1].break_level == "end"


def test_a_line_end_of_hard_wrapped_text_is_a_space() -> None:
    """A program put it there, so no chunk is said to end at a line."""
    line = "The wind that came off the water rose and did not rest before the"
    text = "\n".join([line] * 40)
    for splitter in (
        BoundarySplitter(200, 150, 0, soft_wraps="auto"),
        SentenceSplitter(max_tokens=30, language="en"),
    ):
        levels = {chunk.break_level for chunk in splitter.split(text)}
        assert levels == {"word", "end"}
