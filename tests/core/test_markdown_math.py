"""Display math in notes is one block, also with blank lines and marks in it."""

import re
from time import process_time

import pytest
from hypothesis import given

from cleanbreak import MarkdownSplitter
from cleanbreak.core.markdown.math import math_blocks, without_newlines_in_math
from cleanbreak.core.markdown.parser import headings
from strategies import notes


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in math_blocks(text)]


@pytest.mark.parametrize(
    "block",
    [
        "$$\na. b\n\nc\n$$\n",
        "$$\nx\n=\ny\n# z\n- q\n$$\n",
        "$$ \\begin{a}\nx\n\\end{a} $$\n",
        "$$\nx\n$$.\n",
        "$$\nx\n$$ {#eq:1}\n",
        "$$\nx\n$$ ^id\n",
        "> $$\n> a\n> $$\n",
        "- $$\n  a\n\n  b\n  $$\n",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("beside", ["\n", ""])
def test_math_that_fits_stays_whole(block: str, newline: str, beside: str) -> None:
    """Also without blank lines around it, in quotes and in lists; no line of it is a heading."""
    text = f"# T\n\nOf it.\n{beside}{block}{beside}and the end of it. And more.\n"
    text, block = text.replace("\n", newline), block.replace("\n", newline)
    assert found(text) == [block]
    assert [section.title for section in headings(text)] == ["T"]
    for spare in (0, 1, 20):
        chunks = MarkdownSplitter(len(block) + spare, 0).split(text)
        assert any(block.rstrip() in chunk.text for chunk in chunks)


@pytest.mark.parametrize(
    "text",
    [
        "```\n$$\na\n$$\n```\n",
        "~~~~ x\n~~~\n$$\na\n$$\n~~~~\n",
        "$$ x $$\n\ntext\n\n$$ y $$\n",
        "It costs $$5 or\n$$6.\n\nNot $$7.\n",
        "$$\nnever closed\n\ntext\n",
        "$$\nnever closed\n\n## H\n\n$$ y $$\n",
        "$$ is the id of a shell.\n\nSee $$\n",
        "$$\nnever closed\n\n```\n$$\n```\n",
    ],
)
def test_other_dollars_are_no_math_of_several_lines(text: str) -> None:
    """Fences, prices, math of one line, and what nobody closed."""
    assert found(text) == []
    assert without_newlines_in_math(text) == text


def test_math_over_the_limit_is_cut_between_lines() -> None:
    """And the lines with dollars are not left alone."""
    text = "$$\n" + "a = b. c\n" * 9 + "$$\n"
    chunks = MarkdownSplitter(30, 0).split(text)
    assert all(chunk.text.endswith("\n") for chunk in chunks)
    assert all("a" in chunk.text for chunk in chunks)


@given(notes)
def test_a_parser_sees_other_line_ends_only(text: str) -> None:
    """Every offset stays, and nothing but line ends is another character."""
    seen = without_newlines_in_math(text)
    assert len(seen) == len(text)
    assert all(a == b or (a in "\r\n" and b == " ") for a, b in zip(text, seen, strict=True))
    for block in found(text):
        assert len(re.split(r"[\r\n]+", without_newlines_in_math(block).rstrip("\r\n"))) == 1


@pytest.mark.parametrize(
    "unit", ["$$", "$$\n", "$$ a\n", "$$\n\n# a\n", "- ", "> ", " ", "`", "```\n$$\n", "a```$$\n"]
)
def test_the_search_for_math_is_linear(unit: str) -> None:
    """Also where nothing closes what was opened."""

    def seconds(length: int) -> float:
        text = "$$\n" + unit * (length // len(unit))
        begun = process_time()
        list(math_blocks(text))
        return process_time() - begun

    assert seconds(400_000) < 4 * max(seconds(200_000), 0.05)
