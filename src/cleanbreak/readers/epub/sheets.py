"""The style sheets that chapters name."""

import re
from functools import cache

from cleanbreak.readers.archive import Archive, Damaged, resolve
from cleanbreak.readers.html.styles import PLAIN, Styles, read_styles

_HEAD = re.compile(rb"<head\b.*?</head", re.DOTALL | re.IGNORECASE)
_HEAD_WITHIN = 1 << 16
_LINK = re.compile(rb"<link\b[^<>]*?\bhref\s*=\s*[\"']([^\"'<>]+)[\"'][^<>]*>", re.IGNORECASE)
_STYLE = re.compile(rb"<style\b[^>]*>(.*?)</style", re.DOTALL | re.IGNORECASE)
_LONGEST = 1 << 20


class Sheets:
    """The style sheets of a book; each is read once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._sheet = cache(self._read)
        self._styles = cache(read_styles)

    def of(self, entry: str, markup: bytes) -> Styles:
        """What the style sheets of a chapter say."""
        head = _HEAD.search(markup, 0, _HEAD_WITHIN)
        if head is None:
            return PLAIN
        found = [
            self._sheet(entry, href.decode("utf-8", "replace")) for href in _LINK.findall(head[0])
        ]
        found += [style.decode("utf-8", "replace") for style in _STYLE.findall(head[0])]
        return self._styles(tuple(found))

    def _read(self, entry: str, href: str) -> str:
        target = resolve(entry, href)
        name = self._archive.find(target.path) if target and target.path.endswith(".css") else None
        if name is None:
            return ""
        try:
            return self._archive.read(name)[:_LONGEST].decode("utf-8", "replace")
        except Damaged:
            return ""  # of a style sheet nothing is read but what it hides
