"""Whether a place ends a sentence: a short list of rules, asked in order.

A rule answers yes, no, or that it has no opinion; the first opinion counts. In doubt a rule says
no: two sentences kept together cost less than one sentence cut in two. Every rule looks at a
bounded stretch around the place, so the whole stays linear.
"""

import re

from cleanbreak.core.sentences.inline_lists import continues_list
from cleanbreak.core.sentences.languages import FINAL, MAYBE, NUMBERED, TITLE, Kind, Language
from cleanbreak.core.sentences.quotations import speech_tag
from cleanbreak.core.text.characters import OPENERS, UNSPACED_MARKS

_WORD_LENGTH = 32
_UNSPACED = frozenset(UNSPACED_MARKS)
_OPENING_QUOTES = frozenset('"“‘')


def plain_verdict(text: str, start: int, mark: int, cut: int, language: Language) -> bool | None:
    """The common cases at once: a single mark without closers; ``None`` where in doubt.

    The rules below would say the same. They cost ten times as much.
    """
    sign = text[mark]
    if sign in _UNSPACED:
        return True if sign != "．" else None
    if cut == mark + 1:
        return None
    low = mark - _WORD_LENGTH
    word = text[max(start, low) : mark + 1].rsplit(None, 1)[-1][:-1]
    if not word.isalpha():
        return None
    after = text[cut]
    capital_follows = after.isupper() or (
        after in _OPENING_QUOTES and text[cut + 1 : cut + 2].isupper()
    )
    if sign == ".":
        if len(word) == 1:
            initials = after.islower() or text.startswith(".", cut + 1)
            return False if initials else None  # J. R. R. Tolkien, т. е.
        kind = language.kind_of(word)
        if kind is None:
            whole = word[1:].islower() and mark - start > _LONGEST_ROMAN
            return True if whole and capital_follows and language.full_stops else None
        return False if kind == TITLE and (len(word) > _SHORT or word[0].isupper()) else None
    if capital_follows and sign in "?!" and word.lower() not in _EXCLAIMING_NAMES:
        return True
    return None


class Place:
    """Somewhere a sentence may end: marks, closers, white space, then more text.

    All but `word`, `next_word` and `language` are offsets. ``start`` is where the sentence
    started, ``high`` where the paragraph ends, ``cut`` where the next sentence would start.
    """

    __slots__ = (
        "closers_end", "cut", "high", "language", "mark", "marks_end", "next_word", "start", "text",
        "word",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        start: int,
        high: int,
        mark: int,
        marks_end: int,
        closers_end: int,
        cut: int,
        language: Language,
    ) -> None:
        self.text = text
        self.start = start
        self.high = high
        self.mark = mark
        self.marks_end = marks_end
        self.closers_end = closers_end
        self.cut = cut
        self.language = language
        before = text[max(start, mark - _WORD_LENGTH) : mark].rsplit(None, 1)
        word = before[-1] if before else ""
        self.word: str = word if word.isalpha() else _edge(word)
        """What stands before the marks, back to white space, a bracket, a quote or a dash."""
        found = _next_word(text, cut, min(high, cut + _WORD_LENGTH))
        self.next_word: str = found[1] if found else ""
        """The first word of what follows, less quotes and brackets before it; or nothing."""

    @property
    def starter_follows(self) -> bool:
        """Whether a capitalised small word or title follows, which proves a new sentence."""
        word = self.next_word
        if not word[:1].isupper():
            return False
        if len(word) == 1 and self.text.startswith(".", self.cut + 1):
            return False  # an initial: Dr. J. A. Smith
        lower = word.lower()
        return lower in self.language.small_words or lower in _STARTING_TITLES


def _edge(word: str) -> str:
    """The last part of a word with brackets, quotes, dashes or a forgotten space in it."""
    word = _PUNCTUATION.split(word)[-1].lstrip("-•⁃")
    return word if _has_inner_stops(word) or word[-1:].isdigit() else word.rpartition(".")[2]


_PUNCTUATION = re.compile(r"[()\[\]{}\"“”„«»‹›—–/…]")
_has_inner_stops = re.compile(r"(?:[^\s\d.]{1,3}\.)+[^\s\d.]{1,4}").fullmatch
_next_word = re.compile(rf"[{re.escape(OPENERS)}\s]*([^\W_]+)").match
_STARTING_TITLES = frozenset(["mr", "mrs", "ms", "dr", "prof", "sr", "sra"])


# --- rules for every mark ------------------------------------------------------------------------


def _sentence_goes_on_behind_closers(place: Place) -> bool | None:
    """A quote or aside inside a sentence: “Stop!” he said; (sic!) and; 「はい。」と言った."""
    if place.closers_end == place.marks_end:
        return None
    text, cut = place.text, place.cut
    if cut == place.closers_end:  # no white space: the sentence goes on unless a quote opens
        return text[cut] in _OPENING or _is_announced_quotation(place)
    if text[cut : cut + _FOOTNOTE_SIGNS].lstrip("*†_ ")[:1].islower():
        return False
    quote = text[place.marks_end : place.closers_end].strip(")]}")
    return False if quote and speech_tag(text, cut, place.high) else None


def _is_announced_quotation(place: Place) -> bool:
    """他说：“好。” is a whole sentence, as who speaks was said before the quotation."""
    text = place.text
    opening = _OPENED_BY.get(text[place.closers_end - 1], "")
    at = text.rfind(opening, place.start, place.mark) if opening else -1
    return at > place.start and text[at - 1] in "：:"


_OPENED_BY = {"”": "“", "」": "「", "』": "『"}

_FOOTNOTE_SIGNS = 4
"""How many characters to look past a footnote sign and emphasis: “Qui vive?”* he cried."""


def _space_forgotten(place: Place) -> bool | None:
    """Where no white space follows, only a capitalised small word shows a new sentence."""
    text, cut = place.text, place.cut
    if cut != place.marks_end or text[cut - 1] in _UNSPACED or text[cut] > _ALPHABETS:
        return None
    word = place.word
    whole = (len(word) > 1 and word.isalpha() and word[1:].islower()) or word[-1:].isdigit()
    return whole and place.starter_follows


def _citation_follows(place: Place) -> bool | None:
    """Behind a quotation: “… it grows [...]” (Smith 55)."""
    if place.closers_end == place.marks_end:
        return None
    return False if _citation(place.text, place.cut, place.high) else None


_ALPHABETS = "\u2e7f"
_citation = re.compile(r"\([^()\n]{1,60}\)[.,;:]").match


def _goes_on_with_a_joiner(place: Place) -> bool | None:
    """A comma, a colon or a closing bracket cannot start a sentence, nor a dash or dots and lower case."""
    after = place.text[place.cut]
    if after in _JOINERS and (after != "»" or place.text[place.cut + 1 : place.cut + 2].isspace()):
        return False
    paused = _pause(place.text, place.cut, place.high)
    return False if paused and paused[1].islower() else None


_JOINERS = frozenset(",;:)]}»/")
_OPENING = frozenset(OPENERS) - frozenset("\"'")
_pause = re.compile(r"(?:[-–—]{1,3}|\.{2,4}|…)\s?(\w)").match


# --- rules for marks other than one full stop ----------------------------------------------------


def _between_digits(place: Place) -> bool | None:
    """A full-width stop is also a decimal point: 3．5元."""
    text, mark = place.text, place.mark
    if text[mark] == "．" and text[mark - 1 : mark].isdigit() and text[place.cut].isdigit():
        return False
    return None


def _verb_ending_is_quoted(place: Place) -> bool | None:
    """Korean "갑니다 하고 말했다": he said that he goes."""
    return False if place.next_word in _QUOTING else None


_QUOTING = frozenset(["하고", "하며", "라고", "라며", "라는", "라면서"])


def _ellipsis(place: Place) -> bool | None:
    """Three dots pause; a capital after them starts anew. Four are three and a full stop."""
    marks = place.text[place.mark : place.marks_end]
    dots = marks.count(".")
    if (dots < 2 and "…" not in marks) or marks.strip("….\u00a0 "):
        return None
    next_word = place.next_word
    if not next_word[:1].isupper():
        return False if next_word[:1].islower() or dots < 4 else None
    if dots == 3 and " " in marks and next_word == "I":
        return False
    return not place.text[max(place.start, place.mark - _WORD_LENGTH) : place.mark].isspace()


def _mark_alone_in_brackets(place: Place) -> bool | None:
    """(!) and (?) comment on the words before them."""
    return False if place.text[place.mark - 1 : place.mark] in _OPENING else None


def _exclaiming_name(place: Place) -> bool | None:
    """She works at Yahoo! in the accounting department."""
    return place.starter_follows if place.word.lower() in _EXCLAIMING_NAMES else None


_EXCLAIMING_NAMES = frozenset(["yahoo", "jeopardy", "joomla", "yum", "wham", "oklahoma"])


def _lower_case_follows_a_cry(place: Place) -> bool | None:
    """Oh! how lovely; — Où? dit-il; yet "are you there? it is late" are two careless sentences."""
    if not place.next_word[:1].islower():
        return None
    beginning = place.text[place.start : min(place.mark, place.start + _WORD_LENGTH)]
    first = beginning.lstrip(_BEFORE_FIRST_WORD)[:1]
    if first in _DASHES:  # speech behind a dash has its tag in lower case, without quotes
        return False
    return first.islower() or "?" in place.text[place.mark : place.marks_end]


_DASHES = tuple("-–—")
_BEFORE_FIRST_WORD = OPENERS + " \t\r\n\u00a0"


# --- rules for one full stop ---------------------------------------------------------------------


def _detached(place: Place) -> bool | None:
    """A full stop with white space before it belongs to no abbreviation."""
    return True if place.text[place.mark - 1 : place.mark].isspace() else None


def _enumerator(place: Place) -> bool | None:
    """A number or letter that starts the sentence counts an item: 1. Fill the tank."""
    if len(place.word) <= _LONGEST_COUNT and continues_list(
        place.text, place.start, place.closers_end, dots=not place.language.ordinals
    ):
        return False
    if place.mark - place.start > _LONGEST_ENUMERATOR:
        return None
    return False if _is_enumerator(place.text[place.start : place.mark].strip()) else None


def _abbreviation(place: Place) -> bool | None:
    """By the lists of the language; an unknown word with inner stops (U.S, e.V) counts as one."""
    kind = _kind(place)
    if kind == TITLE:
        return False
    if kind == FINAL:
        return place.next_word[:1].isupper()
    if kind == NUMBERED:
        next_word = place.next_word
        if place.word.lower() in place.language.small_words:  # "No. I will not." or "No. 7"
            return False if next_word[:1].isdigit() else None
        counted = not next_word[:1].isupper() or _is_roman(next_word)
        return False if counted else None
    if kind == MAYBE:
        return place.starter_follows and not _clock_time_opens_sentence(place)
    return None


def _kind(place: Place) -> Kind | None:
    word, language = place.word, place.language
    if len(word) <= _SHORT:
        before = place.text[max(place.start, place.mark - _WORD_LENGTH) : place.mark]
        if parts := _parted_by_spaces(before):  # z. B., т. д., EE. UU.
            kind = language.kind_of("".join(parts[0].split()))
            if kind:
                return kind
        if _behind_number(before):
            if word in _UNITS:  # 400 m
                return FINAL
            if word == "in" or language.kind_of(word) == TITLE:  # 5 in. long, 1905 г.
                return MAYBE
    if kind := language.kind_of(word):
        return kind
    behind_elision = language.kind_of(word.replace("’", "'").rpartition("'")[2])
    if behind_elision in (TITLE, NUMBERED):  # L'avv. Verdi, dell'art. 5
        return behind_elision
    if _has_inner_stops(word) or word.endswith(language.endings):
        return MAYBE
    return None


def _clock_time_opens_sentence(place: Place) -> bool:
    """At 5 a.m. Mr. Smith went out."""
    return (
        place.word in ("a.m", "p.m")
        and place.mark - place.start < _WORD_LENGTH
        and place.text.count(" ", place.start, place.mark) <= 2
    )


def _single_letter(place: Place) -> bool | None:
    """J. R. R. Tolkien, z. B., т. е.; yet "you and I. Did" and "vitamin C. The" end one."""
    word = place.word
    if len(word) == 1 and word.isalpha():
        is_word = word.isupper() or word in place.language.small_words
        return is_word and place.starter_follows
    return None


def _full_stop_is_no_mark(place: Place) -> bool | None:
    """In Armenian it stands where others write a colon."""
    return None if place.language.full_stops else False


def _ordinal(place: Place) -> bool | None:
    """In many languages a number with a full stop is an ordinal: 3. Oktober, Friedrich II."""
    if not place.language.ordinals:
        return None
    word = place.word
    if (word.isdigit() and len(word) <= 2) or _is_roman(word):
        return place.starter_follows
    return None


def _lower_case_follows(place: Place) -> bool | None:
    """After a word that is no abbreviation a careless writer starts in lower case."""
    if not place.next_word[:1].islower():
        return None
    word = place.word
    if word[-1:].isdigit():
        return not place.language.ordinals
    return word.isalnum() and (len(word) > 2 or word.lower() in place.language.small_words)


_LONGEST_ENUMERATOR = 12
_LONGEST_COUNT = 2
_LONGEST_ROMAN = 5
_SHORT = 3
_parted_by_spaces = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]{1,3}\.\s)+[^\W\d_]{1,3}\Z").search
_behind_number = re.compile(r"\d\s[^\W\d_]{1,3}\Z").search
_UNITS = frozenset(
    [
        "km",
        "m",
        "dm",
        "cm",
        "mm",
        "kg",
        "g",
        "mg",
        "t",
        "l",
        "cl",
        "ml",
        "hl",
        "ha",
        "h",
        "s",
        "км",
        "м",
        "см",
        "мм",
        "кг",
        "т",
        "л",
        "мл",
        "га",
    ]
)
"""Written without a full stop, so that one after them ends a sentence."""
_is_roman = re.compile(r"[IVXLC]+").fullmatch
_is_enumerator = re.compile(
    r"[•⁃·*-]?\s*[(\[]?(?:\d{1,3}(?:\.(?:\d{1,3}|[A-Za-z]))*|[^\W\d_]|[ivx]{1,5}|[IVX]{1,5})[)\]]?"
).fullmatch


# --- asking them ---------------------------------------------------------------------------------

_FULL_STOP_RULES = (
    _space_forgotten,
    _sentence_goes_on_behind_closers,
    _citation_follows,
    _goes_on_with_a_joiner,
    _detached,
    _enumerator,
    _abbreviation,
    _single_letter,
    _full_stop_is_no_mark,
    _ordinal,
    _lower_case_follows,
)
_OTHER_RULES = (
    _between_digits,
    _space_forgotten,
    _sentence_goes_on_behind_closers,
    _citation_follows,
    _goes_on_with_a_joiner,
    _verb_ending_is_quoted,
    _ellipsis,
    _mark_alone_in_brackets,
    _exclaiming_name,
    _lower_case_follows_a_cry,
)


def ends_sentence(place: Place) -> bool:
    """Ask the rules in order; a place that none objects to ends a sentence."""
    one_full_stop = place.text[place.mark] == "." and place.marks_end == place.mark + 1
    for rule in _FULL_STOP_RULES if one_full_stop else _OTHER_RULES:
        verdict = rule(place)
        if verdict is not None:
            return verdict
    return True
