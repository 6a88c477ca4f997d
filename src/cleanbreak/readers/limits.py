"""What reading one file may cost."""

from dataclasses import dataclass

from cleanbreak.core.checks import whole_number

MIB = 1 << 20

# Seconds, 48 days: timers of some systems take little more.
_LONGEST_TIMER = 1 << 22
# Times the processor time allowed: a machine that is shared with other work takes as long for it.
_WALL = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of reading one file; exceeding one is `SourceLimitError`.

    Sizes are bytes. The ratio is checked only above `ratio_floor_bytes`: in honest books too, short
    chapters of one repeated letter compress a thousandfold.

    Raises:
        SettingsError: if a limit is not a whole number within its bounds.
    """

    max_bytes: int = 1024 * MIB
    """Size of the file."""
    max_inflated_bytes: int = 512 * MIB
    """Inflated size of all that is read from an archive, counted while inflating."""
    max_inflate_ratio: int = 200
    """Inflated size of one entry divided by its packed size. Deflate reaches 1,032; text, 20."""
    ratio_floor_bytes: int = 16 * MIB
    """The ratio of entries that inflate to less than this is not checked."""
    max_entries: int = 20_000
    """Entries in an archive."""
    max_seconds: int = 30
    """Processor time to read a file in a child process; ten times as long by the clock is a limit too.
    A PDF gets as much again for every 1,000 pages."""
    max_memory_bytes: int = 1024 * MIB
    """Memory that reading a file may add to its child process."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            whole_number(name, getattr(self, name), minimum=1, maximum=1 << 40)

    @property
    def processor_seconds(self) -> int:
        """``max_seconds``, as far as a timer can be set."""
        return min(self.max_seconds, _LONGEST_TIMER)

    @property
    def wall_seconds(self) -> int:
        """How long reading may take by the clock, however busy the machine is."""
        return min(self.max_seconds * _WALL, _LONGEST_TIMER)


DEFAULT_LIMITS = Limits()
