"""Searching a world: what the index finds, and the files of record prove."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace

from cleanbreak.errors import (
    DependencyMissingError,
    EmbedderError,
    EmbeddingError,
    IndexMalformedError,
    IndexMissingError,
    ModelMalformedError,
    ModelNotInstalledError,
    ProviderError,
    StoreError,
    VectorStoreError,
)
from cleanbreak.retrieval import Answer, Hit
from cleanbreak.retrieval import search as search_index
from cleanbreak.retrieval.search import Prove
from cleanbreak.stores.fulltext import Index, parse_query
from cleanbreak.stores.fulltext.expressions import Node, Or, Term
from cleanbreak.worlds.coverage import coverage_of, read_coverage
from cleanbreak.worlds.layout import slot_name
from cleanbreak.worlds.meaning import WorldMeaning
from cleanbreak.worlds.opening import load_world
from cleanbreak.worlds.proof import Proof
from cleanbreak.worlds.records import WarningRecord
from cleanbreak.worlds.reports import Hits
from cleanbreak.worlds.session import Session
from cleanbreak.worlds.stages.fulltext import catch_up, rebuild

# What stands between a query and its vector. The words can still answer.
_NO_MEANING = (
    DependencyMissingError,
    EmbedderError,
    EmbeddingError,
    ModelMalformedError,
    ModelNotInstalledError,
    ProviderError,
    VectorStoreError,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """How to answer a query. ``meaning`` is ``None`` where words alone are asked.

    ``books`` are the numbers of those that are searched, none for all.
    """

    limit: int
    context: int
    mode: str = "words"
    meaning: WorldMeaning | None = None
    books: tuple[int, ...] = ()


def search(
    session: Session,
    write: Callable[[], AbstractContextManager[Session]],
    query: str,
    asked: Asked,
) -> Hits:
    """The best chunks for a query; none where no book is complete yet.

    An index that is behind is brought up to date first, by what `write` opens, and one that is
    damaged is rebuilt. Where that cannot be now, the hits say which books were not searched.

    Raises:
        IndexMalformedError: if the index is damaged and cannot be rebuilt now.
    """
    if not read_coverage(session).is_current:
        # A world that is being written, or must not be, is searched as far as its index is proved.
        with suppress(StoreError), write() as writer:
            catch_up(writer)
        session.record = load_world(session.layout)
        session.look_again()
    # The second look is for a book that was replaced during the first one.
    for _ in range(2):
        with suppress(IndexMalformedError):
            return _ask(session, query, asked)
        session.look_again()
    with write() as writer:
        rebuild(writer)
    session.record = load_world(session.layout)
    session.look_again()
    return _ask(session, query, asked)


def _ask(session: Session, query: str, asked: Asked) -> Hits:
    try:
        index = Index.open(session.layout.index, readonly=True)
    except IndexMissingError:  # nothing is complete yet, or another process makes it now
        parse_query(query)
        covered = coverage_of(session, {})
        return Hits((), covered.behind, covered.unfinished)
    with index:
        covered = coverage_of(session, index.sources())
        proof = Proof(session, covered.held)
        found, warnings = _found(session, index, query, asked, proof.holds)
        for hit in found:
            proof.check(hit)
        return Hits(
            _with_paths(session, found),
            covered.behind,
            covered.unfinished,
            (*warnings, *proof.warnings()),
            found.answered_by,
            found.suggestion,
        )


def _found(
    session: Session, index: Index, query: str, asked: Asked, prove: Prove
) -> tuple[Answer, list[WarningRecord]]:
    """The hits; words alone where meaning cannot be had now, with a warning."""
    if asked.meaning is not None:
        try:
            asked.meaning.look_at(session, asked.books or session.book_numbers())
            hits = search_index(
                index,
                query,
                limit=asked.limit,
                context=asked.context,
                prove=prove,
                meaning=asked.meaning,
                by_words=asked.mode != "vectors",
                only=_only(asked.books),
            )
            return hits, _of_coverage(asked.meaning)
        except _NO_MEANING as error:
            if asked.mode == "vectors":
                raise
            message = f"Only words were searched, not their meaning: {error.message}"
            warnings = [WarningRecord("VECTOR_SEARCH_SKIPPED", message)]
    else:
        warnings = []
    found = search_index(
        index,
        query,
        limit=asked.limit,
        context=asked.context,
        prove=prove,
        only=_only(asked.books),
    )
    return found, warnings


def _only(books: tuple[int, ...]) -> Node | None:
    """The condition that a chunk is of one of these books; none for all books."""
    return Or(tuple(Term(str(book), field="book") for book in books)) if books else None


def _of_coverage(meaning: WorldMeaning) -> list[WarningRecord]:
    lacking, among = len(meaning.lacking), len(meaning.books)
    if not lacking:
        return []
    message = (
        f"{lacking:,} of {among:,} books that were searched have no vectors, or not all, and are found "
        "by words there; run embed again."
    )
    return [WarningRecord("SEARCH_COVERS_PART", message, lacking)]


def _with_paths(session: Session, hits: Iterable[Hit]) -> Iterator[Hit]:
    """The path distinguishes two books of one name."""
    paths = {slot_name(number): path for number, path in session.record.paths.items()}
    return (replace(hit, source_path=paths.get(hit.source_key)) for hit in hits)
