"""From a query to ranked rows: candidates from FTS5, then a second look at the best."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cleanbreak.core.checks import closest
from cleanbreak.errors import SettingsError
from cleanbreak.stores.fulltext.candidates import (
    BLOCK,
    COLUMNS,
    RANK,
    Match,
    Ranked,
    match_of,
    ranked,
)
from cleanbreak.stores.fulltext.expressions import Term, compiled, unwanted
from cleanbreak.stores.fulltext.fields import FIELDS
from cleanbreak.stores.fulltext.lookup import chunks_with
from cleanbreak.stores.fulltext.query import Highlight, Query, parse_query
from cleanbreak.stores.fulltext.rows import FoundChunk
from cleanbreak.stores.fulltext.schema import OWN_FIELDS
from cleanbreak.stores.fulltext.vocabulary import Vocabulary
from cleanbreak.stores.fulltext.ways import AnsweredBy, other_ways, respelt
from cleanbreak.stores.fulltext.words import Words

if TYPE_CHECKING:
    import sqlite3

# Where fewer chunks than this have a word of a script without spaces, its parts are looked for.
_TOO_FEW = 3

# Of a word that is in more chunks, only every second, third … of them is ranked: none of them is much
# better than another, and to rank 50,000 takes 0.05 s.
_MOST_RANKED = 20_000

_MATCHING = "fts_chunks MATCH ?"
# A book has nearly every word, so that only notes are asked for.
_NOTES_WITH = (
    "SELECT source_id FROM fts_chunks CROSS JOIN chunks ON chunks.id = fts_chunks.rowid"
    " CROSS JOIN sources ON sources.id = source_id WHERE fts_chunks MATCH ? AND kind = 'note'"
)
_IN_SOURCES = "AND rowid IN (SELECT id FROM chunks WHERE source_id IN ({}))"
_SEARCH = f"""
    SELECT {COLUMNS} FROM (
      SELECT rowid, {RANK} AS score FROM fts_chunks
      WHERE {_MATCHING} AND rowid % ? = 0 ORDER BY score, rowid LIMIT ?
    ) AS best
    JOIN chunks ON chunks.id = best.rowid
    JOIN sources ON sources.id = chunks.source_id
    ORDER BY best.score, chunks.id
"""  # noqa: S608 (constants)
# The first chunk of each source, then the second of each, and so on.
_ALL_BUT = """
    SELECT chunks.id FROM chunks JOIN sources ON sources.id = source_id
    WHERE chunks.id NOT IN (SELECT rowid FROM fts_chunks WHERE fts_chunks MATCH ?)
    ORDER BY chunk_number, source_key LIMIT ?
"""


class Found(NamedTuple):
    """What a search gives: chunks, best first, and what to mark in their texts.

    ``answered_by`` says how they were found, and ``suggestion`` is the query as it was probably
    meant, if a word of it is not held.
    """

    rows: list[FoundChunk]
    highlights: tuple[Highlight, ...]
    answered_by: AnsweredBy = "words"
    suggestion: str | None = None


class Search:
    """Answers queries from an open index; SQLite's errors are left to the caller."""

    def __init__(self, connection: "sqlite3.Connection") -> None:
        self._connection = connection
        self._execute = connection.execute
        self._vocabulary = Vocabulary(connection)

    def find(self, query: str | Query, limit: int) -> Found:
        """The best `limit` chunks; see `cleanbreak.stores.fulltext.Index.ask`."""
        asked = parse_query(query) if isinstance(query, str) else query
        self._refuse_unknown_fields(asked)
        if asked.strict is None and (without := unwanted(asked.node)):
            return self._all_but(without, limit)
        (total,) = self._execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()
        words = Words(asked, self._vocabulary, total)
        ranked = self._ranked(asked, words, limit)
        found = self._found(ranked, words, limit)
        return self._by_spelling(asked, words, found, total, limit)

    def _by_spelling(
        self, asked: Query, words: Words, found: Found, total: int, limit: int
    ) -> Found:
        """What was found, with a suggestion; if that is nothing, what other readings find."""
        meant = respelt(asked, words, self._vocabulary, in_phrases=not found.rows)
        # Words that are held find something, unless there are conditions.
        if meant and not meant[1].is_plain and not self._match(meant[1].any_word(compiled), 1):
            meant = None
        suggestion = meant[0] if meant else None
        if found.rows:
            return found._replace(suggestion=suggestion)
        for by, query in other_ways(asked, words, self._vocabulary):
            other = self._read_as(query, total, limit)
            if other.rows:
                return other._replace(answered_by=by, suggestion=suggestion)
        if meant and not any(term.quoted for term in asked.terms()):
            other = self._read_as(meant[1], total, limit)
            return other._replace(answered_by="spelling", suggestion=suggestion)
        return found._replace(suggestion=suggestion)

    def _read_as(self, query: Query, total: int, limit: int) -> Found:
        words = Words(query, self._vocabulary, total)
        return self._found(self._ranked(query, words, limit), words, limit)

    def _found(self, ranked: Sequence[Ranked], words: Words, limit: int) -> Found:
        return Found(chunks_with(self._connection, ranked[:limit]), words.highlights())

    def _all_but(self, without: Sequence[str], limit: int) -> Found:
        """Every chunk that none of the expressions finds."""
        expression = _own(" OR ".join(f"({one})" for one in without))
        rows = [Ranked(row_id, 0.0) for (row_id,) in self._execute(_ALL_BUT, (expression, limit))]
        return Found(chunks_with(self._connection, rows), (), "exclusion")

    def _refuse_unknown_fields(self, asked: Query) -> None:
        """Any string is a query, but a field that is none and stands in no text is a slip."""
        for name, phrase in asked.unknown_fields().items():
            if not self._match(compiled(Term(phrase, quoted=True)), 1):
                fields = [f"{field}:" for field in FIELDS]
                raise SettingsError(
                    "query",
                    f"{name}:",
                    "words, and fields that exist",
                    sentence=(
                        f"There is no field {name}:, and no text with these words; the fields are"
                        f" {', '.join(fields)}. To search for words with a colon, put them in quotes."
                    ),
                    allowed=fields,
                    suggestion=closest(f"{name}:", fields),
                )

    def _ranked(self, asked: Query, words: Words, limit: int) -> list[Ranked]:
        expression = asked.any_word(words.expression)
        most = -(-limit // BLOCK) * BLOCK
        whole = self._of_whole_notes(asked, words, expression, most)
        if whole and not self._match(asked.strict, 1):
            return whole  # no chunk has every word, but a note has
        step = -(-words.widest() // _MOST_RANKED) if asked.is_plain else 1
        found = _distinct(whole, self._look(words, self._match(expression, most, step=step)))
        if step > 1 and len(found) < limit:
            found = _distinct(found, self._look(words, self._match(expression, most)))
        if len(found) < limit:
            forms = asked.any_word(words.in_any_form)
            rows = self._match(forms, most) if forms != expression else []
            found = _distinct(found, self._look(words, rows))
        if asked.has_phrase and len(found) < limit:
            over = self._match(asked.any_word(words.expression), most, over_cuts=True)
            found = _distinct(found, self._look(words, over))
        if asked.has_phrase and len(found) < _TOO_FEW:
            loose = asked.any_word(words.expression, loose=True)
            found = _distinct(found, self._look(words, self._match(loose, most)))
        return found

    def _look(self, words: Words, matches: Sequence[Match]) -> list[Ranked]:
        return ranked(matches, words.wanted, words.total)

    def _match(
        self, expression: str | None, limit: int, *, over_cuts: bool = False, step: int = 1
    ) -> list[Match]:
        """The best chunks; with `over_cuts` also those that the words of the chunk before match.

        Only every chunk whose row id is a multiple of `step` is looked at.
        """
        if expression is None:
            return []
        if not over_cuts:
            expression = _own(expression)
        return [match_of(*values) for values in self._execute(_SEARCH, (expression, step, limit))]

    def _of_whole_notes(
        self, asked: Query, words: Words, expression: str | None, limit: int
    ) -> list[Ranked]:
        """The chunks with any word in notes that have every word."""
        every = [one for word in asked.words() if (one := words.every(word))]
        if expression is None or len(every) < 2 or not self._holds_notes():
            return []
        in_every = " INTERSECT ".join([_NOTES_WITH] * len(every))
        statement = _SEARCH.replace(_MATCHING, f"{_MATCHING} {_IN_SOURCES.format(in_every)}")
        rows = self._execute(statement, (_own(expression), *map(_own, every), 1, limit))
        return self._look(words, [match_of(*values) for values in rows])

    def _holds_notes(self) -> bool:
        return bool(self._execute("SELECT 1 FROM sources WHERE kind = 'note' LIMIT 1").fetchone())


def _own(expression: str) -> str:
    """The expression for what a chunk itself holds."""
    return f"{OWN_FIELDS} : ({expression})"


def _distinct(*lists: Sequence[Ranked]) -> list[Ranked]:
    """Each chunk once, where it stands first."""
    first: dict[int, Ranked] = {}
    for rows in lists:
        for row in rows:
            first.setdefault(row.row_id, row)
    return list(first.values())
