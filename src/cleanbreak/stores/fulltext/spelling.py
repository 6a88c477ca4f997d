"""The word that was probably meant, by the words that an index holds.

A word is near to another if one edit makes them the same: a letter too many, too few, another, or
two neighbours in the wrong order. Words of eight letters and more may need two edits. That is the
measure of Damerau (1964), by whom four in five typing errors are one such edit.
"""

import sys
from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from cleanbreak.stores.fulltext.vocabulary import Vocabulary

# Shorter words are near to too many others.
_SHORTEST = 4

_SHORTEST_FOR_TWO = 8

# How far from the first letter another may be that was typed for it: an alphabet.
_ALPHABET = 64


def nearest_word(word: str, vocabulary: Vocabulary) -> str | None:
    """The nearest word, of equals the commonest; ``None`` if none is near. Both are folded."""
    if len(word) < _SHORTEST or not word.isalpha():
        return None
    most = 2 if len(word) >= _SHORTEST_FOR_TWO else 1
    near = (
        (edits, -chunks, other)
        for other, chunks in _candidates(word, vocabulary)
        if other != word and (edits := edits_between(word, other, most)) <= most
    )
    return min(near, default=(0, 0, None))[2]


def _candidates(word: str, vocabulary: Vocabulary) -> Iterator[tuple[str, int]]:
    """Words with the same first letter, and those that differ in it alone."""
    yield from vocabulary.beginning_with(word[0])
    for other in _with_another_first(word):
        if chunks := vocabulary.chunks_with(other):
            yield other, chunks


def _with_another_first(word: str) -> Iterable[str]:
    yield word[1:]
    yield word[1] + word[0] + word[2:]
    for letter in _alphabet(word[0]):
        yield letter + word
        yield letter + word[1:]


def _alphabet(letter: str) -> list[str]:
    """The letters that may be typed for another, folded: those of its script, more or less."""
    if letter.isascii():
        return list(ascii_lowercase)
    place = ord(letter)
    codes = range(place - _ALPHABET, min(place + _ALPHABET, sys.maxunicode))
    return [sign for sign in map(chr, codes) if sign.isalpha() and not sign.isupper()]


def edits_between(one: str, other: str, most: int) -> int:
    """How many edits are between two words; any number over `most` if they are more.

    >>> edits_between("knowlege", "knowledge", 2), edits_between("hte", "the", 2)
    (1, 1)
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    one, other = one[start:], other[start:]
    end = 0
    while end < min(len(one), len(other)) and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[: len(one) - end], other[: len(other) - end]
    if not one or not other:
        return len(one) + len(other)
    # Each edit explains at most one letter, save two that are swapped.
    if max(len(one), len(other)) > 2 * most and len(set(one) - set(other)) > most:
        return most + 1
    return _distance(one, other)


def _distance(one: str, other: str) -> int:
    """The distance of optimal string alignment."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, its in enumerate(other, 1):
            edits = min(last[column] + 1, line[column - 1] + 1, last[column - 1] + (letter != its))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == its:
                edits = min(edits, before[column - 2] + 1)
            line.append(edits)
        before, last = last, line
    return last[-1]
