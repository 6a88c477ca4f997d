"""Hard-wrapped text: lines broken at a width by a program, as in most plain-text books.

In such text a newline inside a paragraph is only a space; in other text it is a line end that the
author meant. This is decided once for a document, from many lines: a single line is not enough.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from cleanbreak.core.checks import string
from cleanbreak.core.text.characters import CLOSERS, SPACED_MARKS, UNSPACED_MARKS

_SAMPLES = 4
# Together enough for about a thousand lines, so that the cost does not grow with the document.
_SAMPLE_LENGTH = 16_384
SAMPLED = _SAMPLES * _SAMPLE_LENGTH
"""Characters of the samples together; a text of no more is looked at whole."""
_FEWEST_LINES = 4
# Code points; verse, addresses and lists are narrower, wrapped prose is not.
_NARROWEST = 40
# The share of the width by which a full line may be shorter: typesetters avoid ragged lines.
_SLACK = 0.08
# The share of lines that must be full. Wrapped books have 0.76 to 0.99, the rest being verse and
# tables between the prose; documents with a paragraph or a verse on each line have 0.05 to 0.65.
_FULL = 0.7
# Where more lines than this end in a sentence mark, the lines are sentences, not wrapped.
_ENDING = 0.5
# The proof that each line is a paragraph or a sentence: that share of at least that number of lines
# ends in a mark. Verse and dialogue have up to 0.55.
_FEWEST_ENDING_LINES = 20
_NEARLY_ALL = 0.8
_MARKS = tuple(SPACED_MARKS + UNSPACED_MARKS)


class _Line(NamedTuple):
    """A line with another one below it in the same paragraph."""

    width: int
    next_word: int
    ends_sentence: bool


def is_hard_wrapped(text: str) -> bool:
    r"""Whether the newlines inside the paragraphs of a text come from a line width.

    They do if nearly every line is full (the first word of the next line would not have fitted)
    and most lines end in the middle of a sentence. Four samples of 16,384 characters, evenly
    spread, decide. With fewer than four lines the answer is no.

    Raises:
        SettingsError: if `text` is not a string.

    >>> import textwrap
    >>> prose = "A newline inside a paragraph of wrapped prose means a space. " * 8
    >>> is_hard_wrapped(textwrap.fill(prose, 50)), is_hard_wrapped(prose)
    (True, False)
    """
    lines = list(_lines_inside_paragraphs(string("text", text)))
    if len(lines) < _FEWEST_LINES:
        return False
    # The widest lines set the width, less a few that were never wrapped (tables, addresses).
    width = sorted(line.width for line in lines)[int(len(lines) * 0.95)]
    full = sum(line.width + line.next_word > width * (1 - _SLACK) for line in lines)
    ending = sum(line.ends_sentence for line in lines)
    return width >= _NARROWEST and full >= _FULL * len(lines) and ending <= _ENDING * len(lines)


def has_sentence_lines(text: str) -> bool:
    r"""Whether the lines of a text are its paragraphs or sentences: a newline ends a sentence there.

    They are if four of five lines end in a sentence mark. The same samples decide as for
    `is_hard_wrapped`. With fewer than 20 lines the answer is no.

    >>> has_sentence_lines("One of many lines.\n" * 30), has_sentence_lines("One.\nTwo.")
    (True, False)
    """
    if text.count("\n") + text.count("\r") < _FEWEST_ENDING_LINES:
        return False
    lines = list(_lines_inside_paragraphs(text))
    ending = sum(line.ends_sentence for line in lines)
    return len(lines) >= _FEWEST_ENDING_LINES and ending >= _NEARLY_ALL * len(lines)


def _lines_inside_paragraphs(text: str) -> Iterator[_Line]:
    for sample in samples(text):
        lines = sample.splitlines()
        if len(sample) < len(text):
            lines = lines[1:-1]  # a sample starts and ends anywhere
        for line, below in itertools.pairwise(lines):
            line, below = line.rstrip(), below.strip()
            if line and below:
                yield _Line(len(line), _first_word(below), line.rstrip(CLOSERS).endswith(_MARKS))


def samples(text: str) -> list[str]:
    """Four stretches, evenly spread, that show what kind of text it is; a short text itself."""
    if len(text) <= SAMPLED:
        return [text]
    step = (len(text) - _SAMPLE_LENGTH) // (_SAMPLES - 1)
    return [text[at : at + _SAMPLE_LENGTH] for at in range(0, step * _SAMPLES, step)]


def _first_word(line: str) -> int:
    """The room that the first word needs, with a space before it; CJK breaks after any character."""
    return 1 if line[0] >= "\u2e80" else 1 + len(line.split(None, 1)[0])
