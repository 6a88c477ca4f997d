"""Tables of PDFs: a row stays together and is a line, whatever its cells look like."""

import pytest

from cleanbreak.readers.pdf import read_pdf
from pdf_maker import column, drawn, pdf

COMMANDS = [
    ("file.access", "Ascertain File Accessibility"),
    ("file.append", "Concatenate files"),
    ("file.choose", "Prompt user for file name"),
    ("file.create", "Create or truncate a file"),
    ("file.exists", "Test for existence"),
    ("file.rename", "Rename files in a folder"),
]
FAULTS = [
    ("03-7FA81.05", "Clutch pressure below threshold", "Stop engine"),
    ("03-7FA82.05", "Oil temperature too high", "Let it cool"),
    ("03-7FA83.11", "Left boom sensor without signal", "Call service"),
    ("04-1BC01.00", "Battery voltage low", "Charge"),
]
GIT = [
    ("git add", "add a file to what is recorded next"),
    ("git commit", "record the changes"),
    ("git log --stat", "show the history with the files of each change"),
    ("git push", "send what was recorded"),
]
LEAD = "These are all that there are on the platforms on which it runs, and more"


def table(rows: list[tuple[str, ...]], *lefts: float, lead: str = LEAD) -> list[str]:
    """The lines read from a table under a line of prose, drawn row by row."""
    cells = [
        (left, 700.0 - 15 * number, cell)
        for number, row in enumerate(rows)
        for left, cell in zip(lefts, row, strict=True)
    ]
    end = [(72.0, 670.0 - 15 * len(rows), "That is all there is to say about the table above.")]
    content = drawn([(72.0, 715.0, lead), *cells, *end])
    return read_pdf(pdf([content]), "a.pdf").text.split("\n")


@pytest.mark.parametrize(
    ("rows", "lefts"),
    [
        pytest.param(COMMANDS, (72, 160), id="a word and its meaning"),
        pytest.param(FAULTS, (72, 150, 330), id="three columns"),
        pytest.param(GIT, (72, 170), id="several words and a lower-case meaning"),
        pytest.param([(b, a) for a, b in COMMANDS], (72, 240), id="text on the left"),
    ],
)
def test_each_row_is_a_line(rows, lefts):
    lines = table(rows, *lefts)
    assert [line for line in lines if line in {" ".join(row) for row in rows}] == [
        " ".join(row) for row in rows
    ]


def test_a_table_in_a_page_of_prose_is_found():
    """Wherever it is on the page."""
    prose = column(["A line of prose that is as wide as the page is, or almost so"] * 25, y=560)
    cells = [
        (x, 700.0 - 15 * number, cell)
        for number, row in enumerate(COMMANDS)
        for x, cell in zip((72, 160), row, strict=True)
    ]
    text = read_pdf(pdf([drawn([*cells, *prose])]), "a.pdf").text
    assert "file.choose Prompt user for file name\n" in text


def test_items_of_a_list_are_no_rows():
    """The gap after a bullet or a number is no border of cells."""
    items = [
        "The ferry left at dawn with six goats aboard and no",
        "captain, and the oldest goat stood at the wheel as if",
        "it had steered the ferry for all of the years of its",
        "life on the far bank, where a boy counted the waves.",
    ]
    cells = [
        (x, 700.0 - 13 * number, cell)
        for number, text in enumerate(items)
        for x, cell in ((72, "-"), (95, text))
    ]
    text = read_pdf(pdf([drawn(cells)]), "a.pdf").text
    assert "goats aboard and no - captain, and the oldest goat" in text
