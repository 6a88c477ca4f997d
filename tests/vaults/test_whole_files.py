"""Notes of every odd kind are stored to the last byte, and the full text is in step."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cleanbreak.core.text.characters import is_blank
from cleanbreak.stores.fulltext import Index
from cleanbreak.vaults import Vault
from notes import write_notes
from strategies import notes as markdown

ODD = {
    "bom.md": "\ufeff# Title\n\nText with a byte order mark.\n",
    "crlf.md": "---\r\ntags: [a]\r\n---\r\n# Title\r\n\r\nOne.\r\nTwo.\r\n",
    "cr.md": "# Old\r\rA line.\rAnother.\r",
    "controls.md": "# Bell\x07\n\nA null \x00 and a form feed \x0c.\n",
    "clusters.md": "# 👩‍👩‍👧 e\u0301\n\n" + "🇫🇷 नि กำ " * 200,
    "fences.md": "# Code\n\n```py\n" + "x = 1\n\n" * 200 + "```\n",
    "table.md": "| a | b |\n|---|---|\n" + "| one | two |\n" * 200,
    "line.md": "word " * 5000,
    "headings.md": "# A\n## B\n### C\n",
    "no end.md": "No newline at the end",
    "deep/er/note.md": "[[bom]] [x](../../crlf.md)\n",
    "empty.md": "",
    "blank.md": " \n\t\n",
}


def chunks_of(index: Index, note: str) -> list[tuple[str, int, int]]:
    return index.connection.execute(
        "SELECT chunk_text, byte_offset, byte_length FROM chunks JOIN sources"
        " ON sources.id = source_id WHERE source_key = ? ORDER BY chunk_number",
        (note,),
    ).fetchall()


def check_whole(folder, names) -> None:
    """Chunks joined are the file, byte offsets are the file's; every chunk is in the full text."""
    with Index.open(folder / ".cleanbreak/index.sqlite") as index:
        for name in names:
            content = (folder / name).read_bytes()
            rows = chunks_of(index, name)
            joined = b"".join(text.encode() for text, _, _ in rows)
            # A note that shows nothing has no text to store.
            assert joined == (b"" if is_blank(content.decode()) else content), name
            assert all(content[at : at + size] == text.encode() for text, at, size in rows), name
        index.check()
        in_full_text, in_chunks = (
            index.connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            for table in ("fts_chunks_docsize", "chunks")
        )
        assert in_full_text == in_chunks


@pytest.mark.parametrize("size", [40, 1000])
def test_odd_notes_are_stored_whole(tmp_path, size):
    """Byte order marks, line ends, controls, clusters, fences, tables, blank and empty notes."""
    folder = write_notes(tmp_path / "vault", ODD)
    with Vault.index(folder, chunk_size=size, overlap_size=10) as vault:
        assert not [problem for problem in vault.report.problems if problem.is_error]
        assert vault.notes() == sorted(ODD)
        assert vault.stats().chunks > len(ODD)
    check_whole(folder, ODD)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(markdown, min_size=1, max_size=4))
def test_any_notes_are_stored_whole(tmp_path_factory, texts):
    """Pieces of Markdown in any order."""
    names = [f"{number}.md" for number in range(len(texts))]
    folder = write_notes(tmp_path_factory.mktemp("vault"), dict(zip(names, texts, strict=True)))
    with Vault.index(folder, chunk_size=60, overlap_size=10) as vault:
        assert vault.notes() == names
    check_whole(folder, names)
