"""`Vault`: indexes a folder of notes in place, searches it and follows its links."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import TYPE_CHECKING, Self

from cleanbreak.core.checks import whole_number
from cleanbreak.errors import (
    CleanbreakError,
    IndexMalformedError,
    SourceMissingError,
    StoreError,
    WorldLockedError,
)
from cleanbreak.stores.fulltext import Index
from cleanbreak.stores.fulltext.note_graph import NoteGraph
from cleanbreak.stores.fulltext.note_links import NoteLinks
from cleanbreak.stores.fulltext.note_names import NoteNames
from cleanbreak.stores.fulltext.note_states import NoteStates
from cleanbreak.stores.fulltext.rows import StoredLink
from cleanbreak.vaults import index_file
from cleanbreak.vaults.changes import Changes, changes_since
from cleanbreak.vaults.config import FOLDER, VaultConfig, load_config
from cleanbreak.vaults.excerpt import NoteExcerpt, excerpt_of
from cleanbreak.vaults.flavour import flavour_of
from cleanbreak.vaults.fragments import broken_fragments
from cleanbreak.vaults.globs import Globs
from cleanbreak.vaults.graph import graph_text
from cleanbreak.vaults.index_file import PathLike
from cleanbreak.vaults.mentions import Mention, unlinked_mentions
from cleanbreak.vaults.related import RelatedNote, related_notes
from cleanbreak.vaults.report import IndexReport, OnNote
from cleanbreak.vaults.resolve import Resolver
from cleanbreak.vaults.results import NoteLink, TagUse, VaultStats, note_link, tag_uses, vault_stats
from cleanbreak.vaults.scan import Problem
from cleanbreak.vaults.update import update

if TYPE_CHECKING:
    from cleanbreak.vaults.search import NoteHits


class Vault:
    r"""A folder of Markdown notes and its index.

    The notes are only read. The index is one SQLite file, by default ``.cleanbreak/index.sqlite``
    in the folder; it may be deleted and built again (docs/index-format.md). Paths of notes are
    relative to the folder, with forward slashes. An argument `note` takes the path of a note, its
    name or an alias.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "Tea.md").write_text("# Tea\n\nSee [[Water]]. #drinks\n")
    ...     _ = Path(folder, "Water.md").write_text("# Water\n\nBoils at 100 °C.\n")
    ...     with Vault.index(folder) as vault:
    ...         [hit.citation for hit in vault.search("boils")]
    ...         [link.source for link in vault.backlinks("water")]
    ['Water.md, # Water, line 3, characters 0-26']
    ['Tea.md']
    """

    def __init__(
        self, folder: Path, config: VaultConfig, index: Index, db: PathLike | None = None
    ) -> None:
        """Use `index` or `open`."""
        self._folder = folder
        self._config = config
        self._db = db
        self.report: IndexReport | None = None
        """The result of the last `update`."""
        self._use(index)

    def _use(self, index: Index) -> None:
        self._index = index
        self._file = index_file.identity(self._folder, self._db)
        self._links = NoteLinks(index)
        self._graph = NoteGraph(index)
        self._states = NoteStates(index)

    # --- create and open -------------------------------------------------------------------------

    @classmethod
    def index(
        cls,
        path: PathLike,
        *,
        db: PathLike | None = None,
        force: bool = False,
        include: Iterable[str] | None = None,
        exclude: Iterable[str] | None = None,
        chunk_size: int | None = None,
        overlap_size: int | None = None,
        measure: str | None = None,
        merge_small: int | None = None,
        encoding: str | None = None,
        on_note: OnNote | None = None,
    ) -> Self:
        """Index the notes of a folder, or update its index, and open it.

        Args:
            path: the folder.
            db: the path of the index, if it is not in the folder.
            force: cut every note again. A damaged index, or one of a later format, is deleted
                first if it is at the default path; a database of another program is never deleted.
            include: patterns for notes, instead of ``*.md`` and ``*.markdown``.
            exclude: patterns for files and folders to leave out, as in a ``.gitignore``.
            chunk_size: this and the next three are settings of `MarkdownSplitter`. The default is
                the value in ``.cleanbreak/config.toml``.
            overlap_size: see `chunk_size`.
            measure: see `chunk_size`.
            merge_small: see `chunk_size`.
            encoding: that of notes that are not UTF-8, if the one that was found is wrong.
            on_note: called for each note that is new, changed, renamed or removed.

        Raises:
            VaultMissingError: if there is no such folder, or it holds a world, or files but no note.
            SettingsError: if a setting is not allowed.
            StoreError: if the index cannot be opened or written; see `cleanbreak.stores.fulltext.Index`.
        """
        folder = index_file.folder_at(path)
        index_file.refuse_world(folder)
        overrides = {
            "include": None if include is None else tuple(include),
            "exclude": None if exclude is None else tuple(exclude),
            "chunk_size": chunk_size,
            "overlap_size": overlap_size,
            "measure": measure,
            "merge_small": merge_small,
            "encoding": encoding,
        }
        config = load_config(folder, overrides, index_file.last_settings(folder, db))
        index_file.refuse_other_files(folder, db, config)
        index = index_file.made(folder, db, force=force)
        try:
            return cls._updated(folder, config, index, db, force=force, on_note=on_note)
        except IndexMalformedError:
            if not force or db is not None:
                raise
        # The damage lies in pages that are not read when the index is opened.
        index = index_file.made_again(folder)
        return cls._updated(folder, config, index, db, force=force, on_note=on_note)

    @classmethod
    def _updated(
        cls,
        folder: Path,
        config: VaultConfig,
        index: Index,
        db: PathLike | None,
        *,
        force: bool,
        on_note: OnNote | None,
    ) -> Self:
        vault = cls(folder, config, index, db)
        try:
            vault.update(force=force, on_note=on_note)
        except BaseException:
            vault.close()
            raise
        return vault

    @classmethod
    def open(
        cls,
        path: PathLike,
        *,
        db: PathLike | None = None,
        fresh: bool = False,
        on_note: OnNote | None = None,
    ) -> Self:
        """Open the index of a folder for reading, without updating it.

        With `fresh`, notes that changed are indexed first, by the settings of the last run. Where
        the index cannot be written, or another run writes it, it is opened as it is; `changes` then
        says what it lacks.

        Raises:
            VaultMissingError: if there is no such folder.
            IndexMissingError: if the folder has no index, or its first run has not ended.
            StoreError: if the index cannot be read.
        """
        folder = index_file.folder_at(path)
        index, config = index_file.opened(folder, db)
        vault = cls(folder, config, index, db)
        if fresh and vault.changes():
            with suppress(StoreError), index_file.made(folder, db, force=False) as writable:
                writable.wait_for_writers(seconds=0)
                update(folder, writable, config, on_note=on_note)
        return vault

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- update ----------------------------------------------------------------------------------

    def update(self, *, force: bool = False, on_note: OnNote | None = None) -> IndexReport:
        """Update the index to the present files of the folder, in one transaction.

        Raises:
            VaultLockedError: if another run is indexing the vault.
            StoreError: if the index cannot be written; it is then unchanged.
        """
        with index_file.naming_vault(self._folder):
            self.report = update(
                self._folder, self._index, self._config, force=force, on_note=on_note
            )
        return self.report

    def watch(self, *, on_note: OnNote | None = None) -> Iterator[IndexReport]:
        """Wait for changes of notes without end; yield the report of each update.

        While another run writes the index, this one waits. An update that fails, as on a full disk,
        is reported as a problem of the index, and the next change starts another. A folder that is
        gone is waited for; if another index is at the place of the one in use, it is used.

        Raises:
            DependencyMissingError: without the extra ``watch``.
        """
        from cleanbreak.vaults.watch import changes

        for _ in changes(self._folder, self._config.left_out):
            report = self._update_in_turn(on_note)
            if report.wrote or report.problems:
                yield report

    def _update_in_turn(self, on_note: OnNote | None) -> IndexReport:
        while True:
            try:
                self._reopen()
                return self.update(on_note=on_note)
            except WorldLockedError:
                continue  # it has waited for seconds, and waits again
            except CleanbreakError as error:
                problem = Problem(FOLDER, error.code, error.message)
                return IndexReport(problems=[problem])

    def _reopen(self) -> None:
        """Open the index again if its file was deleted or replaced, as with a disk that is back."""
        if index_file.identity(self._folder, self._db) != self._file:
            index_file.refuse_empty(self._folder)
            self._index.close()
            self._use(index_file.made(self._folder, self._db, force=False))

    # --- query -----------------------------------------------------------------------------------

    def search(
        self, query: str, *, limit: int = 10, context: int = 0, check: bool = True
    ) -> "NoteHits":
        """The best chunks for a query; docs/search.md describes the query language.

        The files are compared with the index first (see `changes`). A note that was removed gives no
        hit, and one that changed only what still stands at its place; ``behind`` of the result names
        the notes that changed, and ``complete`` is whether there are none. Without `check` the
        index answers alone.

        Raises:
            SettingsError: for a limit or context out of range.
        """
        from cleanbreak.vaults.search import search_notes

        behind = self.changes() if check else Changes()
        return search_notes(self._folder, self._index, query, behind, limit=limit, context=context)

    def changes(self) -> Changes:
        """The notes that are new, changed or removed since the vault was indexed; writes nothing."""
        return changes_since(self._folder, self._index, self._config)

    def notes(self) -> list[str]:
        """The paths of all notes."""
        return self._links.notes()

    def problems(self) -> list[Problem]:
        """What is wrong with files of the vault: errors, which leave a note out, and warnings.

        A link to a heading or block that is not there is a warning, `FRAGMENT_MISSING`.
        """
        stored = [Problem(*row) for row in self._states.problems()]
        return sorted([*stored, *broken_fragments(self._links.links(), self._graph.text_of)])

    def excerpt(
        self, note: str, start: int | None = None, end: int | None = None, *, around: int = 0
    ) -> NoteExcerpt:
        """A passage of a note with the whole chunks around it, as the note was indexed.

        Without offsets it is the whole note; ``Note#Heading`` and ``Note#^block`` are that part of it.

        Raises:
            SourceMissingError: if the vault has no such note, or the note no such heading or block.
            StateConflictError: if the note does not reach so far.
        """
        whole_number("around", around, minimum=0)
        name, mark, fragment = (
            note.partition("#") if not self._index.holds(note) else (note, "", "")
        )
        path = self._path_of(name)
        return excerpt_of(self._graph, path, fragment if mark else None, start, end, around)

    def links(self, note: str | None = None) -> list[NoteLink]:
        """The links of a note, or of all notes, in order.

        Raises:
            SourceMissingError: if the vault has no such note.
        """
        path = None if note is None else self._path_of(note)
        return self._shown(self._links.links(path))

    def backlinks(self, note: str) -> list[NoteLink]:
        """The links of other notes to this one.

        Raises:
            SourceMissingError: if the vault has no such note.
        """
        path = self._path_of(note)
        found = self._links.links_to(path)
        return self._shown([one for one in found if one.source_key != path])

    def unresolved(self) -> list[NoteLink]:
        """The links without a target in the vault."""
        return self._shown(self._links.unresolved())

    def orphans(self, *, exclude: Iterable[str] = ()) -> list[str]:
        """The notes without links to or from other notes, save those that fit a pattern."""
        return Globs(exclude).without(self._graph.orphans())

    def dead_ends(self, *, exclude: Iterable[str] = ()) -> list[str]:
        """The notes that link to no other note, save those that fit a pattern."""
        return Globs(exclude).without(self._graph.dead_ends())

    def related(self, note: str, limit: int = 10) -> list[RelatedNote]:
        """The notes that have links, linking notes or tags in common with a note, the best first.

        Raises:
            SourceMissingError: if the vault has no such note.
            SettingsError: for a limit that is not a whole number from 1.
        """
        whole_number("limit", limit, minimum=1)
        return related_notes(self._graph, self._path_of(note), set(self.notes()))[:limit]

    def mentions(self, note: str) -> list[Mention]:
        """The places in other notes that name this one, by its name or an alias, without a link.

        Raises:
            SourceMissingError: if the vault has no such note.
        """
        path = self._path_of(note)
        names = (PurePosixPath(path).stem, *self._links.aliases(path))
        return unlinked_mentions(self._graph, path, names, self._links.links)

    def graph(self, form: str = "json") -> str:
        """The notes and the links between them as ``json``, ``graphml`` or ``dot`` (Graphviz).

        Raises:
            SettingsError: if the format is another.
        """
        return graph_text(self.notes(), self._graph.edges(), form)

    def tags(self, name: str | None = None) -> list[TagUse]:
        """All tags with their notes; with a name, that tag and the tags below it."""
        return tag_uses(self._links.tags(), name)

    def stats(self) -> VaultStats:
        """Figures of the vault."""
        return vault_stats(len(self.notes()), len(self.orphans()), self._graph)

    def _shown(self, stored: list[StoredLink]) -> list[NoteLink]:
        resolver = self._resolver()
        return [
            note_link(
                one, resolver.meanings(one.source_key, one.link) if one.candidates > 1 else ()
            )
            for one in stored
        ]

    def _resolver(self) -> Resolver:
        return Resolver(NoteNames(self._index).of, flavour_of(self._folder))

    def _path_of(self, note: str) -> str:
        if self._index.holds(note):
            return note
        for path in self._resolver().resolve(note.strip()):
            if self._index.holds(path):
                return path
        raise SourceMissingError(
            "The vault has no such note; give its path in the vault, its name or an alias, and "
            "index again if it is new.",
            name=note,
        )
