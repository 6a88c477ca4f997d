"""Update the index of a vault: read what changed, write it in one transaction."""

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from cleanbreak.core.chunk import Chunk, ChunkRecord
from cleanbreak.core.document import Document
from cleanbreak.core.fingerprint import Fingerprint
from cleanbreak.core.measures.estimate import estimate_tokens
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import Splitter
from cleanbreak.errors import SourceError, SourceMissingError, SplitError
from cleanbreak.stores.fulltext import Index, SourceRow, SourceState
from cleanbreak.stores.fulltext.note_links import NoteLinks
from cleanbreak.vaults.config import VaultConfig
from cleanbreak.vaults.flavour import flavour_of
from cleanbreak.vaults.note import Note, read_note
from cleanbreak.vaults.resolve import Resolver
from cleanbreak.vaults.scan import FileStamp, Problem, Scan, scan

# FAT stores times in steps of two seconds: a file this young may change again without a new time,
# so the next run reads it again.
_COARSEST_CLOCK_NS = 2_000_000_000

# Stored instead of a modification time that may not show a later change.
_UNTRUSTED_TIME = -1

Outcome = Literal["new", "changed", "renamed", "removed"]


class NoteOutcome(NamedTuple):
    """The outcome for one note, with the chunks that were cut: none of a renamed note."""

    path: str
    outcome: Outcome
    chunks: tuple[ChunkRecord, ...] = ()


OnNote = Callable[[NoteOutcome], None]


@dataclass(slots=True)
class IndexReport:
    """The result of one run. Paths are relative to the vault, in order."""

    new: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    """(old path, new path) of moved notes; they are not in ``new`` and ``removed``."""
    unchanged: int = 0
    chunks: int = 0
    """The number of chunks cut in this run."""
    problems: list[Problem] = field(default_factory=list)

    @property
    def wrote(self) -> bool:
        """Whether any note is new, changed or gone."""
        return bool(self.new or self.changed or self.removed or self.renamed)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data, as ``--json`` prints it."""
        return {
            **asdict(self),
            "renamed": [{"from": old, "to": new} for old, new in self.renamed],
            "problems": [problem._asdict() for problem in self.problems],
        }


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
    report, and the other notes are indexed. If the process is killed at any moment, the index is
    either the old one or the new one.
    """
    now = time.time_ns()
    found = scan(vault, config.notes, config.left_out)
    run = _Run(vault, index, config.splitter(), found, now - _COARSEST_CLOCK_NS, on_note)
    if force or run.is_needed(index.sources()):
        with index.transaction():
            # Read the sources again: another run may have written while this one waited for the lock.
            run.write(index.sources(), force=force)
    else:
        run.report.unchanged = len(found.notes)
    run.report.problems.sort()
    return run.report


class _Run:
    def __init__(
        self,
        vault: Path,
        index: Index,
        splitter: Splitter,
        found: Scan,
        trusted_before: int,
        on_note: OnNote | None,
    ) -> None:
        self._vault = vault
        self._index = index
        self._graph = NoteLinks(index)
        self._splitter = splitter
        self._flavour = flavour_of(vault)
        # Notes are also read again when the program that wrote them is known or becomes another.
        reading = "" if self._flavour == "obsidian" else f" {self._flavour}"
        self._recipe = splitter.recipe.digest + reading
        self._found = found
        self._trusted_before = trusted_before
        self._on_note = on_note or (lambda _: None)
        # Paths of notes that are gone, by digest and recipe, until the same bytes are found at
        # another path.
        self._gone: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.report = IndexReport(problems=list(found.problems))

    def is_needed(self, held: dict[str, SourceState]) -> bool:
        """Whether any file was added, removed or changed."""
        return (
            held.keys() != self._found.notes.keys()
            or any(self._may_differ(held[key], stamp) for key, stamp in self._found.notes.items())
            or self._graph.attachments() != self._found.attachments
            or not self._graph.is_complete()
        )

    def _may_differ(self, state: SourceState, stamp: FileStamp) -> bool:
        return (state.size, state.mtime_ns, state.recipe) != (*stamp, self._recipe)

    def write(self, held: dict[str, SourceState], *, force: bool) -> None:
        """Write all changes."""
        aliases = self._graph.aliases()
        written: list[str] = []
        names_changed = self._graph.replace_attachments(self._found.attachments)
        for key in sorted(held.keys() - self._found.notes.keys()):
            self._gone[held[key].digest, held[key].recipe].append(key)
        for key, stamp in sorted(self._found.notes.items()):
            state = held.get(key)
            if state and not force and not self._may_differ(state, stamp):
                self.report.unchanged += 1
            elif self._index_note(key, stamp, state, force=force):
                written.append(key)
        for key in sorted(key for keys in self._gone.values() for key in keys):
            self._index.remove_source(key)
            self._report_removed(key)
        names_changed |= held.keys() != self._index.sources().keys()
        names_changed |= aliases != self._graph.aliases()
        self._resolve(None if names_changed else written)
        self._graph.complete()

    def _index_note(
        self, key: str, stamp: FileStamp, state: SourceState | None, *, force: bool
    ) -> bool:
        """Read a note and write it if it changed; return whether it was written."""
        try:
            note = read_note(self._vault, key, self._flavour)
            if state and not force and (state.digest, state.recipe) == (note.digest, self._recipe):
                self._index.touch_source(key, stamp.size, self._trusted_time(stamp))
                self.report.unchanged += 1
                return False
            if not state and not force and (gone := self._gone[note.digest, self._recipe]):
                self._move(gone.pop(0), note, stamp)
                return True
            chunks = [_record(chunk) for chunk in self._splitter.stream(Document(note.text))]
            chunks = chunks or [_record(_blank_chunk(note.text, self._splitter.recipe))]
        except (SourceError, SplitError) as error:
            # A missing file was deleted during this run.
            if not isinstance(error, SourceMissingError):
                self.report.problems.append(Problem(key, error.code, error.message))
            if self._index.remove_source(key):
                self._report_removed(key)
            return False
        self._put(note, stamp, chunks)
        self._on_note(NoteOutcome(key, self._outcome(note, state), tuple(chunks)))
        return True

    def _put(self, note: Note, stamp: FileStamp, chunks: list[ChunkRecord]) -> None:
        source_id = self._index.replace_source(self._source(note, stamp), chunks)
        self._graph.replace_note(source_id, note.links, note.tags, note.aliases)
        self.report.chunks += len(chunks)
        self.report.problems += note.problems

    def _move(self, old_key: str, note: Note, stamp: FileStamp) -> None:
        """Note that the bytes of a note are at another path: nothing is cut again."""
        self._index.move_source(old_key, self._source(note, stamp))
        self.report.renamed.append((old_key, note.key))
        self._on_note(NoteOutcome(note.key, "renamed"))

    def _source(self, note: Note, stamp: FileStamp) -> SourceRow:
        return SourceRow(
            key=note.key,
            kind="note",
            name=note.name,
            title=note.title,
            digest=note.digest,
            tags=note.tag_names,
            aliases=note.aliases,
            size=stamp.size,
            mtime_ns=self._trusted_time(stamp),
            recipe=self._recipe,
        )

    def _outcome(self, note: Note, state: SourceState | None) -> Outcome:
        if state:
            self.report.changed.append(note.key)
            return "changed"
        if gone := self._gone[note.digest, self._recipe]:  # with `force`
            old_key = gone.pop(0)
            self._index.remove_source(old_key)
            self.report.renamed.append((old_key, note.key))
            return "renamed"
        self.report.new.append(note.key)
        return "new"

    def _report_removed(self, key: str) -> None:
        self.report.removed.append(key)
        self._on_note(NoteOutcome(key, "removed"))

    def _trusted_time(self, stamp: FileStamp) -> int:
        return stamp.mtime_ns if stamp.mtime_ns < self._trusted_before else _UNTRUSTED_TIME

    def _resolve(self, written: list[str] | None) -> None:
        """Resolve the links of the notes in `written`; ``None`` resolves the links of all notes."""
        graph = self._graph
        resolver = Resolver(
            self._index.sources(), graph.aliases(), graph.attachments(), self._flavour
        )
        stored = (
            graph.links()
            if written is None
            else [one for key in written for one in graph.links(key)]
        )
        changed = {}
        for source_key, number, link, target_key, candidates in stored:
            paths = resolver.meanings(source_key, link)
            if (target_key, candidates) != (meant := (paths[0] if paths else None, len(paths))):
                changed[source_key, number] = meant
        graph.resolve(changed)


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
