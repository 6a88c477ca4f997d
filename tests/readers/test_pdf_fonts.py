"""Text of PDFs in fonts that they do not contain: the same with any fonts on the machine."""

import struct

from cleanbreak.readers.pdf import read_pdf
from cleanbreak.readers.pdf.fonts import _SQUARES, use_own_fonts
from pdf_maker import pdf

FONT = b"<< /Type /Font /Subtype /Type0 /BaseFont /SimSun /Encoding /%s /DescendantFonts [5 0 R] >>"
OBJECTS = {
    5: b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /SimSun /CIDSystemInfo "
    b"<< /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 6 0 R >>",
    6: b"<< /Type /FontDescriptor /FontName /SimSun /Flags 4 /ItalicAngle 0 /Ascent 880 "
    b"/Descent -120 /CapHeight 700 /StemV 80 /FontBBox [0 -120 1000 880] >>",
}
LETTERS = "关于公司年度报告"
CODES = LETTERS.encode("gb18030").hex().encode()


def text(content: bytes, encoding: bytes) -> str:
    return read_pdf(pdf([content], extra={**OBJECTS, 3: FONT % encoding}), "a.pdf").text


def test_letters_of_a_font_that_is_nowhere_are_read_one_by_one():
    """PDFium drops a text object of one letter if no font of the machine has a box for it."""
    content = b"\n".join(
        b"BT /F1 12 Tf %d 700 Td <%s> Tj ET" % (72 + 12 * n, CODES[4 * n : 4 * n + 4])
        for n in range(len(LETTERS))
    )
    assert text(content, b"GBK-EUC-H") == LETTERS


def test_vertical_writing_has_no_spaces_between_letters():
    assert text(b"BT /F1 12 Tf 500 700 Td <%s> Tj ET" % CODES, b"GBK-EUC-V") == LETTERS


def test_own_fonts_can_be_set_again():
    """As two modules may do."""
    use_own_fonts()
    assert read_pdf(pdf([b"BT /F1 12 Tf 72 700 Td (Goat) Tj ET"]), "a.pdf").text == "Goat"


def test_the_font_of_squares_is_a_font_of_two_glyphs():
    tables, place = struct.unpack(">H", _SQUARES[4:6])[0], 12
    names = [_SQUARES[place + 16 * n : place + 16 * n + 4] for n in range(tables)]
    assert _SQUARES[:4] == b"\x00\x01\x00\x00"
    assert {b"cmap", b"glyf", b"head", b"hhea", b"hmtx", b"loca", b"maxp"} <= set(names)
