"""`MarkdownSplitter`: the laws over notes, its rules one by one, and the shared cases."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak import Document, MarkdownSplitter, Section, Span, make_splitter
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.markdown.breaks import markdown_breaks
from cleanbreak.core.markdown.parser import headings
from cleanbreak.errors import IndivisibleTextError, SettingsError
from laws import assert_laws
from strategies import notes, texts


def count_words(text: str) -> int:
    return len(text.split())


def count_unevenly(text: str) -> int:
    """Like a tokenizer: not additive, several units for some characters, few for others."""
    return (len(text.encode()) + 2) // 3


def texts_of(chunks: list[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks]


# --- the laws ------------------------------------------------------------------------------------


@given(st.one_of(notes, texts), st.integers(1, 80), st.integers(0, 60))
def test_laws_in_characters(text: str, chunk_size: int, overlap_size: int) -> None:
    """Whatever the text and the sizes."""
    chunks = MarkdownSplitter(chunk_size, overlap_size).split(text)
    sizes = {"limit": chunk_size, "overlap_limit": overlap_size}
    assert_laws(text, chunks, **sizes, blank_is_content=False)


@pytest.mark.parametrize("measure", [count_unevenly, count_words])
@given(text=st.one_of(notes, texts), chunk_size=st.integers(1, 30), overlap_size=st.integers(0, 20))
def test_laws_in_tokens(measure, text: str, chunk_size: int, overlap_size: int) -> None:
    """A measure that does not add up is obeyed chunk by chunk."""
    splitter = MarkdownSplitter(chunk_size, overlap_size, measure, oversize="emit")
    chunks = splitter.split(text)
    sizes = {"limit": chunk_size, "overlap_limit": overlap_size}
    assert_laws(text, chunks, measure=measure, **sizes, blank_is_content=False)
    for chunk in chunks:
        assert chunk.token_count == measure(chunk.text)
        assert chunk.oversize == (chunk.token_count > chunk_size)


@given(notes, st.integers(1, 300), st.integers(0, 50))
def test_headings_open_chunks(text: str, chunk_size: int, overlap_size: int) -> None:
    """Each section with text of its own starts a chunk or follows headings only, and has its path."""
    splitter = MarkdownSplitter(chunk_size, overlap_size)
    chunks = splitter.split(text)
    sections = headings(text)
    for section in sections:
        before = [c.start for c in chunks if c.start <= section.span.start]
        above = [s.span.start for s in sections if max(before, default=0) <= s.span.start]
        assert not before or before[-1] == above[0]
    for chunk in chunks:
        path = [tuple(heading) for heading in chunk.heading_path or ()]
        open_ = [s for s in sections if chunk.start < s.span.end]
        assert all(any((s.level, s.title) == heading for s in open_) for heading in path)


# --- rules, one by one ---------------------------------------------------------------------------


def test_defaults() -> None:
    """The figures of the specification."""
    splitter = MarkdownSplitter()
    assert (splitter.chunk_size, splitter.overlap_size) == (1000, 100)
    assert splitter.recipe.measure == "characters"
    assert (splitter.recipe.settings) == {
        "chunk_size": 1000,
        "overlap_size": 100,
        "merge_small": 0,
        "oversize": "raise",
    }
    assert make_splitter("markdown", chunk_size=5).recipe == MarkdownSplitter(5).recipe


@pytest.mark.parametrize(
    "settings",
    [
        {"chunk_size": 0}, {"chunk_size": True}, {"chunk_size": 1.0}, {"chunk_size": 10**12},
        {"overlap_size": -1}, {"overlap_size": float("nan")}, {"measure": 3}, {"measure": "x"},
        {"merge_small": -1}, {"oversize": "drop"},
    ],
)  # fmt: skip
def test_settings_are_refused_when_built(settings: dict[str, object]) -> None:
    """Never midway."""
    with pytest.raises(SettingsError) as caught:
        MarkdownSplitter(**settings)
    assert [caught.value.details["field"]] == list(settings)


def test_path_before_the_first_heading_is_none() -> None:
    """Front matter and a preface lie under no heading."""
    chunks = MarkdownSplitter().split("---\na: 1\n---\n\nPreface.\n\n# One\n\n### Deep\n\n## Two\n")
    assert [chunk.heading_path and str(chunk.heading_path) for chunk in chunks] == [
        None,
        "# One > ## Two",
    ]


def test_no_headings_means_by_paragraph() -> None:
    """Small paragraphs share a chunk while they fit."""
    text = "Aaaa aaaa.\n\nBbbb.\n\nCccc cccc cccc.\n"
    assert texts_of(MarkdownSplitter(20, 0).split(text)) == [
        "Aaaa aaaa.\n\nBbbb.\n\n",
        "Cccc cccc cccc.\n",
    ]


def test_big_paragraph_is_cut_at_sentences_then_words() -> None:
    """And the sentence that must be cut anyway does not take the one before it along."""
    text = "# T\n\nOne two. Three four five six seven eight.\n"
    assert texts_of(MarkdownSplitter(16, 0).split(text)) == [
        "# T\n\nOne two. ",
        "Three four five ",
        "six seven ",
        "eight.\n",
    ]


@pytest.mark.parametrize(
    "block",
    [
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 \\| | 4 |\n",
        "```py\na = 1\n\nb = 2\n```\n",
        "~~~\n```\nx\n```\n~~~\n",
        "- a b c\n  d e f\n\n  ```\n  g\n\n  h\n  ```\n",
        "> [!note] Title\n> Some text. More text.\n>\n> End.\n",
        "<div>\nsome. text.\n</div>\n",
        "[^1]: Some. Text.\n\n    More.\n",
        "$$\nx = y. z\n\\\\ w\n$$\n",
        "    code. line\n\n    more. code\n",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("spare", [0, 1, 20])
def test_a_block_that_fits_stays_whole(block: str, newline: str, spare: int) -> None:
    """Even if it fits to the last character, with blank lines around it that do not."""
    text = f"# Title\n\nSome words.\n\n{block}\nEnd of it. And more.\n"
    text, block = text.replace("\n", newline), block.replace("\n", newline)
    chunks = MarkdownSplitter(len(block) + spare, 0).split(text)
    assert any(block.rstrip() in chunk.text for chunk in chunks)


@pytest.mark.parametrize(
    "block",
    [
        "```sh\nkill 1\nkill 2\n```\n",
        "- kill 1. end\n- kill 2. end\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "    kill 1\n    kill 2\n",
        "$$\na = b\n$$\n",
        "> kill 1\n> kill 2\n",
    ],
)
@pytest.mark.parametrize(
    "line", ["To stop it, run:", "**Example:**", "要停止，请运行：", "_So_:  "]
)
@pytest.mark.parametrize("indent", ["", "  "])
def test_a_block_was_cut_from_the_line_that_announces_it(
    block: str, line: str, indent: str
) -> None:
    """In list items as well; if both do not fit together, the block stays whole alone."""
    announced = f"{line}\n\n{block}".replace("\n", "\n" + indent).rstrip(" ")
    text = "- " * bool(indent) + f"Hm.\n\n{indent}{announced}\n{indent}The end.\n"
    for spare in (0, 1, 15):
        chunks = MarkdownSplitter(len(indent + announced) + spare, 0).split(text)
        assert any(announced.rstrip() in chunk.text for chunk in chunks)
    chunks = MarkdownSplitter(len(indent + announced) - 4, 0).split(text)
    assert any(chunk.text.lstrip().startswith(block.split("\n")[0].lstrip()) for chunk in chunks)


def test_a_heading_of_an_item_announces_no_further_item() -> None:
    """A colon at the end of one item says nothing of the next."""
    chunks = MarkdownSplitter(30, 0).split("- one two three:\n- four five:\n- six seven:\n")
    assert texts_of(chunks) == ["- one two three:\n- four five:\n", "- six seven:\n"]


def test_a_table_over_the_limit_is_cut_between_rows() -> None:
    """The head and the line under it stay with the first row."""
    rows = [f"| {number} | some. words |\r\n" for number in range(9)]
    text = "| n | w |\r\n|---|---|\r\n" + "".join(rows)
    chunks = MarkdownSplitter(60, 0).split(text)
    assert chunks[0].text.startswith("| n | w |\r\n|---|---|\r\n| 0 |")
    assert all(chunk.text.endswith("|\r\n") for chunk in chunks)


def test_a_fence_over_the_limit_is_cut_between_lines() -> None:
    """At blank lines where there are some; a fence line is not left alone."""
    code = "".join(f"line {number};\n" + "\n" * (number % 5 == 4) for number in range(20))
    chunks = MarkdownSplitter(60, 0).split(f"Text:\n\n```py\n{code}```\n")
    assert all(chunk.text.endswith("\n") for chunk in chunks)
    assert chunks[0].text.endswith("\n\n")
    assert "line" in chunks[-1].text


@pytest.mark.parametrize("tail", ["  x. y\n", "  ```\n  x\n  y\n  ```\n", "  - nested one\n"])
def test_list_items_stay_whole(tail: str) -> None:
    """Items are the units of a list, nested items those of an item that does not fit."""
    items = [f"- item number {number}\n{tail}" for number in range(6)]
    chunks = MarkdownSplitter(90, 0).split("".join(items))
    assert all(any(item in chunk.text for chunk in chunks) for item in items)


def test_nested_items_stay_whole_in_an_item_that_does_not() -> None:
    """The cleanest break inside a big item is before the items in it."""
    nested = [f"  - nested. item {number}\n" for number in range(9)]
    chunks = MarkdownSplitter(60, 0).split("- item\n" + "".join(nested) + "- end\n")
    assert all(any(item in chunk.text for chunk in chunks) for item in nested)


def test_reference_definitions_are_cut_between_lines() -> None:
    """They are no blocks for the parser, but a line each for a reader."""
    lines = [f"[n{number}]: /a/b.c 'd. e'\n" for number in range(9)]
    chunks = MarkdownSplitter(60, 0).split("Text [n1].\n\n" + "".join(lines))
    assert all(any(line in chunk.text for chunk in chunks) for line in lines)


def test_a_heading_takes_along_what_must_be_cut_anyway() -> None:
    """A paragraph over the limit fills the chunk that its heading opened."""
    chunks = MarkdownSplitter(40, 0).split("# T\n\n" + "One two three. " * 9)
    assert chunks[0].text == "# T\n\nOne two three. One two three. "


def test_blank_text_goes_left() -> None:
    """Trailing blank lines belong to the chunk before them."""
    chunks = MarkdownSplitter(12, 0).split("# One\n\n\n\n# Two\n\n\nThree four\n\n\n")
    assert texts_of(chunks) != ["# One\n\n\n\n", "# Two\n\n\n", "Three four\n", "\n\n"]
    assert all(chunk.text.strip() for chunk in chunks)


def test_blank_only_text_has_no_chunks() -> None:
    """White space is no content of a note."""
    assert MarkdownSplitter().split(" \n\n\t") == []
    assert MarkdownSplitter().split("") == []


def test_merge_small_joins_sections_up_to_the_limit() -> None:
    """A small section is joined with the next; the path is that of the first."""
    text = "# A\n\na\n\n## B\n\nb\n\n## C\n\n" + "c " * 20 + "\n## D\n"
    chunks = MarkdownSplitter(60, 0, merge_small=12).split(text)
    assert texts_of(chunks) == [
        "# A\n\na\n\n## B\n\nb\n\n",
        "## C\n\n" + "c " * 20 + "\n",
        "## D\n",
    ]
    assert str(chunks[0].heading_path) == "# A"


def test_headings_of_a_document_are_kept() -> None:
    """A document that has headings is cut at those, whatever its text looks like."""
    text = "Title\nsome text\n# no heading here\nmore\n"
    document = Document(text, (Section("heading", "Title", 1, Span(0, len(text))),))
    (chunk,) = MarkdownSplitter().split(document)
    assert str(chunk.heading_path) == "# Title"


def test_blank_text_of_a_document_is_never_a_chunk() -> None:
    """Blank text before the first heading goes with it, blank sections with the one before."""
    text = "\n\nOne\n\n \n\nTwo\n"
    spans = [Span(2, 7), Span(7, 9), Span(9, len(text))]
    sections = tuple(Section("heading", str(n), 1, span) for n, span in enumerate(spans))
    chunks = MarkdownSplitter().split(Document(text, sections))
    assert [(str(chunk.heading_path), chunk.text) for chunk in chunks] == [
        ("# 0", "\n\nOne\n\n \n"),
        ("# 2", "\nTwo\n"),
    ]


def test_pages_stay_beside_headings() -> None:
    """Sections of other kinds are told apart from the headings found."""
    document = Document("# A\n\nb\n", (Section("page", "iv", 1, Span(0, 7)),))
    (chunk,) = MarkdownSplitter().split(document)
    assert (str(chunk.heading_path), [page.title for page in chunk.sections]) == ("# A", ["iv"])


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (30, "Third sentence here. "),
        (16, "sentence here. "),
        (3, "e. "),
        (200, "First one. Second one. Third sentence here. "),
    ],
)
def test_overlap_starts_at_a_sentence_when_one_is_near(size: int, expected: str) -> None:
    """Else at a word, else at a character; never over the size; all the earlier text if it fits."""
    text = "First one. Second one. Third sentence here. " + "Fourth sentence is here to be long."
    chunks = MarkdownSplitter(45, size).split(text)
    assert expected == chunks[1].overlap_text


def test_overlap_reached_over_a_heading() -> None:
    """A section carried the last words of another one; overlap stays inside its section."""
    chunks = MarkdownSplitter(20, 10).split(
        "# One\n\nabc def\n\n# Two\n\nghi jkl.\n\nmno pqr stu vwx\n"
    )
    assert [(chunk.overlap_text, chunk.text) for chunk in chunks] == [
        ("", "# One\n\nabc def\n\n"),
        ("", "# Two\n\nghi jkl.\n\n"),
        ("ghi jkl.\n\n", "mno pqr stu vwx\n"),
    ]


def test_indivisible_text_raises_or_is_flagged() -> None:
    """One character of more tokens than the limit."""

    def bytes_of(text: str) -> int:
        return len(text.encode())

    with pytest.raises(IndivisibleTextError) as caught:
        MarkdownSplitter(2, 0, bytes_of).split("ab中c")
    assert caught.value.details["offset"] == 2
    chunks = MarkdownSplitter(2, 0, bytes_of, oversize="emit").split("ab中c")
    assert [(c.text, c.oversize) for c in chunks] == [("ab", False), ("中", True), ("c", False)]


def test_few_counts() -> None:
    """A function is asked about nine times a chunk, overlap included, and never of a whole text."""
    text = "\n".join(
        f"## Part {number}\n\n" + "Some words of a sentence. " * 40 + "\n\n- item\n- item\n"
        for number in range(40)
    )
    seen: list[int] = []

    def counting(piece: str) -> int:
        seen.append(len(piece))
        return len(piece.split())

    chunks = MarkdownSplitter(60, 10, counting).split(text)
    assert len(seen) < 10 * len(chunks)
    assert sum(seen) < 6 * len(text)
    assert max(seen) < len(text) / 20


@pytest.mark.parametrize(
    "unit",
    [
        "x",
        " ",
        "\n",
        "a ",
        "- a\n",
        "> ",
        "# ",
        "`",
        "|",
        "```\n",
        "a. ",
        "\u0301",
        "[a]: b\n",
        "<p>\n",
    ],
)
def test_cost_grows_with_the_text(unit: str) -> None:
    """Twice the text is measured about twice as much, whatever it is made of."""

    def measured(length: int) -> int:
        seen: list[int] = []

        def counting(piece: str) -> int:
            seen.append(len(piece))
            return len(piece)

        text = "x" + unit * (length // len(unit))
        assert text == "".join(texts_of(MarkdownSplitter(100, 20, counting).split(text)))
        return sum(seen)

    assert measured(40_000) < 2.5 * measured(20_000)


def test_same_chunks_in_stream_and_split() -> None:
    """`stream` is the same, one at a time."""
    text = "# A\n\n" + "One two. " * 300
    assert MarkdownSplitter().split(text) == list(MarkdownSplitter().stream(text))


FIXTURES = Path(__file__).parent / "fixtures" / "markdown_splitter.md"


def fixtures() -> list[tuple[str, int, str, str]]:
    """Title, chunk size, input and expected chunks; each chunk follows its heading path in brackets."""
    found = re.findall(
        r"^([^\n]+) \((\d+)\)\n\.\n(.*?\n)\.\n(.*?\n)\.$",
        FIXTURES.read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    return [(title, int(size), text, expected) for title, size, text, expected in found]


@pytest.mark.parametrize(("title", "size", "text", "expected"), fixtures())
def test_fixtures(title: str, size: int, text: str, expected: str) -> None:
    """The plain cases of fixtures/markdown_splitter.md, which anyone can add to."""
    chunks = MarkdownSplitter(size, 0).split(text)
    assert expected == "".join(f"[{chunk.heading_path or ''}]\n{chunk.text}" for chunk in chunks)


def test_fixtures_are_found() -> None:
    """One that is written wrongly would be passed over."""
    assert len(fixtures()) == len(re.findall(r"\(\d+\)\n\.\n", FIXTURES.read_text("utf-8")))


# --- the shared cases ----------------------------------------------------------------------------


def test_vault_of_the_specification(shared: Path) -> None:
    """Its figures were 87 chunks, 75 under a heading; 7 of those were headings without text."""
    chunks = []
    for path in sorted((shared / "corpus" / "md-vault12").glob("*.md")):
        text = path.read_bytes().decode()
        found = MarkdownSplitter().split(text)
        assert_laws(text, found, limit=1000, overlap_limit=100, blank_is_content=False)
        chunks += found
    lengths = [chunk.byte_end - chunk.byte_start for chunk in chunks]
    headed = [chunk for chunk in chunks if chunk.heading_path]
    assert (len(chunks), len(headed)) == (87 - 7, 75 - 7)
    assert all(str(chunk.heading_path[-1]) in chunk.text for chunk in headed)
    assert max(lengths) == 322
    assert sum(lengths) * 100 // 87 == 14979  # as the specification has it


@pytest.mark.slow
def test_corpus_is_covered(shared: Path) -> None:
    """Every note of six public vaults obeys the laws, in characters."""
    paths = sorted((shared / "corpus" / "md").rglob("*.md"))
    assert len(paths) > 1000
    for path in paths:
        text = path.read_bytes().decode("utf-8", "replace")
        chunks = MarkdownSplitter(400, 40).split(text)
        assert text == "".join(chunk.text for chunk in chunks) or not text.strip()
        assert all(len(chunk.text) <= 400 and chunk.text.strip() for chunk in chunks)
        assert all(before.end == after.start for before, after in pairwise(chunks))


def test_a_list_item_was_cut_because_definitions_followed_the_list() -> None:
    """The parser counts the definitions as part of the list; a break stands before them."""
    items = "- One.\n- Alpha beta gamma. **Delta epsi.**\n\n"
    definitions = "[a]: u/aaaaaaaaaaaa\n[b]: u/bbbbbbbbbbbb\n"
    chunks = MarkdownSplitter(50, 0).split(items + definitions)
    assert texts_of(chunks) == [items, definitions]


def test_a_block_behind_blank_lines_was_cut_by_another_rule_for_another_measure() -> None:
    """Blank lines before the first block share its chunk, so it must be looked into."""
    text = "\n```000\n0"
    by_characters, by_function = (
        [(chunk.end, chunk.break_level) for chunk in MarkdownSplitter(8, 0, measure).split(text)]
        for measure in ("characters", lambda text: len(text))
    )
    assert by_characters == by_function == [(8, "block"), (9, "end")]


def test_a_section_of_many_blocks_is_not_copied_for_each_block():
    """It was, to see whether it starts with blank text: a plain text of 5 MB took 9 seconds."""
    copied = []

    class Watched(str):
        __slots__ = ()

        def __getitem__(self, key):
            part = super().__getitem__(key)
            copied.append(len(part))
            return part

    text = Watched("Word.\n\n" * 2000)
    starts = list(range(7, len(text), 7))
    assert markdown_breaks(text, 0, len(text), starts, lambda _start, _end: False)
    assert sum(copied) < 100 * len(text)  # it was a thousand times
