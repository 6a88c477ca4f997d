"""The characters that decide about cuts, in every script. One place for all layers.

Sources: newlines are those of design.md (UAX #14 mandatory breaks less form feed and vertical
tab); sentence marks are Unicode 16 Sentence_Terminal less those that also join words; closers are
general categories Pe, Pf and the quotes that close.
"""

import re

NEWLINES = "\n\r\x85\u2028\u2029"
"""Besides CR LF, which counts as one."""

NO_BREAK_SPACES = "\u00a0\u2007\u202f\u2060\ufeff"
"""Blank, but never a place to cut between words."""

SPACES = (
    "\t\x0b\x0c\x1c\x1d\x1e\x1f \u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000"
)
"""White space inside a line that may be broken at."""

ZERO_WIDTH_SPACE = "\u200b"
"""Marks the places between words in Khmer, Thai and Burmese text."""

SPACED_MARKS = (
    ".!?…‼‽⁇⁈⁉"
    "\u0589"  # Armenian full stop
    "\u037e"  # Greek question mark
    "\u05c3"  # Hebrew sof pasuq
    "\u061d\u061e\u061f\u06d4"  # Arabic
    "\u0700\u0701\u0702"  # Syriac
    "\u07f9"  # NKo
)
"""End a sentence when white space or the end of the text follows."""

UNSPACED_MARKS = (
    "\u0964\u0965"  # Devanagari danda, used by many Indic scripts
    "\u0df4"  # Sinhala
    "\u104b"  # Burmese section
    "\u1362\u1367\u1368"  # Ethiopic
    "\u166e\u1803\u1809"  # Canadian syllabics, Mongolian
    "\u17d4\u17d5"  # Khmer
    "\u1b5a\u1b5b\u1b5e\u1b5f"  # Balinese
    "\u1c3b\u1c3c\u1c7e\u1c7f"  # Lepcha, Ol Chiki
    "\u0f0d\u0f0e"  # Tibetan shad
    "\ua876\ua877\ua8ce\ua8cf\ua92f\ua9c8\ua9c9\uaa5d\uaa5e\uaa5f\uabeb"
    "。！？｡．︒﹒﹖﹗"
)
"""End a sentence before any character, because their scripts put no space there."""

SPACED_CLAUSE_MARKS = ",;:"
"""End a clause when white space or the end of the text follows."""

UNSPACED_CLAUSE_MARKS = (
    "、，；：､﹐﹑﹔﹕"
    "\u060c\u061b"  # Arabic comma and semicolon
    "\u1363\u1364\u1365\u1366"  # Ethiopic
    "\u104a"  # Burmese little section
)
"""End a clause before any character, except between digits."""

CLOSERS = "\"'’”»›)]}）］｝〕〉》」』】〗〙〛｠｣﹂﹄﹚﹜﹞"
"""Quotes and brackets that stay with the mark before them. The ASCII quotes also open; a quote
that directly follows a mark closes."""

OPENERS = "\"'([{‘‚“„‟«‹¿¡（［｛〔〈《「『【〖〘〚｟｢﹁﹃﹙﹛﹝"
"""Quotes and brackets that may stand before the first word of a sentence."""


def is_small(character: str) -> bool:
    """Whether a character is a small letter of a script that starts its sentences with capitals.

    Python calls Georgian letters lower case, but Georgian sentences start with them.
    """
    return character.islower() and not "\u10d0" <= character <= "\u10ff"


def is_caseless(character: str) -> bool:
    """Whether a character is a letter of a script that has no capitals for its sentences."""
    return character.isalpha() and not character.isupper() and not is_small(character)


_blank_to_the_end = re.compile(r"[\s\ufeff\u200b]*+\Z").match


def is_blank(text: str) -> bool:
    """Whether a text shows nothing: white space, byte order marks, zero width spaces, or no text."""
    return _blank_to_the_end(text) is not None


def count_newlines(text: str) -> int:
    """The number of line ends in `text`, as editors count them: LF, CR LF or CR."""
    count = text.count("\n")
    return count + text.count("\r") - text.count("\r\n") if "\r" in text else count
