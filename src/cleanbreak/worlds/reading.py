"""How the books of a world are read, where a person asked for more than a reader finds out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cleanbreak.core.document import Document
from cleanbreak.worlds.records import WorldRecord


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person asked for; ``None`` is left to the reader. The fields are arguments of `read`."""

    encoding: str | None = None
    as_format: str | None = None
    furniture: str | None = None

    def check(self) -> None:
        """Refuse what no file can be read with.

        Raises:
            SettingsError: for an encoding, a format or a word for furniture that does not exist.
        """
        from cleanbreak.readers import check_options

        check_options(self.encoding, self.as_format, self.furniture or "drop")

    def read(self, path: Path) -> Document:
        """The document of a file. Raises as `cleanbreak.read` does."""
        from cleanbreak.readers import read

        return read(
            path,
            encoding=self.encoding,
            as_format=self.as_format,
            furniture=self.furniture or "drop",
        )

    def changed(self, asked: "Reading") -> "Reading":
        """This one, with what `asked` names in its place."""
        return Reading(
            asked.encoding or self.encoding,
            asked.as_format or self.as_format,
            asked.furniture or self.furniture,
        )


def how_read(record: WorldRecord, number: int) -> Reading:
    """How a book is read."""
    return Reading(
        record.encodings.get(number), record.formats.get(number), record.furniture.get(number)
    )


def with_readings(
    record: WorldRecord, readings: Mapping[int, Reading]
) -> dict[str, dict[int, str]]:
    """The fields of ``world.json`` that change if books are read so; other books stay as they are."""
    return {
        "encodings": _merged(record.encodings, {n: how.encoding for n, how in readings.items()}),
        "formats": _merged(record.formats, {n: how.as_format for n, how in readings.items()}),
        "furniture": _merged(record.furniture, {n: how.furniture for n, how in readings.items()}),
    }


def _merged(stored: Mapping[int, str], asked: Mapping[int, str | None]) -> dict[int, str]:
    return {number: word for number, word in {**stored, **asked}.items() if word is not None}
