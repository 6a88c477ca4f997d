"""Watching: an edit is indexed when it is saved."""

import queue
import threading
import time

import pytest

from cleanbreak.errors import DependencyMissingError, DiskFullError, WorldLockedError
from cleanbreak.vaults import IndexReport, Vault
from cleanbreak.vaults.config import VaultConfig
from cleanbreak.vaults.watch import changes, is_left_out
from notes import write_notes

LEFT_OUT = VaultConfig(exclude=("drafts/", "*.tmp")).left_out


@pytest.mark.parametrize(
    ("path", "left_out"),
    [
        ("a.md", False),
        ("x/a.md", False),
        (".cleanbreak/index.sqlite-wal", True),
        ("x/.git/index", True),
        ("drafts/x/a.md", True),
        ("x/a.tmp", True),
    ],
)
def test_what_is_left_out_wakes_nobody(tmp_path, path, left_out):
    """Least of all the index itself, which each run writes."""
    assert is_left_out(tmp_path, str(tmp_path / path), LEFT_OUT) == left_out


def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    """In one sentence."""
    monkeypatch.setitem(__import__("sys").modules, "watchfiles", None)
    write_notes(tmp_path, {"a.md": ""})
    with Vault.index(tmp_path) as vault, pytest.raises(DependencyMissingError) as caught:
        next(vault.watch())
    assert "cleanbreak[watch]" in caught.value.message


@pytest.mark.slow
def test_a_saved_note_is_indexed(tmp_path):
    """Whether it is saved before the watch has settled or after."""
    pytest.importorskip("watchfiles")
    write_notes(tmp_path, {"a.md": "old"})
    done = threading.Event()

    def save():
        for number in range(200):
            (tmp_path / "a.md").write_text(f"new {number}")
            if done.wait(0.1):
                return

    with Vault.index(tmp_path) as vault:
        saver = threading.Thread(target=save)
        saver.start()
        try:
            # A run may catch the note between being emptied and written.
            assert any(report.changed and vault.search("new") for report in vault.watch())
        finally:
            done.set()
            saver.join()


def test_a_watch_survives_other_writers_and_failed_updates(tmp_path, monkeypatch):
    """It waits for another run, and a full disk is a problem of one update."""
    outcomes = [
        WorldLockedError("Another run is writing."),
        DiskFullError("The disk is full."),
        IndexReport(changed=["a.md"]),
    ]

    def update(*_, **__):
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    write_notes(tmp_path, {"a.md": "x"})
    with Vault.index(tmp_path) as vault:
        monkeypatch.setattr("cleanbreak.vaults.watch.changes", lambda *_: iter([None, None]))
        monkeypatch.setattr(vault, "update", update)
        failed, done = vault.watch()
    assert [problem.code for problem in failed.problems] == ["DISK_FULL"]
    assert done.changed == ["a.md"]


@pytest.mark.slow
def test_a_watch_survives_how_editors_save_and_a_folder_that_is_gone(tmp_path):
    """Whole files put in place of others, files moved aside, a folder that comes back, another one."""
    pytest.importorskip("watchfiles")
    folder = write_notes(tmp_path / "vault", {"a.md": "old", "s/b.md": "old"})
    reports = queue.Queue()

    def watch():
        with Vault.index(folder) as vault:
            for report in vault.watch():
                reports.put(report)

    threading.Thread(target=watch, daemon=True).start()
    time.sleep(1.5)

    def save_aside():
        (folder / "a.md").rename(folder / "a.md~")
        (folder / "a.md").write_text("as vim saves")
        (folder / "a.md~").unlink()

    def save_whole():
        (folder / ".a.md.new").write_text("as most editors save")
        (folder / ".a.md.new").replace(folder / "a.md")

    for save in (save_aside, save_whole):
        save()
        assert reports.get(timeout=20).changed == ["a.md"]
    (folder / "s").rename(folder / "t")
    assert reports.get(timeout=20).renamed == [("s/b.md", "t/b.md")]
    folder.rename(tmp_path / "away")
    time.sleep(3)
    write_notes(tmp_path / "away", {"c.md": "new"})
    (tmp_path / "away").rename(folder)
    assert reports.get(timeout=20).new == ["c.md"]


def test_a_system_that_can_watch_no_more_files_is_polled(tmp_path, monkeypatch):
    """As Linux with its limit of watches."""
    watchfiles = pytest.importorskip("watchfiles")
    asked = []

    def watch(*_, force_polling, **__):
        asked.append(force_polling)
        if len(asked) == 1:
            raise OSError(28, "OS file watch limit reached")
        yield {("modified", str(tmp_path / "a.md"))}

    monkeypatch.setattr(watchfiles, "watch", watch)
    monkeypatch.setattr("cleanbreak.vaults.watch._WAITS_SECONDS", 0)
    found = changes(tmp_path, VaultConfig().left_out)
    next(found)
    next(found)
    assert asked == [None, True]


def test_a_watch_waits_for_a_folder_that_is_gone(tmp_path, monkeypatch):
    """And its return is a change."""
    watchfiles = pytest.importorskip("watchfiles")
    folder = tmp_path / "vault"
    folder.mkdir()
    waits = []

    def watch(*_, **__):
        folder.rmdir()
        yield set()

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 2:
            folder.mkdir()

    monkeypatch.setattr(watchfiles, "watch", watch)
    monkeypatch.setattr("cleanbreak.vaults.watch.time.sleep", sleep)
    next(changes(folder, VaultConfig().left_out))
    assert len(waits) == 3
