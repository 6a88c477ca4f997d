"""Quotations and asides inside a sentence, and whether the sentence continues after them."""

import re

from cleanbreak.core.text.characters import CLOSERS, is_small

# Code points. Longer quotations and asides are cut inside like any other text.
LONGEST_QUOTATION = 250

# How many quotes that open, or apostrophes, are looked at to find a quote that closes.
MOST_APOSTROPHES = 4

# Code points after a quotation in which to look for how the sentence continues.
_TAG = 40

_CLAUSE_MARKS = frozenset(",;:，；：")

_PAIRS = {
    "“": "”", "„": "“”", "«": "»", "»": "«", "‹": "›", "「": "」", "『": "』", "《": "》", "（": "）",
    "(": ")", "[": "]", "‘": "’", '"': '"',
}  # fmt: skip
_AMBIGUOUS = frozenset('"’')
_SIGNS = re.escape("".join(_PAIRS) + "".join(_PAIRS.values()))
_quote_signs = re.compile(rf"[{_SIGNS}]").finditer
quote_or_bracket = re.compile(rf"[{re.escape(''.join(_PAIRS))}]").search

# A name or "I" before the verb, as a tag in lower case needs no list; pronouns start a sentence.
_SPEAKER = (
    r"(?!(?:He|She|It|They|We|You|The|An?|This|That|There|What|Who|No|Nobody|Everyone|Everybody)\b)"
    r"(?:(?:Mrs?|Ms|Miss|Dr|Prof)\.? )?(?:I|[A-Z][\w’'-]{1,20}(?: (?:and )?[A-Z][\w’'-]{1,20})?) "
)
_speech_tag = re.compile(
    _SPEAKER + r"(?:said|says|asked|asks|cried|replied|answered|called|added)\b"
    # Scripts without lower case.
    r"|\S{1,9} (?:말했|말하|물었|대답했|외쳤|소리쳤|덧붙였|속삭였)"
    r"|(?:قال|قالت|سأل|سألت|أجاب|أجابت|صاح|صاحت)\b"
    r"|\S{1,9} ने (?:कहा|पूछा)"
).match
# After "?" or "!" any verb in the past, if the tag ends after it or after an adverb: “Never!” Tom
# insisted. After a full stop it would be a sentence of its own.
_shape_of_tag = re.compile(
    _SPEAKER
    + r"(?:[a-z]{3,14}ed|went o[n]|broke in|cut in|put in|began)(?: [a-z]{2,12}ly)?(?=[.,;:])"
).match


def speech_tag_follows(text: str, at: int, high: int, mark: str) -> bool:
    """Whether at `at` it is said who spoke what a quotation with that last mark holds."""
    if _speech_tag(text, at, high):
        return True
    return mark in "?!…" and _shape_of_tag(text, at, high) is not None


def inside_continued_quotation(text: str, opening: int, cut: int, high: int) -> bool:
    """“I like storms. They clear the air,” she said. is one sentence, as 「…」と言った is.

    `opening` is where the first quote or bracket of the sentence stands, or any place before it.
    """
    for at in _open_quotes(text, max(opening, cut - LONGEST_QUOTATION), cut):
        if continues_after(text, at, cut, high):
            return True
    return False


def continues_after(text: str, at: int, cut: int, high: int) -> bool:
    """Whether a sentence continues after the quotation that opens at `at` and is open at `cut`."""
    close = _closing_sign(text, text[at], cut, min(high, at + LONGEST_QUOTATION))
    return close != -1 and _continues(text, close, high)


def _open_quotes(text: str, low: int, high: int) -> list[int]:
    """Where the quotes and brackets stand that are open at `high`, outermost first."""
    opened: list[int] = []
    awaited = ""
    for found in _quote_signs(text, low, high):
        sign, at = found[0], found.start()
        if sign in awaited:
            if sign not in _AMBIGUOUS or not _quotes_nothing(text, at):
                opened.pop()
                awaited = _PAIRS[text[opened[-1]]] if opened else ""
        elif sign in _PAIRS and (sign not in _MAY_CLOSE or not only_closes(text, at)):
            opened.append(at)
            awaited = _PAIRS[sign]
    return opened


def only_closes(text: str, at: int) -> bool:
    """Whether a sign that may open can only close, by what stands around it.

    That is so of straight quotes, and of quotes that open in one language and close in another.
    """
    if text[at] == '"':
        return _closes(text, at)
    return text[at + 1 : at + 2] in _AFTER_CLOSING and text[at - 1 : at].strip() != ""


_MAY_CLOSE = frozenset('"»«“')
_AFTER_CLOSING = frozenset(" \n\u00a0.,;:!?…)]")


def _closes(text: str, at: int) -> bool:
    """Whether a straight quote closes rather than opens, or ’ does rather than elide a letter."""
    after = text[at + 1 : at + 2]
    after_word = at > 0 and text[at - 1].isalnum()
    if text[at] == '"':
        return after_word or not after.strip()
    return not (after_word and after.isalnum())


def _quotes_nothing(text: str, at: int) -> bool:
    """Whether a sign stands between two letters, as in don’t and ארה"ב."""
    return at > 0 and text[at - 1].isalnum() and text[at + 1 : at + 2].isalnum()


def _closing_sign(text: str, opening: str, low: int, high: int) -> int:
    """Where the sign that closes the one that opened stands in the window, or -1."""
    closing = _PAIRS[opening]
    if closing in _AMBIGUOUS:
        for _ in range(MOST_APOSTROPHES):
            low = text.find(closing, low, high)
            if low == -1:
                return -1
            if not _quotes_nothing(text, low):
                if _closes(text, low):
                    return low
                if closing == '"':  # another quotation opens, so this one was left open
                    return -1
            low += 1
        return -1
    if len(closing) == 1:
        return text.find(closing, low, high)
    return min((at for sign in closing if (at := text.find(sign, low, high)) != -1), default=-1)


def _continues(text: str, close: int, high: int) -> bool:
    """Whether the sentence continues after the closing quote or bracket at `close`."""
    if text[close - 1] in ",，":
        return True
    rest = text[close + 1 : min(high, close + _TAG)]
    if rest[:1].isalpha():
        return True
    rest = rest.lstrip(CLOSERS).lstrip()
    if is_small(rest[:1]) or rest[:1] in _CLAUSE_MARKS:
        return True
    return speech_tag_follows(rest, 0, len(rest), text[close - 1])
