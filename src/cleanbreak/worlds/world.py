"""`World`: books cut into chunks, kept so that nothing is lost, and found again."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace as replaced
from pathlib import Path

from msgspec import structs

from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import Splitter, splitter_for
from cleanbreak.storage.files import Files
from cleanbreak.worlds import reingest, removal, renaming, run
from cleanbreak.worlds.embeddable import EmbeddableWorld
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.opening import has_books, load_world, new_record, reading, world_exists
from cleanbreak.worlds.plan import Plan, make_plan
from cleanbreak.worlds.reading import Reading
from cleanbreak.worlds.records import WorldRecord
from cleanbreak.worlds.recovery import open_for_writing, staged
from cleanbreak.worlds.reports import RunReport
from cleanbreak.worlds.session import Documents, OnProgress, Options, Session, Stop
from cleanbreak.worlds.settings import PathLike, Settings, check_unlocked, paths_of, splitter_of
from cleanbreak.worlds.stages import fulltext
from cleanbreak.worlds.stages.every import every_stage
from cleanbreak.worlds.stages.stage import Stage, check_stages
from cleanbreak.worlds.verify import VerifyReport, verify


class World(EmbeddableWorld):
    """Books in a folder: sources in two copies, one JSON file a chunk, an index to search.

    The files are the record (docs/world-format.md). What a method acknowledged is safe, however it
    is interrupted, and `resume` brings the world to where it would have been.

    Methods that write hold a lock and raise `WorldLockedError` if another process does. Every
    error is a `CleanbreakError`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     book = Path(folder, "sea.txt")
    ...     _ = book.write_text("The sea was calm. Then the storm came.")
    ...     world = World.create(Path(folder, "world"), settings={"chunk_size": 20})
    ...     report = world.ingest(book)
    ...     [(hit.citation, hit.text) for hit in world.search("storm")]
    [('sea.txt, line 1, characters 17-33', ' Then the storm ')]
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
        self._stages = every_stage(stages, record.stages)
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
        splitter = splitter_of(settings, None)
        names = [stage.name for stage in check_stages(stages, ())]
        record = new_record(Path(path), name, splitter.recipe, names)
        world = cls(Path(path), record, stages=stages, files=files)
        world._given = splitter
        return world

    @classmethod
    def create(
        cls,
        path: PathLike,
        *,
        name: str | None = None,
        settings: Settings | None = None,
        embedding: object = None,
        stages: Sequence[Stage] = (),
        files: Files | None = None,
    ) -> "World":
        """Make an empty world; ``embedding`` and its errors are those of `embed`, the rest `draft`'s."""
        world = cls.draft(path, name=name, settings=settings, stages=stages, files=files)
        embedder = world._chosen(embedding)  # noqa: SLF001 (its own)
        with world._writing(make=True) as session:  # noqa: SLF001 (its own)
            if session.record.world_uuid != world.uuid:  # another process was quicker
                raise world_exists(world._layout.root)  # noqa: SLF001 (its own)
            world._lock_to(embedder, session)  # noqa: SLF001 (its own)
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
            stages: work after the chunks. One that the world does not know yet becomes part of it
                with the next `ingest`, `resume` or `reingest`.
            files: how the disk is changed; for tests.

        Raises:
            WorldMissingError: if there is none.
            WorldMalformedError: if ``world.json`` is lost or cannot be read.
            FormatTooNewError: if a later version of cleanbreak wrote it.
            SettingsError: if one of `stages` is not a stage.
        """
        record = load_world(Layout(Path(path)))
        return cls(Path(path), record, measure=measure, stages=stages, files=files)

    @staticmethod
    def exists(path: PathLike) -> bool:
        """Whether there is a world at `path`, also one whose ``world.json`` is lost."""
        layout = Layout(Path(path))
        with suppress(OSError, ValueError):  # a name too long, or with a NUL
            return layout.current_record.exists() or has_books(layout)
        return False

    # --- writing ---------------------------------------------------------------------------------

    def change_settings(self, settings: Settings) -> None:
        """Change the settings of a draft.

        Raises:
            StateConflictError: once they are locked.
        """
        recipe = self._asked(self._record, settings)
        if self._is_on_disk():
            with self._writing() as session:
                check_unlocked(session.record)
                session.save(settings=recipe.as_dict())
        else:
            self._record = structs.replace(self._record, settings=recipe.as_dict())

    def plan(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        settings: Settings | None = None,
        encoding: str | None = None,
        as_format: str | None = None,
        furniture: str | None = None,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> Plan:
        """What `ingest` would do with each source: new book, resume, complete, conflict or refused.

        Everything is checked and nothing is written: settings, name, type, access, content,
        duplicates, room on the disk.

        Raises:
            SettingsError: if `paths` is not one or several paths.
            StateConflictError: if the settings differ from the locked ones, or a slot is ambiguous.
            DiskFullError: if the batch cannot fit.
        """
        options = Options(False, stop, on_plan=on_progress)
        how, wanted = Reading(encoding, as_format, furniture), paths_of("paths", paths)
        plan = self._plan(wanted, settings, how, options)
        return replaced(plan, documents=Documents())  # who only asks need not hold the texts

    def ingest(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        settings: Settings | None = None,
        encoding: str | None = None,
        as_format: str | None = None,
        furniture: str | None = None,
        trust_files: bool = False,
        on_plan: OnProgress | None = None,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> RunReport:
        """Add books, and bring those that were begun to completion.

        The whole batch is checked before anything is written. A source without usable text is
        reported in the run's ``failures``, and the others are ingested. Sources that are stored and
        complete are proved, and nothing is written for them.

        Args:
            paths: files, and folders of files.
            settings: must be the locked ones, if any are locked.
            encoding: of new text files, where the one found is wrong.
            as_format: read the new files as ``"text"``, ``"markdown"`` or ``"html"``.
            furniture: ``"keep"`` keeps heads and feet of new PDFs. All three hold for later runs.
            trust_files: believe chunk files by name and size, without reading them.
            on_plan: called before each source is checked.
            on_progress: called after each group of chunks.
            stop: asked each second while sources are checked and copied, and after each group;
                true ends the run, paused.

        Raises:
            StateConflictError: if a source or the settings conflict with what is stored; nothing
                was written.
            SourceError: if a source is missing or of an unknown kind, or none holds usable text;
                nothing was written.
            SettingsError: for an argument that is wrong, or an `on_progress` or `stop` that raises.
            RunInterruptedError: if stopped.
        """
        wanted = paths_of("paths", paths)
        options = Options(trust_files, stop, on_progress, on_plan)
        how = Reading(encoding, as_format, furniture)
        plan = None if self._is_on_disk() else self._plan(wanted, settings, how, options)
        if plan:
            plan.check()  # before a folder is made
        with self._writing(options, make=True) as session:
            if begun := staged(session.layout):
                # A request that is refused must not finish what was begun before.
                asked = self._asked(begun, settings)
                layout, record = session.layout, session.record
                make_plan(layout, record, wanted, asked, how, options, begun).check()
                reingest.resume(session)
            if plan is None or session.layout.book_numbers():
                layout, record = session.layout, session.record
                asked, load = self._asked(record, settings), session.manifest
                plan = make_plan(layout, record, wanted, asked, how, options, load=load)
                plan.check()
            return run.ingest(session, plan)

    def resume(
        self,
        *,
        trust_files: bool = False,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> RunReport:
        """Bring every stage of every book to completion, and repair what the files do not prove.

        The arguments and errors are those of `ingest`. A stage that the world asks for and that was
        not handed in is named in the report, and the run stays paused.
        """
        with self._writing(Options(trust_files, stop, on_progress)) as session:
            return reingest.resume_all(session)

    def reingest(
        self,
        books: Iterable[int] | None = None,
        *,
        settings: Settings | None = None,
        replace: PathLike | Iterable[PathLike] = (),
        encoding: str | None = None,
        as_format: str | None = None,
        furniture: str | None = None,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> RunReport:
        """Rebuild books from their stored sources; the old outputs stay readable until the swap.

        Args:
            books: which; if not given those replaced, or all. New settings are for all books.
            settings: new ones, to be locked.
            replace: files that take the place of the stored sources of the same names.
            encoding: that of these books from now on; if not given, it stays as it was.
            as_format: likewise, as of `ingest`.
            furniture: likewise.
            on_progress: called after each group of chunks.
            stop: asked after each group; true leaves the old outputs and a re-ingest to resume.

        Raises:
            SourceError: if a stored source is lost or a replacement unusable; nothing was written.
            CleanbreakError: if a book cannot be cut so; the old outputs stay.
            StateConflictError: for a book that is not there, or new settings for some books only.
        """
        files = paths_of("replace", replace)
        with self._writing(Options(False, stop, on_progress)) as session:
            recipe = self._asked(session.record, settings)
            how = Reading(encoding, as_format, furniture)
            return reingest.begin(session, books, files, recipe, how)

    def remove(self, book_number: int, *, sources: bool = False) -> None:
        """Remove a book's outputs, and with `sources` its stored source too.

        Raises:
            StateConflictError: if there is no such book, or a re-ingest waits to be resumed.
        """
        with self._writing() as session:
            removal.remove(session, book_number, sources=sources)

    def rename(self, name: str, *, book: int | None = None) -> None:
        """Give the world another name, or one of its books another path.

        A book's path is what citations, exports and `status` show and what identifies its file when
        it is ingested again; the stored source keeps its file name.

        Raises:
            SettingsError: for what is no name.
            WorldExistsError: if a world beside this one has the name.
            StateConflictError: if there is no such book, or another one has the path.
        """
        with self._writing() as session:
            renaming.rename(session, name, book)

    def dismiss(self) -> None:
        """Forget the sources that were refused, which `status` lists until then."""
        with self._writing() as session:
            session.save(refused=())

    def reindex(self, *, on_progress: OnProgress | None = None, stop: Stop | None = None) -> int:
        """Make the index again from the files; how many books it holds then.

        Until it is complete, and if this fails or is stopped, searches use the index as it was.
        """
        with self._writing(Options(False, stop, on_progress)) as session:
            return fulltext.rebuild(session)

    # --- reading ---------------------------------------------------------------------------------

    def verify(
        self,
        *,
        repair: bool = False,
        on_progress: OnProgress | None = None,
        stop: Stop | None = None,
    ) -> VerifyReport:
        """Check every file against the records. Safe at any time; `repair` repairs what it can.

        A repair is a `resume`. `on_progress` is called before each book, `stop` asked each second.

        Raises:
            RunInterruptedError: if stopped.
        """
        options = Options(False, stop, on_progress)
        with reading():
            found = verify(self._reader(options))
        if not repair or found.ok:
            return found
        self.resume(on_progress=on_progress, stop=stop)
        with reading():
            return verify(self._reader(options)).after(found)

    # --- inside ----------------------------------------------------------------------------------

    def _splitter_for(self, recipe: Recipe) -> Splitter:
        """The splitter that was given, if it is the one, as its tokenizer may have no name."""
        if self._given and self._given.recipe == recipe:
            return self._given
        return splitter_for(recipe, self._measure)

    def _asked(self, record: WorldRecord, settings: Settings | None) -> Recipe:
        if settings is None:
            return record.recipe
        self._given = splitter_of(settings, self._measure)
        return self._given.recipe

    def _plan(
        self, paths: list[Path], settings: Settings | None, how: Reading, options: Options
    ) -> Plan:
        with reading():
            record = load_world(self._layout) if self._is_on_disk() else self._record
            recipe = self._asked(record, settings)
            return make_plan(self._layout, record, paths, recipe, how, options)

    @contextmanager
    def _writing(self, options: Options | None = None, *, make: bool = False) -> Iterator[Session]:
        """A session that holds the world; a draft is made now with `make`, else it is no world."""
        if not make:
            with reading():
                load_world(self._layout)
        place = (self._layout, self._files, self._record, self._stages)
        session = Session(*place, options or Options(), self._splitter_for)
        try:
            with open_for_writing(session):
                yield session
        finally:
            self._record = session.record
