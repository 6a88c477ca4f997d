"""Whether a mark ends a sentence, where that can be seen without knowing how the sentence started.

Each answer given here is the answer of `plain_verdict` and of the rules for every possible start.
"""

import re

from cleanbreak.core.sentences.enclosure import (
    NONE,
    UNKNOWN,
    enclosing_sign,
)
from cleanbreak.core.sentences.inline_lists import MAY_START_LIST
from cleanbreak.core.sentences.languages import NUMBERED, TITLE, Language
from cleanbreak.core.sentences.paragraphs import Paragraphs
from cleanbreak.core.sentences.place import WORD_LENGTH, last_part
from cleanbreak.core.sentences.plain import EXCLAIMING_NAMES, OPENING_QUOTES, SHORT, UNSPACED
from cleanbreak.core.sentences.quotations import (
    LONGEST_QUOTATION,
    MOST_APOSTROPHES,
    continues_after,
    only_closes,
    speech_tag_follows,
)
from cleanbreak.core.sentences.rules_for_marks import OPENED_BY, OPENING
from cleanbreak.core.text.characters import (
    CLOSERS,
    NEWLINES,
    SPACED_MARKS,
    SPACES,
    ZERO_WIDTH_SPACE,
    is_small,
)
from cleanbreak.core.text.graphemes import FIRST_CLINGING, clings

NO = 0
UNSURE = -1

# Code points after the end of a quotation that show whether its sentence continues there.
_TAG = 64

# What a word says of a full stop after it, if a capital follows.
_ENDS = 1
_ENDS_IF_ALONE = 2  # unless it is part of an abbreviation (p. ex.) or a unit (5 in.)
_NEVER_ENDS = 3  # a title
_ODD = 4  # anything else
_MOST_WORDS = 10_000

_CLOSERS = frozenset(CLOSERS)
_DOTS = frozenset(".…")
_LONGEST_ELLIPSIS = 5
_EXCLAIMING = tuple(EXCLAIMING_NAMES)
_STARTS_NO_SENTENCE = frozenset(",-—–/")
_is_word = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*").fullmatch
_is_number = re.compile(r"[ivx]+|[IVXLC]+").fullmatch

# White space before a sentence of the same paragraph: it holds one newline at most.
_SPACE = f"[{re.escape(SPACES)}]"
_NEWLINE = f"(?>\r\n|[{NEWLINES}])"
_white_on_line = re.compile(rf"{_SPACE}++(?=\S)").match
_white_in_paragraph = re.compile(rf"{_SPACE}*+(?:{_NEWLINE}{_SPACE}*+|(?<={_SPACE}))(?=\S)").match


class Glance:
    """Looks at the marks of texts in one language."""

    __slots__ = (
        "_is_ascii", "_language", "_marks", "_paragraphs", "_white", "_white_before_text", "_words",
    )  # fmt: skip

    def __init__(self, language: Language, paragraphs: Paragraphs, *, is_ascii: bool) -> None:
        self._is_ascii = is_ascii
        self._language = language
        self._paragraphs = paragraphs
        self._marks = frozenset(SPACED_MARKS + language.extra_marks) | UNSPACED
        self._white = " " if language.newlines_end else " \n"
        self._white_before_text = _white_on_line if language.newlines_end else _white_in_paragraph
        self._words: dict[str, int] = {}

    def end_of(self, text: str, mark: int, floor: int) -> int:
        """Where the sentence ends that the mark at `mark` ends: after its closers.

        `NO` if it ends none, `UNSURE` if that cannot be seen here. `floor` is where the paragraph
        starts, or any place more than `LONGEST_QUOTATION` before the mark.
        """
        # The plain case in one piece, as it is asked once a chunk: a word, a mark and perhaps a
        # closer, a space or two, a capital. Calls would cost more than the work.
        end = mark + 1
        try:
            after = text[end]
            if after in _CLOSERS:
                end += 1
                after = text[end]
            if after not in self._white or mark < WORD_LENGTH:
                return self._odd(text, mark, floor)
            cut = end + 1
            after = text[cut]
            if after == " ":
                cut += 1
                after = text[cut]
            if not (text[cut + 1] if after in OPENING_QUOTES else after).isupper():
                if end > mark + 1 and is_small(after) and text[mark] in ".!?…":
                    return NO  # “Stop!” he said
                return self._odd(text, mark, floor)
        except IndexError:  # near the end of the text
            return UNSURE
        word = text[mark - WORD_LENGTH : mark].rpartition(" ")[2]
        verdict = self._words.get(word) or self._look_up(word)
        if verdict != _ENDS:
            if verdict == _ODD or not self._is_alone(text, mark, word, end):
                return self._odd(text, mark, floor)
            if verdict == _NEVER_ENDS:
                return NO if text[mark] == "." else UNSURE
        if end > mark + 1 and self._is_tagged(text, mark, end, cut):
            return NO
        low = cut - LONGEST_QUOTATION
        if low < floor:
            low = floor
        if self._is_ascii:
            find = text.rfind
            sign = find('"', low, cut)
            closes = sign == -1 or (sign and (text[sign + 1].isspace() or text[sign - 1].isalnum()))
            if closes and find("(", low, cut) == -1 and find("[", low, cut) == -1:
                return end
        return self._end_outside(text, mark, end, cut, low)

    def _odd(self, text: str, mark: int, floor: int) -> int:
        """`end_of` for all other places."""
        sign = text[mark]
        if sign not in ".!?…":
            return self._unspaced(text, mark, floor) if sign in UNSPACED else UNSURE
        closers_end = self._closers_end(text, mark)
        white = self._white_before_text(text, closers_end)
        if not white:
            return self._glued(text, closers_end)
        cut = white.end()
        if not text[mark - 1 : mark].isalnum():
            return self._after_sign(text, mark, closers_end, cut, floor)
        word = text[max(0, mark - WORD_LENGTH) : mark].rsplit(None, 1)[-1]
        after = text[cut]
        if not (after.isupper() or (after in OPENING_QUOTES and text[cut + 1 : cut + 2].isupper())):
            return self._before_no_capital(text, mark, word, closers_end, cut)
        if sign == ".":
            verdict = self._words.get(word) or self._look_up(word)
            if verdict != _ENDS:
                if verdict == _ODD or not self._is_alone(text, mark, word, closers_end):
                    return UNSURE
                if verdict == _NEVER_ENDS:
                    return NO
        elif word.lower().endswith(_EXCLAIMING):
            return UNSURE
        if closers_end > mark + 1 and self._is_tagged(text, mark, closers_end, cut):
            return NO
        low = max(floor, cut - LONGEST_QUOTATION)
        return self._end_outside(text, mark, closers_end, cut, low)

    # --- the word before the mark ----------------------------------------------------------------

    def _look_up(self, word: str) -> int:
        """What a word says of a full stop after it, remembered for the next time."""
        if len(self._words) >= _MOST_WORDS:
            self._words.clear()
        self._words[word] = verdict = self._verdict_on(word)
        return verdict

    def _verdict_on(self, word: str) -> int:
        language = self._language
        if word.isalpha():
            if len(word) > SHORT and word not in language.abbreviations and word.islower():
                # The usual word at once.
                is_odd = word.endswith(language.endings) or not word.strip("ivx")
                return _ENDS if not is_odd and language.full_stops else _ODD
        elif word.split() != [word]:  # a newline or tab before the word
            return _ODD
        else:
            word = last_part(word)
        if len(word) < 2 or not _is_word(word) or not language.full_stops:
            return _ODD
        kind = language.kind_of(word)
        if kind == TITLE:
            return _NEVER_ENDS
        after_elision = language.kind_of(word.replace("’", "'").rpartition("'")[2])
        if kind or after_elision in (TITLE, NUMBERED) or word.lower() in EXCLAIMING_NAMES:
            return _ODD
        if _is_number(word) or word.endswith(language.endings):
            return _ODD
        return _ENDS if len(word) > SHORT else _ENDS_IF_ALONE

    def _is_alone(self, text: str, mark: int, word: str, closers_end: int) -> bool:
        """Whether a word is no part of an abbreviation (p. ex.), a unit (5 in.) or a label (2.))."""
        if text[closers_end - 1] == ")":
            return False
        start = mark - len(word)
        before = text[start - 2 : start - 1] if start > 1 else ""
        if before == ".":
            return text[start - SHORT - 3 : start - 2].isalpha()
        return not before.isdigit()

    def _before_no_capital(
        self, text: str, mark: int, word: str, closers_end: int, cut: int
    ) -> int:
        """“Stop!” he said; Dr. 5; J. and; wait… what."""
        is_lower = is_small(text[cut])
        if closers_end > mark + 1 or text[mark] == "…":
            return NO if is_lower else UNSURE
        if text[mark] != ".":
            return UNSURE
        if len(word) == 1:
            return NO if is_lower and word.isupper() else UNSURE
        verdict = self._words.get(word) or self._look_up(word)
        never = verdict == _NEVER_ENDS and self._is_alone(text, mark, word, closers_end)
        return NO if never else UNSURE

    # --- what stands around the mark -------------------------------------------------------------

    def _closers_end(self, text: str, mark: int) -> int:
        end = mark + 1
        while text[end : end + 1] in _CLOSERS:
            end += 1
        return end

    def _glued(self, text: str, closers_end: int) -> int:
        """Without white space after it a mark ends nothing, unless the space is missing."""
        after = text[closers_end : closers_end + 1]
        if after.isdigit():  # 3.14, but not a note: work.1 The
            return NO if text[closers_end - 2 : closers_end - 1].isdigit() else UNSURE
        return NO if after.islower() or after in _STARTS_NO_SENTENCE else UNSURE

    def _after_sign(self, text: str, mark: int, closers_end: int, cut: int, floor: int) -> int:
        """A mark after another one, say: dots pause before lower case and end before a capital."""
        after = text[cut]
        if closers_end > mark + 1 and "a" <= after <= "z":
            return NO
        start = mark
        while text[start - 1 : start] in _DOTS:
            start -= 1
        is_ellipsis = 0 < mark - start < _LONGEST_ELLIPSIS and text[mark] in _DOTS
        if not is_ellipsis or not text[start - 1 : start].isalnum():
            return UNSURE
        if is_small(after):
            return NO
        if not (after.isupper() or (after in OPENING_QUOTES and text[cut + 1 : cut + 2].isupper())):
            return UNSURE
        if closers_end > mark + 1 and self._is_tagged(text, mark, closers_end, cut):
            return NO
        low = max(floor, cut - LONGEST_QUOTATION)
        return self._end_outside(text, mark, closers_end, cut, low)

    def _is_tagged(self, text: str, mark: int, closers_end: int, cut: int) -> bool:
        """Whether who spoke is named after a quotation: “Stop!” Tom said."""
        quote = text[mark + 1 : closers_end].strip(")]}")
        return bool(quote) and speech_tag_follows(text, cut, len(text), text[mark])

    def _unspaced(self, text: str, mark: int, floor: int) -> int:
        """A mark of a script that puts no space after it."""
        closers_end = cut = self._closers_end(text, mark)
        if cut == mark + 1 and (white := self._white_before_text(text, cut)):
            cut = white.end()
        follows = text[cut : cut + 1]
        if follows == "[":
            return UNSURE  # perhaps a note
        if text[mark] == "．" or text[mark - 1 : mark] in self._marks or follows in self._marks:
            return UNSURE
        if not follows.strip() or follows == ZERO_WIDTH_SPACE or follows in MAY_START_LIST:
            return UNSURE
        if follows >= FIRST_CLINGING and clings(text, cut):
            return UNSURE
        if closers_end > mark + 1 and follows not in OPENING:
            return self._after_unspaced_quotation(text, mark, closers_end)
        return self._end_outside(text, mark, closers_end, cut, max(floor, cut - LONGEST_QUOTATION))

    def _after_unspaced_quotation(self, text: str, mark: int, closers_end: int) -> int:
        """「はい。」と言った continues; 他说：“好。” does not, as it was said before who speaks."""
        opening = OPENED_BY.get(text[closers_end - 1])
        if not opening:
            return NO
        at = text.rfind(opening, max(0, mark - LONGEST_QUOTATION), mark)
        return UNSURE if at < 1 or text[at - 1] in "：:" else NO

    # --- the quotation around the mark -----------------------------------------------------------

    def _end_outside(self, text: str, mark: int, closers_end: int, cut: int, low: int) -> int:
        """`closers_end`, unless the mark is in a quotation after which its sentence continues."""
        sign = enclosing_sign(text, low, cut)
        return closers_end if sign == NONE else self._end_inside(text, mark, closers_end, cut, sign)

    def _end_inside(self, text: str, mark: int, closers_end: int, cut: int, sign: int) -> int:
        """The same if it is in the quotation that opens at `sign`."""
        if sign == UNKNOWN or sign > mark or not self._stands_apart(text, sign):
            return UNSURE
        high = self._paragraphs.end(text, cut, sign + LONGEST_QUOTATION + _TAG)
        # If the sentence started after the sign, an end would have to lie between the two. None
        # does, as the same quotation would be open there.
        return NO if continues_after(text, sign, cut, high) else closers_end

    def _stands_apart(self, text: str, sign: int) -> bool:
        """Whether the sign is no closer of a sentence before it, and the one that closes is clear."""
        if text[sign] == "“" and only_closes(text, sign):
            return False
        before = text[sign - 1 : sign]
        if before != " " and (before in self._marks or before in _CLOSERS):
            return False
        return text[sign] != "‘" or (
            text.count("’", sign, sign + LONGEST_QUOTATION) <= MOST_APOSTROPHES
        )
