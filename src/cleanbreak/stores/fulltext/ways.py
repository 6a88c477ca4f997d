"""Other ways to read a query that finds nothing as it was typed."""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from cleanbreak.stores.fulltext.expressions import Node, Or, Term
from cleanbreak.stores.fulltext.folding import patterns
from cleanbreak.stores.fulltext.phrases import pieces_of
from cleanbreak.stores.fulltext.query import Query
from cleanbreak.stores.fulltext.ranking import words_of
from cleanbreak.stores.fulltext.signs import asked_words, without_signs
from cleanbreak.stores.fulltext.spelling import nearest_word
from cleanbreak.stores.fulltext.vocabulary import Vocabulary
from cleanbreak.stores.fulltext.words import Words, single_word

AnsweredBy = Literal["words", "without signs", "beginnings", "parts", "spelling", "exclusion"]
"""What found the chunks:

- ``words``: the query as typed, other forms of its words included;
- ``without signs``: its words without ``+``, ``#`` or a dot before them;
- ``beginnings``: words that begin with those typed;
- ``parts``: words that have those typed inside;
- ``spelling``: the words that were probably meant;
- ``exclusion``: the query names unwanted words only, and these are the chunks without them.
"""

# Shorter beginnings and parts are those of too many words.
_SHORTEST = 3

# The commonest words with a part inside.
_MOST_WORDS = 32


class Way(NamedTuple):
    """Another reading of a query."""

    by: AnsweredBy
    query: Query


def other_ways(asked: Query, words: Words, vocabulary: Vocabulary) -> Iterator[Way]:
    """The readings that differ from the query, the closest to it first."""
    if any(asked_words(term.text) for term in asked.terms()):
        yield Way("without signs", asked.with_terms(_without_signs))
    unknown = [term for term in asked.terms() if not term.quoted and words.unknown(term)]
    long = [term for term in unknown if len(term.text) >= _SHORTEST]
    if any(any(True for _ in vocabulary.beginning_with(_folded(term))) for term in long):
        yield Way("beginnings", asked.with_terms(_changed(long, _as_beginning)))
    having = vocabulary.containing(map(_folded, long), _MOST_WORDS) if long else {}
    parts = {term: having[part] for term in long if (part := _folded(term)) in having}
    if parts:
        yield Way("parts", asked.with_terms(_changed(parts, lambda term: _any_of(parts[term]))))
    if len(parts) > 1:  # no chunk has parts of all words
        every = _any_of([word for found in parts.values() for word in found])
        yield Way("parts", asked.with_terms(_changed(parts, lambda _: every)))


def respelt(
    asked: Query, words: Words, vocabulary: Vocabulary, *, in_phrases: bool
) -> tuple[str, Query] | None:
    """The query as it was probably meant, typed and parsed; ``None`` if there is no other.

    It takes long to look up common words, so that those of phrases are looked up only if asked for.
    """
    better: dict[str, str] = {}
    for term in asked.terms():
        is_known = single_word(term) and not words.unknown(term)
        if term.prefix or is_known or not (in_phrases or single_word(term)):
            continue
        for word in _words_typed(term.text):
            folded = words_of(word)
            if len(folded) == 1 and not vocabulary.chunks_with(folded[0]):
                found = nearest_word(folded[0], vocabulary)
                better |= {word: found} if found else {}
    if not better:
        return None
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, better))})(?!\w)"

    def correct(text: str) -> str:
        return re.sub(pattern, lambda found: better[found[0]], text)

    meant = asked.with_terms(lambda term: term._replace(text=correct(term.text)))
    return correct(asked.typed), meant


def _words_typed(text: str) -> list[str]:
    """The words of a script with spaces in what was typed."""
    if any(kind != "spaced" for kind, _ in pieces_of(text)):
        return []
    found: list[str] = patterns().word.findall(text)
    return found


def _changed(
    terms: "list[Term] | dict[Term, list[str]]", change: Callable[[Term], Node]
) -> Callable[[Term], Node]:
    return lambda term: change(term) if term in terms else term


def _without_signs(term: Term) -> Term:
    return term._replace(text=without_signs(term.text), quoted=True)


def _as_beginning(term: Term) -> Term:
    return term._replace(prefix=True)


def _any_of(words: list[str]) -> Or:
    return Or(tuple(Term(word, quoted=True) for word in words))


def _folded(term: Term) -> str:
    return words_of(term.text)[0]
