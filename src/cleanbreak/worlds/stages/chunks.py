"""The first stage: a book's source cut into chunks, one durable file each."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document
from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import SourceUnreadableError, StateConflictError
from cleanbreak.worlds import sources
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.long_read import read_source
from cleanbreak.worlds.reading import how_read
from cleanbreak.worlds.records import (
    Malformed,
    Manifest,
    SourceRecord,
    WarningRecord,
    new_manifest,
)
from cleanbreak.worlds.session import Session, now_and_then, while_reading
from cleanbreak.worlds.stages.chunk_checks import ChunkChecker
from cleanbreak.worlds.stages.chunk_files import ChunkWriter, Receiver, load_chunk, proved_chain
from cleanbreak.worlds.stages.cuts import Cuts
from cleanbreak.worlds.stages.stage import CHUNKS, Problem, Progress


class Chunks:
    """Reads a book's stored source, cuts it, and keeps one file a chunk and a manifest."""

    name = CHUNKS
    needs: tuple[str, ...] = ()

    def __init__(self, receiver: Receiver | None = None) -> None:
        self._receiver = receiver

    def progress(self, book: Book, session: Session) -> Progress:
        """What the manifest counts; a manifest that is lost or malformed counts nothing."""
        manifest = session.manifest(book)
        if manifest is None:
            return Progress(0, None)
        return Progress(manifest.completed_chunks, manifest.total_chunks)

    def run(self, book: Book, session: Session) -> None:
        """Read, cut once, and write what is missing or wrong.

        Files that are there are compared byte for byte and rewritten only where they differ, so
        that any state of the folder, however torn, ends as if nothing had happened.

        Raises:
            SourceError: if no copy of the source is good, or it cannot be read.
            StateConflictError: if the book was begun with another text or other settings.
        """
        stored, found = _stored_manifest(book, session)
        document, source, restored = _read_source(book, session, stored)
        splitter = session.splitter
        cuts = Cuts(_asking(splitter.stream(document), session))
        fresh = new_manifest(
            session.record.world_uuid,
            book.number,
            source,
            document,
            splitter.recipe,
            text_sha256=cuts.text_sha256(document.text),
            total_chunks=len(cuts),
        )
        manifest = _with_warnings(_agreed(stored, fresh), (*found, *restored))
        session.work.filename = manifest.source.filename
        if manifest != stored:
            # The manifest comes before the first chunk file, so that files which a crash leaves
            # are never without a record of the source and the settings they were made from.
            session.files.clear_for_folder(book.folder)
            session.files.make_folder(book.folder)
            session.files.clear_for_file(book.manifest)
            session.write_manifest(book, manifest)
        ChunkWriter(book, session, manifest).write(cuts, document.text, self._receiver)

    def verify(self, book: Book, session: Session) -> Iterator[Problem]:
        """What is wrong with the copies of the source, the manifest and the chunk files."""
        try:
            manifest = session.load_manifest(book)
        except Malformed:
            message = "The manifest is lost or cannot be read."
            yield Problem("MANIFEST_MALFORMED", message, book.number)
            return
        if session.thorough:
            yield from _verify_copies(book, session, manifest)
            if manifest:
                yield from _verify_manifest(book, session, manifest)
                yield from _verify_chunks(book, session, manifest)
                yield from _strays(book, manifest)
        elif manifest:
            yield from _prove(book, session, manifest)

    def discard(self, book: Book, session: Session) -> None:
        """Remove the book's folder, and with it what later stages keep there."""
        session.files.remove_tree(book.folder)
        session.forget(book)


# --- from the source to a manifest ---------------------------------------------------------------


def _stored_manifest(
    book: Book, session: Session
) -> tuple[Manifest | None, tuple[WarningRecord, ...]]:
    try:
        return session.load_manifest(book), ()
    except Malformed:
        message = "The manifest could not be read; it was rebuilt from the source."
        return None, (WarningRecord("MANIFEST_REBUILT", message),)


def _read_source(
    book: Book, session: Session, stored: Manifest | None
) -> tuple[Document, SourceRecord, tuple[WarningRecord, ...]]:
    """The document, which bytes it was read from, and warnings about a copy that was restored."""
    document = session.documents.take(book.number)
    if document is not None and document.source:
        # Read by the plan of this session; both copies were then read back and had the digest of
        # the bytes that were read. To hash and read them again would prove nothing more.
        return document, SourceRecord.of(document.source), ()
    trusted = _trusted_copy(book, session, stored)
    how = how_read(session.record, book.number)
    asks = while_reading(session.options, session.check_stop)
    document = read_source(trusted.path, how, asks)
    if document.source is None or document.source.sha256 != trusted.sha256:
        raise SourceUnreadableError(
            f"{trusted.path.name!r} changed while it was being read; run again when it is at rest.",
            name=trusted.path.name,
        )
    return document, SourceRecord.of(document.source), trusted.warnings


def _asking(chunks: Iterable[Chunk], session: Session) -> Iterator[Chunk]:
    """The chunks as they are cut; to cut a long book may take minutes."""
    check_stop = now_and_then(session.check_stop)
    for chunk in chunks:
        check_stop()
        yield chunk


def _trusted_copy(book: Book, session: Session, stored: Manifest | None) -> sources.Trusted:
    layout, owner, known = session.layout, book, stored
    if session.origin and not layout.copies("sources", book.number):
        # A re-ingest without a replacement: a warning is recorded with the source that it is about.
        layout = session.origin
        owner = layout.book(book.number)
        known = session.manifest(owner)

    def warn(warning: WarningRecord) -> None:
        if known:
            session.write_manifest(owner, _with_warnings(known, (warning,)))

    # A replacement has no manifest yet: its two copies prove each other.
    source = known.source if known else None
    trusted = sources.trusted_copy(session.files, layout, book.number, source, warn)
    before = known.warnings if known and owner is not book else ()
    recovered = (warning for warning in before if warning.code in sources.RECOVERY_CODES)
    return trusted._replace(warnings=(*recovered, *trusted.warnings))


def _agreed(stored: Manifest | None, fresh: Manifest) -> Manifest:
    """The stored manifest, if the book would still be cut as it says; else a conflict."""
    if stored is None:
        return fresh
    if stored.world_uuid != fresh.world_uuid or stored.book_number != fresh.book_number:
        raise _conflict(stored, "belongs to another world or slot; put its own manifest back")
    if stored.source.filename != fresh.source.filename:
        raise _conflict(stored, "was made from a source of another name")
    if stored.settings != fresh.settings:
        raise _conflict(stored, "was begun with other settings; re-ingest it")
    if stored.text_sha256 != fresh.text_sha256:
        raise _conflict(stored, "is now read as another text than when it was begun; re-ingest it")
    if stored.total_chunks != fresh.total_chunks:
        raise StateConflictError(
            f"Book {stored.book_number} was begun with {stored.total_chunks} chunks and its text "
            f"now gives {fresh.total_chunks}; re-ingest it.",
            book_number=stored.book_number,
            stored=stored.total_chunks,
            found=fresh.total_chunks,
        )
    return stored


def _with_warnings(manifest: Manifest, found: Sequence[WarningRecord]) -> Manifest:
    new = (warning for warning in found if warning not in manifest.warnings)
    return msgspec.structs.replace(manifest, warnings=(*manifest.warnings, *new))


def _conflict(manifest: Manifest, why: str) -> StateConflictError:
    return StateConflictError(
        f"Book {manifest.book_number} {why}.", book_number=manifest.book_number
    )


# --- proving and checking ------------------------------------------------------------------------


def _prove(book: Book, session: Session, manifest: Manifest) -> Iterator[Problem]:
    """Whether sources and chunk files are those that were written; the first doubt ends it.

    Reads every file once; with ``trust_files`` none, only names and sizes are looked at.
    """
    if manifest.settings != session.record.settings:
        # To run the stage then says what the conflict is.
        yield Problem("SETTINGS_DIFFER", "The book was cut with other settings.", book.number)
    check_stop = now_and_then(session.check_stop)
    trust = session.options.trust_files
    check_copies = sources.copies_are_there if trust else sources.copies_are_good
    if not check_copies(session.layout, book.number, manifest.source):
        yield Problem("COPIES_DIFFER", "A stored copy is missing or altered.", book.number)
    if trust:
        proved = book.chunk_numbers().issuperset(range(1, manifest.completed_chunks + 1))
    else:
        proved = proved_chain(book, manifest.completed_chunks, check_stop) == manifest.chunks_sha256
    if not proved:
        yield Problem("CHUNK_LOST", "A chunk file is missing or altered.", book.number)
    yield from _strays(book, manifest)


def _strays(book: Book, manifest: Manifest) -> Iterator[Problem]:
    """What lies among the chunk files of a complete book and was never written there."""
    if manifest.complete:
        message = "A file has the name of a chunk that the book does not have; a repair removes it."
        for path in book.stray_chunks(manifest.total_chunks):
            yield Problem("CHUNK_STRAY", message, book.number, int(path.stem))


def _verify_copies(book: Book, session: Session, manifest: Manifest | None) -> Iterator[Problem]:
    try:
        name = manifest.source.filename if manifest else None
        slot = sources.look(session.layout, book.number, name)
    except StateConflictError as error:
        yield Problem("SLOT_AMBIGUOUS", error.message, book.number)
        return
    if manifest is None:  # its copies are being made
        return
    for what, path in (("working", slot.working), ("backup", slot.backup)):
        code = f"{what.upper()}_COPY"
        if path is None:
            yield Problem(f"{code}_MISSING", f"The {what} copy is missing.", book.number)
        elif path.name != manifest.source.filename:
            yield Problem(f"{code}_NAME", f"The {what} copy has another name.", book.number)
        elif sources.digest_of(path) != manifest.source.sha256:
            yield Problem(f"{code}_ALTERED", f"The {what} copy was altered.", book.number)


def _verify_manifest(book: Book, session: Session, manifest: Manifest) -> Iterator[Problem]:
    owner = (session.record.world_uuid, book.number)
    if (manifest.world_uuid, manifest.book_number) != owner:
        yield Problem("MANIFEST_FOREIGN", "The manifest is that of another book.", book.number)
    if Recipe.from_dict(manifest.settings) != session.record.recipe:
        yield Problem("SETTINGS_DIFFER", "The book was cut with other settings.", book.number)


def _verify_chunks(book: Book, session: Session, manifest: Manifest) -> Iterator[Problem]:
    checker = ChunkChecker(manifest)
    check_stop = now_and_then(session.options.check_before_run)
    for number in range(1, manifest.completed_chunks + 1):
        check_stop()
        try:
            # Looked up for each chunk, since a swap may happen meanwhile.
            chunk = load_chunk(session.layout.book(book.number), number)
        except Malformed:
            checker.lose(number)
        else:
            checker.check(chunk)
    yield from checker.finish()
