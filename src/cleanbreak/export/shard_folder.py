"""A folder of shards: files of whole sources, each with a record that says what is in it.

The record of a file, written after it, is what makes it part of the folder. A crash leaves at most
one file without a record, which the next run removes; so a source is in the folder once or not at
all. Names that start with ``_`` are left out by readers of data sets (Arrow, Spark, DuckDB).
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import FormatTooNewError, StateConflictError, WriteFailedError
from cleanbreak.export.places import Place, place_at

VERSION = 1
SUMMARY = "_summary.json"
_SETTINGS = "_cleanbreak/settings.json"
_RECORDS = "_cleanbreak/"


class SourceLine(msgspec.Struct, frozen=True):
    """A source of a shard. ``duplicate_of`` is the path of an earlier one with equal text."""

    path: str
    sha256: str | None
    text_digest: str
    chunks: int
    duplicate_of: str | None = None
    warnings: tuple[str, ...] = ()


class PartRecord(msgspec.Struct, frozen=True):
    """What a file of the folder holds: whole sources, in order."""

    file: str
    rows: int
    sources: tuple[SourceLine, ...]


class _Settings(msgspec.Struct, frozen=True):
    version: int
    file_format: str
    recipe: str
    reading: dict[str, Any]


class ShardFolder:
    """The files and records of one folder, local or of a file system of fsspec.

    Args:
        output: the folder, which is made if it is missing.
        recipe: how its sources are cut; a folder holds sources of one recipe.
        file_format: ``jsonl`` or ``parquet``.
        suffix: of its files.
        reading: how its sources are read.
        overwrite: remove what the folder holds of another recipe or format, and start again.

    Raises:
        StateConflictError: if it holds shards of another recipe or format.
        WriteFailedError: if it holds anything else, or cannot be written.
        FormatTooNewError: if a later version of cleanbreak wrote it.
    """

    def __init__(
        self,
        output: str | os.PathLike[str],
        recipe: Recipe,
        file_format: str,
        suffix: str,
        reading: Mapping[str, Any],
        *,
        overwrite: bool = False,
    ) -> None:
        self._place: Place = place_at(output)
        self._suffix = suffix
        wanted = _Settings(VERSION, file_format, recipe.digest, dict(reading))
        found = self._found_settings()
        self.parts: dict[int, PartRecord] = {}
        if found is None:
            self._check_empty()
        elif found == wanted:
            self.parts = dict(self._records())
        elif overwrite:
            self._remove_all()
        else:
            raise StateConflictError(
                f"{self.name!r} holds chunks that were cut, read or stored with other settings; choose "
                "another folder, or start it again (--overwrite).",
                name=self.name,
            )
        self._place.write(_SETTINGS, msgspec.json.encode(wanted))
        self._remove_unfinished()

    @property
    def name(self) -> str:
        """The folder's name."""
        return self._place.name

    def sources(self) -> dict[str, tuple[int, SourceLine]]:
        """By path every source that the folder holds, with the number of its file."""
        return {
            line.path: (number, line)
            for number, part in self.parts.items()
            for line in part.sources
        }

    def forget(self, numbers: Iterable[int]) -> None:
        """Remove files of the folder, the record first: without it the file is unfinished."""
        for number in numbers:
            part = self.parts.pop(number)
            self._place.remove(_record_name(number))
            self._place.remove(part.file)

    def new_file(self) -> Path:
        """Where the next file is to be written before it is committed."""
        return self._place.temporary()

    def commit(self, temporary: Path, rows: int, sources: Iterable[SourceLine]) -> PartRecord:
        """Make a file that was written part of the folder; durable when this returns."""
        number = max(self.parts, default=0) + 1
        part = PartRecord(f"part-{number:05d}{self._suffix}", rows, tuple(sources))
        self._place.put(temporary, part.file)
        self._place.write(_record_name(number), msgspec.json.encode(part))
        self.parts[number] = part
        return part

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Write `SUMMARY`, for people and programs."""
        self._place.write(SUMMARY, msgspec.json.format(msgspec.json.encode(summary), indent=2))

    def _found_settings(self) -> _Settings | None:
        data = self._place.read(_SETTINGS)
        if data is None:
            return None
        try:
            found = msgspec.json.decode(data, type=_Settings)
        except msgspec.MsgspecError:
            raise self._malformed(_SETTINGS) from None
        if found.version > VERSION:
            raise FormatTooNewError(
                f"{self.name!r} was written by a later version of cleanbreak; install that version, or "
                "choose another folder.",
                name=self.name,
            )
        return found

    def _records(self) -> Iterator[tuple[int, PartRecord]]:
        for name in sorted(self._place.names(_RECORDS)):
            if name.startswith("part-"):
                data = self._place.read(f"{_RECORDS}{name}")
                try:
                    record = msgspec.json.decode(data or b"", type=PartRecord)
                except msgspec.MsgspecError:
                    raise self._malformed(name) from None
                yield int(name[len("part-") : -len(".json")]), record

    def _malformed(self, name: str) -> WriteFailedError:
        return WriteFailedError(
            f"The record {name.rpartition('/')[2]!r} of {self.name!r} is damaged; choose another folder, or "
            "remove this one and run again.",
            name=self.name,
        )

    def _check_empty(self) -> None:
        if any(not name.startswith(".") for name in self._place.names("")):
            raise WriteFailedError(
                f"{self.name!r} holds files that cleanbreak did not write; name a new or empty folder.",
                name=self.name,
            )

    def _remove_unfinished(self) -> None:
        whole = {part.file for part in self.parts.values()}
        for name in self._place.names(""):
            if name.startswith("part-") and name not in whole:
                self._place.remove(name)
        self._place.remove_temporary()

    def _remove_all(self) -> None:
        self.parts = dict(self._records())
        self.forget(list(self.parts))
        self._place.remove(SUMMARY)


def _record_name(number: int) -> str:
    return f"{_RECORDS}part-{number:05d}.json"
