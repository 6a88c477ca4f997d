"""The fields of a chunk's record are listed in one place; the pages of the formats name them all."""

import re
from pathlib import Path

import pytest

from cleanbreak.core.chunk import ChunkRecord
from cleanbreak.export.row import ExportRow
from cleanbreak.stores.fulltext.schema import CHUNK_COLUMNS
from cleanbreak.worlds.records import StoredChunk

PROJECT = Path(__file__).parents[2]
SOURCES = PROJECT / "src" / "cleanbreak"

# Where `byte_length` may be spelt. A file that lists the fields of a record again is not one.
BYTE_LENGTH = {
    "core/chunk.py": "the list, and the conversion from a chunk",
    "worlds/stages/chunk_checks.py": "checks the value",
    "stores/fulltext/note_graph.py": "sums the values up",
    "stores/fulltext/note_states.py": "compares a chunk with the bytes of its file",
    "cli/vault_views.py": "prints the value",
    "vaults/update.py": "an empty note has a chunk of no bytes",
}


def test_a_field_is_spelt_where_records_are_made_and_nowhere_else():
    """A new field is then one edit: `ChunkRecord` and `Chunk.record` stand in one file."""
    found = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if re.search(r"\bbyte_length\b", path.read_text(encoding="utf-8"))
    }
    assert found <= BYTE_LENGTH.keys()
    chunk = (SOURCES / "core" / "chunk.py").read_text(encoding="utf-8")
    assert len(re.findall(r"^ +byte_length\b", chunk, re.MULTILINE)) == 2


@pytest.mark.parametrize("derived", [StoredChunk, ExportRow])
def test_other_records_begin_with_the_fields_of_the_list(derived):
    """They add their own and repeat none."""
    fields = ChunkRecord.__struct_fields__
    assert derived.__struct_fields__[: len(fields)] == fields
    assert set(fields).isdisjoint(derived.__annotations__)


def test_the_index_has_a_column_for_every_field():
    """The file name is a column of the source."""
    assert set(ChunkRecord.__struct_fields__) - {"source_filename"} <= set(CHUNK_COLUMNS)


@pytest.mark.parametrize(
    ("page", "fields"),
    [
        ("world-format.md", StoredChunk.__struct_fields__),
        ("index-format.md", ChunkRecord.__struct_fields__),
        ("export-format.md", ExportRow.__struct_fields__),
    ],
)
def test_the_page_of_a_format_names_every_field(page, fields):
    """A field that is added is explained."""
    text = (PROJECT / "docs" / page).read_text(encoding="utf-8")
    assert [field for field in fields if f"`{field}`" not in text] == []
