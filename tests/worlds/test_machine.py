"""After any actions in any order a world holds what a dictionary would."""

import os
import shutil
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

import cleanbreak as cb
from bookshelf import stored_text, without_index
from cleanbreak import errors
from cleanbreak.storage import files
from cleanbreak.storage.files import Files
from strategies import texts

CONTENTS = texts.filter(lambda text: text.strip() and "\x00" not in text)
NAMES = st.sampled_from(["a.txt", "b.txt", "ü c.md"])
SIZES = st.integers(1, 60)


class WorldMachine(RuleBasedStateMachine):
    """A world, and beside it a dictionary of what was stored under which number and name."""

    @initialize(size=SIZES)
    def create(self, size: int) -> None:
        """An empty world."""
        memory = Path("/dev/shm")
        self.folder = Path(mkdtemp(dir=memory if memory.is_dir() else None))
        self.root = self.folder / "world"
        self.inbox = self.folder / "in"
        self.inbox.mkdir()
        self.size = size
        self.texts: dict[int, str] = {}
        self.names: dict[str, int] = {}
        self.removed: set[int] = set()
        self.unfinished = self.damaged = False
        self.world = cb.World.create(
            self.root, settings={"chunk_size": size}, files=Files(group_size=3)
        )

    def teardown(self) -> None:
        """Remove the folder."""
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)

    def _book(self, name: str, text: str) -> Path:
        path = self.inbox / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    def _readable(self, path: Path) -> str:
        """The text as readers give it: some characters are replaced."""
        return cb.read(path).text

    @rule(name=NAMES, text=CONTENTS, stopped=st.booleans())
    def ingest(self, name: str, text: str, stopped: bool) -> None:
        """A new name is stored, a stored one with the same bytes resumes, else it conflicts.

        A new name for bytes that are stored already is the same book, and is not stored again.
        """
        path = self._book(name, text)
        try:
            expected = self._readable(path)
        except errors.SourceError:
            return
        known = self.names.get(name)
        if known and path.read_bytes() != self.stored_bytes(known, name):
            with pytest.raises(errors.StateConflictError):
                self.world.ingest(path)
            return
        if not known and (twin := self.book_of(path.read_bytes())):
            if twin not in self.removed:
                self.world.ingest(path)
            return
        number = known or self.next_number()
        try:
            self.world.ingest(path, stop=(lambda: True) if stopped else None)
            self.unfinished = False
        except errors.RunInterruptedError:
            self.unfinished = True
        self.names[name] = number
        self.texts[number] = expected
        self.removed.discard(number)

    def book_of(self, data: bytes) -> int | None:
        """The book with these bytes, under any name."""
        held = (
            number for name, number in self.names.items() if self.stored_bytes(number, name) == data
        )
        return next(held, None)

    def stored_bytes(self, number: int, name: str) -> bytes:
        """What the good copy holds."""
        for kind in ("sources", "backups"):
            path = self.root / kind / f"book-{number:04d}" / name
            if path.exists() and path.read_bytes() != b"spoiled":
                return path.read_bytes()
        raise AssertionError("no good copy")

    def next_number(self) -> int:
        """After the highest one of any kind."""
        return max(self.texts, default=0) + 1

    @precondition(lambda self: self.texts)
    @rule()
    def resume(self) -> None:
        """Everything is whole afterwards."""
        self.world.resume()
        self.unfinished = self.damaged = False

    @precondition(lambda self: self.texts)
    @rule(data=st.data(), how=st.sampled_from(["lose", "empty", "tear", "alter"]))
    def damage_a_file(self, data: st.DataObject, how: str) -> None:
        """A chunk file or manifest is lost, torn or altered."""
        found = sorted(self.root.glob("books/*/chunks/*.json"))
        found += sorted(self.root.glob("books/*/manifest.json"))
        if not found:
            return
        path = data.draw(st.sampled_from(found))
        if how == "lose":
            path.unlink()
        elif how == "empty":
            path.write_bytes(b"")
        elif how == "tear":
            path.write_bytes(path.read_bytes()[:50])
        else:
            path.write_bytes(path.read_bytes().replace(b'"', b"'", 3))
        self.damaged = True  # and not looked for by an ingest of other books

    @precondition(lambda self: self.texts)
    @rule(data=st.data(), kind=st.sampled_from(["sources", "backups"]), spoil=st.booleans())
    def damage_a_copy(self, data: st.DataObject, kind: str, spoil: bool) -> None:
        """One copy of a source is lost or altered; never both."""
        number = data.draw(st.sampled_from(sorted(self.texts)))
        self.resume()
        if number in self.removed:
            return
        (path,) = (self.root / kind / f"book-{number:04d}").iterdir()
        if spoil:
            path.write_bytes(b"spoiled")
        else:
            path.unlink()
        self.world.resume()
        assert not spoil or path.read_bytes() != b"spoiled"

    @precondition(lambda self: self.texts)
    @rule(size=SIZES, stopped=st.booleans())
    def reingest(self, size: int, stopped: bool) -> None:
        """All books again; stopped in the middle the old settings hold until resume."""
        self.resume()
        try:
            self.world.reingest(
                settings={"chunk_size": size}, stop=(lambda: True) if stopped else None
            )
        except errors.RunInterruptedError:
            assert self.size == self.world.settings.settings["chunk_size"]
            self.resume()
        self.size = size

    @precondition(lambda self: self.texts)
    @rule(data=st.data(), sources=st.booleans())
    def remove(self, data: st.DataObject, sources: bool) -> None:
        """A book goes, with its sources or without."""
        number = data.draw(st.sampled_from(sorted(self.texts)))
        self.world.remove(number, sources=sources)
        if sources:
            del self.texts[number]
            self.names = {name: n for name, n in self.names.items() if n != number}
            self.removed.discard(number)
        else:
            self.removed.add(number)

    @rule()
    def reopen(self) -> None:
        """Another process would see the same."""
        self.world = cb.World.open(self.root, files=Files(group_size=3))

    @invariant()
    def holds_what_was_stored(self) -> None:
        """When nothing is damaged or unfinished, every text is there, whole, and none else."""
        if not hasattr(self, "world") or self.unfinished or self.damaged:
            return
        report = self.world.verify()
        assert report.problems == ()
        shown = set(self.texts) - self.removed
        assert len(shown) == report.books
        for number in shown:
            assert self.texts[number] == stored_text(self.root, number)
        assert self.size == self.world.settings.settings["chunk_size"]


@pytest.mark.slow
def test_a_world_is_a_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without syncing and index, which have tests of their own, so that there is time for more."""
    monkeypatch.setattr(files.os, "fsync", lambda _: None)
    without_index(monkeypatch)
    case = WorldMachine.TestCase()
    case.settings = settings(
        max_examples=int(os.environ.get("CLEANBREAK_WORLDS", "30")),
        stateful_step_count=15,
        deadline=None,
        phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink takes minutes
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    case.runTest()
