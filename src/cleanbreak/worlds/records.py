"""The JSON files of a world as typed values (docs/world-format.md)."""

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from cleanbreak.core.chunk import Chunk, ChunkRecord
from cleanbreak.core.document import Document, Source, SourceWarning
from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import FormatTooNewError, WorldMalformedError
from cleanbreak.storage.files import unreadable
from cleanbreak.stores.vectors.place import VectorStoreRecord
from cleanbreak.worlds.layout import Book

FORMAT_VERSION = 1
NO_CHUNKS = "0" * 64
"""The chain before the first chunk."""

_TAIL = b',"record_sha256":"%s"}\n'
_TAIL_LENGTH = len(_TAIL) - 2 + 64


RunKind = Literal["ingest", "reingest"]
RunState = Literal["active", "paused", "completed"]


def now() -> str:
    """The time as records hold it: UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Malformed(Exception):  # noqa: N818 (an event inside this package, never seen outside)
    """A record cannot be read as what it should be."""


class RunRecord(msgspec.Struct, frozen=True):
    """The last run."""

    run_id: str
    kind: RunKind
    state: RunState
    started_at: str
    ended_at: str | None = None
    books: tuple[int, ...] = ()
    """The books that a re-ingest rebuilds."""


class RefusedRecord(msgspec.Struct, frozen=True):
    """A source that an ingest could not use; kept until it is ingested or dismissed."""

    filename: str
    code: str
    message: str


class WorldRecord(msgspec.Struct, frozen=True):
    """``world.json``."""

    format_version: int
    world_uuid: str
    name: str
    created_at: str
    settings: dict[str, Any]
    settings_locked: bool = False
    embedding_profile: dict[str, Any] | None = None
    vector_store: VectorStoreRecord | None = None
    stages: tuple[str, ...] = ("chunks",)
    removed_books: tuple[int, ...] = ()
    purged_books: tuple[int, ...] = ()
    encodings: dict[int, str] = {}
    """By book number: the encoding that a person named for a text file."""
    paths: dict[int, str] = {}
    """By book number: the path of the source below the folder named, where it has one."""
    formats: dict[int, str] = {}
    """By book number: the format that a person named."""
    furniture: dict[int, str] = {}
    """By book number: what a person wanted done with running heads and feet."""
    run: RunRecord | None = None
    refused: tuple[RefusedRecord, ...] = ()
    books: dict[int, str] = {}
    """By number the source's file name of every book that was stored and not purged."""

    @property
    def recipe(self) -> Recipe:
        """The settings as a value."""
        return Recipe.from_dict(self.settings)

    def path_of(self, number: int, filename: str) -> str:
        """The path that distinguishes a book from others whose source has the same file name."""
        return self.paths.get(number, filename)

    @property
    def hidden_books(self) -> set[int]:
        """Books that were removed on request."""
        return {*self.removed_books, *self.purged_books}


class SourceRecord(msgspec.Struct, frozen=True):
    """Which bytes a book was made from."""

    filename: str
    size: int
    sha256: str
    media_type: str | None = None
    encoding: str | None = None

    @classmethod
    def of(cls, source: Source) -> "SourceRecord":
        """What a reader says of the bytes that it read."""
        return cls(source.name, source.size or 0, source.sha256, source.media_type, source.encoding)


class WarningRecord(msgspec.Struct, frozen=True):
    """Something skipped, guessed or recovered."""

    code: str
    message: str
    count: int = 1
    place: str | None = None

    @classmethod
    def of(cls, warning: SourceWarning) -> "WarningRecord":
        """A reader's warning as stored."""
        return cls(warning.code, warning.message, warning.count, warning.place)


class Manifest(msgspec.Struct, frozen=True):
    """``manifest.json``: the progress of one book."""

    format_version: int
    world_uuid: str
    book_number: int
    source: SourceRecord
    settings: dict[str, Any]
    text_sha256: str
    text_length: int
    text_bytes: int
    total_chunks: int
    completed_chunks: int = 0
    chunks_sha256: str = NO_CHUNKS
    chunk_bytes: int | None = None
    """The bytes of the completed chunk files; ``None`` if an earlier version wrote the book."""
    title: str | None = None
    authors: tuple[str, ...] = ()
    language: str | None = None
    warnings: tuple[WarningRecord, ...] = ()
    manifest_sha256: str | None = None
    """Only on the disk: the digest of all the other fields. Earlier versions wrote none."""

    @property
    def complete(self) -> bool:
        """Whether every chunk is counted as durable."""
        return self.completed_chunks == self.total_chunks


class StoredChunk(ChunkRecord, frozen=True, kw_only=True):
    """One chunk file: the chunk's record, what it was made from, and its own digest."""

    format_version: int
    world_uuid: str
    book_number: int
    source_sha256: str
    text_sha256: str
    settings_sha256: str
    splitter: str
    splitter_version: int
    total_chunks: int
    first_page: str | None
    last_page: str | None
    record_sha256: str


# --- encoding ------------------------------------------------------------------------------------


def encode(record: WorldRecord | Manifest) -> bytes:
    """A record as it is written: indented, since people open these two."""
    if isinstance(record, Manifest):
        record = msgspec.structs.replace(
            record, manifest_sha256=_manifest_digest(msgspec.json.encode(record))
        )
    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"


def _manifest_digest(data: bytes) -> str:
    """SHA-256 of a manifest as compact JSON with sorted fields, without the digest itself.

    Fields that a later version added are part of it, though this one does not know them.
    """
    fields = msgspec.json.decode(data)
    fields.pop("manifest_sha256", None)
    return hashlib.sha256(msgspec.json.encode(fields, order="sorted")).hexdigest()


class EncodedChunk(NamedTuple):
    """A chunk as the bytes of its file, and the same as a value."""

    data: bytes
    record: StoredChunk


class ChunkHeader:
    """What all chunk files of a book share, made once a book."""

    __slots__ = ("_book_number", "_shared")

    def __init__(self, manifest: Manifest) -> None:
        recipe = Recipe.from_dict(manifest.settings)
        self._book_number = manifest.book_number
        self._shared = {
            "format_version": FORMAT_VERSION,
            "world_uuid": manifest.world_uuid,
            "book_number": manifest.book_number,
            "source_filename": manifest.source.filename,
            "source_sha256": manifest.source.sha256,
            "text_sha256": manifest.text_sha256,
            "settings_sha256": recipe.digest,
            "splitter": recipe.splitter,
            "splitter_version": recipe.version,
            "total_chunks": manifest.total_chunks,
        }

    def encode(self, chunk: Chunk) -> EncodedChunk:
        """A chunk's file: the same bytes for the same book, text and settings."""
        pages = chunk.pages
        record = msgspec.structs.asdict(chunk.record()) | self._shared
        # Equal sources give equal ids, and ids must be unique in a world.
        record["chunk_id"] = f"{self._book_number:04d}-{chunk.id}"
        record["first_page"] = pages[0] if pages else None
        record["last_page"] = pages[-1] if pages else None
        body = msgspec.json.encode(record)
        digest = hashlib.sha256(body).hexdigest()
        data = body[:-1] + _TAIL % digest.encode()
        return EncodedChunk(data, StoredChunk(**record, record_sha256=digest))


def record_digest(data: bytes) -> str | None:
    """The digest at the end of a chunk file; ``None`` if it is not that of the bytes before it."""
    body, tail = data[:-_TAIL_LENGTH] + b"}", data[-_TAIL_LENGTH:]
    digest = hashlib.sha256(body).hexdigest()
    return digest if tail == _TAIL % digest.encode() else None


def chain(previous: str, digest: str) -> str:
    """The chain over the chunk files, with one more file."""
    return hashlib.sha256((previous + digest).encode()).hexdigest()


# --- decoding ------------------------------------------------------------------------------------

_chunk_decoder = msgspec.json.Decoder(StoredChunk)
_manifest_decoder = msgspec.json.Decoder(Manifest)
_world_decoder = msgspec.json.Decoder(WorldRecord)


class _Versioned(msgspec.Struct):
    format_version: int


_version_decoder = msgspec.json.Decoder(_Versioned)


def decode_world(data: bytes) -> WorldRecord:
    """``world.json`` as a value.

    Raises:
        FormatTooNewError: if a later version wrote it.
        WorldMalformedError: if it is not what it should be.
    """
    try:
        _check_version(data)
        record = _world_decoder.decode(data)
        _ = record.recipe
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError):
        raise WorldMalformedError(
            "world.json cannot be read, so nothing says which settings the world is locked to; "
            "restore it from a copy.",
            name="world.json",
        ) from None
    return record


def decode_manifest(data: bytes) -> Manifest:
    """``manifest.json`` as a value.

    Raises:
        Malformed: if it is not what it should be, or counts what cannot be.
        FormatTooNewError: if a later version wrote it.
    """
    try:
        _check_version(data)
        manifest = _manifest_decoder.decode(data)
        Recipe.from_dict(manifest.settings)
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise Malformed from error
    if not 0 <= manifest.completed_chunks <= manifest.total_chunks:
        raise Malformed
    if manifest.manifest_sha256 is None:  # of an earlier version
        return manifest
    if manifest.manifest_sha256 != _manifest_digest(data):
        raise Malformed
    return msgspec.structs.replace(manifest, manifest_sha256=None)


def decode_chunk(data: bytes) -> StoredChunk:
    """A chunk file as a value, if its digest is right.

    Raises:
        Malformed: if not.
    """
    if record_digest(data) is None:
        raise Malformed
    try:
        return _chunk_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed from error


def _check_version(data: bytes) -> None:
    version = _version_decoder.decode(data).format_version
    if version > FORMAT_VERSION:
        raise FormatTooNewError(
            f"The world is of format {version}, and this release reads up to {FORMAT_VERSION}; "
            "upgrade cleanbreak.",
            format_version=version,
        )


# --- manifests -----------------------------------------------------------------------------------


def load_manifest(book: Book) -> Manifest | None:
    """The manifest of a book; ``None`` where there is none yet.

    Raises:
        Malformed: if it is not what it should be, or it is gone while chunks are there.
        FormatTooNewError: if a later version wrote it.
        WriteFailedError: if the disk fails, which says nothing about the file.
    """
    try:
        return decode_manifest(_read(book.manifest))
    except FileNotFoundError:
        if book.chunk_numbers():
            raise Malformed from None
        return None
    except IsADirectoryError as error:
        raise Malformed from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise
    except NotADirectoryError:
        raise FileNotFoundError from None
    except OSError as error:
        raise unreadable(error, path) from None


def manifest_or_none(book: Book) -> Manifest | None:
    """The manifest of a book; ``None`` where there is none that can be read."""
    try:
        return load_manifest(book)
    except Malformed:
        return None


def new_manifest(
    world_uuid: str,
    book_number: int,
    source: SourceRecord,
    document: Document,
    recipe: Recipe,
    *,
    text_sha256: str,
    total_chunks: int,
) -> Manifest:
    """The manifest of a book none of whose chunks is counted yet."""
    text, metadata = document.text, document.metadata
    return Manifest(
        format_version=FORMAT_VERSION,
        world_uuid=world_uuid,
        book_number=book_number,
        source=source,
        settings=recipe.as_dict(),
        text_sha256=text_sha256,
        text_length=len(text),
        text_bytes=len(text) if text.isascii() else len(text.encode()),
        total_chunks=total_chunks,
        chunk_bytes=0,
        title=metadata.title,
        authors=metadata.authors,
        language=metadata.language,
        warnings=tuple(map(WarningRecord.of, document.warnings)),
    )
