"""The licence that Project Gutenberg puts before and after a book."""

import re

from cleanbreak.core.document import Section, Span

_NAME = "PROJECT GUTENBERG"
# Where it stands at the start of a file: no further in than this.
_WITHIN = 40_000
_START = re.compile(
    r"^(?:\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG E(?:BOOK|TEXT)[^*]{0,300}\*\*\*.*"
    r"|\*END\*? ?THE SMALL PRINT!.*)(?:\r\n?|\n)",
    re.MULTILINE,
)
_END = re.compile(
    r"^(?:\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG E(?:BOOK|TEXT)"
    r"|End of (?:the |this )?Project Gutenberg(?:'s|’s)? )",
    re.MULTILINE | re.IGNORECASE,
)


def licence(text: str) -> tuple[Section, ...]:
    """The stretches of `text` before and after the book; empty for any other text."""
    if _NAME not in text[:_WITHIN].upper():
        return ()
    starts = list(_START.finditer(text, 0, _WITHIN))
    if not starts:
        return ()
    first = starts[-1].end()
    end = _END.search(text, max(first, len(text) - _WITHIN))
    after = [_section(end.start(), len(text))] if end else []
    return (_section(0, first), *after)


def _section(start: int, end: int) -> Section:
    return Section("licence", "Project Gutenberg", 1, Span(start, end))
