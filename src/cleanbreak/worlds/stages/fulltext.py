"""The second stage: the full text of complete books, in one index that the files can rebuild.

The index is derived: it may be lost at any time, and it is never believed without the files. A book
enters it when all its chunks are counted; until then the book is not searched.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import TracebackType

from cleanbreak.errors import IndexMalformedError, StoreError, WriteFailedError
from cleanbreak.storage.files import check_room, temporary_name
from cleanbreak.stores.fulltext import Index, SourceRow, SourceWriter
from cleanbreak.stores.fulltext.database import discard_log
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import Manifest, StoredChunk
from cleanbreak.worlds.session import Session, Work
from cleanbreak.worlds.stages.chunk_files import Take, stream_chunks, take_nothing
from cleanbreak.worlds.stages.stage import CHUNKS, FULLTEXT, Problem, Progress

# After this many chunks the stage reports and asks whether to stop.
_GROUP = 256

Held = dict[str, tuple[str, int]]
"""What an index holds: by book key the digest of the chunks, and how many there are."""


class FullText:
    """Keeps each complete book's chunks in ``index.sqlite``, under the manifest's digest."""

    name = FULLTEXT
    needs: tuple[str, ...] = (CHUNKS,)

    def progress(self, book: Book, session: Session) -> Progress:
        """All of a book's chunks, or none."""
        manifest = session.manifest(book)
        if manifest is None:
            return Progress(0, None)
        done = manifest.total_chunks if is_held(_held(session), book, manifest) else 0
        return Progress(done, manifest.total_chunks)

    def run(self, book: Book, session: Session) -> None:
        """Index a book from its files; all books, if the index is missing, damaged or outdated.

        Raises:
            StoreError: if the index cannot be written.
        """
        if _view(session).error is None:
            with suppress(IndexMalformedError):
                _index(book, session)
                return
        rebuild(session)

    def receiving(self, book: Book, session: Session) -> AbstractContextManager[Take]:
        """Index a book while its chunks are written, so that its files need not be read again."""
        manifest = session.manifest(book)
        if manifest is None or is_held(_held(session), book, manifest):
            return nullcontext(take_nothing)  # chunk files are repaired, to what is indexed
        if isinstance(_view(session).error, IndexMalformedError):
            return nullcontext(take_nothing)  # `run` comes next, and rebuilds the index
        return _Receiving(book, session, manifest)

    def verify(self, book: Book, session: Session) -> Iterator[Problem]:
        """Whether the index holds other chunks of the book. That it holds none is unfinished work."""
        if session.being_written or not session.layout.index.exists():
            return
        manifest = session.manifest(book)
        if manifest is None or not manifest.complete:
            return
        view = _view(session)
        if view.error:  # of the world, not of this book
            yield Problem(view.error.code, view.error.message)
        elif book.key in view.held and not is_held(view.held, book, manifest):
            message = "The index does not hold what the files say; reindex."
            yield Problem("INDEX_BEHIND", message, book.number)

    def discard(self, book: Book, session: Session) -> None:
        """Remove the book's rows."""
        if not session.layout.index.exists():
            return
        try:
            with _writable(session) as index:
                index.remove_source(book.key)
        except IndexMalformedError:
            pass  # the next run or search rebuilds it, and nobody believes its rows until then
        _held(session).pop(book.key, None)


class _Receiving(AbstractContextManager[Take]):
    """One transaction from the first chunk of a book to its last.

    It is committed after the manifest counts the last chunk, so that the index never holds what the
    files do not prove. A stop or a crash before that leaves the index as it was. An index that
    fails is given up here in silence, as `FullText.run` comes next: it does the same work from the
    files, and raises what is wrong.
    """

    def __init__(self, book: Book, session: Session, manifest: Manifest) -> None:
        self._book = book
        self._session = session
        self._manifest = manifest
        self._stack = ExitStack()
        self._writer: SourceWriter | None = None
        self._index: Index | None = None

    def __enter__(self) -> Take:
        # The digest of the chunks is known only after the last one.
        row = _source_row(self._book, self._manifest, digest="")
        try:
            self._index = self._stack.enter_context(_writable(self._session))
            self._writer = self._stack.enter_context(self._index.replacing(row))
        except BaseException as error:
            self._roll_back(error)
            if not isinstance(error, StoreError):
                raise
        return self._take

    def _take(self, records: Sequence[StoredChunk]) -> None:
        if self._writer:
            try:
                self._writer.add(records)
            except StoreError as error:
                self._roll_back(error)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._writer is None:
            return
        if error:
            self._roll_back(error)
            return
        try:
            self._commit(self._writer, self._index)
        except BaseException as failed:
            self._roll_back(failed)
            if not isinstance(failed, StoreError):
                raise

    def _commit(self, writer: SourceWriter, index: Index | None) -> None:
        counted = self._session.manifest(self._book) or self._manifest
        writer.set_digest(counted.chunks_sha256)
        if index:
            index.touch_source(self._book.key, *stamp_of(self._book))
        self._stack.close()
        _note(self._session, self._book, (counted.chunks_sha256, counted.total_chunks))

    def _roll_back(self, error: BaseException) -> None:
        self._writer = None
        with suppress(StoreError):
            self._stack.__exit__(type(error), error, error.__traceback__)


# --- the index as a whole ------------------------------------------------------------------------


def catch_up(session: Session) -> None:
    """Index every complete book that is not held, and forget books that are gone.

    Raises:
        StoreError: if the index cannot be written.
    """
    if _view(session).error is None:
        with suppress(IndexMalformedError):
            _catch_up(session)
            return
    rebuild(session)


def _catch_up(session: Session) -> None:
    wanted = complete_books(session)
    held = _held(session)
    gone = held.keys() - {book.key for book, _ in wanted}
    if gone:
        with _writable(session) as index:
            for key in gone:
                index.remove_source(key)
                del held[key]
    for book, manifest in wanted:
        if not is_held(held, book, manifest):
            _index(book, session)


def rebuild(session: Session) -> int:
    """Make the index from the files of all complete books; how many they are.

    It is built aside and put in place by one rename. Until then, and if it fails, readers have the
    index that was there before.

    Raises:
        StoreError: if the index cannot be written.
        RunInterruptedError: if stopped; the index is as it was.
    """
    layout, before = session.layout, session.work
    aside = temporary_name(layout.index)
    _remove_database(aside)
    held: Held = {}
    books = complete_books(session)
    try:
        with _writable(session, aside) as index:
            for done, (book, manifest) in enumerate(books):
                session.work = Work(
                    book.number, manifest.source.filename, done, len(books), FULLTEXT
                )
                session.check_stop()
                held[book.key] = (manifest.chunks_sha256, _fill(index, book, manifest, session))
    except BaseException:
        _remove_database(aside)
        raise
    finally:
        session.work = before
    discard_log(layout.index)
    session.files.put_in_place(aside, layout.index)
    session.cache[FULLTEXT] = _View(held)
    return len(books)


def _remove_database(path: Path) -> None:
    """Delete a database that nobody reads."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def complete_books(session: Session) -> list[tuple[Book, Manifest]]:
    """The books that belong in the index."""
    books = map(session.layout.book, session.book_numbers())
    found = ((book, session.manifest(book)) for book in books)
    return [(book, manifest) for book, manifest in found if manifest and _belongs(manifest)]


def held_by(index: Index) -> Held:
    """What an index holds."""
    return {key: (state.digest, state.chunks) for key, state in index.sources().items()}


def stamp_of(book: Book) -> tuple[int, int]:
    """Size and time of a book's manifest, which change whenever it is written."""
    try:
        found = os.stat(book.manifest)  # noqa: PTH116 (asked for all books)
    except OSError:
        return -1, -1  # no row has it
    return found.st_size, found.st_mtime_ns


def is_held(held: Held, book: Book, manifest: Manifest) -> bool:
    """Whether what is held of a book is what its manifest counts, from first to last."""
    wanted = (manifest.chunks_sha256, manifest.total_chunks)
    return manifest.complete and (held.get(book.key) == wanted or not manifest.total_chunks)


def _belongs(manifest: Manifest) -> bool:
    return manifest.complete and manifest.total_chunks > 0


# --- reading and writing it ----------------------------------------------------------------------


@dataclass(slots=True)
class _View:
    """What a session knows of the index: read once, and kept in step with its own changes."""

    held: Held
    error: StoreError | None = None


def _view(session: Session) -> _View:
    """What the index holds; nothing where it is missing or damaged."""
    if FULLTEXT not in session.cache:
        try:
            with Index.open(session.layout.index, readonly=True) as index:
                session.cache[FULLTEXT] = _View(held_by(index))
        except StoreError as error:
            session.cache[FULLTEXT] = _View({}, error)
    view: _View = session.cache[FULLTEXT]
    return view


def _held(session: Session) -> Held:
    return _view(session).held


@contextmanager
def _writable(session: Session, path: Path | None = None) -> Iterator[Index]:
    """An index to be written: that of the world, or one that is built aside.

    SQLite reports a quota, and some full disks, as an error of input and output.

    Raises:
        DiskFullError: if there is no room.
        StoreError: if the index cannot be written for another reason.
    """
    try:
        with Index.open(path or session.layout.index) as index:
            yield index
    except WriteFailedError as error:
        if "sqlite_code" in error.details:
            check_room(session.layout.root)
        raise


def _index(book: Book, session: Session) -> None:
    manifest = session.manifest(book)
    if manifest is None or not _belongs(manifest):
        return
    with _writable(session) as index:
        done = _fill(index, book, manifest, session)
    _note(session, book, (manifest.chunks_sha256, done))


def _note(session: Session, book: Book, held: tuple[str, int]) -> None:
    """Keep what is known of the index in step with a book that was written to it."""
    view = _view(session)
    view.held[book.key] = held
    view.error = None


def _fill(index: Index, book: Book, manifest: Manifest, session: Session) -> int:
    """Index a book from its files; how many chunks they prove."""
    chunks, done = stream_chunks(book, manifest), 0
    row = _source_row(book, manifest, digest=manifest.chunks_sha256)
    # One transaction: to stop inside it leaves the index as it was, and the next run indexes the
    # book. A chunk that is not proved ends the book's rows early, and then their number says so.
    with index.replacing(row) as writer:
        while group := list(islice(chunks, _GROUP)):
            writer.add(group)
            done += len(group)
            session.report(done, manifest.total_chunks)
            if done < manifest.total_chunks:
                session.check_stop()
        index.touch_source(book.key, *stamp_of(book))
    return done


def _source_row(book: Book, manifest: Manifest, *, digest: str) -> SourceRow:
    return SourceRow(
        book.key,
        "book",
        manifest.source.filename,
        title=manifest.title or "",
        digest=digest,
        authors=manifest.authors,
        number=book.number,
    )
