"""Real vaults: the one of the specification, with its figures, and six public ones."""

import pytest

from cleanbreak.stores.fulltext import Index
from cleanbreak.vaults import Vault


def test_the_vault_of_the_specification(shared, tmp_path):
    """Its figures, exactly."""
    with Vault.index(shared / "corpus/md-vault12", db=tmp_path / "index.sqlite") as vault:
        stats = vault.stats()
    assert (stats.notes, stats.links, stats.wikilinks, stats.markdown_links) == (12, 119, 115, 4)
    assert (stats.tags, stats.distinct_tags, stats.note_tags) == (12, 30, 36)
    assert (stats.chunks, stats.chunks_with_heading) == (87, 75)
    assert stats.average_chunk_bytes == 149.7
    assert (stats.smallest_chunk_bytes, stats.largest_chunk_bytes) == (12, 322)


@pytest.mark.slow
def test_public_vaults_are_covered_to_the_last_byte(shared, tmp_path):
    """Chunks joined are the file, byte offsets are the file's, and the full text is in step."""
    folder = shared / "corpus/md"
    place = tmp_path / "index.sqlite"
    with Vault.index(folder, db=place) as vault:
        assert not [problem for problem in vault.report.problems if problem.is_error]
        notes = vault.notes()
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md")) == notes
    with Index.open(place, readonly=True) as index:
        connection = index.connection
        for note in notes:
            content = (folder / note).read_bytes()
            rows = connection.execute(
                "SELECT chunk_text, byte_offset, byte_length FROM chunks JOIN sources"
                " ON sources.id = source_id WHERE source_key = ? ORDER BY chunk_number",
                (note,),
            ).fetchall()
            joined = b"".join(text.encode() for text, _, _ in rows)
            assert joined == (content if content.strip() else b""), note
            assert all(content[at : at + size] == text.encode() for text, at, size in rows), note
        count = "SELECT count(*) FROM "
        written = connection.execute(count + "fts_chunks_docsize").fetchone()
        assert written == connection.execute(count + "chunks").fetchone()
    with Index.open(place) as index:
        index.check()
