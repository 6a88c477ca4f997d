"""`World`: books cut into chunks, kept so that nothing is lost, and found again."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from msgspec import structs

from cleanbreak.core.checks import string
from cleanbreak.core.recipe import Recipe, check_lockable
from cleanbreak.core.splitters import BoundarySplitter, Splitter, make_splitter, splitter_for
from cleanbreak.errors import (
    SettingsError,
    StateConflictError,
    StoreError,
    WorldMalformedError,
    WriteFailedError,
)
from cleanbreak.storage.files import Files
from cleanbreak.storage.lock import writing
from cleanbreak.worlds import ingest, reingest, run
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.opening import check_free, load_world, world_exists
from cleanbreak.worlds.plan import Plan, make_plan
from cleanbreak.worlds.records import FORMAT_VERSION, WorldRecord
from cleanbreak.worlds.recovery import recover, staged
from cleanbreak.worlds.reports import Failure, OnProgress, RunReport
from cleanbreak.worlds.stages import CHUNKS, Stage
from cleanbreak.worlds.status import Status, status
from cleanbreak.worlds.verify import VerifyReport, verify
from cleanbreak.worlds.workspace import Conditions, Stop, Workspace

if TYPE_CHECKING:
    from cleanbreak.retrieval import Hit

PathLike = str | os.PathLike[str]
Settings = Recipe | Splitter | Mapping[str, Any]
"""A recipe, a splitter, or a splitter's settings with its name under ``by``."""


class World:
    """Books in a folder: sources in two copies, one JSON file a chunk, an index to search.

    The files are the record (docs/world-format.md). Whatever interrupts a method, what it
    acknowledged before is safe, and `resume` brings the world to where it would have been.

    Methods that write hold a lock and raise `WorldLockedError` if another process does. Every
    error is a `CleanbreakError`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     book = Path(folder, "sea.txt")
    ...     _ = book.write_text("The sea was calm. Then the storm came.")
    ...     world = World.create(Path(folder, "world"), settings={"chunk_size": 20})
    ...     report = world.ingest(book)
    ...     [(hit.citation, hit.text) for hit in world.search("storm")]
    [('sea.txt, characters 17-33', ' Then the storm ')]
    """

    def __init__(
        self,
        root: Path,
        record: WorldRecord,
        *,
        measure: object = None,
        stages: Sequence[Stage] = (),
        files: Files | None = None,
    ) -> None:
        """Use `create`, `draft` or `open`."""
        self._layout = Layout(root)
        self._record = record
        self._files = files or Files()
        self._stages = {stage.name: stage for stage in stages}
        self._measure = measure
        self._given: Splitter | None = None

    # --- making and opening ----------------------------------------------------------------------

    @classmethod
    def draft(
        cls,
        path: PathLike,
        *,
        name: str | None = None,
        settings: Settings | None = None,
        stages: Sequence[Stage] = (),
        files: Files | None = None,
    ) -> "World":
        """A world that is not on the disk yet; its first `ingest` puts it there.

        Args:
            path: the folder; it may exist if it is empty.
            name: for people; the folder's name if not given.
            settings: how books are cut; locked by the first `ingest`.
            stages: work after the chunks that a run must finish to be complete.
            files: how the disk is changed; for tests.

        Raises:
            WorldExistsError: if there is a world, or anything else, in the folder, or one of the
                same name beside it.
            SettingsError: for wrong settings, or ones that another process cannot build again.
        """
        root = Path(path)
        name = root.absolute().name if name is None else name
        if not string("name", name).strip():
            raise SettingsError("name", name, "more than white space")
        check_free(root, name)
        splitter = _splitter(settings, None)
        record = WorldRecord(
            FORMAT_VERSION,
            str(uuid4()),
            name,
            run.now(),
            check_lockable(splitter.recipe).as_dict(),
            stages=(CHUNKS, *(stage.name for stage in stages)),
        )
        world = cls(root, record, stages=stages, files=files)
        world._given = splitter
        return world

    @classmethod
    def create(
        cls,
        path: PathLike,
        *,
        name: str | None = None,
        settings: Settings | None = None,
        stages: Sequence[Stage] = (),
        files: Files | None = None,
    ) -> "World":
        """Make an empty world; the arguments are those of `draft`."""
        world = cls.draft(path, name=name, settings=settings, stages=stages, files=files)
        made = world.uuid
        with world._writing() as place:  # noqa: SLF001 (its own)
            if place.record.world_uuid != made:  # another process was quicker
                raise world_exists(world._layout.root)  # noqa: SLF001 (its own)
        return world

    @classmethod
    def open(
        cls,
        path: PathLike,
        *,
        measure: object = None,
        stages: Sequence[Stage] = (),
        files: Files | None = None,
    ) -> "World":
        """Open a world; reading one needs no permission to write.

        Args:
            path: the folder.
            measure: the tokenizer, where the world is locked to one without a public name.
            stages: work after the chunks, by which the world's runs are complete.
            files: how the disk is changed; for tests.

        Raises:
            WorldMissingError: if there is none.
            WorldMalformedError: if ``world.json`` is lost or cannot be read.
            FormatTooNewError: if a later version of cleanbreak wrote it.
        """
        root = Path(path)
        record = load_world(Layout(root))
        return cls(root, record, measure=measure, stages=stages, files=files)

    @staticmethod
    def exists(path: PathLike) -> bool:
        """Whether there is a world at `path`."""
        record = Layout(Path(path)).current_record
        return os.path.exists(record)  # noqa: PTH110 (Path raises for a name too long)

    # --- what it is ------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name, for people."""
        return self._record.name

    @property
    def uuid(self) -> str:
        """The identity, repeated in every record."""
        return self._record.world_uuid

    @property
    def settings(self) -> Recipe:
        """How books are cut."""
        return self._record.recipe

    @property
    def settings_locked(self) -> bool:
        """Whether only a re-ingest can change the settings."""
        return self._record.settings_locked

    def change_settings(self, settings: Settings) -> None:
        """Change the settings of a draft.

        Raises:
            StateConflictError: once they are locked.
        """
        recipe = self._asked(self._record, settings)
        if self._layout.current_record.exists():
            with self._writing() as place:
                _check_unlocked(place.record)
                place.save(settings=recipe.as_dict())
        else:
            self._record = structs.replace(self._record, settings=recipe.as_dict())

    # --- writing ---------------------------------------------------------------------------------

    def plan(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        settings: Settings | None = None,
        encoding: str | None = None,
    ) -> Plan:
        """What `ingest` would do with each source: new book, resume, complete, conflict or refused.

        Everything is checked and nothing is written: settings, name, type, access, content,
        duplicates, room on the disk.

        Raises:
            StateConflictError: if the settings differ from the locked ones, or a slot is ambiguous.
            DiskFullError: if the batch cannot fit.
        """
        with _reading():
            record = load_world(self._layout) if self._is_on_disk() else self._record
            recipe = self._asked(record, settings)
            return make_plan(self._layout, record, _paths(paths), recipe, encoding)

    def ingest(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        settings: Settings | None = None,
        encoding: str | None = None,
        trust_files: bool = False,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> RunReport:
        """Add books, and bring those that were begun to completion.

        The whole batch is checked before anything is written. A source without usable text is
        reported in the run's ``failures`` and the others go on. Sources that are stored and
        complete are proved, and nothing is written for them.

        Args:
            paths: files, and folders of files.
            settings: must be the locked ones, if any are locked.
            encoding: of new text files, where the one found is wrong; kept for later runs.
            trust_files: believe chunk files by name and size, without reading them.
            on_progress: called after each group of chunks.
            stop: asked after each group; true ends the run, paused.

        Raises:
            StateConflictError: if a source or the settings conflict with what is stored; nothing
                was written.
            SourceError: if a source is missing or of an unknown kind, or none holds usable text;
                nothing was written.
            RunInterruptedError: if stopped.
        """
        conditions = self._conditions(trust_files, on_progress, stop)
        wanted = list(_paths(paths))
        plan = (
            None if self._is_on_disk() else self.plan(wanted, settings=settings, encoding=encoding)
        )
        if plan:
            plan.check()  # before so much as a folder is made
        with self._writing() as place:
            if staged(place.layout):
                reingest.resume(place, conditions)
            if plan is None or place.layout.book_numbers():
                recipe = self._asked(place.record, settings)
                plan = make_plan(place.layout, place.record, wanted, recipe, encoding)
                plan.check()
            failures = tuple(
                Failure(source.name, source.error) for source in plan.of("refused") if source.error
            )
            again = {s.book_number or 0 for s in (*plan.of("resume"), *plan.of("complete"))}
            named = [n for n in place.layout.book_numbers() if n in again]
            if set(named) & set(place.record.removed_books):
                place.save(removed_books=_without(place.record.removed_books, again))
            waiting = ingest.waiting(place, named, conditions)
            return ingest.run(place, waiting, plan, conditions, failures)

    def resume(
        self,
        *,
        trust_files: bool = False,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> RunReport:
        """Bring every book to completion, and mend what the files do not prove.

        The arguments and errors are those of `ingest`.
        """
        conditions = self._conditions(trust_files, on_progress, stop)
        with self._writing() as place:
            begun = staged(place.layout)
            rebuilt = reingest.resume(place, conditions).books if begun else ()
            proved = {book.book_number for book in rebuilt}
            numbers = [n for n in place.layout.book_numbers() if n not in proved]
            waiting = ingest.waiting(place, numbers, conditions)
            report = ingest.run(place, waiting, None, conditions)
            return replace(report, books=(*rebuilt, *report.books))

    def reingest(
        self,
        books: Iterable[int] | None = None,
        *,
        settings: Settings | None = None,
        replace: PathLike | Iterable[PathLike] = (),
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> RunReport:
        """Rebuild books from their stored sources; the old outputs stay readable until the swap.

        Args:
            books: which; if not given those replaced, or all. New settings are for all books.
            settings: new ones, to be locked.
            replace: files that take the place of the stored sources of the same names.
            on_progress: called after each group of chunks.
            stop: asked after each group; true leaves the old outputs and a re-ingest to resume.

        Raises:
            SourceError: if a stored source is lost or a replacement unusable; nothing was written.
            CleanbreakError: if a book cannot be cut so; the old outputs stay.
            StateConflictError: for a book that is not there, or new settings for some books only.
        """
        conditions = self._conditions(False, on_progress, stop)
        with self._writing() as place:
            recipe = self._asked(place.record, settings)
            replacements = reingest.replacements(place, list(_paths(replace)))
            numbers = reingest.chosen(place, books, replacements, recipe)
            report = reingest.start(place, numbers, recipe, replacements, conditions)
            ingest.index(place)
            return report

    def remove(self, book_number: int, *, sources: bool = False) -> None:
        """Remove a book's outputs, and with `sources` its stored source too.

        Raises:
            StateConflictError: if there is no such book, or a re-ingest waits to be resumed.
        """
        with self._writing() as place:
            reingest.check_book(place, book_number)
            if staged(place.layout):
                raise StateConflictError(
                    "A re-ingest was begun and would bring the book back; resume it first."
                )
            kind = "purged_books" if sources else "removed_books"
            changes: dict[str, Any] = {
                kind: tuple(sorted({*getattr(place.record, kind), book_number}))
            }
            if sources:
                changes["removed_books"] = _without(place.record.removed_books, {book_number})
                changes["encodings"] = {
                    number: name
                    for number, name in place.record.encodings.items()
                    if number != book_number
                }
            place.save(**changes)
            recover(place)
            ingest.index(place)

    def reindex(self) -> int:
        """Make the index anew from the files; how many books it holds then."""
        from cleanbreak.worlds import catalogue

        with self._writing() as place:
            catalogue.remove(place.layout)
            return catalogue.catch_up(place.layout, place.record)

    # --- reading ---------------------------------------------------------------------------------

    def verify(self, *, repair: bool = False) -> VerifyReport:
        """Check every file against the records. Safe at any time; `repair` mends what it can.

        A repair is a `resume`: what is lost is made anew from the sources.
        """
        with _reading():
            found = verify(self._layout)
        if not repair or found.ok:
            return found
        self.resume()
        with _reading():
            after = verify(self._layout)
        mended = tuple(problem for problem in found.problems if problem not in after.problems)
        return replace(after, repaired=mended)

    def search(self, query: str, *, limit: int = 10, context: int = 0) -> "list[Hit]":
        """The best `limit` chunks for a query; only such as manifest and file prove.

        An index that is behind the files is caught up first, if the world may be written to now.
        """
        from cleanbreak.retrieval import search
        from cleanbreak.stores.fulltext import Index
        from cleanbreak.worlds import catalogue

        self._catch_up_for_search()
        with _reading():
            record = load_world(self._layout)
            if not self._layout.index.exists() and not self._layout.book_numbers():
                return []
        with _reading(), Index.open(self._layout.index, readonly=True) as index:
            prove = catalogue.prover(self._layout, record, index)
            return search(index, query, limit=limit, context=context, prove=prove)

    def status(self) -> Status:
        """What the world holds and how far it is."""
        with _reading():
            return status(self._layout, load_world(self._layout))

    # --- inside ----------------------------------------------------------------------------------

    def _is_on_disk(self) -> bool:
        return self._layout.current_record.exists()

    def _conditions(
        self, trust_files: bool, on_progress: OnProgress | None, stop: Stop | None
    ) -> Conditions:
        return Conditions(trust_files, stop, on_progress, self._stages, self._splitter_for)

    def _splitter_for(self, recipe: Recipe) -> Splitter:
        """The splitter that was given, if it is the one, as its tokenizer may have no name."""
        if self._given and self._given.recipe == recipe:
            return self._given
        return splitter_for(recipe, self._measure)

    def _asked(self, record: WorldRecord, settings: Settings | None) -> Recipe:
        if settings is None:
            return record.recipe
        self._given = _splitter(settings, self._measure)
        return check_lockable(self._given.recipe)

    @contextmanager
    def _writing(self) -> Iterator[Workspace]:
        """Hold the world, made now if it is a draft, with nothing half done in it."""
        if not self._is_on_disk():
            # Where someone is making the world right now, the lock tells, not what lies there.
            if not self._layout.lock.exists():
                check_free(self._layout.root, self._record.name)
            self._files.make_folder(self._layout.root)
        with writing(self._layout.lock):
            place = Workspace(self._layout, self._files, self._record)
            if not self._is_on_disk():
                check_free(self._layout.root, self._record.name)
                place.save()
            try:
                recover(place)
                yield place
            except OSError as error:
                raise WriteFailedError(
                    f"The world could not be read or written ({error.strerror}); mend the cause, "
                    "then resume.",
                    errno=error.errno,
                ) from None
            finally:
                self._record = place.record

    def _catch_up_for_search(self) -> None:
        from cleanbreak.stores.fulltext import Index
        from cleanbreak.worlds import catalogue

        record = load_world(self._layout)
        try:
            with Index.open(self._layout.index, readonly=True) as index:
                if catalogue.is_current(self._layout, record, index):
                    return
        except StoreError:
            pass  # missing or damaged: made anew below
        try:
            with self._writing() as place:
                ingest.index(place)
        except StoreError:
            return  # being written, or not to be written to: what is indexed and proved is searched


# --- checks --------------------------------------------------------------------------------------


@contextmanager
def _reading() -> Iterator[None]:
    """No raw exception leaves: a folder that may not be listed, a disk that fails."""
    try:
        yield
    except OSError as error:
        raise WorldMalformedError(
            f"A file of the world cannot be read ({error.strerror}); check its permissions, then "
            "run verify.",
            errno=error.errno,
        ) from None


def _without(numbers: Iterable[int], left_out: Iterable[int]) -> tuple[int, ...]:
    gone = set(left_out)
    return tuple(number for number in numbers if number not in gone)


def _check_unlocked(record: WorldRecord) -> None:
    if record.settings_locked:
        raise StateConflictError(
            "The settings are locked, as books are stored; re-ingest the world to change them."
        )


def _splitter(settings: Settings | None, measure: object) -> Splitter:
    """The splitter of what a caller gave."""
    if settings is None:
        return BoundarySplitter()
    if isinstance(settings, Recipe):
        return splitter_for(settings, measure)
    if isinstance(settings, Mapping):
        return make_splitter(**settings)
    if not hasattr(settings, "recipe"):
        raise SettingsError("settings", type(settings), "a recipe, a splitter or its settings")
    return settings


def _paths(paths: PathLike | Iterable[PathLike]) -> Iterator[Path]:
    if isinstance(paths, str | os.PathLike):
        yield Path(paths)
    else:
        yield from map(Path, paths)
