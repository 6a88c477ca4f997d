"""What is typed on a PDF: values of fields, notes and stamps are read; comments are counted."""

import pytest

from cleanbreak.core.document import Document
from cleanbreak.errors import SourceEmptyError
from cleanbreak.readers.pdf import read_pdf
from pdf_maker import drawn, pdf, stream

LABELS = [(72.0, 700.0, "Name of the keeper:"), (72.0, 660.0, "Station:")]
FIELD = b"/Type /Annot /Subtype /Widget /FT /Tx /T (n) /F 4 "


def read(content: bytes, *annotations: bytes, extra: dict[int, bytes] | None = None) -> Document:
    """A page with these annotations."""
    numbers = range(100, 100 + len(annotations))
    objects = {n: b"<< %s >>" % body for n, body in zip(numbers, annotations, strict=True)}
    all_of_them = b" ".join(b"%d 0 R" % number for number in numbers)
    catalog = b"/AcroForm << /Fields [%s] >>" % all_of_them
    page = b"/Annots [%s]" % all_of_them
    made = pdf([content], page=page, catalog=catalog, extra={**objects, **(extra or {})})
    return read_pdf(made, "a.pdf")


def appearance(text: bytes) -> bytes:
    """A drawing of 180 by 20 points with a text."""
    return stream(
        b"BT /F1 11 Tf 2 6 Td (%s) Tj ET" % text,
        b"/Type /XObject /Subtype /Form /BBox [0 0 180 20] /Resources << /Font << /F1 3 0 R >> >>",
    )


@pytest.mark.parametrize("with_appearance", [True, False])
def test_values_of_fields_are_read_after_their_labels(with_appearance):
    drawing = b"/AP << /N %d 0 R >>" if with_appearance else b"%% %d"
    document = read(
        drawn(LABELS),
        FIELD + b"/V (Ellen Strand) /Rect [200 696 380 716] " + (drawing % 90) + b"\n",
        FIELD + b"/V (North Pier) /Rect [200 656 380 676] " + (drawing % 91) + b"\n",
        extra={90: appearance(b"Ellen Strand"), 91: appearance(b"North Pier")},
    )
    assert document.text == "Name of the keeper: Ellen Strand\n\nStation: North Pier"


CHOICE = b"/Type /Annot /Subtype /Widget /FT /Ch /T (station) /Rect [200 656 380 676] "


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (CHOICE + b"/V (North Pier) /Opt [(North Pier) (Mole)]", "North Pier"),
        (CHOICE + b"/V (np) /Opt [[(np) (North Pier)] [(sp) (South Pier)]]", "North Pier"),
        (CHOICE + b"/V [(Mole) (Quay)] /Opt [(Mole) (Pier) (Quay)]", "Mole, Quay"),
        (CHOICE.replace(b"/T (station)", b"") + b"/V (Mole)", "Mole"),
        (b"/Type /Annot /Subtype /Widget /Rect [200 656 380 676] /Parent 150 0 R", "Mole"),
    ],
)
def test_a_value_that_is_not_drawn_is_read_as_it_would_be_shown(field, shown):
    """The label of what was chosen, also if several were; and what a field has from its parent."""
    parent = {150: b"<< /FT /Tx /T (station) /V (Mole) /Kids [100 0 R] >>"}
    assert read(drawn(LABELS[1:]), field, extra=parent).text == f"Station: {shown}"


def test_a_long_value_is_read_whole():
    """Titles are cut off after 1,000 characters, and values were too."""
    long = "The lamp was out. " * 200
    note = b"/Type /Annot /Subtype /FreeText /Rect [200 500 400 600] /Contents (%s)" % long.encode()
    assert read(b"", note).text == long.strip()


def test_a_stamp_without_a_drawing_is_read_from_its_entry():
    stamp = b"/Type /Annot /Subtype /Stamp /Name /Approved /Rect [300 500 400 550] /Contents (SEEN)"
    assert read(drawn(LABELS[:1]), stamp).text == "Name of the keeper:\n\nSEEN"


def test_a_note_typed_on_the_page_is_a_paragraph_at_its_end():
    note = b"/Type /Annot /Subtype /FreeText /Rect [200 500 400 600] /Contents (Seen.)"
    document = read(drawn(LABELS[:1]), note)
    assert document.text == "Name of the keeper:\n\nSeen."


def test_a_note_with_rich_text_only_is_read():
    """`/RC` is XHTML; without `/Contents` and a drawing the note was lost in silence."""
    rich = b"(<?xml version='1.0'?><body><p>Ask <b>Ellen</b></p><p>&amp; Strand</p></body>)"
    document = read(
        drawn(LABELS), b"/Type /Annot /Subtype /FreeText /Rect [72 300 300 330] /RC " + rich
    )
    assert document.text.split("\n\n")[-1].split() == ["Ask", "Ellen", "&", "Strand"]


def test_a_stamp_is_read_from_what_it_draws():
    stamp = b"/Type /Annot /Subtype /Stamp /F 4 /Rect [300 500 480 520] /AP << /N 90 0 R >>"
    document = read(drawn(LABELS[:1]), stamp, extra={90: appearance(b"APPROVED")})
    assert document.text == "Name of the keeper:\n\nAPPROVED"


@pytest.mark.parametrize(
    "field",
    [
        pytest.param(b"/Ff 8192 /V (secret)", id="password"),
        pytest.param(b"/F 2 /V (secret)", id="hidden"),
    ],
)
def test_passwords_and_hidden_fields_are_not_read(field):
    widget = b"/Type /Annot /Subtype /Widget /FT /Tx /Rect [200 696 380 716] "
    assert read(drawn(LABELS[:1]), widget + field).text == "Name of the keeper:"


def test_comments_are_counted_and_not_read():
    remark = b"/Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (Is that so?)"
    document = read(drawn(LABELS[:1]), remark, b"/Type /Annot /Subtype /Link /Rect [0 0 9 9]")
    assert document.text == "Name of the keeper:"
    assert [(w.code, w.count) for w in document.warnings] == [("COMMENT_SKIPPED", 1)]


def test_a_file_whose_only_text_is_typed_is_read():
    note = b"/Type /Annot /Subtype /FreeText /Rect [200 500 400 600] /Contents (Seen.)"
    assert read(b"", note).text == "Seen."


def test_why_there_is_no_text():
    """Comments only, or letters that no font explains, are not a scan."""
    remark = b"/Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (Is that so?)"
    with pytest.raises(SourceEmptyError, match="no text but comments"):
        read(b"", remark)
    hidden = b"BT /F1 11 Tf 2000 2000 Td (far away) Tj ET"
    with pytest.raises(SourceEmptyError, match="outside its visible pages"):
        read(hidden)
