"""The visible page of a PDF: what lies outside is left out, and turned text is read upright."""

import pytest

from cleanbreak.core.document import Document
from cleanbreak.readers.pdf import read_pdf
from pdf_maker import column, drawn, escaped, pdf

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


def read(content: bytes, page: bytes = b"", **options: object) -> Document:
    return read_pdf(pdf([content], page=page, **options), "a.pdf")  # type: ignore[arg-type]


def warnings(document: Document) -> dict[str, int]:
    return {warning.code: warning.count for warning in document.warnings}


@pytest.mark.parametrize(
    ("box", "expected", "outside"),
    [(b"[0 0 300 842]", LEFT, 22), (b"[300 0 595 842]", RIGHT, 20)],
)
@pytest.mark.parametrize("by_row", [True, False])
def test_half_a_spread_is_its_own_page(box, expected, outside, by_row):
    """Drawn column by column, or row by row so that PDFium's lines run across both halves."""
    left, right = column(LEFT, x=40), column(RIGHT, x=340)
    rows = [at for pair in zip(left, right, strict=True) for at in pair]
    document = read(drawn(rows if by_row else left + right), b"/CropBox " + box)
    assert document.text == " ".join(expected)
    assert warnings(document) == {"TEXT_OUTSIDE_PAGE": outside}


def test_the_slug_of_a_printer_is_left_out_and_counted():
    slug = [(72, 860, "job 4711 proof 2.indd"), (72, -20, "COLOR BAR"), (620, 400, "REG")]
    document = read(drawn([*slug, *column(LEFT)]))
    assert document.text == " ".join(LEFT)
    assert warnings(document) == {"TEXT_OUTSIDE_PAGE": 7}


def test_a_line_that_is_too_long_for_its_page_loses_no_word():
    """A mistake of the typesetter, and no other page."""
    long = "a line of prose which is so long that it runs over the edge of its page and ends there"
    assert read(drawn([(300, 760, long)])).text == long


@pytest.mark.parametrize("matrix", ["1 0 0 1", "0 1 -1 0", "-1 0 0 -1", "0 -1 1 0"])
def test_turned_text_is_read_line_by_line(matrix):
    """Upright, from below, upside down, and from above."""
    _, _, across, up = map(float, matrix.split())
    content = b"\n".join(
        b"BT /F1 11 Tf %s %g %g Tm (%s) Tj ET"
        % (matrix.encode(), 300 - across * 15 * n, 400 - up * 15 * n, escaped(line))
        for n, line in enumerate([*LEFT, "Then it sank."])
    )
    assert read(content).text == " ".join(LEFT) + " Then it sank."


def test_a_chapter_on_a_turned_page_starts_with_the_page():
    """Where its entry points is measured on the page as it is."""
    content = b"\n".join(
        b"BT /F1 11 Tf -1 0 0 -1 400 %g Tm (%s) Tj ET" % (100 + 40 * n, escaped(line))
        for n, line in enumerate(["Heading", "After."])
    )
    outline = {
        200: b"<< /Type /Outlines /First 201 0 R >>",
        201: b"<< /Title (T) /Dest [10 0 R /XYZ 0 120 0] >>",
    }
    document = read(content, catalog=b"/Outlines 200 0 R", extra=outline)
    chapter = next(section for section in document.sections if section.kind == "chapter")
    assert document.text[slice(*chapter.span)] == "Heading\n\nAfter."
