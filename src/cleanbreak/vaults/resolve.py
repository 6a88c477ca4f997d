"""Link resolution by the rules of Obsidian."""

from collections.abc import Callable, Sequence
from posixpath import basename, dirname, join, normpath

from cleanbreak.stores.fulltext.rows import LinkRow, NameRow
from cleanbreak.vaults.flavour import Flavour
from cleanbreak.vaults.names import (
    ALIAS,
    FILE,
    FOLDER,
    WITHOUT_SUFFIX,
    fold,
    last,
    normal,
    spellings,
)

Lookup = Callable[[str], Sequence[NameRow]]
"""Given the last part of a name, folded, what files have it, in the order of their paths."""


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
    6. In vaults of Foam and Hugo a folder, which means the note ``index.md`` in it.

    In vaults of Dendron and Hugo, ``/`` may also be a folder inside, such as ``content`` or ``static``.

    Of paths that differ in case only, the one that is written like the target comes first.

    >>> from cleanbreak.vaults.names import names_of
    >>> paths = ["a/long/Plan.md", "b/Plan.md"]
    >>> rows = [row for path in paths for row in names_of(path, is_note=True, aliases=["start"])]
    >>> resolver = Resolver(lambda name: [row for row in rows if row.name == name])
    >>> resolver.resolve("Plan"), resolver.resolve("start", "a/x.md")
    (('b/Plan.md', 'a/long/Plan.md'), ('b/Plan.md', 'a/long/Plan.md'))
    """

    def __init__(self, lookup: Lookup, flavour: Flavour = "obsidian") -> None:
        self._lookup = lookup
        self._has_inner_root = flavour in ("dendron", "hugo")
        self._rows: dict[str, Sequence[NameRow]] = {}
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
            written, folder = normal(target), normal(key[1])
            self._known[key] = tuple(
                self._files(FILE, written, folder, relative)
                or self._aliased(written)
                or self._files(WITHOUT_SUFFIX, written, folder, relative)
                or self._folders(written, folder, relative)
            )
        return self._known[key]

    def _files(self, rank: int, target: str, folder: str, relative: bool) -> list[str]:
        if target.startswith(("./", "../")):
            return self._at(rank, normpath(join(folder, target)))
        if target.startswith("/"):
            path = target.strip("/")
            found = self._at(rank, path)
            return found or (self._ending(rank, path, "") if self._has_inner_root else [])
        if relative and (near := self._at(rank, normpath(join(folder, target)))):
            return near
        return self._at(rank, target) or self._ending(rank, target, folder)

    def _named(self, name: str, rank: int) -> list[NameRow]:
        key = last(name.lower())
        if key not in self._rows:
            self._rows[key] = self._lookup(key)
        return [row for row in self._rows[key] if row.rank == rank]

    def _at(self, rank: int, target: str) -> list[str]:
        """The files at a path from the root, the one written like `target` first."""
        folded = target.lower()
        found = [row.path for row in self._named(target, rank) if folded in spellings(row.path)]
        return sorted(found, key=lambda path: not normal(path).startswith(target))

    def _ending(self, rank: int, target: str, folder: str) -> list[str]:
        """The files whose path ends with `target`, the nearest to `folder` first."""
        ending = f"/{target.lower()}"
        inside = f"{folder.lower()}/" if folder else ""
        written = basename(target)
        found = (
            row.path
            for row in self._named(target, rank)
            if any(f"/{spelling}".endswith(ending) for spelling in spellings(row.path))
        )
        return sorted(
            found,
            key=lambda path: (
                not fold(path).startswith(inside),
                len(path),
                not basename(normal(path)).startswith(written),
                path,
            ),
        )

    def _folders(self, target: str, folder: str, relative: bool) -> list[str]:
        """The notes of a folder with that path or the end of it, the nearest to `folder` first."""
        path = target.strip("/").lower()
        if target.startswith(("./", "../")) or relative:
            near = normpath(join(folder, target)).lower()
            found = [row.path for row in self._named(near, FOLDER) if row.alias == near]
            if found or target.startswith("."):
                return found
        found = [
            row.path for row in self._named(path, FOLDER) if f"/{row.alias}".endswith(f"/{path}")
        ]
        inside = f"{folder.lower()}/" if folder else ""
        return sorted(found, key=lambda one: (not fold(one).startswith(inside), len(one), one))

    def _aliased(self, target: str) -> list[str]:
        """The notes with an alias, the shortest path first."""
        folded = target.lower()
        found = (row.path for row in self._named(target, ALIAS) if row.alias == folded)
        return sorted(found, key=lambda path: (len(path), path))
