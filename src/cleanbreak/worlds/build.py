"""One book brought to completion: from its stored source to its last counted chunk."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from cleanbreak.core.document import Document
from cleanbreak.core.splitters import Splitter
from cleanbreak.errors import StateConflictError
from cleanbreak.worlds import chunks, sources
from cleanbreak.worlds import manifest as manifests
from cleanbreak.worlds.layout import Book, Layout
from cleanbreak.worlds.records import Malformed, Manifest, SourceRecord, WarningRecord, encode
from cleanbreak.worlds.reports import BookReport
from cleanbreak.worlds.workspace import Conditions, Workspace


def build_book(
    place: Workspace,
    origin: Layout,
    number: int,
    splitter: Splitter,
    conditions: Conditions,
    tell: chunks.OnGroup,
) -> BookReport:
    """Bring one book in `place` to completion."""
    book = place.layout.book(number)
    stored, found = _stored_manifest(book)
    replaced = place.layout != origin and place.layout.copies("sources", number)
    source_layout = place.layout if replaced else origin
    # A replacement has no manifest yet: its two copies vouch for each other.
    known = stored or (None if replaced else manifests.load_or_none(origin.book(number)))
    trusted = sources.trusted_copy(
        place.files, source_layout, number, known.source if known else None
    )
    document = _read(trusted.path, place.record.encodings.get(number))
    total = sum(1 for _ in splitter.stream(document))
    fresh = manifests.fresh(
        place.record.world_uuid,
        number,
        _source_record(trusted.path, document),
        document,
        splitter.recipe,
        total,
    )
    manifest = _agreed(stored, fresh)
    manifest = _with_warnings(manifest, (*found, *trusted.warnings))
    if manifest != stored:
        place.files.make_folder(book.folder)
        place.files.write(book.manifest, encode(manifest))
    writer = chunks.Writer(place.files, book, manifest, tell)
    writer.write(splitter, document, trust_files=conditions.trust_files)
    for name in place.record.stages[1:]:
        if name in conditions.stages:
            conditions.stages[name].advance(book, writer.manifest)
    return BookReport(
        number,
        manifest.source.filename,
        total,
        writer.written,
        manifest.warnings,
    )


def _stored_manifest(book: Book) -> tuple[Manifest | None, tuple[WarningRecord, ...]]:
    try:
        return manifests.load(book), ()
    except Malformed:
        message = "The manifest could not be read; it was rebuilt from the source."
        return None, (WarningRecord("MANIFEST_REBUILT", message),)


def _read(path: Path, encoding: str | None) -> Document:
    from cleanbreak.readers import read

    return read(path, encoding=encoding)


def _source_record(path: Path, document: Document) -> SourceRecord:
    copied = sources.identify(path)
    source = document.source
    return SourceRecord(
        path.name,
        copied.size,
        copied.sha256,
        source.media_type if source else None,
        source.encoding if source else None,
    )


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
        raise chunks.total_conflict(stored, fresh.total_chunks)
    return stored


def _with_warnings(manifest: Manifest, found: Sequence[WarningRecord]) -> Manifest:
    new = (warning for warning in found if warning not in manifest.warnings)
    return msgspec.structs.replace(manifest, warnings=(*manifest.warnings, *new))


def _conflict(manifest: Manifest, why: str) -> StateConflictError:
    return StateConflictError(
        f"Book {manifest.book_number} {why}.", book_number=manifest.book_number
    )
