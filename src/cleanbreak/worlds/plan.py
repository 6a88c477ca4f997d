"""What an ingest would do, found out before anything is written."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import (
    CleanbreakError,
    RunInterruptedError,
    SourceMissingError,
    SourceUnreadableError,
    SourceUnsupportedError,
    StateConflictError,
)
from cleanbreak.storage.files import Identity, is_temporary, is_unicode
from cleanbreak.worlds import sources
from cleanbreak.worlds.identity import distinct
from cleanbreak.worlds.layout import Book, Layout
from cleanbreak.worlds.long_read import read_source
from cleanbreak.worlds.reading import Reading
from cleanbreak.worlds.records import Manifest, WorldRecord, manifest_or_none
from cleanbreak.worlds.room import Size, check_room
from cleanbreak.worlds.session import (
    PLAN,
    Documents,
    Options,
    RunProgress,
    now_and_then,
    while_reading,
)
from cleanbreak.worlds.stored import Stored

if TYPE_CHECKING:
    from cleanbreak.readers.listing import Listed

# ``same``: not taken, as its bytes are those of another source.
Action = Literal["new", "resume", "complete", "same", "removed", "conflict", "refused"]

# A slip in the request stops the whole batch. A book that holds no usable text, and a file that was
# found in a folder, fail only themselves.
_STOPS_BATCH = (SourceMissingError, SourceUnreadableError, SourceUnsupportedError)


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """One source of a batch and what would become of it."""

    name: str
    action: Action
    source_path: str = ""
    """The path below the folder that was named; the file name, if the file was named itself."""
    book_number: int | None = None
    size: int | None = None
    sha256: str | None = None
    media_type: str | None = None
    encoding: str | None = None
    text_length: int | None = None
    """Code points of a new book's text."""
    same_content_as: str | None = None
    """The path of another source, of this batch or of the world, with the same bytes."""
    error: CleanbreakError | None = None
    path: Path = field(default=Path(), repr=False)
    named: bool = True
    """Whether a person named the file itself, and not a folder that it was found in."""

    def as_dict(self) -> dict[str, Any]:
        """The source as plain data, without its full path."""
        return {
            "source_filename": self.name,
            "source_path": self.source_path,
            "action": self.action,
            "book_number": self.book_number,
            "size": self.size,
            "sha256": self.sha256,
            "media_type": self.media_type,
            "encoding": self.encoding,
            "text_length": self.text_length,
            "same_content_as": self.same_content_as,
            "error": self.error.as_dict() if self.error else None,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """What an ingest would do with each source. Nothing was written to find out."""

    sources: tuple[PlannedSource, ...]
    settings: Recipe
    reading: Reading = field(default_factory=Reading)
    """How the new sources are read."""
    documents: Documents = field(default_factory=Documents, repr=False, compare=False)
    """What was read of the new sources, as far as it is kept."""
    skipped: dict[str, int] = field(default_factory=dict)
    """How many files in folders are of a kind that is not read, by extension."""

    def of(self, action: Action) -> tuple[PlannedSource, ...]:
        """The sources planned for `action`."""
        return tuple(source for source in self.sources if source.action == action)

    def check(self) -> None:
        """Raise what forbids the batch, if anything does.

        Raises:
            StateConflictError: if a source conflicts with what is stored, or with another one.
            SourceError: if a source is missing, unreadable or of an unknown kind, or if none of
                them holds usable text.
        """
        refused = self.of("refused")
        for source in (*self.of("conflict"), *refused):
            slip = source.named and isinstance(source.error, _STOPS_BATCH)
            stops = source.action == "conflict" or slip
            if source.error and (stops or len(refused) == len(self.sources)):
                raise source.error

    def as_dict(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {
            "settings": self.settings.as_dict(),
            "sources": [source.as_dict() for source in self.sources],
            "skipped": self.skipped,
        }


def make_plan(
    layout: Layout,
    record: WorldRecord | None,
    paths: Iterable[Path],
    recipe: Recipe,
    how: Reading,
    options: Options | None = None,
    begun: WorldRecord | None = None,
    load: Callable[[Book], Manifest | None] = manifest_or_none,
) -> Plan:
    """Decide for each source; see `World.plan`.

    `begun` is the record of a re-ingest that will be finished first, and `load` reads manifests.

    Raises:
        RunInterruptedError: if the caller wants to stop, who is asked each second.
        SettingsError: for an encoding and the like that do not exist, also where no source needs one.
        StateConflictError: if a slot is ambiguous, or `recipe` is not what the world is locked to.
        DiskFullError: if the copies and chunks cannot fit.
    """
    from cleanbreak.readers.listing import list_files

    options = options or Options()
    check_settings(begun or record, recipe)
    how.check()
    listing = list_files(paths, recipe.splitter)
    batch = _Batch(Stored(layout, record, begun, load), recipe, how, options)
    planned: list[PlannedSource] = []
    files = distinct(listing.files)
    check_stop = now_and_then(options.check_before_run)
    for done, file in enumerate(files):
        check_stop()
        options.report(RunProgress(0, file.relative, 0, 0, done, len(files), PLAN))
        try:
            planned.append(batch.decide(file))
        except RunInterruptedError:
            raise
        except CleanbreakError as error:
            planned.append(_source(file, "refused", error=error))
    for unreadable in listing.unreadable:
        name = str(unreadable.details["name"])
        planned.append(PlannedSource(name, "refused", name, error=unreadable, named=False))
    plan = Plan(tuple(planned), recipe, how, batch.documents, dict(listing.skipped))
    new = (Size(source.size or 0, source.text_length or 0) for source in plan.of("new"))
    check_room(layout.root, new, recipe)
    return plan


class _Batch:
    """The sources of one ingest, decided one after another."""

    def __init__(self, stored: Stored, recipe: Recipe, how: Reading, options: Options) -> None:
        self.documents = Documents()
        self._stored = stored
        self._recipe = recipe
        self._how = how
        self._options = options
        self._check_stop = now_and_then(options.check_before_run)
        self._next_number = stored.next_number
        self._paths: dict[str, str] = {}
        # The new sources by digest, and the sizes of all that may be met again.
        self._new: dict[str, PlannedSource] = {}
        self._sizes = set(stored.sizes)

    def decide(self, file: "Listed") -> PlannedSource:
        """What becomes of one source.

        Raises:
            SourceError: if it cannot be used.
            StateConflictError: if its slot is ambiguous.
        """
        key = sources.name_key(file.relative)
        if key in self._paths:
            return _named_twice(file)
        self._paths[key] = file.relative
        number = self._stored.find(file)
        if number is not None:
            return self._known(file, number)
        return self._same(file) or self._added(file)

    def _known(self, file: "Listed", number: int) -> PlannedSource:
        """A source whose path is stored."""
        copied = sources.identify(file.path, self._check_stop)
        if {copied.sha256} != self._stored.digests(number):
            return _conflict(
                file,
                f"stored as book {number} with other content (to replace it, re-ingest this file: "
                f"cleanbreak reingest WORLD {file.path.name})",
                number,
            )
        return self._again(file, number, copied)

    def _again(self, file: "Listed", number: int, copied: Identity) -> PlannedSource:
        """A source that is stored, with these bytes."""
        stored = self._stored
        if stored.has_other_settings(number, self._recipe):
            return _conflict(
                file, f"stored as book {number} with other settings; re-ingest", number
            )
        if file.named and stored.is_read_otherwise(number, self._how):
            return _conflict(
                file,
                f"stored as book {number} and read in another way; to change how it is read: "
                f"cleanbreak reingest WORLD --book {number} with the same options",
                number,
            )
        action: Action = "complete" if stored.is_complete(number) else "resume"
        if stored.is_removed(number) and not file.named:
            action = "removed"
        return _source(file, action, number, copied)

    def _same(self, file: "Listed") -> PlannedSource | None:
        """A source whose bytes are those of another one, of the world or of this batch."""
        if _size(file.path) not in self._sizes:
            return None
        copied = sources.identify(file.path, self._check_stop)
        number = self._stored.holding(copied.sha256)
        if number is not None:
            found = self._again(file, number, copied)
            action: Action = "same" if found.action == "complete" else found.action
            return replace(found, action=action, same_content_as=self._stored.path(number))
        if twin := self._new.get(copied.sha256):
            same = _source(file, "same", twin.book_number, copied)
            return replace(same, same_content_as=twin.source_path)
        return None

    def _added(self, file: "Listed") -> PlannedSource:
        """A new book."""
        _check_name(file.path.name)
        number = self._next_number
        asks = while_reading(self._options, self._options.check_before_run)
        document = read_source(file.path, self._how, asks)
        self.documents.keep(number, document)
        # The bytes that were read, and not those that a second look at the file would find.
        copied = sources.identity_of(file.path, document)
        self._next_number += 1
        self._sizes.add(copied.size)
        found = document.source
        new = replace(
            _source(file, "new", number, copied),
            text_length=len(document.text),
            media_type=found.media_type if found else None,
            encoding=found.encoding if found else None,
        )
        self._new[copied.sha256] = new
        return new


def _source(
    file: "Listed",
    action: Action,
    number: int | None = None,
    copied: Identity | None = None,
    error: CleanbreakError | None = None,
) -> PlannedSource:
    return PlannedSource(
        file.path.name,
        action,
        file.relative,
        number,
        copied.size if copied else None,
        copied.sha256 if copied else None,
        error=error,
        path=file.path,
        named=file.named,
    )


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return None  # to read it says what is wrong


def _check_name(name: str) -> None:
    """Refuse a name that the records, which are UTF-8, or the folders of a world cannot hold."""
    if not is_unicode(name):
        raise SourceUnsupportedError(
            f"The file name {name!r} is not Unicode; rename it.", name=name
        )
    if is_temporary(name):
        raise SourceUnsupportedError(
            f"{name!r} has the name of a temporary file; rename it.", name=name
        )


def _named_twice(file: "Listed") -> PlannedSource:
    """Two files of one folder whose names differ only in how accents are composed."""
    source = _conflict(file, "named twice in this batch; rename one")
    return source if file.named else replace(source, action="refused")


def _conflict(file: "Listed", why: str, number: int | None = None) -> PlannedSource:
    error = StateConflictError(
        f"{file.relative!r} is {why}.", name=file.relative, book_number=number
    )
    return _source(file, "conflict", number, error=error)


def check_settings(record: WorldRecord | None, recipe: Recipe) -> None:
    """Refuse other settings than those that a world is locked to.

    Raises:
        StateConflictError: if they differ.
    """
    if record and record.settings_locked and record.recipe != recipe:
        raise StateConflictError(
            f"The world is locked to other settings ({_difference(record.recipe, recipe)}); leave them "
            "out, or re-ingest the world to change them.",
            stored=record.settings,
            asked=recipe.as_dict(),
        )


def _difference(stored: Recipe, asked: Recipe) -> str:
    """What differs between two recipes, in words.

    >>> _difference(Recipe("a", 1, {"size": 5, "back": 2}), Recipe("a", 1, {"size": 8, "back": 2}))
    'size is 5, and 8 was asked for'
    """
    if stored.splitter != asked.splitter:
        pairs: dict[str, tuple[Any, Any]] = {"by": (stored.splitter, asked.splitter)}
    else:
        names = {**stored.settings, **asked.settings}
        pairs = {name: (stored.settings.get(name), asked.settings.get(name)) for name in names}
        pairs["measure"] = (stored.measure, asked.measure)
    return "; ".join(
        f"{name} is {is_stored}, and {is_asked} was asked for"
        for name, (is_stored, is_asked) in pairs.items()
        if is_stored != is_asked
    )


def expected_identity(source: PlannedSource) -> Identity:
    """Which bytes the copies of a new source must hold."""
    return Identity(source.size or 0, source.sha256 or "")
