"""What changed since the last run is noticed before a search, and nothing is lost by a missing disk."""

import os
import sqlite3

import pytest

from cleanbreak.errors import VaultMissingError
from cleanbreak.vaults import Changes, Vault
from cleanbreak.vaults import changes as changes_module
from notes import write_notes

NOTES = {
    "a.md": "# A\n\nzebra\n",
    "b.md": "# B\n\nzebra\n",
    "s/c.md": "zebra [[a]]\n",
}


@pytest.fixture
def folder(tmp_path):
    folder = write_notes(tmp_path / "vault", NOTES)
    Vault.index(folder).close()
    return folder


def test_changed_and_deleted_notes_are_noticed(folder):
    """By name, size and time, without writing."""
    with Vault.open(folder) as vault:
        assert vault.changes() == Changes()
        assert vault.search("zebra").complete
        (folder / "b.md").unlink()
        write_notes(folder, {"a.md": "# A\n\nokapi zebra\n", "d.md": "zebra\n"}, age=1)
        hits = vault.search("zebra")
        assert hits.behind == Changes(new=("d.md",), changed=("a.md",), removed=("b.md",))
        assert not hits.complete
        assert [hit.source_key for hit in hits] == ["s/c.md"]


def test_a_hit_that_still_stands_in_a_changed_note_is_given(folder):
    """Its bytes are compared."""
    write_notes(folder, {"a.md": NOTES["a.md"] + "\n## More\n\ntext\n"}, age=1)
    with Vault.open(folder) as vault:
        assert {hit.source_key for hit in vault.search("zebra")} == {"a.md", "b.md", "s/c.md"}


def test_the_same_bytes_at_another_time_are_no_change(folder):
    """As after a checkout of Git."""
    write_notes(folder, NOTES, age=7)
    with Vault.open(folder) as vault:
        assert not vault.changes()


def test_a_look_at_an_unchanged_vault_opens_no_note(tmp_path, monkeypatch):
    """Not even where notes were saved just before they were indexed."""
    for number in range(20):
        (tmp_path / f"{number}.md").write_text("x")
    Vault.index(tmp_path).close()
    monkeypatch.setattr(changes_module, "_digest", lambda _: pytest.fail("a note was opened"))
    with Vault.open(tmp_path) as vault:
        assert not vault.changes()


def test_settings_of_one_run_are_those_of_the_look_and_of_the_update_after_it(tmp_path):
    """What was left out by an option is not new."""
    folder = write_notes(tmp_path / "vault", {**NOTES, "draft/d.md": "zebra"})
    Vault.index(folder, exclude=["draft/"], chunk_size=50).close()
    write_notes(folder, {"a.md": "okapi"}, age=1)
    with Vault.open(folder) as vault:
        assert vault.changes() == Changes(changed=("a.md",))
    outcomes = []
    with Vault.open(folder, fresh=True, on_note=outcomes.append) as vault:
        assert [hit.source_key for hit in vault.search("okapi")] == ["a.md"]
    assert [outcome.path for outcome in outcomes] == ["a.md"]


def test_a_fresh_search_does_not_wait_for_another_writer(folder):
    """It answers from the index as it is, and says so."""
    write_notes(folder, {"a.md": "okapi"}, age=1)
    other = sqlite3.connect(folder / ".cleanbreak/index.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with Vault.open(folder, fresh=True) as vault:
            assert vault.search("okapi").behind.changed == ("a.md",)
    finally:
        other.close()


def test_a_folder_that_is_not_mounted_empties_no_index(tmp_path):
    """Its index, kept elsewhere, stays; with force it is emptied."""
    folder, db = write_notes(tmp_path / "vault", NOTES), tmp_path / "index.sqlite"
    Vault.index(folder, db=db).close()
    folder.rename(tmp_path / "away")
    folder.mkdir()
    with pytest.raises(VaultMissingError) as caught:
        Vault.index(folder, db=db)
    assert "mounted" in caught.value.message
    with Vault.open(folder, db=db) as vault:
        assert len(vault.notes()) == 3
    with Vault.index(folder, db=db, force=True) as vault:
        assert vault.notes() == []


def test_a_linked_folder_whose_disk_is_away_keeps_its_notes(tmp_path):
    """They are kept with a warning, and found to be removed if the folder is."""
    shared = write_notes(tmp_path / "shared", {"x.md": "okapi"})
    folder = write_notes(tmp_path / "vault", {"a.md": "zebra"})
    try:
        (folder / "more").symlink_to(shared, target_is_directory=True)
    except OSError:
        pytest.skip("links cannot be made here")
    Vault.index(folder).close()
    shared.rename(tmp_path / "away")
    with Vault.index(folder) as vault:
        assert vault.notes() == ["a.md", "more/x.md"]
        assert [(problem.path, problem.is_error) for problem in vault.problems()] == [
            ("more/", False)
        ]
        assert not vault.changes()
    (tmp_path / "away").rename(shared)
    with Vault.index(folder) as vault:
        assert (vault.notes(), vault.problems()) == (["a.md", "more/x.md"], [])
    (folder / "more").unlink()
    with Vault.index(folder) as vault:
        assert vault.report.removed == ["more/x.md"]


@pytest.mark.parametrize("name", ["s", "a.md"])
def test_what_cannot_be_opened_just_now_stays_as_it_was(folder, monkeypatch, name):
    """A folder that may not be listed, a note that may not be read."""
    scandir, stat = os.scandir, os.stat

    def refused(path, *rest, **named):
        if str(path).endswith(f"vault/{name}") or str(path).endswith(f"vault\\{name}"):
            raise PermissionError(13, "Permission denied")
        return scandir(path, *rest, **named)

    monkeypatch.setattr(os, "scandir", refused)
    if name == "a.md":
        write_notes(folder, {"a.md": "new zebra"}, age=1)
        from cleanbreak.errors import SourceUnreadableError

        def unreadable(*_):
            raise SourceUnreadableError("It cannot be opened.", name="a.md")

        monkeypatch.setattr("cleanbreak.vaults.note.load", unreadable)
    with Vault.index(folder) as vault:
        assert vault.notes() == sorted(NOTES)
        assert [problem.code for problem in vault.report.problems] == ["SOURCE_UNREADABLE"]
    monkeypatch.undo()
    assert os.stat is stat
    with Vault.index(folder) as vault:
        assert vault.problems() == vault.report.problems == []


def test_problems_are_kept_from_run_to_run(folder):
    """A warning is reported once and listed until it is gone; an error is reported by each run."""
    bad = {"bad.md": "---\ntitle: A: B\n---\n", "none.md": bytes(range(256)) * 40}
    write_notes(folder, bad, age=1)
    with Vault.index(folder) as vault:
        codes = [problem.code for problem in vault.problems()]
        assert codes == ["FRONT_MATTER_INVALID", "SOURCE_UNDECODABLE"]
        assert vault.report.problems == vault.problems()
    with Vault.index(folder) as vault:
        assert [problem.code for problem in vault.report.problems] == ["SOURCE_UNDECODABLE"]
        assert [problem.code for problem in vault.problems()] == codes
        assert not vault.changes()
    (folder / "bad.md").rename(folder / "moved.md")
    with Vault.index(folder) as vault:
        assert [problem.path for problem in vault.problems()] == ["moved.md", "none.md"]
    write_notes(folder, dict.fromkeys(["moved.md", "none.md"], "good\n"), age=3)
    with Vault.index(folder) as vault:
        assert vault.problems() == []


def test_a_note_that_cannot_be_indexed_is_not_read_again_and_again(folder, monkeypatch):
    """An unchanged vault with one is as quick as one without."""
    write_notes(folder, {"none.md": bytes(range(256)) * 40}, age=1)
    Vault.index(folder).close()
    monkeypatch.setattr(
        "cleanbreak.vaults.update.read_note", lambda *_: pytest.fail("a note was read")
    )
    with Vault.index(folder) as vault:
        assert [problem.path for problem in vault.report.problems] == ["none.md"]
