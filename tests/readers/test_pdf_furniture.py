"""Running heads and feet: what is one, and what only looks like one."""

import pytest

from cleanbreak.readers.pdf.furniture import PageParts, separate
from cleanbreak.readers.pdf.line import Line


def page(head: str, *body: str, foot: str = "", top: float = 780) -> list[Line]:
    """A head, lines of text, and a foot, with white between them."""
    lines = [Line(head, 72, 200, top, top + 11)] if head else []
    lines += [Line(text, 72, 400, 700 - 13 * n, 711 - 13 * n) for n, text in enumerate(body)]
    return lines + ([Line(foot, 300, 310, 40, 51)] if foot else [])


def text(number: int) -> list[str]:
    """Two lines that are another on each page."""
    return [f"{'abcdefghij'[number % 10]} goes on", "to here" + "x" * number]


def heads(pages: list[list[Line]]) -> list[str]:
    return [" ".join(line.text for line in parts.head) for parts in separate(pages)]


def test_a_head_is_the_same_words_with_a_number_that_counts_pages():
    pages = [page(f"THE GOAT LOG {n}", "Body", f"of {n}", foot=f"{n}") for n in range(9, 13)]
    assert heads(pages) == [f"THE GOAT LOG {n}" for n in range(9, 13)]
    assert [len(parts.foot) for parts in separate(pages)] == [1] * 4


def test_roman_numbers_count_too():
    pages = [page("", "Body", f"of {n}", foot=n) for n in ("viii", "ix", "x", "xi")]
    assert [[line.text for line in parts.foot] for parts in separate(pages)] == [
        ["viii"],
        ["ix"],
        ["x"],
        ["xi"],
    ]


def test_heads_of_left_and_right_pages_alternate():
    pages = [page("LEFT" if n % 2 else "RIGHT", "Body", f"of {n}") for n in range(8)]
    assert "" not in heads(pages)


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([page("LOG", *text(n)) for n in range(2)], id="twice is not often"),
        pytest.param(
            [page("" if n % 3 else f"Chapter {n // 3}", *text(n)) for n in range(12)], id="chapters"
        ),
        pytest.param(
            [page("LOG", *text(n), top=780 - 20 * n) for n in range(5)], id="another height"
        ),
        pytest.param([page("LOG", *text(n), top=713) for n in range(5)], id="no white under it"),
        pytest.param([page("LOG") for _ in range(5)], id="the only line"),
    ],
)
def test_what_is_no_head(pages):
    assert separate(pages) == [PageParts((), lines, ()) for lines in pages]


def test_a_line_on_one_page_in_five_is_no_head():
    pages = [page("LOG" if n % 5 == 0 else "word" + "x" * n, *text(n)) for n in range(25)]
    assert set(heads(pages)) == {""}


def test_a_number_sign_is_no_number():
    """What stands for numbers in comparing lines is nothing that a page can hold."""
    pages = [page(f"# {n}" if n % 2 else f"{n} #", *text(n)) for n in range(6)]
    assert heads(pages) == ["0 #", "# 1", "2 #", "# 3", "4 #", "# 5"]
