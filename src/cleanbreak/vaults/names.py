"""The names by which the files of a vault are linked to."""

from collections.abc import Iterable, Iterator
from posixpath import basename, dirname
from unicodedata import normalize
from urllib.parse import unquote

from cleanbreak.stores.fulltext.rows import NameRow
from cleanbreak.vaults.flavour import Flavour

NOTE_SUFFIXES = (".md", ".markdown")

FILE, ALIAS, WITHOUT_SUFFIX, FOLDER = 0, 1, 2, 3
"""The ranks of names: ``Dockerfile`` means a note ``Dockerfile.md`` before a file of that name."""

# The notes that a link to their folder means, by the program that wrote the vault.
_OF_FOLDER: dict[Flavour, tuple[str, ...]] = {
    "foam": ("index.md", "readme.md"),
    "hugo": ("index.md", "_index.md"),
}

# macOS types a no-break space with the option key; Obsidian reads it as a space.
_NO_BREAK = str.maketrans("\u00a0\u202f", "  ")


def names_of(
    path: str, *, is_note: bool, aliases: Iterable[str] = (), flavour: Flavour = "obsidian"
) -> Iterator[NameRow]:
    """The names of a file: its own, that without ``.md``, its aliases.

    A page of Logseq is also named by its file's name with a slash for ``___``. In Foam and Hugo the note
    ``index.md`` of a folder is also named by the folder.

    >>> [row.name for row in names_of("x/a.md", is_note=True, aliases=["The A"])]
    ['a.md', 'a', 'the a']
    """
    rank = FILE if is_note or "." in basename(path) else WITHOUT_SUFFIX
    for spelling in spellings(path):
        yield NameRow(last(spelling), rank, path)
    if flavour == "logseq" and (page := _page_name(path)) != path:
        aliases = (page, *aliases)
    folder = fold(dirname(path))
    if is_note and folder and fold(basename(path)) in _OF_FOLDER.get(flavour, ()):
        yield NameRow(last(folder), FOLDER, path, folder)
    for alias in dict.fromkeys(map(fold, aliases)):
        yield NameRow(last(alias), ALIAS, path, alias)


def spellings(path: str) -> list[str]:
    """The spellings of a path in links: as it is, and for a note without its suffix."""
    folded = fold(path)
    return [folded, *(folded.removesuffix(end) for end in NOTE_SUFFIXES if folded.endswith(end))]


def last(spelling: str) -> str:
    """The last part of a path or alias, by which it is looked up."""
    return spelling.rstrip("/").rpartition("/")[2]


def normal(name: str) -> str:
    """A name in NFC, with plain spaces."""
    return normalize("NFC", name).translate(_NO_BREAK)


def fold(name: str) -> str:
    """A name for comparing. Not `casefold`: for Obsidian "STRASSE" does not mean "Straße"."""
    return normal(name).lower()


def _page_name(path: str) -> str:
    """The name of a Logseq page. Its file name has ``___`` or ``%2F`` for a slash."""
    name = basename(path).rpartition(".")[0]
    return unquote(name).replace("___", "/")
