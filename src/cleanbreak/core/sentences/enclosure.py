"""Which quotation or bracket a place stands in, if that does not depend on the sentence's start.

`quotations` reads the signs from the start of the sentence. Looking backwards the start is unknown,
so only texts are decided here in which every start gives the same answer: pairs with nothing but
simple pairs inside, and signs that can only close. Signs that open in one language and close in
another (« » „) are never decided here.
"""

import re

NONE = -1
UNKNOWN = -2

_OPENERS = re.escape('“„«»‹「『《（([‘"')
_PAIRS = (
    ("“", "”"),
    ("「", "」"),
    ("『", "』"),
    ("《", "》"),
    ("（", "）"),
    ("(", ")"),
    ("[", "]"),
)

# As in `quotations`: " closes after a letter or before white space, and else opens; ’ and " between
# letters quote nothing.
_LETTER = r"[^\W_]"
_OPENING_QUOTE = rf'(?<!{_LETTER})"(?=\S)'
_CLOSING_QUOTE = rf'"(?:(?<={_LETTER}")(?!{_LETTER})|(?=\s))'
_QUOTES_NOTHING = rf'(?<={_LETTER})"(?={_LETTER})'
_IN_SINGLE_QUOTES = rf"[^{_OPENERS}’]|(?<={_LETTER})’(?={_LETTER})"
_SIMPLE_PAIRS = {
    "‘": rf"‘(?>(?:{_IN_SINGLE_QUOTES})*)’",
    "(": rf"\([^{_OPENERS})]*+\)",
    "[": rf"\[[^{_OPENERS}\]]*+\]",
}


def _up_to_closing(opening: str, closing: str) -> str:
    """What may stand after a sign that opens, up to the one that closes: no other of its kind."""
    pairs = [pair for sign, pair in _SIMPLE_PAIRS.items() if sign != opening]
    if opening == '"':
        pairs.append(_QUOTES_NOTHING)
    inside = "|".join(pairs)
    return rf"(?>(?:[^{_OPENERS}{re.escape(closing)}]++|{inside})*)"


def _pattern() -> re.Pattern[str]:
    opened = [re.escape(opening) + _up_to_closing(opening, closing) for opening, closing in _PAIRS]
    closed = [part + re.escape(closing) for part, (_, closing) in zip(opened, _PAIRS, strict=True)]
    straight = _OPENING_QUOTE + _up_to_closing('"', '"')
    closed += [_SIMPLE_PAIRS["‘"], straight + _CLOSING_QUOTE, _CLOSING_QUOTE, _QUOTES_NOTHING]
    opened += [straight, rf"‘(?>(?:{_IN_SINGLE_QUOTES})*)"]
    return re.compile(rf"(?>(?:[^{_OPENERS}]++|{'|'.join(closed)})*)(?>({'|'.join(opened)})?)\Z")


_enclosed = _pattern().match


def enclosing_sign(text: str, low: int, cut: int) -> int:
    """Where the sign stands that opened in ``text[low:cut]`` and is open at `cut`.

    `NONE` if no sign is open, `UNKNOWN` if it depends on where the sentence started.
    """
    found = _enclosed(text, low, cut)
    return found.start(1) if found else UNKNOWN
