"""Which pages, chapters and headings a chunk lies in, found in one sweep over the sections."""

from collections.abc import Sequence

from cleanbreak.core.chunk import Heading, HeadingPath
from cleanbreak.core.document import Section


class SectionSweep:
    """Answers for chunks that come in order; every section is looked at twice, not once a chunk."""

    __slots__ = ("_headings", "_path", "_path_of", "_places")

    def __init__(self, sections: Sequence[Section]) -> None:
        # Outer before inner where two start together.
        ordered = sorted(sections, key=lambda s: (s.span.start, -s.span.end, s.level))
        self._headings = _Open([section for section in ordered if section.kind == "heading"])
        self._places = _Open([section for section in ordered if section.kind != "heading"])
        self._path_of: Sequence[Section] = ()
        self._path: HeadingPath | None = None

    def heading_path(self, start: int) -> HeadingPath | None:
        """The headings above `start`; ``None`` before the first."""
        open_headings = self._headings.touching(start, start + 1)
        if open_headings is not self._path_of:
            path = [Heading(heading.level, heading.title) for heading in open_headings]
            self._path = HeadingPath(path) if path else None
            self._path_of = open_headings
        return self._path

    def pages_and_chapters(self, start: int, end: int) -> tuple[Section, ...]:
        """The pages and chapters that touch [`start`, `end`), in order."""
        return self._places.touching(start, end)


class _Open:
    """The sections that touch a stretch; the stretches must not go backwards."""

    __slots__ = ("_first_end", "_next", "_next_start", "_open", "_sections")

    def __init__(self, sections: list[Section]) -> None:
        self._sections = sections
        self._open: tuple[Section, ...] = ()
        self._next = 0
        self._next_start = sections[0].span.start if sections else _NEVER
        self._first_end = _NEVER

    def touching(self, start: int, end: int) -> tuple[Section, ...]:
        """Those that touch [`start`, `end`); the same tuple as long as they are the same."""
        if end > self._next_start or start >= self._first_end:
            self._move(start, end)
        return self._open

    def _move(self, start: int, end: int) -> None:
        still = [section for section in self._open if section.span.end > start]
        sections, index = self._sections, self._next
        while index < len(sections) and sections[index].span.start < end:
            if sections[index].span.end > start:
                still.append(sections[index])
            index += 1
        self._open, self._next = tuple(still), index
        self._next_start = sections[index].span.start if index < len(sections) else _NEVER
        self._first_end = min([section.span.end for section in still], default=_NEVER)


_NEVER = 1 << 62
