"""Path patterns with the syntax of ``.gitignore``."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from cleanbreak.errors import SettingsError

_TRAILING_SPACES = re.compile(r"(?<!\\) +$")
# An escaped character, a run of stars, a character class, or one character.
_PIECE = re.compile(r"\\.|\*+|\[[!^]?\]?[^\]]*\]|.", re.DOTALL)


class _Pattern(NamedTuple):
    file: re.Pattern[str]
    folder: re.Pattern[str]
    negated: bool


class Globs:
    """A list of patterns; a path is matched if the last pattern that fits it is not negated.

    A pattern without a slash fits a name at any depth; a pattern with a slash fits a path from the
    root of the vault; a pattern with a slash at its end fits only folders. If a folder fits, all files in
    it fit. ``*`` and ``?`` stop at slashes, a name ``**`` stands for any number of folders, ``!``
    negates, a backslash escapes. Letter case counts unless `ignore_case`.

    >>> globs = Globs(["*.md", "!drafts/"])
    >>> globs.match("ideas/boats.md"), globs.match("drafts/boats.md")
    (True, False)

    Raises:
        SettingsError: naming `field`, for a pattern that is not a string or is empty.
    """

    def __init__(
        self, patterns: Iterable[str], field: str = "exclude", *, ignore_case: bool = False
    ) -> None:
        flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
        self._patterns = [_compile(pattern, field, flags) for pattern in patterns]
        # Most paths fit no pattern, and one match shows it.
        self._any = re.compile(
            "|".join(one.folder.pattern for one in self._patterns) or r"(?!)", flags
        )

    def without(self, paths: Iterable[str]) -> list[str]:
        """The paths that no pattern fits."""
        return [path for path in paths if not self.match(path)]

    def match(self, path: str, *, folder: bool = False) -> bool:
        """Whether the patterns match `path`, which has forward slashes and starts with none."""
        if not self._any.fullmatch(path):
            return False
        for pattern in reversed(self._patterns):
            if (pattern.folder if folder else pattern.file).fullmatch(path):
                return not pattern.negated
        return False


def _compile(pattern: object, field: str, flags: int) -> _Pattern:
    if not isinstance(pattern, str) or not pattern.strip("!/ "):
        raise SettingsError(field, pattern, "a list of patterns such as 'Templates/' or '*.md'")
    negated = pattern.startswith("!")
    body = _TRAILING_SPACES.sub("", pattern.removeprefix("!"))
    folders_only = body.endswith("/")
    body = body.rstrip("/")
    regex = _path_regex(body.lstrip("/").split("/"))
    if "/" not in body:
        regex = f"(?:.*/)?{regex}"
    folder = re.compile(f"{regex}(?:/.*)?", flags)
    file = re.compile(f"{regex}/.*", flags) if folders_only else folder
    return _Pattern(file, folder, negated)


def _path_regex(names: list[str]) -> str:
    """The regular expression of a pattern's names; ``**`` stands for any number of folders."""
    *folders, last = ("".join(map(_translate, _PIECE.findall(name))) for name in names)
    inner = [
        "(?:.*/)?" if name == "**" else f"{folder}/"
        for folder, name in zip(folders, names, strict=False)
    ]
    return "".join(inner) + (".*" if names[-1] == "**" else last)


def _translate(piece: str) -> str:
    if piece.startswith("*"):
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if piece.startswith("\\") and len(piece) == 2:
        return re.escape(piece[1])
    if len(piece) > 2:
        return _character_class(piece[1:-1])
    return re.escape(piece)


def _character_class(inner: str) -> str:
    negated = inner[0] in "!^" and len(inner) > 1
    members = inner[negated:].replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return f"[^{members}/]" if negated else f"[{members}]"
