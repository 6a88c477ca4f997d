"""Make the font of squares that stands for fonts which a PDF does not contain.

It needs fontTools (`pip install fonttools`), which nothing else here does. It prints the bytes as they
stand in `cleanbreak.readers.pdf.fonts`: compressed, as base 85.
"""

import base64
import io
import sys
import zlib

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._c_m_a_p import cmap_format_13

EM = 1000
DEPTH = -120
# All characters from U+0020 on, without surrogates and noncharacters.
RANGES = ((0x20, 0xD7FF), (0xE000, 0xFFFD), (0x20000, 0x2FFFF))


def square() -> object:
    """A glyph as wide and as high as the em."""
    pen = TTGlyphPen(None)
    pen.moveTo((0, DEPTH))
    for point in ((0, EM + DEPTH), (EM, EM + DEPTH), (EM, DEPTH)):
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()


def characters() -> object:
    """A table that maps ranges of characters to one glyph (format 13)."""
    table = cmap_format_13(13)
    table.platformID, table.platEncID, table.format = 3, 10, 13
    table.language = table.reserved = table.length = table.nGroups = 0
    table.cmap = {code: "square" for low, high in RANGES for code in range(low, high + 1)}
    return table


def font() -> bytes:
    """The bytes of the font."""
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", "square"])
    builder.setupGlyf({".notdef": square(), "square": square()})
    builder.setupHorizontalMetrics({".notdef": (EM, 0), "square": (EM, 0)})
    builder.setupHorizontalHeader(ascent=EM + DEPTH, descent=DEPTH)
    builder.setupCharacterMap({0x3000: "square"})
    builder.font["cmap"].tables = [characters()]
    builder.setupOS2(
        sTypoAscender=EM + DEPTH, sTypoDescender=DEPTH, usWinAscent=EM + DEPTH, usWinDescent=-DEPTH
    )
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular"})
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = 0
    file = io.BytesIO()
    builder.save(file)
    return file.getvalue()


if __name__ == "__main__":
    sys.stdout.write(base64.b85encode(zlib.compress(font(), 9)).decode() + "\n")
