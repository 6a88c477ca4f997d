"""Watching: an edit is indexed when it is saved."""

import threading

import pytest

from cleanbreak.errors import DependencyMissingError, DiskFullError, WorldLockedError
from cleanbreak.vaults import IndexReport, Vault
from cleanbreak.vaults.config import VaultConfig
from cleanbreak.vaults.watch import is_left_out
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
