"""What can be asked of a world; nothing here writes, except that a search repairs its index."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

from cleanbreak.core.document import Document
from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import StateConflictError
from cleanbreak.storage.files import Files
from cleanbreak.worlds import sources
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.opening import load_world, reading
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


class ReadableWorld(ABC):
    """The part of `World` that reads."""

    _layout: Layout
    _record: WorldRecord
    _files: Files
    _stages: tuple[Stage, ...]

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

    def passage(self, book: int, start: int, end: int) -> str:
        """The text of a book from code point `start` to `end`, exclusive, as a hit gives them.

        Raises:
            StateConflictError: if there is no such book, or its chunks do not reach so far.
        """
        texts: list[str] = []
        for chunk in self.chunks(book):
            first, last = chunk.character_start_offset, chunk.character_end_offset
            if last > start and first < end:
                texts.append(chunk.chunk_text[max(start - first, 0) : end - first])
            if last >= end:
                break
        text = "".join(texts)
        if len(text) != end - start:
            raise StateConflictError(
                f"Book {book} has no text from {start:,} to {end:,}, or not yet; check the offsets.",
                book_number=book,
                start=start,
                end=end,
            )
        return text

    def document(self, book: int) -> Document:
        """A book's document, read again from its stored source.

        Raises:
            StateConflictError: if there is no such book.
            SourceMissingError: if no stored copy is left as it was.
        """
        from cleanbreak.readers import read

        with reading():
            session = self._reader()
            manifest = session.manifest(session.layout.book(_checked(session, book)))
            known = manifest.source if manifest else None
            copy = sources.good_copy(session.layout, book, known)
            return read(copy, encoding=session.record.encodings.get(book))

    # --- asking ----------------------------------------------------------------------------------

    def search(self, query: str, *, limit: int = 10, context: int = 0) -> Hits:
        """The best `limit` chunks for a query; only such as manifest and file prove.

        A book is searched when all its chunks are complete. An index that is behind the files is
        brought up to date first, and a damaged one rebuilt, if the world may be written to now. The
        list that is returned is `cleanbreak.worlds.Hits`: it says in ``complete``, ``behind`` and
        ``unfinished`` whether every book was searched.

        Raises:
            SettingsError: for a wrong limit or context.
            IndexMalformedError: if the index is damaged and cannot be rebuilt now.
        """
        from cleanbreak.worlds.search import search

        with reading():
            return search(self._reader(), self._writing, query, limit=limit, context=context)

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
