"""A chunk as plain data, under the field names that stored records use."""

from typing import Any

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Section


def chunk_record(chunk: Chunk) -> dict[str, Any]:
    """The chunk's fields for JSON, in the order a person reads them.

    Character offsets count code points and byte offsets UTF-8 bytes of the document's text.
    """
    return {
        "chunk_number": chunk.number,
        "chunk_id": chunk.id,
        "chunk_text": chunk.text,
        "overlap_text": chunk.overlap_text,
        "character_start_offset": chunk.start,
        "character_end_offset": chunk.end,
        "byte_offset": chunk.byte_start,
        "byte_length": chunk.byte_end - chunk.byte_start,
        "token_count": chunk.token_count,
        "heading_path": None if chunk.heading_path is None else str(chunk.heading_path),
        "sections": [section_record(section) for section in chunk.sections],
        "oversize": chunk.oversize,
    }


def named_record(source_filename: str, chunk: Chunk) -> dict[str, Any]:
    """The same after the name of the file it was cut from, for chunks of many files together."""
    return {"source_filename": source_filename, **chunk_record(chunk)}


def section_record(section: Section) -> dict[str, Any]:
    """A page or chapter as plain data."""
    return {
        "kind": section.kind,
        "title": section.title,
        "level": section.level,
        "character_start_offset": section.span.start,
        "character_end_offset": section.span.end,
    }
