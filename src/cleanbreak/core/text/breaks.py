"""Breaks: the places where text may be cut, found backwards from a limit, cleanest level first.

Every finder takes a window and gives the offset right after the last break of its level that lies
wholly inside the window, or -1. The patterns start with a greedy ``.*``, so that the engine tries
the last place first and stops there: a finder costs as much as the window is long, at C speed.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from cleanbreak.core.sentences.languages import MAYBE, NUMBERED, TITLE, UNKNOWN
from cleanbreak.core.text.characters import (
    CLOSERS,
    NEWLINES,
    NO_BREAK_SPACES,
    SPACED_MARKS,
    SPACES,
    UNSPACED_MARKS,
    ZERO_WIDTH_SPACE,
)

Finder = Callable[[str, int, int], int]


def _last(pattern: str) -> Finder:
    match = re.compile(f"(?s:.*){pattern}").match

    def find_last(text: str, low: int, high: int) -> int:
        found = match(text, low, high)
        return found.end() if found else -1

    return find_last


_NEWLINE = f"(?>\r\n|[{NEWLINES}])"  # atomic: CR LF is never taken for two
_BLANKS = f"[{re.escape(SPACES + NO_BREAK_SPACES)}]*"

_last_paragraph = _last(_NEWLINE + _BLANKS + _NEWLINE)
_last_line = _last(_NEWLINE)
_last_word = _last(f"[{re.escape(SPACES + NEWLINES + ZERO_WIDTH_SPACE)}]")
_last_before_space = re.compile(rf"(?s:.*)\S(?=[{re.escape(SPACES + ZERO_WIDTH_SPACE)}])").match
last_lf_paragraph = _last(f"\n{_BLANKS}\n")
_spaced_blank_line = re.compile(r"\n[^\S\n]+\n").search


# --- clauses -------------------------------------------------------------------------------------

# Those of scripts that write no spaces; Arabic writes some.
_CLAUSE_MARKS = "、，；：､﹐﹑﹔﹕\u1363\u1364\u1365\u1366\u104a"
# With the closers that follow, but not between digits.
last_clause = _last(rf"[{_CLAUSE_MARKS}](?!(?<=\d.)\d)[{re.escape(CLOSERS)}]*+")


def _none(_text: str, _low: int, _high: int) -> int:
    return -1


# --- sentences -----------------------------------------------------------------------------------

_MARKS = SPACED_MARKS + UNSPACED_MARKS
_last_mark = _last(f"[{re.escape(_MARKS)};]")
_WHITE = frozenset(SPACES + NEWLINES + ZERO_WIDTH_SPACE)
_CLOSING = frozenset(CLOSERS)

_word_before = re.compile(r"(?<![\w.])(?:[^\W\d_]+\.)*[^\W\d_]+$").search
_LOOKS_BACK = 16
"""Characters; longer words are no abbreviations."""


def _last_ascii_mark(text: str, low: int, high: int) -> int:
    """The same for a text that can hold no other marks; three looks cost less than a pattern."""
    find = text.rfind
    return max(find(".", low, high), find("!", low, high), find("?", low, high)) + 1 or -1


def _sentence_finder(last_mark: Finder) -> Finder:
    def find_last(text: str, low: int, high: int) -> int:
        while (end := last_mark(text, low, high)) != -1:
            cut = end
            while cut < high and text[cut] in _CLOSING:
                cut += 1
            if _ends_sentence(text, end, cut):
                return cut
            # Pass over the whole run of marks: a page of dots is one refusal, not a thousand.
            high = low + len(text[low : end - 1].rstrip(_MARKS))
        return -1

    return find_last


def _ends_sentence(text: str, end: int, cut: int) -> bool:
    """Whether the mark that ends at `end`, with its closers up to `cut`, ends a sentence.

    In doubt it does not: a word break is a smaller loss than a sentence cut in two.
    """
    mark = text[end - 1]
    after = text[cut] if cut < len(text) else " "
    if after not in _WHITE:
        return _ends_without_space(text, end, after)
    if cut > end and _goes_on_in_lower_case(text, cut):
        return False  # “Stop!” he said
    if mark == ".":
        return not _is_abbreviation(text, end - 1)
    return mark != ";" or _is_greek(text[end - 2 : end - 1])


def _ends_without_space(text: str, end: int, after: str) -> bool:
    """The same where something follows at once: only in scripts that put no space there."""
    mark = text[end - 1]
    if mark not in UNSPACED_MARKS or after in _CLOSING or after in _MARKS:
        return False  # a number, a URL; or the limit parts the mark from its closers
    return mark != "．" or not (text[end - 2 : end - 1].isdigit() and after.isdigit())


def _is_abbreviation(text: str, stop: int) -> bool:
    """Whether the full stop at `stop` belongs to the word before it, in any language."""
    word = text[max(0, stop - _LOOKS_BACK) : stop].rpartition(" ")[2]
    if not word.isalpha():  # brackets, newlines, stops inside the word
        found = _word_before(word)
        if not found:
            return False
        word = found[0]
    if "." in word:
        return all(len(part) <= 2 for part in word.split("."))  # e.g, U.S, p.m
    kind = UNKNOWN.kind_of(word)
    if kind == NUMBERED:
        return text[stop + 1 : stop + 4].lstrip()[:1].isdigit()  # no. 7, but: he said no.
    return kind in (TITLE, MAYBE) or len(word) == 1


def _is_greek(letter: str) -> bool:
    return "\u0370" <= letter <= "\u03ff" or "\u1f00" <= letter <= "\u1fff"


def _goes_on_in_lower_case(text: str, end: int) -> bool:
    return text[end : end + 8].lstrip()[:1].islower()


# --- the finders by level ------------------------------------------------------------------------

_last_sentence = _sentence_finder(_last_mark)
_last_ascii_sentence = _sentence_finder(_last_ascii_mark)

# A blank line may hold spaces; newlines are of any style.
FINDERS: Mapping[str, Finder] = MappingProxyType(
    {
        "paragraph": _last_paragraph,
        "line": _last_line,
        "sentence": _last_sentence,
        "clause": last_clause,
        "word": _last_word,
    }
)


def finders_for(text: str, *, only_lf: bool) -> dict[str, Finder]:
    """The finders for one text: the same breaks, found faster where the whole text allows it.

    `only_lf` says what `has_only_lf` does; looking through a long text twice would cost.
    """
    finders = dict(FINDERS)
    if only_lf:
        finders["paragraph"] = last_lf_paragraph
    if text.isascii():
        finders["sentence"] = _last_ascii_sentence
    if not has_clause_marks(text):
        finders["clause"] = _none
    return finders


def has_clause_marks(text: str) -> bool:
    """Whether a text has clause marks of a script that writes no spaces."""
    return not text.isascii() and any(mark in text for mark in _CLAUSE_MARKS)


def has_only_lf(text: str) -> bool:
    """Whether a text has no newline but LF."""
    return not any(newline in text for newline in NEWLINES[1:])


def has_spaced_blank_line(text: str) -> bool:
    """Whether a blank line of a text that has only LF holds spaces."""
    return _spaced_blank_line(text) is not None


def last_word_end(text: str, low: int, high: int) -> int:
    """The last place in a window that a word stands before and a space behind.

    The character after the window decides whether a word ends with it.
    """
    found = _last_before_space(text, low, high + 1)
    return found.end() if found else -1


def last_double_lf(text: str, low: int, high: int) -> int:
    """The last paragraph break, in a text that has only LF and no spaces in blank lines."""
    found = text.rfind("\n\n", low, high)
    return found + 2 if found != -1 else -1
