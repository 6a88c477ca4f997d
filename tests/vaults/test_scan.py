"""Walking a vault: what is a note, what is left out, and folders that lead round."""

import os

import pytest

from cleanbreak.vaults.config import VaultConfig
from cleanbreak.vaults.scan import scan
from notes import LONG_AGO_NS, write_notes


def _scan(folder, **settings):
    config = VaultConfig(**settings)
    return scan(folder, config.notes, config.left_out)


def test_notes_and_other_files(tmp_path):
    """By their names; sizes and times come along."""
    write_notes(tmp_path, {"a.md": "12", "x/b.markdown": "", "x/cat.png": "", "x/.c.md": ""})
    found = _scan(tmp_path)
    assert found.notes["a.md"] == (2, LONG_AGO_NS)
    assert set(found.notes) == {"a.md", "x/b.markdown"}
    assert found.attachments == {"x/cat.png"}


def test_folders_of_programs_are_left_out(tmp_path):
    """At any depth; and what the settings say."""
    kept = ["a.md", "x/drafts.md", "UPPER.MD"]
    left = [
        ".obsidian/a.md",
        ".git/a.md",
        ".trash/a.md",
        ".stversions/a.md",
        "x/.hidden/a.md",
        "x/._a.md",
        "logseq/bak/a.md",
        "x/node_modules/y/README.md",
        ".cleanbreak/a.md",
        "x/.git/a.md",
        "drafts/a.md",
    ]
    write_notes(tmp_path, dict.fromkeys([*kept, *left], ""))
    assert set(_scan(tmp_path, exclude=("drafts/",)).notes) == set(kept)


def test_include_says_what_is_a_note(tmp_path):
    """In place of the usual endings."""
    write_notes(tmp_path, dict.fromkeys(["a.md", "b.txt", "x/c.txt"], ""))
    found = _scan(tmp_path, include=("*.txt", "!x/**"))
    assert set(found.notes) == {"b.txt"}


def _link(path, target):
    try:
        path.symlink_to(target, target_is_directory=True)
    except OSError:
        pytest.skip("links cannot be made here")


def test_links_that_lead_round_end(tmp_path):
    """Each folder is looked at once, under its own name, and the link is told."""
    write_notes(tmp_path, {"x/y/a.md": ""})
    _link(tmp_path / "x/y/up", tmp_path / "x")
    _link(tmp_path / "again", tmp_path / "x/y")
    _link(tmp_path / "self", tmp_path / "self")
    found = _scan(tmp_path)
    assert list(found.notes) == ["x/y/a.md"]
    assert sorted(problem.path for problem in found.problems) == ["again/", "x/y/up/"]
    assert {problem.code for problem in found.problems} == {"FOLDER_REPEATED"}


def test_folders_outside_are_reached_through_links(tmp_path):
    """People keep parts of a vault elsewhere."""
    write_notes(tmp_path, {"elsewhere/a.md": "", "vault/b.md": ""})
    _link(tmp_path / "vault/more", tmp_path / "elsewhere")
    assert set(_scan(tmp_path / "vault").notes) == {"b.md", "more/a.md"}


def test_a_link_to_nothing_is_a_problem_of_its_own(tmp_path):
    """The rest goes on."""
    write_notes(tmp_path, {"a.md": ""})
    _link(tmp_path / "b.md", tmp_path / "none")
    found = _scan(tmp_path)
    assert set(found.notes) == {"a.md"}
    assert [(problem.path, problem.code) for problem in found.problems] == [
        ("b.md", "SOURCE_MISSING")
    ]


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid"), reason="names are Unicode there")
def test_a_name_that_is_no_unicode_is_a_problem(tmp_path):
    """It could not be stored, nor typed."""
    try:
        for name in (b"/\xff.md", b"/\xff.png"):
            os.close(os.open(os.fsencode(tmp_path) + name, os.O_CREAT | os.O_WRONLY))
    except OSError:
        pytest.skip("the file system refuses such names")
    found = _scan(tmp_path)
    assert found.notes == {}
    assert found.attachments == set()
    assert [problem.code for problem in found.problems] == ["SOURCE_UNREADABLE"] * 2


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_folder_that_may_not_be_read_is_a_problem(tmp_path):
    """The rest goes on."""
    write_notes(tmp_path, {"a.md": "", "x/b.md": ""})
    (tmp_path / "x").chmod(0)
    try:
        found = _scan(tmp_path)
    finally:
        (tmp_path / "x").chmod(0o700)
    assert set(found.notes) == {"a.md"}
    assert [(problem.path, problem.code) for problem in found.problems] == [
        ("x/", "SOURCE_UNREADABLE")
    ]
