"""Incremental indexing: what changed is read, nothing else, and all in one transaction."""

import os
import random
import sqlite3
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cleanbreak.errors import (
    IndexMalformedError,
    SettingsError,
    VaultMissingError,
    WriteFailedError,
)
from cleanbreak.stores.fulltext import Index
from cleanbreak.stores.fulltext.note_links import NoteLinks
from cleanbreak.stores.fulltext.note_names import NoteNames
from cleanbreak.vaults import Vault
from cleanbreak.vaults import update as update_module
from notes import write_notes

NOTES = {
    "Home.md": "# Home\n\nSee [[Deep Work]] and [[Plan]]. #start\n",
    "a/Deep Work.md": "---\naliases: [Focus]\ntags: [work]\n---\n# Deep Work\n\nBy Cal.\n",
    "a/Plan.md": "# Plan\n\n## Monday\n\nWrite.\n",
}


@pytest.fixture
def folder(tmp_path):
    return write_notes(tmp_path / "vault", NOTES)


@pytest.fixture
def reads(monkeypatch):
    """The notes that were opened."""
    opened = []
    read_note = update_module.read_note

    def recording(vault, key, *rest):
        opened.append(key)
        return read_note(vault, key, *rest)

    monkeypatch.setattr(update_module, "read_note", recording)
    return opened


def _dump(folder):
    """All that an index holds, without row ids and times."""
    with Index.open(folder / ".cleanbreak/index.sqlite") as index:
        index.check()
    with Vault.open(folder) as vault:
        chunks = vault._index.connection.execute(
            "SELECT source_key, chunk_number, chunk_id, chunk_text, heading_path, line, title"
            " FROM chunks JOIN sources ON sources.id = source_id ORDER BY source_key, chunk_number"
        ).fetchall()
        return chunks, vault.links(), vault.tags(), vault.stats(), vault.notes()


def _fresh(folder, tmp_path):
    """What an index made now from nothing holds."""
    for path in (folder / ".cleanbreak").iterdir():
        path.rename(tmp_path / ("old-" + path.name))
    Vault.index(folder).close()
    return _dump(folder)


def test_the_first_run_reads_all(folder):
    """And says so."""
    with Vault.index(folder) as vault:
        assert vault.report.new == sorted(NOTES)
        assert vault.report.chunks == vault.stats().chunks == 5
        assert vault.report.problems == []


def test_an_unchanged_vault_is_not_read(folder, reads):
    """Sizes and times say enough."""
    Vault.index(folder).close()
    reads.clear()
    with Vault.index(folder) as vault:
        assert vault.report.unchanged == 3
        assert not vault.report.wrote
    assert reads == []


def test_a_changed_note_alone_is_read(folder, reads):
    """Its links mean what they did, resolved anew."""
    Vault.index(folder).close()
    reads.clear()
    write_notes(folder, {"Home.md": "# Home\n\nNow [[Focus]].\n"}, age=1)
    with Vault.index(folder) as vault:
        assert (vault.report.changed, vault.report.unchanged) == (["Home.md"], 2)
        assert [link.path for link in vault.links("Home")] == ["a/Deep Work.md"]
        assert vault.tags("start") == []
    assert reads == ["Home.md"]


def test_a_change_that_keeps_the_size_is_seen_by_the_time(folder):
    """And one that keeps the time by the size."""
    Vault.index(folder).close()
    write_notes(folder, {"a/Plan.md": NOTES["a/Plan.md"].replace("Write", "Paint")}, age=1)
    write_notes(folder, {"Home.md": NOTES["Home.md"] + "more"})
    with Vault.index(folder) as vault:
        assert vault.report.changed == ["Home.md", "a/Plan.md"]
        assert vault.search("paint")
        assert not vault.search("write")


def test_the_same_bytes_at_another_time_are_unchanged(folder, reads):
    """They are read once, and known by their digest."""
    Vault.index(folder).close()
    write_notes(folder, NOTES, age=5)
    reads.clear()
    with Vault.index(folder) as vault:
        assert not vault.report.wrote
        assert vault.report.unchanged == 3
    assert len(reads) == 3
    reads.clear()
    Vault.index(folder).close()
    assert reads == []


def test_a_note_saved_just_now_is_looked_into_again(folder, reads):
    """It may be saved once more within the grain of the file system's clock."""
    path = folder / "Home.md"
    path.write_text("one")
    Vault.index(folder).close()
    status = path.stat()
    path.write_text("two")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with Vault.index(folder) as vault:
        assert vault.report.changed == ["Home.md"]


def test_new_renamed_and_deleted_notes(folder, tmp_path):
    """Links find a note under its new name, and lose one that is gone."""
    Vault.index(folder).close()
    (folder / "a/Deep Work.md").rename(folder / "Work.md")
    (folder / "a/Plan.md").unlink()
    write_notes(folder, {"New.md": "[[Work]]"})
    with Vault.index(folder) as vault:
        report = vault.report
        assert report.renamed == [("a/Deep Work.md", "Work.md")]
        assert (report.new, report.removed, report.changed) == (["New.md"], ["a/Plan.md"], [])
        assert [link.path for link in vault.links("Home")] == [None, None]
        assert [link.source for link in vault.backlinks("Focus")] == ["New.md"]
        assert [hit.source_key for hit in vault.search("cal")] == ["Work.md"]
    assert _dump(folder) == _fresh(folder, tmp_path)


def test_a_new_note_can_change_what_old_links_mean(folder):
    """Links are resolved again when names come and go, without reading their notes."""
    with Vault.index(folder) as vault:
        assert vault.links("Home")[1].path == "a/Plan.md"
    write_notes(folder, {"Plan.md": "# Another\n"})
    with Vault.index(folder) as vault:
        assert vault.links("Home")[1].path == "Plan.md"
        assert vault.report.unchanged == 3


def test_a_new_attachment_resolves_links(folder):
    """Files that are no notes are no dead ends."""
    write_notes(folder, {"Home.md": "![[cat.png]] ![x](pics/cat.png)"})
    with Vault.index(folder) as vault:
        assert len(vault.unresolved()) == 2
    write_notes(folder, {"pics/cat.png": b"\x89PNG"})
    with Vault.index(folder) as vault:
        assert vault.unresolved() == []
        assert (vault.stats().links, vault.stats().attachment_links) == (0, 2)


def test_other_settings_cut_every_note_anew(folder):
    """The recipe is part of what is compared."""
    Vault.index(folder).close()
    with Vault.index(folder, chunk_size=5) as vault:
        assert len(vault.report.changed) == 3
        assert vault.stats().largest_chunk_bytes <= 5


def test_force_cuts_every_note_anew(folder):
    """And comes to the same."""
    Vault.index(folder).close()
    before = _dump(folder)
    with Vault.index(folder, force=True) as vault:
        assert len(vault.report.changed) == 3
    assert _dump(folder) == before


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_edits_come_to_what_a_fresh_index_holds(tmp_path_factory, data):
    """Step by step or from nothing, the index is the same."""
    tmp_path = tmp_path_factory.mktemp("model")
    folder = tmp_path / "vault"
    folder.mkdir()
    texts = st.sampled_from(
        ["", "# A\n[[a]] #t\n", "[[b]] [[A1]]\n", "---\naliases: [A1]\n---\nx [[c]]\n"]
    )
    names = st.sampled_from(["a.md", "x/a.md", "b.md", "x/c.md"])
    for age in range(1, data.draw(st.integers(1, 4)) + 1):
        for name, text in data.draw(st.dictionaries(names, st.none() | texts, max_size=4)).items():
            if text is not None:
                write_notes(folder, {name: text}, age)
            else:
                (folder / name).unlink(missing_ok=True)
        Vault.index(folder).close()
    held = _dump(folder)
    assert held == _fresh(folder, tmp_path)


# --- what can go wrong ---------------------------------------------------------------------------


def test_a_note_that_is_no_text_is_left_out_and_told(folder):
    """By a code; the rest is indexed; and it comes back when it is mended."""
    garbage = bytes(range(256)) * 40
    write_notes(folder, {"Home.md": garbage}, age=1)
    with Vault.index(folder) as vault:
        assert [(p.path, p.code) for p in vault.report.problems] == [
            ("Home.md", "SOURCE_UNDECODABLE")
        ]
        assert vault.notes() == ["a/Deep Work.md", "a/Plan.md"]
    write_notes(folder, {"Home.md": NOTES["Home.md"]}, age=2)
    with Vault.index(folder) as vault:
        assert vault.report.new == ["Home.md"]
    write_notes(folder, {"Home.md": garbage}, age=3)
    with Vault.index(folder) as vault:
        assert vault.report.removed == ["Home.md"]


def test_a_note_deleted_while_a_run_goes_on_is_no_problem(folder):
    """It is as if it had been deleted before."""
    Vault.index(folder).close()
    write_notes(folder, {"Home.md": "changed", "a/Plan.md": "changed"}, age=1)
    with Vault.index(
        folder, on_note=lambda _: (folder / "a/Plan.md").unlink(missing_ok=True)
    ) as vault:
        assert (vault.report.changed, vault.report.removed) == (["Home.md"], ["a/Plan.md"])
        assert vault.report.problems == []


@pytest.mark.slow
def test_a_huge_note_is_a_note(folder):
    """Ten megabytes of it."""
    write_notes(folder, {"Huge.md": "# Huge\n\n" + "All work and no play. " * 480_000})
    with Vault.index(folder) as vault:
        assert vault.report.problems == []
        assert vault.stats().chunks > 10_000


def test_a_folder_that_is_none(tmp_path):
    """A file, or nothing at all."""
    (tmp_path / "file").touch()
    for name in ("file", "nothing"):
        with pytest.raises(VaultMissingError):
            Vault.index(tmp_path / name)
        with pytest.raises(VaultMissingError):
            Vault.open(tmp_path / name)


def test_an_index_that_cannot_be_made_is_told(folder):
    """With the advice to keep it elsewhere."""
    (folder / ".cleanbreak").write_text("in the way")
    with pytest.raises(WriteFailedError) as caught:
        Vault.index(folder)
    assert "--db" in caught.value.message


def test_force_replaces_a_broken_index_but_no_other_file(folder, tmp_path):
    """Only the one that is ours by its place."""
    Vault.index(folder).close()
    (folder / ".cleanbreak/index.sqlite").write_bytes(b"broken" * 1000)
    with pytest.raises(IndexMalformedError):
        Vault.index(folder)
    with Vault.index(folder, force=True) as vault:
        assert len(vault.notes()) == 3
    place = folder / ".cleanbreak/index.sqlite"
    place.unlink()
    theirs = sqlite3.connect(place)
    theirs.execute("CREATE TABLE theirs (x)")
    theirs.close()
    with pytest.raises(IndexMalformedError):
        Vault.index(folder, force=True)
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Sir, " * 500)
    with pytest.raises(IndexMalformedError):
        Vault.index(folder, db=letter, force=True)
    assert letter.read_text().startswith("Dear Sir")


_KILLED = """
import os, sys
from cleanbreak.vaults import Vault

left = int(sys.argv[2])

def die(outcome):
    global left
    left -= 1
    if left < 0:
        os._exit(9)

Vault.index(sys.argv[1], on_note=die).close()
"""


def test_a_run_killed_at_any_note_leaves_the_old_index(folder, tmp_path):
    """Whole; and the next run does what the killed one would have."""
    Vault.index(folder).close()
    before = _dump(folder)
    write_notes(folder, {name: text + "\n[[Plan]] #more\n" for name, text in NOTES.items()}, age=1)
    (folder / "a/Plan.md").unlink()
    for survived in range(4):
        killed = subprocess.run(
            [sys.executable, "-c", _KILLED, str(folder), str(survived)], check=False
        )
        if killed.returncode == 0:
            break
        assert _dump(folder) == before
    assert (killed.returncode, survived) == (0, 3), "every note was a place to be killed at"
    assert _dump(folder) == _fresh(folder, tmp_path)


@pytest.mark.slow
def test_a_run_killed_at_any_moment_leaves_the_old_index_or_the_new(tmp_path):
    """Whichever it is, the next run ends with the new one."""
    notes = {f"{number}.md": f"# Note {number}\n\n[[{number + 1}]]\n" for number in range(100)}
    folder = write_notes(tmp_path / "vault", notes)
    Vault.index(folder).close()
    states = [_dump(folder)]
    delays = random.Random(1)
    for age in range(1, 7):
        write_notes(folder, {name: f"{text}#round{age}\n" for name, text in notes.items()}, age)
        run = subprocess.Popen(
            [sys.executable, "-c", _KILLED, str(folder), "1000"], stdout=subprocess.DEVNULL
        )
        time.sleep(delays.uniform(0.2, 0.9))
        run.kill()
        run.wait()
        after = _dump(folder)
        Vault.index(folder).close()
        states.append(_dump(folder))
        assert after in states[-2:]
        assert states[-1] != states[-2]


def test_a_run_that_fails_midway_leaves_the_old_index(folder):
    """An error of a caller's own is one too."""
    Vault.index(folder).close()
    before = _dump(folder)
    write_notes(folder, {"Home.md": "changed"}, age=1)

    def fail(outcome):
        raise RuntimeError

    with pytest.raises(RuntimeError):
        Vault.index(folder, on_note=fail)
    assert _dump(folder) == before


def test_readers_see_the_old_index_while_a_run_writes(folder):
    """And the new one when it has ended."""
    Vault.index(folder).close()
    write_notes(folder, {"Home.md": "changed"}, age=1)
    seen = []
    with Vault.open(folder) as reader:
        with Vault.index(folder, on_note=lambda _: seen.append(reader.search("changed"))) as vault:
            assert vault.report.changed == ["Home.md"]
        assert reader.search("changed")
    assert seen == [[]]


def test_a_renamed_folder_cuts_nothing_again(tmp_path):
    """Its notes are found by their bytes, and are found under the new path only."""
    notes = {f"old/{name}.md": f"[[b]] {name} #t\n" for name in "abc"}
    with Vault.index(write_notes(tmp_path, {**notes, "x.md": "[[old/b]]\n"})) as vault:
        (tmp_path / "old").rename(tmp_path / "new")
        report = vault.update()
        assert report.renamed == [(f"old/{name}.md", f"new/{name}.md") for name in "abc"]
        assert (report.chunks, report.new, report.removed) == (0, [], [])
        assert vault.notes() == ["new/a.md", "new/b.md", "new/c.md", "x.md"]
        assert [hit.source_key for hit in vault.search("path:new b tag:t")][:1] == ["new/b.md"]
        assert vault.search("path:old") == []
        assert [link.path for link in vault.links()] == ["new/b.md"] * 3 + [None]
    with Index.open(tmp_path / ".cleanbreak/index.sqlite") as index:
        index.check()


def test_the_encoding_of_a_note_can_be_named(folder):
    """Its warning asks for that; notes in UTF-8 stay what they are."""
    write_notes(folder, {"old.md": "žluťoučký kůň".encode("cp1250"), "new.md": "žluťoučký"})
    Vault.index(folder, encoding="latin-1").close()
    with Vault.index(folder, encoding="cp1250") as vault:
        assert "old.md" in vault.report.changed
        assert {hit.source_key for hit in vault.search("žluťoučký")} == {"old.md", "new.md"}
        assert vault.search("kůň")
    with pytest.raises(SettingsError):
        Vault.index(folder, encoding="utf-99")


def test_a_run_resolves_only_links_that_are_new_or_whose_name_changed(tmp_path, monkeypatch):
    """However many notes there are."""
    notes = {f"{number}.md": f"[[{number + 1}]] [[late]]\n" for number in range(30)}
    folder = write_notes(tmp_path, notes)
    Vault.index(folder).close()
    resolved = []
    resolve = NoteLinks.resolve

    def recording(links, meant):
        resolved.append(len(meant))
        resolve(links, meant)

    monkeypatch.setattr(NoteLinks, "resolve", recording)
    write_notes(folder, {"3.md": "[[4]]\n", "x/another.md": "[[5]]\n"}, age=1)
    Vault.index(folder).close()
    write_notes(folder, {"late.md": "", "x/4.md": ""}, age=2)
    with Vault.index(folder) as vault:
        assert len(vault.backlinks("late")) == 29
        assert [link.source for link in vault.backlinks("4.md")] == ["3.md"]
    assert resolved == [2, 29 + 1]


def test_a_question_for_one_note_looks_few_names_up(tmp_path, monkeypatch):
    """It makes no list of all names."""
    notes = {f"{number}.md": f"[[{number + 1}]] [[0]]\n" for number in range(30)}
    Vault.index(write_notes(tmp_path, notes)).close()
    asked = []
    of = NoteNames.of
    monkeypatch.setattr(NoteNames, "of", lambda names, name: asked.append(name) or of(names, name))
    with Vault.open(tmp_path) as vault:
        assert len(vault.backlinks("0")) == 29
        assert len(vault.links("7")) == 2
    assert len(asked) <= 2
