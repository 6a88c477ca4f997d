"""Whether a doubtful place ends a sentence: a short list of rules, asked in order.

A rule answers yes, no, or that it has no opinion; the first opinion counts. In doubt a rule says
no: two sentences kept together cost less than one sentence cut in two. Every rule looks at a
bounded stretch around the place, so the whole stays linear.
"""

import re
from typing import NamedTuple

from cleanbreak.core.languages import MAYBE, NUMBERED, TITLE, Language
from cleanbreak.core.marks import CLOSERS, OPENERS, UNSPACED_MARKS

_WORD_LENGTH = 32
_QUOTATION = 250
"""Quotations and asides longer than this, in code points, are cut inside like any other text."""


class Place(NamedTuple):
    """Somewhere a sentence may end, in offsets: marks, closers, white space, then more text."""

    text: str
    start: int
    """Where the sentence started."""
    high: int
    """Where the paragraph ends."""
    mark: int
    marks_end: int
    closers_end: int
    cut: int
    """Where the next sentence would start."""
    language: Language

    @property
    def marks(self) -> str:
        """The run of marks."""
        return self.text[self.mark : self.marks_end]

    @property
    def closers(self) -> str:
        """The quotes and brackets that close after the marks."""
        return self.text[self.marks_end : self.closers_end]

    @property
    def word(self) -> str:
        """What stands before the marks, back to white space, a bracket, a quote or a dash."""
        before = self.text[max(self.start, self.mark - _WORD_LENGTH) : self.mark]
        return _LAST_WORD.split(before)[-1]

    @property
    def after(self) -> str:
        """The first character of what follows."""
        return self.text[self.cut]

    @property
    def next_word(self) -> str:
        """The first word of what follows, without quotes and brackets before it, or nothing."""
        found = _FIRST_WORD.match(self.text, self.cut, min(self.high, self.cut + _WORD_LENGTH))
        return found[1] if found else ""

    @property
    def starts_in_lower_case(self) -> bool:
        """Whether what follows starts with a lower-case letter."""
        return self.next_word[:1].islower()

    @property
    def starter_follows(self) -> bool:
        """Whether a capitalised small word or title follows, which proves a new sentence."""
        word = self.next_word
        lower = word.lower()
        return word[:1].isupper() and (
            lower in self.language.small_words or lower in _STARTING_TITLES
        )


_LAST_WORD = re.compile(r"[\s()\[\]{}\"“”„«»‹›—–/…]")
_FIRST_WORD = re.compile(rf"[{re.escape(OPENERS)}\s]*([^\W_]+)")
_STARTING_TITLES = frozenset(["mr", "mrs", "ms", "dr", "prof", "sr", "sra"])
_UNSPACED = frozenset(UNSPACED_MARKS)
_opener = re.compile(r"[\"“„«»‹›「『《（(\[‘]").search


def is_plain_end(
    text: str, start: int, mark: int, marks_end: int, cut: int, language: Language
) -> bool:
    """Whether this is the common case: a whole lower-case word, one full stop, then a capital."""
    if marks_end != mark + 1 or text[mark] != "." or not text[cut].isupper():
        return False
    words = text[max(start, mark - _WORD_LENGTH) : mark].rsplit(None, 1)
    return (
        bool(words)
        and len(word := words[-1]) > 1
        and word.isalpha()
        and word.islower()
        and word not in language.abbreviations
        and cut == marks_end + 1
        and not _opener(text, start, mark)
    )


# --- rules for every mark ------------------------------------------------------------------------


def _sentence_goes_on_behind_closers(place: Place) -> bool | None:
    """A quote or aside inside a sentence: “Stop!” he said; (sic!) and; 「はい。」と言った."""
    if place.closers_end == place.marks_end:
        return None
    text, cut = place.text, place.cut
    if cut == place.closers_end:  # no white space: the sentence goes on unless a quote opens
        return place.after in _OPENING
    if text[place.cut].islower() or _speech_tag(text, cut):
        return False
    return None


def _goes_on_with_a_joiner(place: Place) -> bool | None:
    """A comma, a colon or a closing bracket cannot start a sentence, nor a dash and lower case."""
    after = place.after
    if after in ",;:)]}»" and (after != "»" or place.text[place.cut + 1 : place.cut + 2].isspace()):
        return False
    if after in "-–—" and _DASH_AND_LOWER(place.text, place.cut):
        return False
    return None


def _unspaced_mark(place: Place) -> bool | None:
    """Marks of scripts without spaces end a sentence, save a full-width stop between digits."""
    if place.text[place.marks_end - 1] not in _UNSPACED:
        return None
    return not (place.marks == "．" and place.word[-1:].isdigit() and place.after.isdigit())


def _ellipsis(place: Place) -> bool | None:
    """Three dots pause; a capital after them starts anew."""
    marks = place.marks
    dots = marks.count(".")
    if not (marks.startswith("…") or (dots >= 2 and dots == len(marks.replace(" ", "")))):
        return None
    if " " in marks and dots == 3:
        return False
    return place.next_word[:1].isupper() and _has_words(place)


def _exclamation_or_question(place: Place) -> bool | None:
    """They end a sentence, save in a name (Yahoo! is) and when alone in brackets (!)."""
    if place.text[place.mark] == ".":
        return None
    if place.text[place.mark - 1 : place.mark] == "(":
        return False
    return not (place.word.lower() in _EXCLAIMING_NAMES and not place.starter_follows)


# --- rules for one full stop ---------------------------------------------------------------------


def _detached(place: Place) -> bool | None:
    """A full stop with space before it is no abbreviation."""
    return True if place.word == "" and place.closers == "" else None


def _enumerator(place: Place) -> bool | None:
    """A number or letter that starts the sentence counts an item: 1. Fill the tank."""
    if place.mark - place.start > 12:
        return None
    return False if _ENUMERATOR(place.text[place.start : place.mark].strip()) else None


def _abbreviation(place: Place) -> bool | None:
    """By the lists of the language; an unknown word with inner stops (U.S, e.V) counts as one."""
    word = place.word.lower()
    kind = place.language.abbreviations.get(word)
    if kind is None and _INNER_STOPS(word):
        kind = MAYBE
    if kind == TITLE:
        return False
    if kind == NUMBERED:
        return False if place.next_word[:1].isdigit() or _ROMAN(place.next_word) else None
    if kind == MAYBE:
        return place.starter_follows
    return None


def _initial(place: Place) -> bool | None:
    """A single letter: J. R. R. Tolkien, z. B., т. е."""
    word = place.word
    if len(word) == 1 and word.isalpha():
        return word.isupper() and place.starter_follows
    return None


def _ordinal(place: Place) -> bool | None:
    """In many languages a number with a full stop is an ordinal: 3. Oktober, Friedrich II."""
    word = place.word
    if place.language.ordinals and ((word.isdigit() and len(word) <= 2) or _ROMAN(word)):
        return place.starter_follows
    return None


def _lower_case_follows(place: Place) -> bool | None:
    """After a word that is no abbreviation, careless writers start in lower case."""
    if not place.starts_in_lower_case:
        return None
    word = place.word
    return word.isalpha() and (len(word) > 2 or word.lower() in place.language.small_words)


_RULES = (
    _sentence_goes_on_behind_closers,
    _goes_on_with_a_joiner,
    _unspaced_mark,
    _ellipsis,
    _exclamation_or_question,
    _detached,
    _enumerator,
    _abbreviation,
    _initial,
    _ordinal,
    _lower_case_follows,
)

_OPENING = frozenset(OPENERS) - frozenset("\"'")
_DASH_AND_LOWER = re.compile(r"[-–—]{1,3}\s?[^\W\d_A-Z]").match
_INNER_STOPS = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}").fullmatch
_ROMAN = re.compile(r"[IVXLC]+").fullmatch
_ENUMERATOR = re.compile(
    r"[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[^\W\d_]|[ivx]{1,5}|[IVX]{1,5})[)\]]?"
).fullmatch
_EXCLAIMING_NAMES = frozenset(["yahoo", "jeopardy", "mamma", "yum"])


def ends_sentence(place: Place) -> bool:
    """Ask the rules in order; a place that none objects to ends a sentence."""
    for rule in _RULES:
        verdict = rule(place)
        if verdict is not None:
            break
    return verdict is not False and not _inside_quotation_that_goes_on(place)


def _has_words(place: Place) -> bool:
    return bool(place.text[max(place.start, place.mark - _WORD_LENGTH) : place.mark].strip())


# --- quotations ----------------------------------------------------------------------------------

_PAIRS = {
    "“": "”", "„": "“”", "«": "»", "»": "«", "‹": "›", "「": "」", "『": "』", "《": "》", "（": "）",
    "(": ")", "[": "]", "‘": "’", '"': '"',
}  # fmt: skip

_speech_tag = re.compile(
    r"(?!(?:He|She|It|They|We|You|The|An?|This|That|There|What|Who)\b)"
    r"(?:(?:Mrs?|Ms|Miss|Dr|Prof)\.? )?(?:I|[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?) "
    r"(?:said|asked|cried|replied|answered|shouted|whispered|exclaimed|added|called|muttered|says|asks)\b"
).match


def _inside_quotation_that_goes_on(place: Place) -> bool:
    """“I like storms. They clear the air,” she said. is one sentence."""
    text = place.text
    low = max(place.start, place.cut - _QUOTATION)
    if not _opener(text, low, place.mark):
        return False
    opened = _open_quotes(text, low, place.closers_end)
    for at in opened:
        closing = _PAIRS[text[at]]
        close = _find_any(text, closing, place.cut, min(place.high, at + _QUOTATION))
        if close != -1 and _goes_on(text, close, place.high):
            return True
    return False


def _open_quotes(text: str, low: int, high: int) -> list[int]:
    """Where the quotes and brackets stand that are open at `high`, outermost first."""
    opened: list[int] = []
    for found in _ANY_QUOTE(text, low, high):
        sign = found[0]
        if opened and sign in _PAIRS[text[opened[-1]]]:
            opened.pop()
        elif sign in _PAIRS:
            opened.append(found.start())
    return opened


_ANY_QUOTE = re.compile(f"[{re.escape(''.join(_PAIRS) + ''.join(_PAIRS.values()))}]").finditer


def _find_any(text: str, signs: str, low: int, high: int) -> int:
    return min((at for sign in signs if (at := text.find(sign, low, high)) != -1), default=-1)


def _goes_on(text: str, close: int, high: int) -> bool:
    """Whether the sentence goes on behind the closing quote or bracket at `close`."""
    if text[close - 1] in ",，":
        return True
    rest = text[close + 1 : min(high, close + 40)]
    if rest[:1].isalpha():
        return True
    rest = rest.lstrip(CLOSERS).lstrip()
    return rest[:1].islower() or rest[:1] in tuple(",;:，；：") or bool(_speech_tag(rest))
