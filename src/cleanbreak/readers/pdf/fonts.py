"""The fonts that PDFium uses for those that a PDF does not contain: none of the machine's.

PDFium takes the boxes of letters from a font of the machine, and drops letters that have none there. So
the text of a file depended on which fonts were installed. Here it gets its own fonts for Latin letters,
and for all other scripts one in which every character is a square.
"""

import base64
import zlib
from ctypes import byref, memmove, string_at
from typing import Any

import pypdfium2.raw as pdfium

# A font of one glyph, a square of 1 em from 0.12 em under the line, for all characters from U+0020 on;
# made by `tools/make_fallback_font.py`.
_SQUARES = zlib.decompress(
    base64.b85decode(
        b"c-n<gF-rq67=1~qr&5&;q7<PO9K=Ns=_DwKv(RoX8td5(clLU1u}(U6bn6dr^#|C=$=yvy2ZdY2$w?)?^sa*"
        b"y>KDH7-b=pZ<qHIWDO^G!zgJpY-"
        b"_5Pw0b+&fVcFLK=5IanEAs7%cYe})@4b;fk#AI8eSBngEWTkDsuY}k6%xNNm#coWts)|b4ySRiR@TU3n*70X"
        b"U$+CKFit)}o<G&TtIxXkfK1!_gIc3WUkvHlby%-Vr+fW+FuVBy6`%e)Oh-"
        b"j3AW)Er#2OVCdWiRP7DGj%uSmLySLB~#c^A7d#vT8JVSF;9oH4jSZi`{v8<Thl&>kwu51b`l6n_Lr+fLa&4;"
        b";ihA5HwCXM5LoA6vK5Bs#0IF-khYy1C3!Mn(LLuZ2-"
        b"7;Oh!W2LzntJlhS2LqVh_smyT1SQ0Ik>Mb3*jiOs=c{)T1b+n)n!bJl`&J}X6uc*<T`vJ8IWOe"
    )
)
_NAME = b"Squares\0"
# Anything but 0, which would mean that there is no such font.
_HANDLE = 1
# For these PDFium has fonts of its own.
_LATIN = (pdfium.FXFONT_ANSI_CHARSET, pdfium.FXFONT_DEFAULT_CHARSET)
# So it has for these. Other fonts that are called symbolic are mostly of a script that is not Latin.
_SYMBOLS = (b"Symbol", b"ZapfDingbats")


def _map(_: Any, weight: int, italic: int, charset: int, pitch: int, face: Any, exact: Any) -> Any:  # noqa: ARG001
    if charset == pdfium.FXFONT_SYMBOL_CHARSET:
        return None if string_at(face).startswith(_SYMBOLS) else _HANDLE
    return None if charset in _LATIN else _HANDLE


def _data(_: Any, handle: Any, table: int, buffer: Any, size: int) -> int:  # noqa: ARG001
    return 0 if table else _written(_SQUARES, buffer, size)


def _name(_: Any, handle: Any, buffer: Any, size: int) -> int:  # noqa: ARG001
    return _written(_NAME, buffer, size)


def _written(data: bytes, buffer: Any, size: int) -> int:
    """The size of the data, which is written if there is room for it."""
    if buffer and size >= len(data):
        memmove(buffer, data, len(data))
    return len(data)


def _nothing(*_: Any) -> None:
    """PDFium has nothing to release, list or delete."""


_TYPES = dict(pdfium.FPDF_SYSFONTINFO._fields_)
_FONTS = pdfium.FPDF_SYSFONTINFO(
    1,
    _TYPES["Release"](_nothing),
    _TYPES["EnumFonts"](_nothing),
    _TYPES["MapFont"](_map),
    _TYPES["GetFont"](_nothing),
    _TYPES["GetFontData"](_data),
    _TYPES["GetFaceName"](_name),
    _TYPES["GetFontCharset"](lambda *_: pdfium.FXFONT_DEFAULT_CHARSET),
    _TYPES["DeleteFont"](_nothing),
)


def use_own_fonts() -> None:
    """Let PDFium use no font of the machine, in all of this process and until it ends."""
    pdfium.FPDF_SetSystemFontInfo(byref(_FONTS))
