"""Reading and making manifests."""

from cleanbreak.core.document import Document
from cleanbreak.core.fingerprint import text_digest
from cleanbreak.core.recipe import Recipe
from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import (
    FORMAT_VERSION,
    Malformed,
    Manifest,
    SourceRecord,
    WarningRecord,
    decode_manifest,
)


def load(book: Book) -> Manifest | None:
    """The manifest of a book; ``None`` where there is none yet.

    Raises:
        Malformed: if there is one that cannot be read, or it is gone while chunks are there.
    """
    try:
        return decode_manifest(book.manifest.read_bytes())
    except FileNotFoundError:
        if book.chunk_numbers():
            raise Malformed from None
        return None
    except OSError as error:
        raise Malformed from error


def load_or_none(book: Book) -> Manifest | None:
    """The manifest of a book; ``None`` where there is none that can be read."""
    try:
        return load(book)
    except Malformed:
        return None


def fresh(
    world_uuid: str,
    book_number: int,
    source: SourceRecord,
    document: Document,
    recipe: Recipe,
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
        text_sha256=text_digest(text),
        text_length=len(text),
        text_bytes=len(text) if text.isascii() else len(text.encode()),
        total_chunks=total_chunks,
        title=metadata.title,
        authors=metadata.authors,
        language=metadata.language,
        warnings=tuple(map(WarningRecord.of, document.warnings)),
    )
