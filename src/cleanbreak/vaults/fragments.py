"""Links to a part of a note that is not there: a heading or a block that was renamed or removed."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from cleanbreak.core.document import Span
from cleanbreak.core.markdown.parser import headings
from cleanbreak.stores.fulltext.folding import fold
from cleanbreak.stores.fulltext.rows import StoredLink
from cleanbreak.vaults.scan import Problem

# The end of a block: ``^id``, after white space or on a line of its own.
_BLOCK = re.compile(r"(?:^|\s)\^([\w-]+)[ \t]*\r?$", re.MULTILINE)
# An anchor of HTML, or an id that Hugo and others take: ``## Heading {#id}``.
_ANCHOR = re.compile(r"""(?:\b(?:id|name)\s*=\s*["']?|\{#)([^\s"'>}]+)""")
# Links drop signs, and other programs write ``some-heading`` for "Some heading".
_NO_SIGN = re.compile(r"[\W_]+")
# What distinguishes headings of one name where links have hyphens.
_COUNTED = re.compile(r"-\d+\Z")


def broken_fragments(
    links: Iterable[StoredLink], text_of: Callable[[str], str | None]
) -> Iterator[Problem]:
    """A warning for each link whose heading or block the note that it leads to does not have.

    ``[[Note#A#B]]`` leads to the last heading. `text_of` gives the text of a note, and ``None`` for
    other files, of which no part is known.
    """
    into: dict[str, list[StoredLink]] = defaultdict(list)
    for one in links:
        if one.link.fragment and one.target_key:
            into[one.target_key].append(one)
    for path, ones in into.items():
        text = text_of(path)
        if text is None:
            continue
        parts = _Parts(text)
        for one in ones:
            if not parts.has(one.link.fragment or ""):
                yield _problem(one, path)


def section_of(text: str, fragment: str) -> Span | None:
    """Where the section of a heading lies, or the line that a block ends with; `None` if it is not there."""
    wanted = fragment.rpartition("#")[2]
    if wanted.startswith("^"):
        for match in _BLOCK.finditer(text):
            if fold(match[1]) == fold(wanted[1:]):
                return Span(text.rfind("\n", 0, match.start() + 1) + 1, match.end())
        return None
    for section in headings(text):
        if _key(section.title) == _key(wanted):
            return section.span
    return None


class _Parts:
    """The headings and blocks of a note."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks: set[str] | None = None
        self._headings: set[str] | None = None

    def has(self, fragment: str) -> bool:
        """Whether a link's fragment names one of them."""
        wanted = fragment.rpartition("#")[2].strip()
        if wanted.startswith("^"):
            if self._blocks is None:
                self._blocks = {fold(found) for found in _BLOCK.findall(self._text)}
            return fold(wanted[1:]) in self._blocks
        if self._headings is None:
            titles = [section.title for section in headings(self._text)]
            self._headings = {*map(_key, titles), *map(_key, _ANCHOR.findall(self._text))}
        key = _key(wanted)
        # A heading of signs alone has no key to compare.
        return not key or key in self._headings or _key(_COUNTED.sub("", wanted)) in self._headings


def _key(title: str) -> str:
    return _NO_SIGN.sub("", fold(title))


def _problem(found: StoredLink, path: str) -> Problem:
    link = found.link
    fragment = link.fragment or ""
    what = "block" if fragment.rpartition("#")[2].startswith("^") else "heading"
    where = "this note" if path == found.source_key else repr(path)
    message = f"Line {link.line} links to the {what} {fragment!r}, which {where} does not have."
    return Problem(found.source_key, "FRAGMENT_MISSING", message, is_error=False)
