"""``embeddings.json``: how far the vectors of one book are (docs/world-format.md).

It holds counts, and only the chunks that failed: the store itself proves which vectors are there.
So it stays small, and to lose it costs no call of a model.
"""

import msgspec

from cleanbreak.providers.embedding.profile import EmbeddingProfile
from cleanbreak.storage.files import unreadable
from cleanbreak.worlds.layout import Book

FORMAT_VERSION = 1


class FailedChunk(msgspec.Struct, frozen=True):
    """A chunk without a vector, and why; tried again by the next run."""

    chunk_number: int
    last_error_code: str
    retry_count: int = 1


class EmbeddingRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The progress of a book under one profile, for the chunks that ``chunks_sha256`` stands for."""

    format_version: int = FORMAT_VERSION
    world_uuid: str
    book_number: int
    source_filename: str
    ingestion_run_id: str | None
    profile: EmbeddingProfile
    chunks_sha256: str
    total_chunks: int
    embedded_chunks: int = 0
    skipped_blank_chunks: int = 0
    points: int = 0
    failed: tuple[FailedChunk, ...] = ()
    answered_by: str | None = None
    """What the provider called the model that made the last vectors, where it says so."""

    @property
    def done(self) -> int:
        """The chunks that need nothing more."""
        return self.embedded_chunks + self.skipped_blank_chunks


def load_record(book: Book) -> EmbeddingRecord | None:
    """The record of a book; ``None`` where there is none that can be read, which costs nothing.

    Raises:
        WriteFailedError: if the disk fails, which says nothing about the file.
    """
    path = book.folder / "embeddings.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=EmbeddingRecord)
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, msgspec.MsgspecError):
        return None
    except OSError as error:
        raise unreadable(error, path) from None


def encode_record(record: EmbeddingRecord) -> bytes:
    """The record as it is written: indented, since people open it."""
    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"
