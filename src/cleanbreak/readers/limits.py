"""How much one file may ask of the machine before reading it is given up."""

from dataclasses import dataclass

from cleanbreak.core.checks import whole_number

MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of reading one file; over any of them is `SourceLimitError`.

    Sizes are bytes. The ratio is applied only past `ratio_floor`: short chapters of one repeated
    letter compress a thousandfold in honest books.

    Raises:
        SettingsError: if a limit is not a whole number within its bounds.
    """

    max_bytes: int = 1024 * MIB
    """Size of the file."""
    max_inflated_bytes: int = 512 * MIB
    """Inflated size of all that is read from an archive, counted while inflating."""
    max_inflate_ratio: int = 200
    """Inflated size of one entry over its packed size. Deflate ends at 1,032; text is under 20."""
    ratio_floor_bytes: int = 16 * MIB
    """Entries that inflate to less than this are not judged by their ratio."""
    max_entries: int = 20_000
    """Entries in an archive."""
    max_seconds: int = 30
    """Time to read a PDF or an EPUB, which are read in a child process."""
    max_memory_bytes: int = 1024 * MIB
    """Memory that reading a PDF or an EPUB may add to the child process."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            whole_number(name, getattr(self, name), minimum=1, maximum=1 << 40)


DEFAULT_LIMITS = Limits()
