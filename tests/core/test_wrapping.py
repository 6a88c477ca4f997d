"""Whether a text is hard-wrapped, decided once from its lines."""

import textwrap

import pytest

from cleanbreak import is_hard_wrapped

PROSE = (
    "The keeper climbed the stairs each evening, and each evening the lamp was cold. "
    "He filled it, trimmed the wick and waited; far out, a ship answered. Nobody in the "
    "village believed him when he told them of it, but they listened all the same. "
)
VERSE = """\
The lamp is cold,
the stairs are steep and many,
and far out on the water
a ship goes by
without a light, without a name,
into the dark.
"""
LIST = "".join(f"- item number {n} of the list{' with more to say' * (n % 4)}\n" for n in range(40))


@pytest.mark.parametrize("width", [50, 72, 100])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_wrapped_prose(width: int, newline: str) -> None:
    """Every line is full but the last of each paragraph, at any width and newline style."""
    paragraphs = "\n\n".join(textwrap.fill(PROSE * n, width) for n in (2, 3, 1, 4))
    assert is_hard_wrapped(paragraphs.replace("\n", newline))


def test_wrapped_cjk() -> None:
    """Without spaces a line breaks after any character."""
    text = "灯台守は毎晩階段を上り、灯を点した。" * 20
    assert is_hard_wrapped("\n".join(text[at : at + 40] for at in range(0, len(text), 40)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        PROSE * 20,
        "\n".join([PROSE * 2, PROSE, PROSE * 3, PROSE] * 5),
        (VERSE + "\n") * 20,
        LIST * 3,
        "\n".join(["Each line holds one whole sentence of the same length here."] * 40),
        "One line\nand another\nand a third\n",
    ],
    ids=["empty", "no newline", "a paragraph a line", "verse", "list", "a sentence a line", "few"],
)
def test_newlines_that_somebody_meant(text: str) -> None:
    """Ragged lines, lines that are sentences, and too few lines to tell."""
    assert not is_hard_wrapped(text)


def test_some_verse_does_not_outweigh_the_prose() -> None:
    """A book quotes a poem here and there and is still wrapped."""
    page = textwrap.fill(PROSE * 6, 70) + "\n\n"
    assert is_hard_wrapped((page * 3 + VERSE + "\n") * 5)


def test_a_large_text_is_sampled() -> None:
    """Only four samples are looked at, so a change outside of them changes nothing."""
    text = (textwrap.fill(PROSE * 4, 70) + "\n\n") * 500
    assert len(text) > 4 * 16_384
    at = len(text) // 6
    assert is_hard_wrapped(text[:at] + "x\ny\n" * 1000 + text[at:])
