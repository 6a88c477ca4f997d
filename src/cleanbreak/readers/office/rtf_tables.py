"""What RTF calls characters, character sets and destinations (RTF specification 1.9.1)."""

import re
from functools import cache

CHARACTERS = {
    "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018", "rquote": "\u2019",
    "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "\u2022", "emspace": "\u2003",
    "enspace": "\u2002", "qmspace": "\u2005", "zwj": "\u200d", "zwnj": "\u200c", "zwbo": "\u200b",
    "tab": " ",
}  # fmt: skip
SYMBOLS = {"~": "\u00a0", "_": "\u2011", "-": "\u00ad", "\\": "\\", "{": "{", "}": "}"}

SKIPPED = frozenset((
    "colortbl", "list", "listlevel", "listtable", "listoverridetable", "revtbl", "rsidtbl", "generator", "themedata",
    "colorschememapping", "latentstyles", "datastore", "xmlnstbl", "mmathPr", "filetbl",
    "fldinst", "datafield", "formfield", "bkmkstart", "bkmkend", "xe", "tc", "tcn", "pn",
    "nonshppict", "shprslt", "objdata", "objclass", "objname", "objalias", "sp", "blipuid", "picprop",
    "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "atnid", "atnauthor", "atntime",
    "atndate", "atnparent", "atnicn", "atrfstart", "atrfend", "atnref", "do", "background", "template",
    "passwordhash", "userprops", "wgrffmtfilter", "pgptbl", "stextflow", "upr",
))  # fmt: skip
"""Destinations without text, and doubles of what is read elsewhere."""
FURNITURE = frozenset(("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"))  # fmt: skip
READ_IF_OPTIONAL = frozenset(
    ("shppict", "shpinst", "shptxt", "ud", "fldrslt", "footnote", "annotation", "cs")
)
"""What is read though a reader may ignore it: destinations, and the style of letters."""

_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
_CODE_PAGES = {10000: "mac_roman", 10001: "shift_jis", 10006: "mac_greek", 10007: "mac_cyrillic",
               10029: "mac_latin2", 65001: "utf-8", 936: "gb18030", 950: "big5hkscs"}  # fmt: skip
_FONT = re.compile(
    rb"\\f(\d{1,5})(?![\w])[^{};]*?\\fcharset(\d{1,3})(?:[^{};]*?\\cpg(\d{1,5})(?!\d))?"
)
_STYLE = re.compile(rb"\{[^{}]*?\\s(\d{1,5})(?!\w)((?:[^{}]|\{[^{}]*\})*)\}")
_HEADING = re.compile(rb"[ ;]heading ([1-9]);", re.IGNORECASE)
_OUTLINE = re.compile(rb"\\outlinelevel([0-8])(?!\d)")


def fonts(table: bytes) -> dict[int, str]:
    """The codec of each font that names its code page or character set."""
    return {
        int(font): codec(int(page)) if page else _CHARSETS[int(charset)]
        for font, charset, page in _FONT.findall(table)
        if page or int(charset) in _CHARSETS
    }


def headings(stylesheet: bytes) -> dict[int, int]:
    """The level, from 1, of each paragraph style that is a heading."""
    levels = {}
    for number, body in _STYLE.findall(stylesheet):
        named, outlined = _HEADING.search(b" " + body), _OUTLINE.search(body)
        if named or outlined:
            levels[int(number)] = int(named[1]) if named else int(outlined[1]) + 1  # type: ignore[index]
    return levels


@cache
def codec(code_page: int) -> str:
    """The codec of a code page; that of Western Windows if Python has none."""
    name = _CODE_PAGES.get(code_page, f"cp{code_page}")
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name
