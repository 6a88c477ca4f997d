"""From a query to ranked rows: candidates from FTS5, then a second look at the best."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.stores.fulltext.query import (
    Highlight,
    Query,
    Term,
    compiled,
    parse_query,
    pieces_of,
    quoted,
)
from cleanbreak.stores.fulltext.ranking import Candidate, Wanted, scores, words_of
from cleanbreak.stores.fulltext.rows import FoundChunk, FoundSource
from cleanbreak.stores.fulltext.schema import OWN_FIELDS, RECORD
from cleanbreak.stores.fulltext.stopwords import language_of, stop_words
from cleanbreak.stores.fulltext.vocabulary import Known, Vocabulary

if TYPE_CHECKING:
    import sqlite3

# As many matches are ranked again at once. Ranking 50 or 300 made no difference on the questions.
_BLOCK = 100

# A word is common if more than one chunk in 20 has it, and more than 500 chunks. It counts, but it
# finds no chunk by itself if there are rarer words: ranking all its chunks would take long.
_COMMON_SHARE = 20
_ALWAYS_RARE = 500

# Where fewer chunks than this have a word of a script without spaces, its parts are looked for.
_TOO_FEW = 3

# Text around a book that is no part of it.
_LICENCE = 0.25

# Weights beside the text, here and in the second look.
_TITLE, _HEADINGS, _TAGS, _PATH = 4.0, 2.0, 3.0, 0.5

# Weights of text, extra terms, title, headings, tags, path and seam; the smaller the rank the better.
# Spelt out and sorted by SQLite, as FTS5's own ``rank`` column took 1.5 times as long.
_RANK = f"bm25(fts_chunks, 1.0, 1.0, {_TITLE}, {_HEADINGS}, {_TAGS}, {_PATH}, 1.0)"

_FOUND_SOURCE = ("source_key", "kind", "source_filename", "title")
_TERMS = ("title_terms", "heading_terms", "tag_terms", "path_terms")
_MATCHING = "fts_chunks MATCH ?"
# A book has nearly every word, so that only notes are asked for.
_NOTES_WITH = (
    "SELECT source_id FROM fts_chunks CROSS JOIN chunks ON chunks.id = fts_chunks.rowid"
    " CROSS JOIN sources ON sources.id = source_id WHERE fts_chunks MATCH ? AND kind = 'note'"
)
_IN_SOURCES = "AND rowid IN (SELECT id FROM chunks WHERE source_id IN ({}))"
_SEARCH = f"""
    SELECT chunks.id, line, {", ".join(_TERMS)}, {", ".join(_FOUND_SOURCE)},
           {", ".join(RECORD.names)}
    FROM (
      SELECT rowid, {_RANK} AS score FROM fts_chunks
      WHERE {_MATCHING} ORDER BY score, rowid LIMIT ?
    ) AS best
    JOIN chunks ON chunks.id = best.rowid
    JOIN sources ON sources.id = chunks.source_id
    ORDER BY best.score, chunks.id
"""  # noqa: S608 (constants)


class Found(NamedTuple):
    """What a search gives: chunks, best first, and what to mark in their texts."""

    rows: list[FoundChunk]
    highlights: tuple[Highlight, ...]


class Search:
    """Answers queries from an open index; SQLite's errors are left to the caller."""

    def __init__(self, connection: "sqlite3.Connection") -> None:
        self._execute = connection.execute
        self._vocabulary = Vocabulary(connection)

    def find(self, query: str | Query, limit: int) -> Found:
        """The best `limit` chunks; see `cleanbreak.stores.fulltext.Index.ask`."""
        asked = parse_query(query) if isinstance(query, str) else query
        (total,) = self._execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()
        words = _Words(asked, self._vocabulary, total)
        return Found(self._rows(asked, words, limit)[:limit], words.highlights())

    def _rows(self, asked: Query, words: "_Words", limit: int) -> list[FoundChunk]:
        expression = asked.any_word(words.expression)
        most = -(-limit // _BLOCK) * _BLOCK
        whole = self._of_whole_notes(asked, words, expression, most)
        if whole and not self._match(asked.strict, 1):
            return whole  # no chunk has every word, but a note has
        found = _distinct(whole, words.ranked(self._match(expression, most)))
        if len(found) < limit:
            forms = asked.any_word(words.in_any_form)
            rows = self._match(forms, most) if forms != expression else []
            found = _distinct(found, words.ranked(rows))
        if asked.has_phrase and len(found) < limit:
            over = self._match(asked.any_word(words.expression), most, over_cuts=True)
            found = _distinct(found, words.ranked(over))
        if asked.has_phrase and len(found) < _TOO_FEW:
            loose = asked.any_word(words.expression, loose=True)
            found = _distinct(found, words.ranked(self._match(loose, most)))
        return found

    def _match(
        self, expression: str | None, limit: int, *, over_cuts: bool = False
    ) -> list["_Row"]:
        """The best chunks; with `over_cuts` also those that the words of the chunk before match."""
        if expression is None:
            return []
        if not over_cuts:
            expression = _own(expression)
        return [_row(*values) for values in self._execute(_SEARCH, (expression, limit))]

    def _of_whole_notes(
        self, asked: Query, words: "_Words", expression: str | None, limit: int
    ) -> list[FoundChunk]:
        """The chunks with any word in notes that have every word."""
        every = [one for word in asked.words() if (one := words.every(word))]
        if expression is None or len(every) < 2 or not self._holds_notes():
            return []
        in_every = " INTERSECT ".join([_NOTES_WITH] * len(every))
        statement = _SEARCH.replace(_MATCHING, f"{_MATCHING} {_IN_SOURCES.format(in_every)}")
        rows = self._execute(statement, (_own(expression), *map(_own, every), limit))
        return words.ranked([_row(*values) for values in rows])

    def _holds_notes(self) -> bool:
        return bool(self._execute("SELECT 1 FROM sources WHERE kind = 'note' LIMIT 1").fetchone())


class _Words:
    """The words of a query, with what the index knows of them."""

    def __init__(self, asked: Query, vocabulary: Vocabulary, total: int) -> None:
        self._asked, self._total = asked, total
        terms = asked.terms()
        single = {term: _single(term) for term in terms}
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
        self._wanted = [one for term in terms for one in self._wanted_of(term)]

    def _wanted_of(self, term: Term) -> Iterable[Wanted]:
        if known := self._known.get(term):
            yield Wanted(tuple(words_of(term.text)), chunks=known.chunks, forms=known.forms)
            return
        for kind, piece in pieces_of(term.text):
            if kind == "spaced" and (words := words_of(piece)):
                yield Wanted(tuple(words), term.prefix)
            elif kind == "unspaced":
                yield Wanted((piece,), inside=True)

    def expression(self, term: Term) -> str | None:
        """What finds a word, or other forms of it if it is not held; none for a small word.

        Of words that are all common the rarest finds chunks, the others count for the order.
        """
        word = compiled(term)
        if _single(term) in self._small:
            return None
        known = self._known.get(term)
        if word is None or known is None or not (known.chunks or known.forms):
            return word
        is_common = known.chunks > max(_ALWAYS_RARE, self._total // _COMMON_SHARE)
        if is_common and term != self._rarest:
            return None
        return word if known.chunks else " OR ".join(map(quoted, known.forms))

    def in_any_form(self, term: Term) -> str | None:
        """What finds a word and its other forms, which are looked for only if words find too little."""
        word, known = self.expression(term), self._known.get(term)
        return " OR ".join((word, *map(quoted, known.forms))) if word and known else word

    def every(self, term: Term) -> str | None:
        """What finds a word that a note should have; none for a small word."""
        return None if _single(term) in self._small else compiled(term)

    def highlights(self) -> tuple[Highlight, ...]:
        """What to mark: words as they were typed and in other forms, but small words."""
        forms = (form for known in self._known.values() for form in known.forms)
        typed = (one for one in self._asked.highlights if one.text not in self._small)
        return (*typed, *(Highlight(form, prefix=False, inside=False) for form in forms))

    def ranked(self, rows: list["_Row"]) -> list[FoundChunk]:
        """The rows in the order of the second look, block by block."""
        found: list[FoundChunk] = []
        lowest = float("inf")
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            given = scores(self._wanted, [row.candidate for row in block], self._total)
            order = sorted(range(len(block)), key=lambda place: (-given[place], place))
            for place in order:
                lowest = min(lowest, given[place])
                found.append(block[place].chunk._replace(score=lowest))
        return found


class _Row(NamedTuple):
    chunk: FoundChunk
    candidate: Candidate


def _row(row_id: int, line: int, *values: Any) -> _Row:
    # A damaged file may hold any type in any column.
    texts = msgspec.convert(values[: len(_TERMS)], tuple[str, ...])
    values = values[len(_TERMS) :]
    source = FoundSource(*msgspec.convert(values[: len(_FOUND_SOURCE)], tuple[str, ...]))
    fields = RECORD.fields(values[len(_FOUND_SOURCE) :])
    chunk = msgspec.convert({"source_filename": source.name, **fields}, ChunkRecord)
    beside = tuple(zip((_TITLE, _HEADINGS, _TAGS, _PATH), texts, strict=True))
    factor = _LICENCE if any(part.kind == "licence" for part in chunk.sections) else 1.0
    candidate = Candidate(chunk.chunk_text, beside, factor)
    return _Row(FoundChunk(row_id, source, chunk, msgspec.convert(line, int), 0.0), candidate)


def _single(term: Term) -> str | None:
    """The one folded word that a term is, if it is one."""
    words = words_of(term.text)
    alone = len(words) == 1 and not term.prefix and not term.field
    spaced = all(kind == "spaced" for kind, _ in pieces_of(term.text))
    return words[0] if alone and spaced else None


def _own(expression: str) -> str:
    """The expression for what a chunk itself holds."""
    return f"{OWN_FIELDS} : ({expression})"


def _distinct(*lists: list[FoundChunk]) -> list[FoundChunk]:
    """Each chunk once, where it stands first."""
    first: dict[int, FoundChunk] = {}
    for rows in lists:
        for row in rows:
            first.setdefault(row.row_id, row)
    return list(first.values())
