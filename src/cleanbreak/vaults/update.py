"""Update the index of a vault: read what changed, write it in one transaction."""

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import msgspec

from cleanbreak.core.chunk import Chunk, ChunkRecord
from cleanbreak.core.document import Document
from cleanbreak.core.fingerprint import Fingerprint
from cleanbreak.core.measures.estimate import estimate_tokens
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import Splitter
from cleanbreak.errors import (
    SourceError,
    SourceMissingError,
    SourceUnreadableError,
    SplitError,
    VaultMissingError,
)
from cleanbreak.stores.fulltext import Index, SourceRow
from cleanbreak.stores.fulltext.note_links import NoteLinks
from cleanbreak.stores.fulltext.note_names import NoteNames
from cleanbreak.stores.fulltext.note_states import NoteStates
from cleanbreak.stores.fulltext.rows import NoteState, ProblemRow
from cleanbreak.vaults.config import FOLDER, VaultConfig
from cleanbreak.vaults.flavour import Flavour, flavour_of
from cleanbreak.vaults.names import fold, last, names_of
from cleanbreak.vaults.note import Note, read_note
from cleanbreak.vaults.report import IndexReport, NoteOutcome, OnNote, Outcome
from cleanbreak.vaults.resolve import Resolver
from cleanbreak.vaults.scan import FileStamp, Problem, Scan, scan

# FAT stores times in steps of two seconds: a file this young may change again without a new time,
# so the next run reads it again. Its time is stored below zero.
_COARSEST_CLOCK_NS = 2_000_000_000

# The time of a note that is to be read by the next run in any case.
_UNKNOWN_TIME = -1


def update(
    vault: Path,
    index: Index,
    config: VaultConfig,
    *,
    force: bool = False,
    on_note: OnNote | None = None,
) -> IndexReport:
    """Update the index to the present files of the vault.

    A note with the same size and time is unchanged; a note that differs in them is compared by
    digest; `force` cuts every note again. A note that cannot be read becomes a problem in the
    report, and the other notes are indexed. What lies in a folder that cannot be listed, or cannot
    be opened just now, stays as it is. If the process is killed at any moment, the index is either
    the old one or the new one.

    Raises:
        VaultMissingError: if the folder is empty and the index is not, as it is when a disk is not
            mounted; not with `force`.
    """
    now = time.time_ns()
    found = scan(vault, config.notes, config.left_out)
    held = NoteStates(index).states()
    found.problems.extend(_links_to_nothing(found, held))
    run = _Run(vault, index, config, found, now - _COARSEST_CLOCK_NS, on_note)
    if held and not force and _is_empty(vault, found):
        raise VaultMissingError(
            f"The folder {vault.name!r} is empty, but its index has {len(held):,} notes; is its "
            "disk mounted? The index is unchanged; --force empties it.",
            name=vault.name,
            notes=len(held),
        )
    if force or run.is_needed(held):
        with index.transaction():
            # Read the states again: another run may have written while this one waited for the lock.
            run.write(NoteStates(index).states(), force=force)
    else:
        run.report.unchanged = len(held)
    run.add_older_errors()
    run.report.problems.sort()
    return run.report


def _is_empty(vault: Path, found: Scan) -> bool:
    """Whether not even the folder of the settings and the index is there."""
    return not (found.notes or found.attachments or found.problems or (vault / FOLDER).exists())


def _links_to_nothing(found: Scan, held: dict[str, NoteState]) -> Iterator[Problem]:
    """A warning for each link to a folder that is not there, if notes are held of it."""
    shown = {problem.path for problem in found.problems}
    for path in found.unread:
        if path.endswith("/") and path not in shown and any(key.startswith(path) for key in held):
            yield Problem(
                path,
                "SOURCE_MISSING",
                "This link leads to nothing, perhaps as a disk is not mounted; its notes stay in the "
                "index.",
                is_error=False,
            )


class _Run:
    def __init__(
        self,
        vault: Path,
        index: Index,
        config: VaultConfig,
        found: Scan,
        trusted_before: int,
        on_note: OnNote | None,
    ) -> None:
        self._vault = vault
        self._index = index
        self._links = NoteLinks(index)
        self._names = NoteNames(index)
        self._states = NoteStates(index)
        self._settings = json.dumps(asdict(config))
        self._splitter = config.splitter()
        self._flavour = flavour_of(vault)
        self._encoding = config.encoding
        self._recipe = _recipe_of(self._splitter, self._flavour, config.encoding)
        self._found = found
        self._trusted_before = trusted_before
        self._on_note = on_note or (lambda _: None)
        # Paths of notes that are gone, by digest and recipe, until the same bytes are found at
        # another path.
        self._gone: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.report = IndexReport(problems=list(found.problems), options=config.options)

    # --- what is to be done ----------------------------------------------------------------------

    def is_needed(self, held: dict[str, NoteState]) -> bool:
        """Whether any file was added, removed or changed, or the settings are others."""
        refused = self._states.refused()
        return (
            any(key not in self._found.notes and not self._found.may_hold(key) for key in held)
            or any(
                self._is_to_read(key, stamp, held, refused)
                for key, stamp in self._found.notes.items()
            )
            or any(key not in self._found.notes for key in refused)
            or self._links.attachments() != self._found.attachments
            or self._states.settings() != self._settings
            or self._states.problems(of_scan=True) != _rows(self._found.problems)
        )

    def _is_to_read(
        self,
        key: str,
        stamp: FileStamp,
        held: dict[str, NoteState],
        refused: dict[str, NoteState],
    ) -> bool:
        state = refused.get(key) or held.get(key)
        return state is None or state[1:] != (*stamp, self._recipe)

    # --- writing ---------------------------------------------------------------------------------

    def write(self, held: dict[str, NoteState], *, force: bool) -> None:
        """Write all changes."""
        refused = self._states.refused()
        self._replace_attachments()
        self._states.replace_scan_problems(_rows(self._found.problems))
        for key in sorted(held.keys() - self._found.notes.keys()):
            if self._found.may_hold(key):
                self.report.unchanged += 1
            else:
                self._gone[held[key].digest, held[key].recipe].append(key)
        for key in refused.keys() - self._found.notes.keys():
            self._states.replace_problems(key, ())
        for key, stamp in sorted(self._found.notes.items()):
            if force or self._is_to_read(key, stamp, held, refused):
                self._index_note(key, stamp, held.get(key), force=force)
            else:
                self.report.unchanged += key in held
        for key in sorted(key for keys in self._gone.values() for key in keys):
            self._remove(key)
        self._resolve()
        self._states.complete(self._settings)

    def _replace_attachments(self) -> None:
        held, found = self._links.attachments(), self._found.attachments
        self._links.replace_attachments(held - found, found - held)
        for path in held - found:
            self._names.replace(path, ())
        for path in found - held:
            self._names.replace(path, names_of(path, is_note=False))

    def _index_note(
        self, key: str, stamp: FileStamp, state: NoteState | None, *, force: bool
    ) -> None:
        """Read a note, and write it if it changed."""
        try:
            note = read_note(self._vault, key, self._flavour, self._encoding)
            if state and not force and (state.digest, state.recipe) == (note.digest, self._recipe):
                self._index.touch_source(key, stamp.size, self._trusted_time(stamp))
                self._keep_problems(key, note.problems)
                self.report.unchanged += 1
                return
            if not state and not force and (gone := self._gone[note.digest, self._recipe]):
                self._move(gone.pop(0), note, stamp)
                return
            chunks = [_record(chunk) for chunk in self._splitter.stream(Document(note.text))]
            chunks = chunks or [_record(_blank_chunk(note.text, self._splitter.recipe))]
        except SourceMissingError:  # deleted during this run
            self._remove(key)
        except (SourceError, SplitError) as error:
            self._refuse(key, stamp, state, error)
        else:
            self._put(note, stamp, chunks)
            self._on_note(NoteOutcome(key, self._outcome(note, state), tuple(chunks)))

    def _refuse(
        self, key: str, stamp: FileStamp, state: NoteState | None, error: SourceError | SplitError
    ) -> None:
        """Note why a file is not indexed. What it was before stays if it only cannot be opened now."""
        problem = Problem(key, error.code, error.message)
        if not isinstance(error, SourceUnreadableError):
            self._remove(key)
            refused = NoteState("", stamp.size, self._trusted_time(stamp), self._recipe)
            self._states.replace_problems(key, _rows([problem]), refused)
            return
        self._keep_problems(key, (problem,))
        if state:
            self._index.touch_source(key, state.size, _UNKNOWN_TIME)
            self.report.unchanged += 1

    def _keep_problems(self, key: str, problems: tuple[Problem, ...]) -> None:
        self._states.replace_problems(key, _rows(problems))
        self.report.problems += problems

    def _put(self, note: Note, stamp: FileStamp, chunks: list[ChunkRecord]) -> None:
        source_id = self._index.replace_source(self._source(note, stamp), chunks, note.opaque)
        links = ((last(fold(link.target)), link) for link in note.links)
        self._links.replace_note(source_id, links, note.tags, note.aliases)
        self._put_names(note)
        self._keep_problems(note.key, note.problems)
        self.report.chunks += len(chunks)

    def _put_names(self, note: Note) -> None:
        if note.kind == "note":
            names = names_of(note.key, is_note=True, aliases=note.aliases, flavour=self._flavour)
            self._names.replace(note.key, names)

    def _move(self, old_key: str, note: Note, stamp: FileStamp) -> None:
        """Note that the bytes of a note are at another path: nothing is cut again."""
        self._index.move_source(old_key, self._source(note, stamp))
        self._forget(old_key)
        self._put_names(note)
        self._links.put_off(note.key)
        self._keep_problems(note.key, note.problems)
        self.report.renamed.append((old_key, note.key))
        self._on_note(NoteOutcome(note.key, "renamed"))

    def _source(self, note: Note, stamp: FileStamp) -> SourceRow:
        return SourceRow(
            key=note.key,
            kind=note.kind,
            name=note.name,
            title=note.title,
            digest=note.digest,
            tags=note.tag_names,
            aliases=note.aliases,
            size=stamp.size,
            mtime_ns=self._trusted_time(stamp),
            recipe=self._recipe,
            authors=note.authors,
        )

    def _outcome(self, note: Note, state: NoteState | None) -> Outcome:
        if state:
            self.report.changed.append(note.key)
            return "changed"
        if gone := self._gone[note.digest, self._recipe]:  # with `force`
            old_key = gone.pop(0)
            self._index.remove_source(old_key)
            self._forget(old_key)
            self.report.renamed.append((old_key, note.key))
            return "renamed"
        self.report.new.append(note.key)
        return "new"

    def _remove(self, key: str) -> None:
        if self._index.remove_source(key):
            self.report.removed.append(key)
            self._on_note(NoteOutcome(key, "removed"))
        self._forget(key)

    def _forget(self, key: str) -> None:
        """Drop the names and problems of a note that is gone; an attachment keeps its names."""
        if key not in self._found.attachments:
            self._names.replace(key, ())
        self._states.replace_problems(key, ())

    def _trusted_time(self, stamp: FileStamp) -> int:
        return stamp.mtime_ns if stamp.mtime_ns < self._trusted_before else -stamp.mtime_ns

    def _resolve(self) -> None:
        """Resolve the links of notes that are new or moved, and those by a name that changed."""
        resolver = Resolver(self._names.of, self._flavour)
        meant = {}
        for source_key, number, link, _, _ in self._links.pending():
            paths = resolver.meanings(source_key, link)
            meant[source_key, number] = (paths[0] if paths else None, len(paths))
        self._links.resolve(meant)

    def add_older_errors(self) -> None:
        """Add the errors of older runs that still hold to the report."""
        known = set(self.report.problems)
        older = (Problem(*row) for row in self._states.problems() if row.is_error)
        self.report.problems += [problem for problem in older if problem not in known]


def _recipe_of(splitter: Splitter, flavour: Flavour, encoding: str) -> str:
    """What notes are read and cut by; those of another recipe are out of date."""
    named = (splitter.recipe.digest, flavour, encoding)
    return " ".join(part for part in named if part not in ("obsidian", "auto"))


def _rows(problems: list[Problem] | tuple[Problem, ...]) -> list[ProblemRow]:
    return [ProblemRow(*problem) for problem in sorted(problems)]


def _record(chunk: Chunk) -> ChunkRecord:
    record = chunk.record()
    if record.token_count is not None:
        return record
    return msgspec.structs.replace(record, token_count=estimate_tokens(chunk.text))


def _blank_chunk(text: str, recipe: Recipe) -> Chunk:
    """A chunk without text, by which a blank note is found: it has a name, and may have a title."""
    return Chunk(
        number=1,
        text="",
        overlap_text="",
        start=0,
        end=0,
        byte_start=0,
        byte_end=0,
        token_count=0,
        heading_path=None,
        sections=(),
        oversize=False,
        fingerprint=Fingerprint(recipe, text),
    )
