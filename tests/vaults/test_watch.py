"""Watching: an edit is indexed when it is saved."""

import threading

import pytest

from cleanbreak.errors import DependencyMissingError
from cleanbreak.vaults import Vault
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
