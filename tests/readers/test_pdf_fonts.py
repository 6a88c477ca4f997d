"""Text of PDFs in fonts that they do not contain: the same with any fonts on the machine."""

import ast
import struct
import subprocess
import sys

import pytest

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
LETTER_BY_LETTER = b"\n".join(
    b"BT /F1 12 Tf %d 700 Td <%s> Tj ET" % (72 + 12 * n, CODES[4 * n : 4 * n + 4])
    for n in range(len(LETTERS))
)


def text(content: bytes, encoding: bytes) -> str:
    return read_pdf(pdf([content], extra={**OBJECTS, 3: FONT % encoding}), "a.pdf").text


def test_letters_of_a_font_that_is_nowhere_are_read_one_by_one():
    """PDFium drops a text object of one letter if no font of the machine has a box for it."""
    assert text(LETTER_BY_LETTER, b"GBK-EUC-H") == LETTERS


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


# PDFium as another machine would start it, with the fonts of one folder. What it reads by itself comes
# first, then the document of cleanbreak.
ON_A_MACHINE = """
import ctypes, sys
import pypdfium2, pypdfium2.raw as pdfium

folder, file = (argument.encode() for argument in sys.argv[1:])
pdfium.FPDF_DestroyLibrary()
paths = (ctypes.POINTER(ctypes.c_char) * 2)(ctypes.create_string_buffer(folder), None)
pdfium.FPDF_InitLibraryWithConfig(pdfium.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=paths))
with pypdfium2.PdfDocument(file.decode()) as document:
    print(ascii(document[0].get_textpage().get_text_range()))

import cleanbreak
print(ascii(cleanbreak.read(file.decode(), isolate=False)))
"""


def font_of_a_machine() -> bytes:
    """A font for Chinese that is called SimSun."""
    data = bytearray(_SQUARES.replace("Squares".encode("utf-16-be"), "SimSun ".encode("utf-16-be")))
    tables = {
        bytes(data[at : at + 4]): struct.unpack_from(">I", data, at + 8)[0]
        for at in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16)
    }
    # The bit of simplified Chinese in ulCodePageRange1 (OpenType, table OS/2).
    struct.pack_into(">I", data, tables[b"OS/2"] + 78, 1 << 18)
    return bytes(data)


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere PDFium asks the system for fonts"
)
def test_a_document_is_the_same_with_and_without_fonts_on_the_machine(tmp_path):
    """PDFium alone reads the letters only where it finds a font for them."""
    file = tmp_path / "report.pdf"
    file.write_bytes(pdf([LETTER_BY_LETTER], extra={**OBJECTS, 3: FONT % b"GBK-EUC-H"}))
    seen = []
    for name in ("with", "without"):
        folder = tmp_path / name
        folder.mkdir()
        if name == "with":
            (folder / "simsun.ttf").write_bytes(font_of_a_machine())
        command = [sys.executable, "-c", ON_A_MACHINE, str(folder), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seen.append(done.stdout.splitlines())
    (alone, document), (alone_without, document_without) = seen
    assert document == document_without
    assert (LETTERS in ast.literal_eval(alone), ast.literal_eval(alone_without)) == (True, "")
