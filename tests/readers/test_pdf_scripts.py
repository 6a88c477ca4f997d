"""PDFs in scripts that are written from the right, in fonts that the file does not contain."""

import re

import pytest

from cleanbreak.core.document import Document
from cleanbreak.errors import SourceEmptyError
from cleanbreak.readers.pdf import read_pdf
from pdf_maker import pdf, stream

HEBREW = (
    "הספינה יצאה מהנמל עם שחר והעז הזקנה עמדה שם ליד",
    "ההגה כאילו ניווטה שנים רבות. בשנת 1987 (אמר הנער)",
    "הגיעו 12 עזים אל London ונעלמו.",
)
ARABIC = (
    "أبحرت العبارة عند الفجر وعلى متنها ست عنزات بلا",
    "قبطان، ووقفت أكبر العنزات عند الدفة",
)
SHAPED = "ﺃﺑﺤﺮﺕ ﺍﻟﻌﺒﺎﺭﺓ ﻻ ﻟﻠﻪ"
SYMBOLIC, LATIN = 4, 32
WIDTH = 5.5
_MIRRORED = str.maketrans("()", ")(")


def drawn_order(line: str) -> str:
    """A line as it stands on paper from left to right: letters reversed, numbers and Latin words not."""
    return re.sub(r"[A-Za-z0-9]+", lambda match: match[0][::-1], line[::-1].translate(_MIRRORED))


def read(
    lines: tuple[str, ...], pieces: str, *, flags: int = SYMBOLIC, mapped: bool = True
) -> Document:
    """The document of lines that end at one right margin.

    ``pieces`` says what a text object holds: a whole line, or a letter, from the left or the right.
    """
    codes = {letter: number for number, letter in enumerate(sorted(set("".join(lines))), 1)}
    strings: list[tuple[float, float, str]] = []
    for row, line in enumerate(map(drawn_order, lines)):
        left = 500 - WIDTH * len(line)
        letters = [(left + WIDTH * place, 700.0 - 15 * row, one) for place, one in enumerate(line)]
        strings += {
            "lines": [(left, 700.0 - 15 * row, line)],
            "letters": letters,
            "letters from the right": letters[::-1],
        }[pieces]
    content = b"\n".join(
        b"BT /F1 11 Tf 1 0 0 1 %g %g Tm <%s> Tj ET"
        % (x, y, b"".join(b"%04x" % codes[letter] for letter in text))
        for x, y, text in strings
    )
    cmap = b"begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange %d beginbfchar " % len(
        codes
    ) + b"".join(b"<%04x> <%04x> " % (code, ord(letter)) for letter, code in codes.items())
    font = b"/Type /Font /BaseFont /Unknown /Subtype "
    objects = {
        3: b"<< %s /Type0 /Encoding /Identity-H /DescendantFonts [4 0 R] %s >>"
        % (font, b"/ToUnicode 5 0 R" if mapped else b""),
        4: b"<< %s /CIDFontType2 /DW 500 /FontDescriptor 6 0 R /CIDSystemInfo "
        b"<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>" % font,
        5: stream(cmap + b"endbfchar endcmap"),
        6: b"<< /Type /FontDescriptor /FontName /Unknown /Flags %d /ItalicAngle 0 /Ascent 800 "
        b"/Descent -200 /CapHeight 700 /StemV 80 /FontBBox [0 -200 1000 900] >>" % flags,
    }
    return read_pdf(pdf([content], extra=objects), "a.pdf")


@pytest.mark.parametrize("lines", [HEBREW, ARABIC])
@pytest.mark.parametrize("pieces", ["lines", "letters", "letters from the right"])
def test_lines_from_the_right_are_read_in_the_order_of_speech(lines, pieces):
    """Numbers, Latin words and brackets in them too, and no letter is lost."""
    document = read(lines, pieces)
    assert document.text == " ".join(lines)
    assert document.warnings == ()


def test_a_short_line_from_the_right_ends_a_paragraph_and_an_indent_starts_one():
    """An indent is at the right margin there, and a line is full if it reaches the left one."""
    document = read((*HEBREW, "\u00a0" * 4 + ARABIC[0], ARABIC[1]), "lines")
    assert document.text == " ".join(HEBREW) + "\n\n" + " ".join(ARABIC)


def test_shapes_of_arabic_letters_become_the_letters():
    assert read((SHAPED,), "lines").text == "أبحرت العبارة لا لله"


def test_letters_that_are_lost_are_counted():
    """The font is called Latin, so that PDFium takes one that has no Hebrew letters."""
    document = read((*HEBREW, "The goat log."), "letters", flags=LATIN)
    (warning,) = document.warnings
    assert (warning.code, warning.place) == ("GLYPH_LOST", "page 1")
    assert warning.count >= 40


@pytest.mark.parametrize(
    ("pieces", "options"), [("letters", {"flags": LATIN}), ("lines", {"mapped": False})]
)
def test_letters_without_characters_are_no_scan(pieces, options):
    """They are lost, or each of them is U+FFFD."""
    with pytest.raises(SourceEmptyError, match="fonts do not say which characters"):
        read(("שלוםעולם" * 3,), pieces, **options)


def test_a_page_of_spaces_is_blank():
    with pytest.raises(SourceEmptyError, match="blank pages only"):
        read_pdf(pdf([b"BT /F1 11 Tf 72 700 Td ( ) Tj ET"]), "a.pdf")
