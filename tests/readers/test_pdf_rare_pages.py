"""Rare pages of PDFs: many words, narrow bands, damaged trees, outlines by action."""

import pytest

from cleanbreak import Limits
from cleanbreak.errors import SourceMalformedError
from cleanbreak.readers.pdf import read_pdf
from cleanbreak.readers.pdf.page import Line
from cleanbreak.readers.pdf.paragraphs import PARAGRAPH, separators
from pdf_maker import column, drawn, pdf, stream, written


def read(*contents: bytes, **options: object):
    return read_pdf(pdf(contents, **options), "book.pdf", limits=Limits())


def chapters(document) -> list[str]:
    return [section.title for section in document.sections if section.kind == "chapter"]


LEFT = [f"the left column has line {number} of prose" for number in range(60)]
RIGHT = [f"and the right one has its line {number}" for number in range(60)]


def test_two_columns_of_many_words_drawn_row_by_row_are_read_one_after_the_other():
    """More than 256 words on a page: the boxes outgrow the memory that holds them."""
    rows = [
        place
        for pair in zip(column(LEFT, leading=10), column(RIGHT, x=330, leading=10), strict=True)
        for place in pair
    ]
    text = read(drawn(rows, size=9)).text
    assert text.index("line 59 of prose") < text.index("its line 0")


def test_numbers_set_apart_beside_a_column_stay_in_its_lines():
    """A third column of short cells is no column: each cell stays behind its line."""
    columns = (
        column(LEFT[:12]),
        column(RIGHT[:12], x=260),
        column([str(number) for number in range(900, 912)], x=500),
    )
    rows = [place for row in zip(*columns, strict=True) for place in row]
    text = " ".join(read(drawn(rows, size=9)).text.split())
    assert text.index("line 11 of prose") < text.index("its line 0 900")
    assert "its line 11 911" in text


HEBREW = "שלום עולם"


def test_words_written_from_the_right_keep_their_order():
    """Letters of Hebrew drawn one by one from the right margin, two lines of them."""
    # Digits are of one width: 0.556 of the size.
    codes = {letter: 0x30 + number for number, letter in enumerate(sorted(set(HEBREW) - {" "}))}
    mapped = b"".join(b"<%02X> <%04X> " % (codes[letter], ord(letter)) for letter in codes)
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def "
        b"/CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange "
        b"1 beginbfchar <20> <0020> endbfchar %d beginbfchar %s endbfchar endcmap end end"
    ) % (len(codes), mapped)
    strings = [
        (400 - 6.1 * place, 700 - 20 * row, chr(codes.get(letter, 0x20)))
        for row in range(2)
        for place, letter in enumerate(HEBREW)
    ]
    document = read(drawn(strings), font=b"/ToUnicode 5 0 R", extra={5: stream(cmap)})
    assert document.text.split() == HEBREW.split() * 2


def test_a_line_set_close_does_not_make_the_usual_distance():
    """The distance of the text is the smallest common one; a single smaller step is no rule."""
    words = "some words of a line that is as long as its neighbours are"
    steps = [10.0, *[14.0] * 9]
    bottoms = [700.0 - sum(steps[:number]) for number in range(len(steps) + 1)]
    lines = [Line(words, 72, 372, bottom, bottom + 11) for bottom in bottoms]
    assert PARAGRAPH not in separators(lines)


def test_lines_at_distances_that_all_differ_are_measured_by_the_middle_one():
    """No distance is common: what lies far over the middle one starts a paragraph."""
    words = "some words of a line that is as long as its neighbours are"
    steps = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 40.0]
    bottoms = [700.0 - sum(steps[:number]) for number in range(len(steps) + 1)]
    lines = [Line(words, 72, 372, bottom, bottom + 11) for bottom in bottoms]
    assert separators(lines).count(PARAGRAPH) == 1


def test_an_outline_entry_may_point_by_an_action():
    """A bookmark without /Dest has an action that goes to a page."""
    extra = {
        90: b"<< /Type /Outlines /First 91 0 R /Last 91 0 R /Count 1 >>",
        91: b"<< /Title (Second) /Parent 90 0 R /A << /S /GoTo /D [12 0 R /Fit] >> >>",
    }
    document = read(
        drawn(column(["One page of text."])),
        drawn(column(["Another page of text."])),
        catalog=b"/Outlines 90 0 R",
        extra=extra,
    )
    assert chapters(document) == ["Second"]
    (chapter,) = [section for section in document.sections if section.kind == "chapter"]
    assert document.text[chapter.span.start :].startswith("Another page")


def test_a_page_tree_without_pages_is_refused():
    """PDFium opens such a file; there is nothing to read in it."""
    data = written(
        {1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [] /Count 0 >>"}
    )
    with pytest.raises(SourceMalformedError):
        read_pdf(data, "book.pdf", limits=Limits())


def test_labels_may_repeat_a_node_that_is_missing():
    """A label tree that names objects which are not there is read without them."""
    labels = b"/PageLabels << /Kids [80 0 R 81 0 R] >>"
    extra = {80: b"<< /Nums [0 << /S /r >>] /Limits [0 0] >>"}
    document = read(drawn(column(["One page."])), catalog=labels, extra=extra)
    assert [section.title for section in document.sections if section.kind == "page"] == ["i"]
