"""What one run over a vault leaves for the next: states of notes, problems, settings."""

from collections.abc import Iterable

from cleanbreak.stores.fulltext.index import Index
from cleanbreak.stores.fulltext.rows import NoteState, ProblemRow


class NoteStates:
    """States of notes, problems and settings in the file of an index. Errors are those of `Index`."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._execute = index.connection.execute
        self._executemany = index.connection.executemany

    # --- changing --------------------------------------------------------------------------------

    def complete(self, settings: str) -> None:
        """Note that a run over the whole vault has ended, and its settings, as JSON."""
        with self._index.transaction():
            self._execute("INSERT OR REPLACE INTO completed VALUES (1, ?)", (settings,))

    def replace_problems(
        self, path: str, problems: Iterable[ProblemRow], refused: NoteState | None = None
    ) -> None:
        """Put the problems of a file in the place of those held of it.

        `refused` is the state of a file that could not be indexed.
        """
        stamp = (None, None, None) if refused is None else refused[1:]
        with self._index.transaction():
            self._execute("DELETE FROM problems WHERE path = ? AND NOT is_of_scan", (path,))
            self._insert(problems, is_of_scan=False, stamp=stamp)

    def replace_scan_problems(self, problems: Iterable[ProblemRow]) -> None:
        """Put what was wrong when the folders were listed in the place of what is held."""
        with self._index.transaction():
            self._execute("DELETE FROM problems WHERE is_of_scan")
            self._insert(problems, is_of_scan=True, stamp=(None, None, None))

    def _insert(
        self, problems: Iterable[ProblemRow], *, is_of_scan: bool, stamp: tuple[object, ...]
    ) -> None:
        self._executemany(
            "INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (one.path, number, one.code, one.message, one.is_error, is_of_scan, *stamp)
                for number, one in enumerate(problems, 1)
            ),
        )

    # --- asking ----------------------------------------------------------------------------------

    def settings(self) -> str | None:
        """The settings of the last run; ``None`` if none has ended: the index is then that of no vault."""
        with self._index.reading():
            row = self._execute("SELECT settings FROM completed").fetchone()
            return None if row is None else str(row[0])

    def states(self) -> dict[str, NoteState]:
        """What is held of each note and canvas."""
        with self._index.reading():
            rows = self._execute("SELECT source_key, digest, size, mtime_ns, recipe FROM sources")
            return {key: NoteState(*state) for key, *state in rows}

    def refused(self) -> dict[str, NoteState]:
        """The files that could not be indexed, as they were then."""
        with self._index.reading():
            rows = self._execute(
                "SELECT path, size, mtime_ns, recipe FROM problems WHERE size IS NOT NULL"
            )
            return {path: NoteState("", *state) for path, *state in rows}

    def problems(self, *, of_scan: bool | None = None) -> list[ProblemRow]:
        """The problems that hold, in the order of their paths; those of the scan alone, or without."""
        with self._index.reading():
            rows = self._execute(
                "SELECT path, code, message, is_error FROM problems"
                " WHERE ?1 IS NULL OR is_of_scan = ?1 ORDER BY path, is_of_scan, number",
                (of_scan,),
            )
            return [
                ProblemRow(path, code, message, bool(is_error))
                for path, code, message, is_error in rows
            ]

    def holds_bytes(self, source_key: str, number: int, data: bytes) -> bool:
        """Whether a stored chunk stands at its place in the bytes of its file."""
        with self._index.reading():
            row = self._execute(
                "SELECT byte_offset, byte_length, chunk_text FROM chunks WHERE chunk_number = ?"
                " AND source_id = (SELECT id FROM sources WHERE source_key = ?)",
                (number, source_key),
            ).fetchone()
            if row is None:
                return False
            start, length, text = row
            return bool(data[start : start + length] == str(text).encode("utf-8", "replace"))
