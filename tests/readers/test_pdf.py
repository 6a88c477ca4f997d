"""The PDF reader: text, pages, errors and warnings."""

import pytest

from cleanbreak.errors import SourceEmptyError, SourceMalformedError
from cleanbreak.readers.pdf import read_pdf
from pdf_maker import column, drawn, pdf

LEFT = [
    "The ferry left at dawn with six",
    "goats aboard and no captain, and",
    "the oldest goat stood at the wheel",
]
RIGHT = [
    "On the far bank a boy counted the",
    "waves and wrote each number down",
    "in a book that had been wet twice",
]


def words(text: str) -> str:
    return " ".join(text.split())


def test_pages_partition_the_text():
    """Each page is a section, numbered in order, and together they are the text."""
    document = read_pdf(pdf([drawn(column([f"Page {n}"])) for n in range(5)]), "a.pdf")
    pages = [s for s in document.sections if s.kind == "page"]
    assert [page.title for page in pages] == ["1", "2", "3", "4", "5"]
    assert "".join(document.text[slice(*page.span)] for page in pages) == document.text


def test_columns_drawn_row_by_row_are_read_one_after_the_other():
    rows = [
        piece for pair in zip(column(LEFT), column(RIGHT, x=320), strict=True) for piece in pair
    ]
    document = read_pdf(pdf([drawn(rows)]), "a.pdf")
    assert words(document.text) == words(" ".join(LEFT + RIGHT))


def test_lines_drawn_out_of_order_are_read_from_the_top():
    one, two, three = column(["line ONE", "line TWO", "line THREE"])
    document = read_pdf(pdf([drawn([three, one, two])]), "a.pdf")
    assert words(document.text) == "line ONE line TWO line THREE"


def test_a_page_of_pictures_is_told():
    picture = b"q 400 0 0 400 90 200 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID 7f> EI Q"
    document = read_pdf(pdf([drawn(column(["One"])), picture, drawn(column(["Three"]))]), "a.pdf")
    assert [(w.code, w.place) for w in document.warnings] == [("PAGE_WITHOUT_TEXT", "page 2")]
    with pytest.raises(SourceEmptyError, match="scanned; needs OCR"):
        read_pdf(pdf([picture]), "a.pdf")


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-", b"%PDF-1.7\n1 0 obj\n", b"<html>no</html>", b"\0" * 5000]
)
def test_what_is_no_pdf_is_refused(data):
    with pytest.raises(SourceMalformedError):
        read_pdf(data, "a.pdf")
