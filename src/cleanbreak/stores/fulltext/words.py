"""The words of a query, with what an index knows of them."""

from collections.abc import Iterable

from cleanbreak.stores.fulltext.expressions import Term, compiled
from cleanbreak.stores.fulltext.phrases import pieces_of, quoted
from cleanbreak.stores.fulltext.query import Highlight, Query
from cleanbreak.stores.fulltext.ranking import Wanted, words_of
from cleanbreak.stores.fulltext.signs import asked_words
from cleanbreak.stores.fulltext.stopwords import language_of, stop_words
from cleanbreak.stores.fulltext.vocabulary import Known, Vocabulary

# A word is common if more than one chunk in 20 has it, and more than 500 chunks. It counts, but it
# finds no chunk by itself if there are rarer words: ranking all its chunks would take long.
_COMMON_SHARE = 20
_ALWAYS_RARE = 500


class Words:
    """The words of a query, with what the index knows of them."""

    def __init__(self, asked: Query, vocabulary: Vocabulary, total: int) -> None:
        self._asked, self.total = asked, total
        terms = asked.terms()
        single = {term: single_word(term) for term in terms}
        typed = [word for word in single.values() if word]
        small = stop_words(typed)
        self._small = small if any(word not in small for word in typed) else frozenset()
        language = language_of(typed)
        codes = [language] if language else vocabulary.languages() if typed else []
        self._known: dict[Term, Known] = {
            term: vocabulary.known(word, () if term.quoted else codes)
            for term, word in single.items()
            if word and word not in self._small
        }
        held = [term for term, known in self._known.items() if known.chunks]
        self._rarest = min(held, key=lambda term: self._known[term].chunks, default=None)
        self.wanted = [one for term in terms for one in self._wanted_of(term)]

    def _wanted_of(self, term: Term) -> Iterable[Wanted]:
        if known := self._known.get(term):
            yield Wanted(tuple(words_of(term.text)), chunks=known.chunks, forms=known.forms)
            return
        for kind, piece in pieces_of(term.text):
            if kind == "spaced" and " " not in piece and asked_words(piece):
                yield Wanted((piece,), inside=True)
            elif kind == "spaced" and (words := words_of(piece)):
                yield Wanted(tuple(words), term.prefix)
            elif kind == "unspaced":
                yield Wanted((piece,), inside=True)

    def unknown(self, term: Term) -> bool:
        """Whether the index holds a word in no form."""
        known = self._known.get(term)
        return known is not None and not (known.chunks or known.forms)

    def expression(self, term: Term) -> str | None:
        """What finds a word, or other forms of it if it is not held; none for a small word.

        Of words that are all common the rarest finds chunks, the others count for the order.
        """
        word = compiled(term)
        if single_word(term) in self._small:
            return None
        known = self._known.get(term)
        if word is None or known is None or not (known.chunks or known.forms):
            return word
        is_common = known.chunks > max(_ALWAYS_RARE, self.total // _COMMON_SHARE)
        if is_common and term != self._rarest:
            return None
        return word if known.chunks else " OR ".join(map(quoted, known.forms))

    def widest(self) -> int:
        """In how many chunks the commonest word is that finds chunks; at least 1."""
        counts = (known.chunks for term, known in self._known.items() if self.expression(term))
        return max(counts, default=1) or 1

    def in_any_form(self, term: Term) -> str | None:
        """What finds a word and its other forms, which are looked for only if words find too little."""
        word, known = self.expression(term), self._known.get(term)
        return " OR ".join((word, *map(quoted, known.forms))) if word and known else word

    def every(self, term: Term) -> str | None:
        """What finds a word that a note should have; none for a small word."""
        return None if single_word(term) in self._small else compiled(term)

    def highlights(self) -> tuple[Highlight, ...]:
        """What to mark: words as they were typed and in other forms, but small words."""
        forms = (form for known in self._known.values() for form in known.forms)
        typed = (one for one in self._asked.highlights if one.text not in self._small)
        return (*typed, *(Highlight(form, prefix=False, inside=False) for form in forms))


def single_word(term: Term) -> str | None:
    """The one folded word that a term is, if it is one."""
    words = words_of(term.text)
    alone = len(words) == 1 and not term.prefix and not term.field and not asked_words(term.text)
    spaced = all(kind == "spaced" for kind, _ in pieces_of(term.text))
    return words[0] if alone and spaced else None
