"""Link resolution by the rules of Obsidian."""

from collections import defaultdict
from collections.abc import Iterable
from posixpath import basename, dirname, join, normpath
from unicodedata import normalize

from cleanbreak.stores.fulltext.rows import LinkRow

_NOTE_SUFFIXES = (".md", ".markdown")


class Resolver:
    """Resolves the links of one state of a vault. Case and Unicode form make no difference.

    The rules, in order:

    1. ``./`` and ``../`` are relative to the folder of the note; ``/`` is the vault.
    2. A path from the root of the vault means that file, with or without ``.md``. A Markdown link
       is first taken relative to the folder of its note, as in other Markdown readers.
    3. Otherwise the end of a path means the file: ``b`` and ``a/b`` both mean ``x/a/b.md``. If
       several files match, those in the folder of the note or below come first, then the shortest
       path, then alphabetical order.
    4. A note with the target as an alias.

    >>> resolver = Resolver(["Home.md", "a/long/Plan.md", "b/Plan.md"], [("start", "Home.md")])
    >>> resolver.resolve("Plan"), resolver.resolve("start")
    (('b/Plan.md', 'a/long/Plan.md'), ('Home.md',))
    """

    def __init__(
        self,
        notes: Iterable[str],
        aliases: Iterable[tuple[str, str]] = (),
        attachments: Iterable[str] = (),
    ) -> None:
        self._by_path: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._by_alias: dict[str, list[str]] = defaultdict(list)
        for path in sorted((*notes, *attachments)):
            for folded in _spellings(path):
                self._by_path.setdefault(folded, path)
                self._by_name[basename(folded)].append(path)
        for alias, path in aliases:
            self._by_alias[_fold(alias)].append(path)
        self._known: dict[tuple[str, str, bool], tuple[str, ...]] = {}

    def meanings(self, source: str, link: LinkRow) -> tuple[str, ...]:
        """The paths that a link of the note `source` can mean, the resolved one first."""
        return self.resolve(link.target, source, relative=link.kind == "markdown")

    def resolve(self, target: str, source: str = "", *, relative: bool = False) -> tuple[str, ...]:
        """The paths that `target` can mean in the note `source`, the resolved one first.

        An empty target means the note itself. `relative` is for Markdown links.
        """
        if not target:
            return (source,) if source else ()
        key = (target, dirname(source), relative)
        if key not in self._known:
            self._known[key] = tuple(self._candidates(_fold(target), *key[1:]))
        return self._known[key]

    def _candidates(self, target: str, folder: str, relative: bool) -> list[str]:
        if target.startswith(("./", "../")):
            return self._exact(normpath(join(_fold(folder), target)))
        if target.startswith("/"):
            return self._exact(target.strip("/"))
        if relative and (near := self._exact(normpath(join(_fold(folder), target)))):
            return near
        return (
            self._exact(target)
            or self._ending(target, _fold(folder))
            or sorted(dict.fromkeys(self._by_alias.get(target, ())), key=_length)
        )

    def _exact(self, target: str) -> list[str]:
        path = self._by_path.get(target)
        return [path] if path else []

    def _ending(self, target: str, folder: str) -> list[str]:
        ending = f"/{target}"
        found = [
            path
            for path in dict.fromkeys(self._by_name.get(basename(target), ()))
            if any(f"/{folded}".endswith(ending) for folded in _spellings(path))
        ]
        inside = f"{folder}/" if folder else ""
        return sorted(found, key=lambda path: (not _fold(path).startswith(inside), *_length(path)))


def _spellings(path: str) -> list[str]:
    """The spellings of a path in links: as it is, and for a note without its suffix."""
    folded = _fold(path)
    return [folded, *(folded.removesuffix(end) for end in _NOTE_SUFFIXES if folded.endswith(end))]


def _fold(name: str) -> str:
    return normalize("NFC", name).casefold()


def _length(path: str) -> tuple[int, str]:
    return len(path), path
