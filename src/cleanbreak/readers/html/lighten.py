"""Markup with fewer elements and the same text, as each element costs a call of Python.

Elements that only wrap words (``<i>``, ``<abbr>``) are taken away, and breaks between words become
characters: ``BREAK`` for ``<br/>``, ``TURN`` for the end of one paragraph and the start of the next.
An element whose attributes say something keeps all elements of its name.
"""

import re
from collections.abc import Collection
from functools import lru_cache

BREAK, TURN = "\n", "\t"
"""What stands for a line break and for a new paragraph. The markup has no other such characters."""
BLANK = f" {BREAK}{TURN}"

WRAPPERS = (
    "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "mark", "s", "samp", "small", "span", "strike", "strong", "time", "tt", "u", "var",
)  # fmt: skip
"""Elements without a rule, which do nothing to the text."""

_BREAKS = re.compile(f"([{BREAK}{TURN}])")
_NAMES = "|".join(WRAPPERS).encode()
# Attributes that mark nothing. Whether an id or a class does is looked up.
_PLAIN = (
    rb"""(?: +(?:(?:class|id|title|datetime|dir|lang|xml:lang|translate)="[^"<&]*\""""
    rb"""|epub:type="(?: *(?:z3998|se):[\w.-]+)* *"))*"""
)
_SPEAKING = re.compile(rb"<(%b|p)\b(?!%b *>)" % (_NAMES, _PLAIN))
_WITH_ID = re.compile(rb"""<(%b) (?:[^<>]* )?id="([^"]*)\"""" % _NAMES)
_WITH_CLASS = re.compile(rb"""<(%b|p) (?:[^<>]* )?class="([^"]*)\"""" % _NAMES)
_TURN = re.compile(rb"</p *> *<p%b *>" % _PLAIN)
_TURN_WITHOUT_ID = re.compile(rb"</p *> *<p%b *>" % _PLAIN.replace(rb"|id|", rb"|"))
_BREAK = re.compile(rb"<br(?: +class=\"[^\"<&]*\")? */>")
_CLASSED_BREAK = b"<br class"


def lightened(utf8: bytes, anchors: Collection[str], hidden: frozenset[str]) -> bytes:
    """XHTML, in which all white space is spaces, with fewer elements.

    Elements with an id of `anchors` or a class of `hidden` are kept.
    """
    kept = set(_SPEAKING.findall(utf8))
    if anchors:
        kept |= {name for name, value in _WITH_ID.findall(utf8) if value.decode() in anchors}
    if hidden:
        classes = ((name, value.decode().split()) for name, value in _WITH_CLASS.findall(utf8))
        kept |= {name for name, values in classes if not hidden.isdisjoint(values)}
    utf8 = _wrappers(frozenset(kept)).sub(b"", utf8)
    if b"p" not in kept:
        utf8 = (_TURN_WITHOUT_ID if anchors else _TURN).sub(TURN.encode(), utf8)
    if not hidden or _CLASSED_BREAK not in utf8:
        utf8 = _BREAK.sub(BREAK.encode(), utf8)
    return utf8


def pieces(text: str) -> list[str]:
    """Text cut before and after each break."""
    return _BREAKS.split(text)


def laid_out(words: str) -> str:
    r"""Words with newlines for the breaks between them.

    >>> laid_out(f"One {BREAK}two.{TURN}Three.")
    'One\ntwo.\n\nThree.'
    """
    paragraphs = [piece.strip(BLANK) for piece in words.split(TURN)]
    if BREAK in words:
        paragraphs = [
            "\n".join([line.strip(" ") for line in piece.split(BREAK)]) for piece in paragraphs
        ]
    text = "\n\n".join(paragraphs)
    while "  " in text:
        text = text.replace("  ", " ")
    while BREAK in words and "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text


@lru_cache(maxsize=256)
def _wrappers(kept: frozenset[bytes]) -> re.Pattern[bytes]:
    """The start and end tags of wrappers, but not of those that are kept."""
    names = b"|".join(name for name in _NAMES.split(b"|") if name not in kept)
    return re.compile(
        rb"<(?:/(?:%b) *|(?:%b)%b *)>" % (names, names, _PLAIN) if names else rb"(?!)"
    )
