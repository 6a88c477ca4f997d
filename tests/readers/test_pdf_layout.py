"""Reading order, columns and paragraphs, on lines made by hand."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.readers.pdf.boxes import Box
from cleanbreak.readers.pdf.columns import split_columns
from cleanbreak.readers.pdf.layout import reading_order
from cleanbreak.readers.pdf.line import BREAK, Line
from cleanbreak.readers.pdf.paragraphs import joined, separators

LETTER = 5.0
HEIGHT = 11.0


def line(text: str, left: float = 72, bottom: float = 700, *, height: float = HEIGHT) -> Line:
    """A line whose letters are all of one width."""
    return Line(text, left, left + LETTER * len(text), bottom, bottom + height)


def under(*texts: str | tuple[float, str], top: float = 700, leading: float = 13) -> list[Line]:
    """Lines under each other, each with how far it is set in."""
    placed = [text if isinstance(text, tuple) else (0, text) for text in texts]
    return [line(text, 72 + x, top - leading * n) for n, (x, text) in enumerate(placed)]


def text(lines: list[Line]) -> str:
    return "".join(joined(lines, [*separators(lines), ""]))


# Paragraphs


def test_full_lines_go_on():
    lines = under(
        "The ferry left at dawn with six goats", "aboard and no captain, and it was", "late."
    )
    assert (
        text(lines)
        == "The ferry left at dawn with six goats aboard and no captain, and it was late."
    )


def test_verse_keeps_its_lines():
    """Each line could have taken the first word of the next."""
    lines = under(
        "The tide came in,", "the tide went out, and all along", "the quay", "they sang of it."
    )
    assert text(lines).count("\n") == 2


def test_an_indented_line_starts_a_paragraph():
    lines = under(
        "the ferry left at dawn with six of them",
        "aboard, and that was that.",
        (15, "On the far bank a boy counted the"),
        "waves and wrote each number down in it",
    )
    assert text(lines).split("\n\n") == [
        "the ferry left at dawn with six of them aboard, and that was that.",
        "On the far bank a boy counted the waves and wrote each number down in it",
    ]


def test_more_white_starts_a_paragraph():
    lines = under("Some words that fill a line", "and some that end it here.")
    below = under("Another paragraph that fills", "a line and ends.", top=655)
    assert text([*lines, *below]).count("\n\n") == 1


def test_white_after_most_lines_is_still_white():
    """In talk most paragraphs are a line; the distance that is usual is the smaller common one."""
    tops = [700, 680, 660, 640, 627, 607, 594, 574]
    lines = [
        line("“So he said and so it was.”" + "x" * (n % 3), bottom=top)
        for n, top in enumerate(tops)
    ]
    assert text(lines).count("\n\n") == 5


def test_a_larger_line_is_a_heading():
    lines = [line("Of Goats", bottom=714, height=18), *under("The ferry left at dawn with them.")]
    assert text(lines) == "Of Goats\n\nThe ferry left at dawn with them."


def test_a_block_set_in_from_both_sides_goes_on():
    """Its lines end far from the edge of the column, but alike."""
    wide = "x" * 60
    lines = under(wide, wide, wide, wide, wide, (30, "y" * 40), (30, "z" * 40), (30, "end."))
    assert text(lines).endswith("y" * 40 + " " + "z" * 40 + " end.")


def test_bullets_start_lines():
    lines = under(
        "Take with you to the ferry, please", "• six goats and a book to count in", "• no captain"
    )
    assert text(lines).count("\n") == 2


def test_raised_numbers_stay_at_their_words():
    lines = [line("as was said"), line("1", 127, 705, height=6), line(" before", 133)]
    assert text(lines) == "as was said1 before"


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("老人は灯りを橋のたもとに置き、夜明け", "まで待った。翌朝、川の水は引いて、道", ""),
        ("ที่นี่มีเรือข้ามฟากทุกวัน", "และมีแพะหกตัวบนเรือลำ", ""),
        ("그 배는 새벽에 염소 여섯 마리를 태우고", "떠났고 선장은 없었으며 가장 늙은 염소가", " "),
        ("the years from 1990-", "1995 were good to all of", ""),
        ("he waited for the ferry—", "and it came at last to him", ""),
    ],
)
def test_what_joins_two_full_lines(one, two, expected):
    """A space, but not where the script has none, in a range of numbers, or after a dash."""
    width = 300.0
    lines = [Line(one, 72, 72 + width, 700, 711), Line(two, 72, 72 + width, 687, 698)]
    assert text(lines) == one + expected + two


LINES = st.lists(
    st.builds(
        Line,
        st.text("abc-.É老" + BREAK, min_size=1).filter(lambda t: BREAK not in t[:-1]),
        *[st.floats(width=32) | st.integers(0, 800).map(float)] * 4,
    ),
    min_size=1,
)


def letters(text: str) -> str:
    return "".join(char for char in text if char not in f"- \n{BREAK}")


@given(LINES)
def test_no_letter_is_lost(lines):
    """For any boxes, as a hostile file may have any."""
    ordered = reading_order(lines)
    assert sorted(map(repr, ordered)) == sorted(map(repr, lines))
    assert letters(text(ordered)) == letters("".join(line.text for line in ordered))


# Order


def test_content_order_is_kept_where_it_never_jumps_back():
    left = under("one two three four", "five six seven eight", top=700)
    right = [one._replace(left=300, right=390) for one in left]
    assert reading_order([*left, *right]) == [*left, *right]


def test_a_right_column_drawn_first_is_read_last():
    left = under("one two three four", "five six seven eight", top=700)
    right = [one._replace(left=300, right=390, text=one.text.upper()) for one in left]
    assert reading_order([*right, *left]) == [*left, *right]


def test_columns_of_hebrew_are_read_from_the_right():
    left = under("שמאל אחת שתיים", "שלוש ארבע חמש")
    right = [
        one._replace(left=300, right=370) for one in under("ימין אחת שתיים", "שלוש ארבע חמש שש")
    ]
    assert reading_order([*left, *right]) == [*right, *left]


def test_upright_writing_is_left_as_it_was_written():
    lines = [
        Line("縦書きの文章", 500 - 20 * n, 512 - 20 * n, 700 + n * 20, 712 + n * 20)
        for n in range(4)
    ]
    assert reading_order(lines) == lines


def test_vertical_writing_drawn_from_the_left_is_read_from_the_right():
    """Both of its bands, each with its columns."""
    upper = [Line(f"縦書きの文章{n}", 100 + 17 * n, 110 + 17 * n, 546, 556) for n in range(3)]
    lower = [one._replace(text=one.text + "下", bottom=276, top=286) for one in upper]
    assert reading_order([*upper, *lower]) == [*reversed(upper), *reversed(lower)]


def test_a_thousand_scattered_lines_are_ordered_in_few_steps():
    """Each line is compared with a few blocks only."""
    lines = [line("word", (n * 37) % 500, (n * 61) % 800) for n in range(1000)]
    assert sorted(reading_order(lines)) == sorted(lines)


# Columns


class Drawn:
    """A page whose every word is a run."""

    def __init__(self, lines: list[Line]) -> None:
        self._words = [
            line(word, one.left + LETTER * at, one.bottom)
            for one in lines
            for at, word in words(one.text)
        ]

    def words(self) -> list[Line]:
        return self._words

    def count_runs(self) -> int:
        return len(self._words)

    def runs(self, start: int, count: int) -> list[Box]:
        boxes = self._words[start : start + count]
        return [(left, bottom, right, top) for _, left, right, bottom, top in boxes]


def words(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for word in text.split(" "):
        if word:
            yield at, word
        at += len(word) + 1


def test_lines_are_cut_at_a_gutter():
    lines = under(*[f"left side number {n} of it    right side number {n} here" for n in range(4)])
    pieces = split_columns(lines, Drawn(lines))
    assert [piece.text for piece in pieces[:2]] == [
        "left side number 0 of it",
        "right side number 0 here",
    ]
    assert len(pieces) == 8


def test_short_cells_are_no_columns():
    lines = under(*[f"goat {n}        six" for n in range(6)])
    assert split_columns(lines, Drawn(lines)) == lines


def test_chance_gaps_in_prose_are_no_gutter():
    """Most lines run across the place."""
    full = "a line of prose that runs across the whole of the page here"
    gapped = "a line of prose that runs    the whole of the page here too"
    lines = under(*[gapped if n % 3 == 0 else full for n in range(12)])
    assert split_columns(lines, Drawn(lines)) == lines
