"""Which pages, chapters and headings a chunk lies in, found in one sweep over the sections."""

from collections.abc import Sequence

from cleanbreak.core.chunk import Heading, HeadingPath
from cleanbreak.core.document import Section


class SectionSweep:
    """Answers for chunks that come in order; every section is looked at twice, not once a chunk."""

    __slots__ = ("_next", "_open", "_sections")

    def __init__(self, sections: Sequence[Section]) -> None:
        # Outer before inner where two start together.
        self._sections = sorted(sections, key=lambda s: (s.span.start, -s.span.end, s.level))
        self._open: list[Section] = []
        self._next = 0

    def move_to(self, start: int, end: int) -> None:
        """Keep the sections that touch [`start`, `end`), which must not go backwards."""
        self._open = [section for section in self._open if section.span.end > start]
        while self._next < len(self._sections):
            section = self._sections[self._next]
            if section.span.start >= end:
                break
            if section.span.end > start:
                self._open.append(section)
            self._next += 1

    def pages_and_chapters(self) -> tuple[Section, ...]:
        """The pages and chapters touched, in order."""
        return tuple(section for section in self._open if section.kind != "heading")

    def heading_path(self, start: int) -> HeadingPath | None:
        """The headings above `start`; ``None`` before the first."""
        path = HeadingPath(
            Heading(section.level, section.title)
            for section in self._open
            if section.kind == "heading" and section.span.start <= start
        )
        return path or None
