"""Link resolution by the rules of Obsidian."""

from collections import defaultdict
from collections.abc import Iterable
from posixpath import basename, dirname, join, normpath
from unicodedata import normalize
from urllib.parse import unquote

from cleanbreak.stores.fulltext.rows import LinkRow
from cleanbreak.vaults.flavour import Flavour

NOTE_SUFFIXES = (".md", ".markdown")


# macOS types a no-break space with the option key; Obsidian reads it as a space.
_NO_BREAK = str.maketrans("\u00a0\u202f", "  ")


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
    5. A file whose name has no suffix: ``Dockerfile`` means a note ``Dockerfile.md`` first.

    A page of Logseq is named by its file, where ``___`` stands for a slash.

    Of paths that differ in case only, the one that is written like the target comes first.

    >>> resolver = Resolver(["Home.md", "a/long/Plan.md", "b/Plan.md"], [("start", "Home.md")])
    >>> resolver.resolve("Plan"), resolver.resolve("start")
    (('b/Plan.md', 'a/long/Plan.md'), ('Home.md',))
    """

    def __init__(
        self,
        notes: Iterable[str],
        aliases: Iterable[tuple[str, str]] = (),
        attachments: Iterable[str] = (),
        flavour: Flavour = "obsidian",
    ) -> None:
        self._files = _Files()
        self._without_suffix = _Files()
        self._by_alias: dict[str, list[str]] = defaultdict(list)
        notes = set(notes)
        for path in sorted((*notes, *attachments)):
            is_plain = path in notes or "." in basename(path)
            (self._files if is_plain else self._without_suffix).add(path)
            if flavour == "logseq" and (page := _page_name(path)) != path:
                self._by_alias[_fold(page)].append(path)
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
            written = _normal(target)
            found = self._candidates(self._files, written, *key[1:])
            self._known[key] = tuple(
                found
                or sorted(dict.fromkeys(self._by_alias.get(written.lower(), ())), key=_length)
                or self._candidates(self._without_suffix, written, *key[1:])
            )
        return self._known[key]

    @staticmethod
    def _candidates(files: "_Files", target: str, folder: str, relative: bool) -> list[str]:
        folder = _normal(folder)
        if target.startswith(("./", "../")):
            return files.at(normpath(join(folder, target)))
        if target.startswith("/"):
            return files.at(target.strip("/"))
        if relative and (near := files.at(normpath(join(folder, target)))):
            return near
        return files.at(target) or files.ending(target, folder)


class _Files:
    """Paths by their spellings in links."""

    def __init__(self) -> None:
        self._by_path: dict[str, list[str]] = defaultdict(list)
        self._by_name: dict[str, list[str]] = defaultdict(list)

    def add(self, path: str) -> None:
        for folded in _spellings(path):
            self._by_path[folded].append(path)
            self._by_name[basename(folded)].append(path)

    def at(self, target: str) -> list[str]:
        """The files at a path from the root, the one written like `target` first."""
        found = self._by_path.get(target.lower(), ())
        if len(found) < 2:
            return list(found)
        return sorted(found, key=lambda path: not _normal(path).startswith(target))

    def ending(self, target: str, folder: str) -> list[str]:
        """The files whose path ends with `target`, the nearest to `folder` first."""
        ending = f"/{target.lower()}"
        found = [
            path
            for path in dict.fromkeys(self._by_name.get(basename(ending), ()))
            if any(f"/{folded}".endswith(ending) for folded in _spellings(path))
        ]
        inside = f"{folder.lower()}/" if folder else ""
        written = basename(target)
        return sorted(
            found,
            key=lambda path: (
                not _fold(path).startswith(inside),
                len(path),
                not basename(_normal(path)).startswith(written),
                path,
            ),
        )


def _page_name(path: str) -> str:
    """The name of a Logseq page. Its file name has ``___`` or ``%2F`` for a slash."""
    name = basename(path).rpartition(".")[0]
    return unquote(name).replace("___", "/")


def _spellings(path: str) -> list[str]:
    """The spellings of a path in links: as it is, and for a note without its suffix."""
    folded = _fold(path)
    return [folded, *(folded.removesuffix(end) for end in NOTE_SUFFIXES if folded.endswith(end))]


def _normal(name: str) -> str:
    return normalize("NFC", name).translate(_NO_BREAK)


def _fold(name: str) -> str:
    # Not `casefold`: for Obsidian "STRASSE" does not mean "Straße".
    return _normal(name).lower()


def _length(path: str) -> tuple[int, str]:
    return len(path), path
