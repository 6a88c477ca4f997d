"""Rules for every mark, and for marks other than one full stop: ? ! … and those of other scripts."""

import re

from cleanbreak.core.sentences.closers import closes_quotation
from cleanbreak.core.sentences.place import WORD_LENGTH, Place
from cleanbreak.core.sentences.plain import ALPHABETS, EXCLAIMING_NAMES, SHORT, UNSPACED
from cleanbreak.core.sentences.quotations import speech_tag_follows
from cleanbreak.core.text.characters import OPENERS, is_small

# --- rules for every mark ------------------------------------------------------------------------


def sentence_continues_after_closers(place: Place) -> bool | None:
    """A quote or aside inside a sentence: “Stop!” he said; (sic!) and; 「はい。」と言った."""
    if place.closers_end == place.marks_end:
        return None
    text, cut = place.text, place.cut
    if cut == place.closers_end:  # without white space the sentence continues unless a quote opens
        if text[cut - 1] == "]" and text[place.marks_end] == "[":
            return None  # a note alone
        return text[cut] in OPENING or _is_announced_quotation(place)
    if is_small(text[cut : cut + _FOOTNOTE_SIGNS].lstrip("*†_ ")[:1]):
        return False
    if not closes_quotation(text, place.marks_end, place.closers_end):
        return None
    tag = speech_tag_follows(text, cut, place.high, text[place.marks_end - 1])
    return False if tag else None


def _is_announced_quotation(place: Place) -> bool:
    """他说：“好。” is a whole sentence, as who speaks was said before the quotation."""
    text = place.text
    opening = OPENED_BY.get(text[place.closers_end - 1], "")
    at = text.rfind(opening, place.start, place.mark) if opening else -1
    return at > place.start and text[at - 1] in "：:"


OPENING = frozenset(OPENERS) - frozenset("\"'")
OPENED_BY = {"”": "“", "」": "「", "』": "『"}

# How many characters to look past a footnote sign and emphasis: “Qui vive?”* he cried.
_FOOTNOTE_SIGNS = 4


def missing_space(place: Place) -> bool | None:
    """Where no white space follows, only a capitalised small word shows a new sentence.

    In Greek and Cyrillic every capital after a word does, as they name no files and web sites.
    """
    text, cut = place.text, place.cut
    if cut != place.marks_end or text[cut - 1] in UNSPACED or text[cut] > ALPHABETS:
        return None
    word = place.word
    whole = (len(word) > 1 and word.isalpha() and word[1:].islower()) or word[-1:].isdigit()
    if len(word) > SHORT and text[cut] >= _GREEK and not place.language.kind_of(word):
        return whole and text[cut].isupper()
    return whole and place.starter_follows


_GREEK = "\u0370"


def citation_follows(place: Place) -> bool | None:
    """The source of what was said: “… it grows [...]” (Smith 55). It fell. (Smith et al., 2010)."""
    text, cut = place.text, place.cut
    if text[cut] != "(":
        return None
    after_quotation = place.closers_end != place.marks_end
    cited = _citation if after_quotation else _author_and_year
    return False if cited(text, cut, place.high) else None


_citation = re.compile(r"\([^()\n]{1,60}\)[.,;:]").match
_author_and_year = re.compile(
    r"\([A-Z][\w’'-]+(?:,| et al\.,?| (?:&|and) [A-Z][\w’'-]+,?)? (?:1[5-9]|20)\d\d[a-z]?"
    r"(?:[,:] ?[^()\n]{1,20})?\)[.,;:]"
).match


def joiner_follows(place: Place) -> bool | None:
    """A comma, colon or closing bracket starts no sentence.

    Nor does a small letter after a dash, dots or a note: – and; … and; [1] and.
    """
    text = place.text
    after = text[place.cut]
    if text.startswith(",,", place.cut):  # a quotation, in Dutch
        return None
    if after in _JOINERS and (after != "»" or text[place.cut + 1 : place.cut + 2].isspace()):
        return False
    paused = _pause(text, place.cut, place.high)
    return False if paused and is_small(paused[1]) else None


_JOINERS = frozenset(",;:)]}»/")
_pause = re.compile(r"(?:[-–—]{1,3}|\.{2,4}|…|\[\d[\d,\s–-]{0,12}\])\s?(\w)").match


# --- rules for marks other than one full stop ----------------------------------------------------


def between_digits(place: Place) -> bool | None:
    """A full-width stop is also a decimal point: 3．5元."""
    text, mark = place.text, place.mark
    if text[mark] == "．" and text[mark - 1 : mark].isdigit() and text[place.cut].isdigit():
        return False
    return None


def semicolon_or_emoticon(place: Place) -> bool | None:
    """We won :-) Then we left. A semicolon ends the item of a list before a capitalised small word."""
    sign = place.text[place.mark]
    if sign not in ";:" or sign in place.language.extra_marks:
        return None
    if place.marks_end > place.mark + 1:
        return True  # an emoticon
    return place.starter_follows and place.next_word not in _ALWAYS_CAPITAL


# Pronouns with a capital inside a sentence, too: English, German, Ukrainian and Russian.
_ALWAYS_CAPITAL = frozenset(["I", "Sie", "Ihr", "Ihre", "Ви", "Вам", "Вы"])


def quoted_verb_ending(place: Place) -> bool | None:
    """Korean "갑니다 하고 말했다": he said that he goes."""
    return False if place.next_word in _QUOTING else None


_QUOTING = frozenset(["하고", "하며", "라고", "라며", "라는", "라면서"])


def ellipsis(place: Place) -> bool | None:
    """Three dots pause; a capital after them starts a sentence. Four are three and a full stop."""
    marks = place.text[place.mark : place.marks_end]
    dots = marks.count(".")
    if (dots < 2 and "…" not in marks) or marks.strip("….\u00a0 "):
        return None
    if not place.text[place.start : place.mark].strip(_BRACKETS):
        return False  # (...) It starts the sentence, and stands for what was left out
    if place.word.endswith(place.language.verb_endings):
        return True  # 네요...
    next_word = place.next_word
    if not next_word[:1].isupper():
        return False if place.small_letter_follows or dots < 4 else None
    if dots == 3 and " " in marks and next_word == "I":
        return False
    return not place.text[max(place.start, place.mark - WORD_LENGTH) : place.mark].isspace()


_BRACKETS = "([ \n\u00a0"


def mark_alone_in_brackets(place: Place) -> bool | None:
    """(!) and (?) comment on the words before them."""
    return False if place.text[place.mark - 1 : place.mark] in OPENING else None


def exclaiming_name(place: Place) -> bool | None:
    """She works at Yahoo! in the accounting department."""
    return place.starter_follows if place.word.lower() in EXCLAIMING_NAMES else None


def lowercase_after_exclamation(place: Place) -> bool | None:
    """Oh! how lovely; — Où? dit-il; yet "are you there? it is late" are two careless sentences."""
    if not place.small_letter_follows:
        return None
    beginning = place.text[place.start : min(place.mark, place.start + WORD_LENGTH)]
    first = beginning.lstrip(_BEFORE_FIRST_WORD)[:1]
    if first in _DASHES:  # speech after a dash has its tag in lower case, without quotes
        return False
    return is_small(first) or "?" in place.text[place.mark : place.marks_end]


_DASHES = tuple("-–—")
_BEFORE_FIRST_WORD = OPENERS + " \t\r\n\u00a0"
