"""What can be asked of a world; nothing here writes, except that a search repairs its index."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cleanbreak.core.checks import one_of, whole_number
from cleanbreak.core.document import Document
from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import ProfileRequiredError, SettingsError, StateConflictError
from cleanbreak.storage.files import Files
from cleanbreak.worlds import sources
from cleanbreak.worlds.excerpt import Excerpt, chunks_between
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.opening import load_world, reading
from cleanbreak.worlds.reading import how_read
from cleanbreak.worlds.records import (
    Manifest,
    StoredChunk,
    WarningRecord,
    WorldRecord,
)
from cleanbreak.worlds.removal import check_book
from cleanbreak.worlds.reports import Hits
from cleanbreak.worlds.session import Options, Session
from cleanbreak.worlds.stages.chunk_files import stream_chunks
from cleanbreak.worlds.stages.stage import Stage
from cleanbreak.worlds.status import Status, status
from cleanbreak.worlds.vector_place import place_of

if TYPE_CHECKING:
    from cleanbreak.worlds.meaning import WorldMeaning


MODES = ("auto", "words", "vectors", "hybrid")
"""How a query may be answered; see `World.search`."""


@dataclass(frozen=True, slots=True)
class BookInfo:
    """A book of a world, as its manifest describes it."""

    number: int
    source_filename: str
    source_path: str
    title: str | None
    authors: tuple[str, ...]
    language: str | None
    media_type: str | None
    chunks: int
    complete: bool
    warnings: tuple[WarningRecord, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The book as plain data."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


class ReadableWorld(ABC):
    """The part of `World` that reads."""

    _layout: Layout
    _record: WorldRecord
    _files: Files
    _stages: tuple[Stage, ...]
    _meaning: "WorldMeaning | None" = None

    @property
    def name(self) -> str:
        """The name, for people."""
        return self._record.name

    @property
    def uuid(self) -> str:
        """The identity, repeated in every record."""
        return self._record.world_uuid

    @property
    def settings(self) -> Recipe:
        """How books are cut."""
        return self._record.recipe

    @property
    def settings_locked(self) -> bool:
        """Whether only a re-ingest can change the settings."""
        return self._record.settings_locked

    # --- its books -------------------------------------------------------------------------------

    def books(self) -> list[BookInfo]:
        """The books whose chunks were begun, by number; from their manifests alone."""
        with reading():
            session = self._reader()
            found = ((n, session.manifest(session.layout.book(n))) for n in session.book_numbers())
            return [_info(session, number, manifest) for number, manifest in found if manifest]

    def chunks(self, book: int | None = None) -> Iterator[StoredChunk]:
        """The chunks of one book, or of all, in order; only such as manifest and file prove.

        Raises:
            StateConflictError: if there is no such book.
        """
        with reading():
            session = self._reader()
            numbers = session.book_numbers() if book is None else [_checked(session, book)]
            for number in numbers:
                place = session.layout.book(number)
                manifest = session.manifest(place)
                if manifest:
                    yield from stream_chunks(place, manifest)

    def some_chunks(self, book: int, first: int, limit: int) -> tuple[int, list[StoredChunk]]:
        """How many chunks a book has now, and at most `limit` of them from number `first` on.

        Raises:
            SettingsError: if `first` is no whole number from 1, or `limit` none from 0.
            StateConflictError: if there is no such book.
        """
        whole_number("first", first, minimum=1)
        whole_number("limit", limit, minimum=0)
        with reading():
            session = self._reader()
            place = session.layout.book(_checked(session, book))
            manifest = session.manifest(place)
            if manifest is None:
                return 0, []
            total = manifest.completed_chunks
            return total, list(stream_chunks(place, manifest, first, first + limit - 1))

    def passage(self, book: int, start: int, end: int) -> str:
        """The text of a book from code point `start` to `end`, exclusive, as a hit gives them.

        Raises:
            StateConflictError: if there is no such book, or its chunks do not reach so far.
        """
        return self.excerpt(book, start, end).passage if end > start else ""

    def excerpt(self, book: int, start: int, end: int, *, around: int = 0) -> Excerpt:
        """The chunks that hold a passage, whole, with `around` chunks before and after them.

        Raises:
            SettingsError: for offsets or a number of chunks that are no whole numbers.
            StateConflictError: if there is no such book, or its chunks do not reach so far.
        """
        for name, value in (("start", start), ("end", end), ("around", around)):
            whole_number(name, value, minimum=0)
        with reading():
            session = self._reader()
            place = session.layout.book(_checked(session, book))
            manifest = session.manifest(place)
            if manifest is None:
                raise StateConflictError(
                    f"Book {book} has no chunks yet; resume the world.", book_number=book
                )
            path = session.record.path_of(book, manifest.source.filename)
            chunks = chunks_between(place, manifest, start, end, around)
            return Excerpt(book, path, start, end, chunks)

    def export(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002 (the word of the command line)
        book: int | None = None,
        overwrite: bool = False,
    ) -> int:
        """Write the chunks of one book, or of all, to a file; how many they are.

        The rows and kinds of files are those of docs/export-format.md.

        Args:
            path: the file; its ending says the format.
            format: ``jsonl``, ``sqlite`` or ``parquet``, where the ending does not.
            book: the number of the only book.
            overwrite: replace a file that cleanbreak did not write.

        Raises:
            StateConflictError: if there is no such book.
            WriteFailedError: if the file cannot be written, or must not be replaced.
            DependencyMissingError: for Parquet without its extra.
        """
        from cleanbreak.export.row import RowSource
        from cleanbreak.export.sink import open_sink

        record = load_world(self._layout)
        count = 0
        with reading(), open_sink(path, format, overwrite=overwrite) as write:
            for chunk in self.chunks(book):
                name = chunk.source_filename or ""
                where = record.path_of(chunk.book_number, name)
                write(chunk, RowSource(name, where, chunk.source_sha256))
                count += 1
        return count

    def source(self, book: int) -> Path:
        """The stored copy of a book's source, proved by its digest. It must not be written to.

        Raises:
            StateConflictError: if there is no such book.
            SourceMissingError: if no stored copy is left as it was.
        """
        with reading():
            session = self._reader()
            manifest = session.manifest(session.layout.book(_checked(session, book)))
            return sources.good_copy(session.layout, book, manifest.source if manifest else None)

    def document(self, book: int) -> Document:
        """A book's document, read again from its stored source.

        Raises:
            StateConflictError: if there is no such book.
            SourceMissingError: if no stored copy is left as it was.
        """
        copy = self.source(book)
        with reading():
            return how_read(load_world(self._layout), book).read(copy)

    # --- asking ----------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        mode: str = "auto",
        limit: int = 10,
        context: int = 0,
        book: int | Iterable[int] | None = None,
        min_similarity: float | None = None,
    ) -> Hits:
        """The best `limit` chunks for a query; only such as manifest and file prove.

        A book is searched when all its chunks are complete. An index that is behind the files is
        brought up to date first, and a damaged one rebuilt, if the world may be written to now. The
        list that is returned is `cleanbreak.worlds.Hits`: it says in ``complete``, ``behind`` and
        ``unfinished`` whether every book was searched, and in ``warnings`` where meaning was not;
        ``answered_by`` and ``suggestion`` are for a query that finds nothing as typed.

        Args:
            query: what a person types.
            mode: ``"words"``; ``"hybrid"``, words and meaning together; ``"vectors"``, meaning
                alone; ``"auto"`` is hybrid where the world has vectors. Where the vector of a query
                cannot be had, a hybrid search answers by words, with a warning.
            limit: the most hits.
            context: how many chunks before and after each hit to give with it.
            book: the number of the only book that is searched, or the numbers of several.
            min_similarity: the lowest cosine, from -1 to 1, by which meaning may find a chunk.

        Raises:
            SettingsError: for an argument that is wrong, and for a field that does not exist.
            StateConflictError: if there is no such book.
            ProfileRequiredError: if meaning is asked for and the world has no vectors.
            IndexMalformedError: if the index is damaged and cannot be rebuilt now.
        """
        from cleanbreak.worlds.search import Asked, search

        one_of("mode", mode, MODES)
        with reading():
            session = self._reader()
            meaning = self._meaning_of(session, mode, min_similarity)
            books = _books(session, book)
            asked = Asked(limit, context, mode, meaning, books)
            return search(session, self._writing, query, asked)

    def _meaning_of(
        self, session: Session, mode: str, min_similarity: float | None
    ) -> "WorldMeaning | None":
        """What finds by meaning, kept from search to search; ``None`` where words alone are asked."""
        from cleanbreak.worlds.meaning import meaning_of

        check_similarity(min_similarity)
        if mode == "words":
            return None
        if (
            session.record.embedding_profile is None
            or not place_of(session.record, session.layout).exists()
        ):
            if mode == "auto":
                return None
            raise ProfileRequiredError(
                "This world has no vectors yet; make them: cleanbreak embed WORLD --model minilm"
            )
        self._meaning = meaning_of(session, self._meaning)
        self._meaning.min_similarity = min_similarity
        return self._meaning

    def status(self, *, measured: bool = False) -> Status:
        """What the world holds, and how far each stage is; from the records alone.

        With `measured` it also says what the folder takes on the disk, and looks at every file.
        """
        with reading():
            return status(self._reader(), measured=measured)

    # --- inside ----------------------------------------------------------------------------------

    def _is_on_disk(self) -> bool:
        return self._layout.current_record.exists()

    def _reader(self, options: Options | None = None) -> Session:
        """A session that only reads; it holds no lock."""
        record = load_world(self._layout)
        return Session(self._layout, self._files, record, self._stages, options or Options())

    @abstractmethod
    def _writing(
        self, options: Options | None = None, *, make: bool = False
    ) -> AbstractContextManager[Session]:
        """A session that holds the world."""


def _checked(session: Session, book: int) -> int:
    check_book(session, book)
    return book


def _books(session: Session, book: int | Iterable[int] | None) -> tuple[int, ...]:
    """The numbers of the books that are searched; none for all."""
    if book is None:
        return ()
    numbers = tuple(book) if isinstance(book, Iterable) else (book,)
    if not numbers:
        raise SettingsError("book", None, "the number of a book, or several")
    return tuple(_checked(session, number) for number in numbers)


def _info(session: Session, number: int, manifest: Manifest) -> BookInfo:
    return BookInfo(
        number,
        manifest.source.filename,
        session.record.path_of(number, manifest.source.filename),
        manifest.title,
        manifest.authors,
        manifest.language,
        manifest.source.media_type,
        manifest.completed_chunks,
        manifest.complete,
        manifest.warnings,
    )


def check_similarity(value: float | None) -> None:
    """Refuse what is no cosine.

    Raises:
        SettingsError: if `value` is neither ``None`` nor a number from -1 to 1.
    """
    given: Any = value
    if given is None:
        return
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not -1 <= given <= 1:
        raise SettingsError("min_similarity", value, "a number from -1 to 1")
