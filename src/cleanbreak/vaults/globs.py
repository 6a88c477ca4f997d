"""Path patterns with the syntax of ``.gitignore``."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from cleanbreak.errors import SettingsError


class _Pattern(NamedTuple):
    match: re.Pattern[str]
    negated: bool
    folders_only: bool


class Globs:
    """A list of patterns; a path is matched if the last pattern that fits it is not negated.

    A pattern without a slash fits a name at any depth; one with a slash fits the path from the
    vault's folder on; one that ends with a slash fits folders only. ``*`` and ``?`` stop at
    slashes, ``**`` does not, ``!`` negates. Letter case counts.

    >>> globs = Globs(["*.md", "!drafts/**"])
    >>> globs.match("ideas/boats.md"), globs.match("drafts/boats.md")
    (True, False)

    Raises:
        SettingsError: naming `field`, for a pattern that is not a string with something in it.
    """

    def __init__(self, patterns: Iterable[str], field: str = "exclude") -> None:
        self._patterns = [_compile(pattern, field) for pattern in patterns]

    def match(self, path: str, *, folder: bool = False) -> bool:
        """Whether the patterns take `path`, which has forward slashes and starts with none."""
        for pattern in reversed(self._patterns):
            if (folder or not pattern.folders_only) and pattern.match.fullmatch(path):
                return not pattern.negated
        return False


def _compile(pattern: object, field: str) -> _Pattern:
    if not isinstance(pattern, str) or not pattern.strip("!/ "):
        raise SettingsError(field, pattern, "a list of patterns such as 'Templates/' or '*.md'")
    negated = pattern.startswith("!")
    body = pattern.removeprefix("!")
    folders_only = body.endswith("/")
    body = body.rstrip("/")
    anywhere = "/" not in body
    regex = "".join(
        map(_translate, re.findall(r"\*\*/?|\[[^\]/]+\]|.", body.lstrip("/"), re.DOTALL))
    )
    return _Pattern(re.compile(f"(?:.*/)?{regex}" if anywhere else regex), negated, folders_only)


def _translate(piece: str) -> str:
    if piece == "**/":
        return "(?:.*/)?"
    if piece == "**":
        return ".*"
    if piece == "*":
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if len(piece) > 1:
        inner = piece[1:-1].replace("\\", "\\\\")
        return f"[^{inner[1:]}/]" if inner[0] in "!^" and len(inner) > 1 else f"[{inner}]"
    return re.escape(piece)
