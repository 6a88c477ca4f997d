"""Raised numbers of PDFs: powers get a caret, and marks of notes brackets."""

import pytest

from cleanbreak.readers.pdf import read_pdf
from cleanbreak.readers.pdf.line import Line
from cleanbreak.readers.pdf.raised import merged
from pdf_maker import escaped, pdf


def drawn(*texts: str) -> bytes:
    """One line whose every second part is raised and smaller."""
    parts = [
        (b"5 Ts /F1 7 Tf (%s) Tj" if number % 2 else b"0 Ts /F1 11 Tf (%s) Tj") % escaped(text)
        for number, text in enumerate(texts)
    ]
    return b"BT 72 700 Td " + b" ".join(parts) + b" ET"


def read(*texts: str) -> str:
    return read_pdf(pdf([drawn(*texts)]), "a.pdf").text


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("There are 10", "6", " grains"), "There are 10^6 grains"),
        (("at 10", "-6", " m"), "at 10^-6 m"),
        (("that 2", "10", " is 1024"), "that 2^10 is 1024"),
        (("an area of 12 km", "2", " here"), "an area of 12 km^2 here"),
        (("as x", "2", " grows"), "as x^2 grows"),
        (("as (a + b)", "2", " grows"), "as (a + b)^2 grows"),
        (("as it was before", "14", " and later"), "as it was before [14] and later"),
        (("as others said.", "3", " Then"), "as others said.[3] Then"),
        (("at 5 m s", "-1", " and 3 kg m", "-3", " of it"), "at 5 m s^-1 and 3 kg m^-3 of it"),
        (("at - 4", "-1", " and 5 s", "-1", " or COVID-19"), "at - 4^-1 and 5 s^-1 or COVID-19"),
        (("(as others said)", "3,4", " then"), "(as others said)[3,4] then"),
        (("signed into law by", "1", " them"), "signed into law by [1] them"),
        (("on the 4", "th", " of May"), "on the 4th of May"),
        (("a length of 48", "1", "/2 metres"), "a length of 48 1/2 metres"),
        (("in 1066 and 1984",), "in 1066 and 1984"),
    ],
)
def test_raised_numbers(parts, expected):
    assert read(*parts) == expected


def test_sunken_numbers_stay():
    content = b"BT 72 700 Td /F1 11 Tf (H) Tj -3 Ts /F1 7 Tf (2) Tj 0 Ts /F1 11 Tf (O is wet) Tj ET"
    assert read_pdf(pdf([content]), "a.pdf").text == "H2O is wet"


def test_the_number_of_a_note_at_its_start_stays():
    assert read("", "1", " The book is in the museum.") == "1 The book is in the museum."


def test_raised_numbers_that_are_lines_of_their_own_belong_to_the_line_before():
    """PDFium starts a line where the text is raised much."""
    lines = [
        Line("as it was before", 72, 150, 700, 711),
        Line("14", 150, 156, 706, 713),
        Line("and later", 160, 200, 700, 711),
        Line("15", 400, 406, 706, 713),
    ]
    assert [line.text for line in merged(lines)] == ["as it was before [14]", "and later", "15"]
