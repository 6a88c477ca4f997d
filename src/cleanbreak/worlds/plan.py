"""What an ingest would do, found out before anything is written."""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cleanbreak.core.recipe import Recipe
from cleanbreak.errors import (
    CleanbreakError,
    DiskFullError,
    SourceMissingError,
    SourceUnreadableError,
    SourceUnsupportedError,
    StateConflictError,
)
from cleanbreak.storage.files import Identity, is_temporary, is_unicode
from cleanbreak.worlds import sources
from cleanbreak.worlds.layout import Layout
from cleanbreak.worlds.records import Manifest, WorldRecord, manifest_or_none
from cleanbreak.worlds.session import Documents

if TYPE_CHECKING:
    from cleanbreak.readers.listing import Listed

Action = Literal["new", "resume", "complete", "removed", "conflict", "refused"]

# A slip in the request stops the whole batch. A book that holds no usable text, and a file that was
# found in a folder, fail only themselves.
_STOPS_BATCH = (SourceMissingError, SourceUnreadableError, SourceUnsupportedError)


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """One source of a batch and what would become of it."""

    name: str
    action: Action
    book_number: int | None = None
    size: int | None = None
    sha256: str | None = None
    media_type: str | None = None
    encoding: str | None = None
    same_content_as: str | None = None
    """Another source, of this batch or of the world, with the same bytes."""
    error: CleanbreakError | None = None
    path: Path = field(default=Path(), repr=False)
    named: bool = True
    """Whether a person named the file itself, and not a folder that it was found in."""

    def as_dict(self) -> dict[str, Any]:
        """The source as plain data, without its path."""
        return {
            "source_filename": self.name,
            "action": self.action,
            "book_number": self.book_number,
            "size": self.size,
            "sha256": self.sha256,
            "media_type": self.media_type,
            "encoding": self.encoding,
            "same_content_as": self.same_content_as,
            "error": self.error.as_dict() if self.error else None,
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """What an ingest would do with each source. Nothing was written to find out."""

    sources: tuple[PlannedSource, ...]
    settings: Recipe
    encoding: str | None = None
    """The encoding that a person named for the new text files."""
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


class _Stored:
    """What the world holds, by the name of the source."""

    def __init__(self, layout: Layout, record: WorldRecord | None) -> None:
        self.layout = layout
        self.record = record
        self.numbers: dict[str, int] = {}
        self.manifests: dict[int, Manifest | None] = {}
        for number in layout.book_numbers():
            manifest = manifest_or_none(layout.book(number))
            # An ambiguous slot has several names; it is refused when one of them is asked for.
            names = [manifest.source.filename] if manifest else sources.names(layout, number)
            for name in names:
                self.numbers[sources.name_key(name)] = number
            self.manifests[number] = manifest
        known = record.books if record else {}
        self.next_number = max({*self.manifests, *known}, default=0) + 1

    def digests(self) -> dict[str, str]:
        """Names of the sources by their content."""
        names: dict[str, str] = {}
        for manifest in self.manifests.values():
            if manifest:
                names.setdefault(manifest.source.sha256, manifest.source.filename)
        return names

    def identity(self, number: int) -> set[str]:
        """The digests that a file of the same name may have: one, unless the copies differ."""
        manifest = self.manifests[number]
        if manifest:
            return {manifest.source.sha256}
        slot = sources.look(self.layout, number)
        return {sources.identify(path).sha256 for path in slot if path}


def make_plan(
    layout: Layout,
    record: WorldRecord | None,
    paths: Iterable[Path],
    recipe: Recipe,
    encoding: str | None = None,
    check_stop: Callable[[], None] = lambda: None,
) -> Plan:
    """Decide for each source; see `World.plan`. `check_stop` is called before each one.

    Raises:
        SettingsError: for an encoding that does not exist, also where no source needs it.
        StateConflictError: if a slot is ambiguous, or `recipe` is not what the world is locked to.
        DiskFullError: if the copies and chunks cannot fit.
    """
    from cleanbreak.readers import check_encoding
    from cleanbreak.readers.listing import list_files

    check_settings(record, recipe)
    check_encoding(encoding)
    stored = _Stored(layout, record)
    planned: list[PlannedSource] = []
    names: dict[str, str] = {}
    contents = stored.digests()
    documents = Documents()
    removed = record.removed_books if record else ()
    listing = list_files(paths, recipe.splitter)
    for file in listing.files:
        check_stop()
        path = file.path
        key = sources.name_key(path.name)
        if key in names:
            planned.append(_named_twice(file, names[key]))
            continue
        names[key] = file.relative
        try:
            source = _decide(stored, path, recipe, contents, encoding, documents)
            if source.book_number in removed and not file.named:
                source = replace(source, action="removed")
        except CleanbreakError as error:
            source = PlannedSource(path.name, "refused", error=error, path=path, named=file.named)
        if source.action == "new":
            stored.next_number += 1
            contents.setdefault(source.sha256 or "", source.name)
        planned.append(source)
    for unreadable in listing.unreadable:
        name = str(unreadable.details["name"])
        planned.append(PlannedSource(name, "refused", error=unreadable, named=False))
    plan = Plan(tuple(planned), recipe, encoding, documents, dict(listing.skipped))
    _check_room(layout, plan)
    return plan


def _decide(
    stored: _Stored,
    path: Path,
    recipe: Recipe,
    contents: dict[str, str],
    encoding: str | None,
    documents: Documents,
) -> PlannedSource:
    number = stored.numbers.get(sources.name_key(path.name))
    if number is None:
        return _new(stored.next_number, path, contents, encoding, documents)
    copied = sources.identify(path)
    manifest = stored.manifests[number]
    if {copied.sha256} != stored.identity(number):
        return _conflict(
            path,
            f"stored as book {number} with other content; to replace it, re-ingest the world "
            "with this file",
            number,
        )
    if manifest and Recipe.from_dict(manifest.settings) != recipe:
        return _conflict(path, f"stored as book {number} with other settings; re-ingest", number)
    hidden = stored.record.hidden_books if stored.record else set()
    done = manifest is not None and manifest.complete and number not in hidden
    return PlannedSource(
        path.name,
        "complete" if done else "resume",
        number,
        copied.size,
        copied.sha256,
        path=path,
    )


def _new(
    number: int,
    path: Path,
    contents: dict[str, str],
    encoding: str | None,
    documents: Documents,
) -> PlannedSource:
    from cleanbreak.readers import read

    _check_name(path.name)
    document = read(path, encoding=encoding)
    documents.keep(number, document)
    # The bytes that were read, and not those that a second look at the file would find.
    copied = sources.identity_of(path, document)
    source = document.source
    return PlannedSource(
        path.name,
        "new",
        number,
        copied.size,
        copied.sha256,
        source.media_type if source else None,
        source.encoding if source else None,
        contents.get(copied.sha256),
        path=path,
    )


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


def _named_twice(file: "Listed", before: str) -> PlannedSource:
    """Two files of one name: a slip if it was named itself, else a failure of its own."""
    source = _conflict(
        file.path, f"named twice in this batch, as {before!r} and {file.relative!r}; rename one"
    )
    return source if file.named else replace(source, action="refused", named=False)


def _conflict(path: Path, why: str, number: int | None = None) -> PlannedSource:
    error = StateConflictError(f"{path.name!r} is {why}.", name=path.name, book_number=number)
    return PlannedSource(path.name, "conflict", number, error=error, path=path)


def check_settings(record: WorldRecord | None, recipe: Recipe) -> None:
    """Refuse other settings than those that a world is locked to.

    Raises:
        StateConflictError: if they differ.
    """
    if record and record.settings_locked and record.recipe != recipe:
        raise StateConflictError(
            "The world is locked to other settings; leave them out, or re-ingest the world to "
            "change them.",
            stored=record.settings,
            asked=recipe.as_dict(),
        )


def _check_room(layout: Layout, plan: Plan) -> None:
    """Refuse what cannot fit: two copies and, at the very least, the text once more."""
    needed = sum(3 * (source.size or 0) for source in plan.of("new"))
    folder = layout.root
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise DiskFullError(
            f"The batch needs at least {needed:,} bytes and the disk has {free:,}; nothing was "
            "written. Make room, or ingest fewer books.",
            needed=needed,
            free=free,
        )


def expected_identity(source: PlannedSource) -> Identity:
    """Which bytes the copies of a new source must hold."""
    return Identity(source.size or 0, source.sha256 or "")
