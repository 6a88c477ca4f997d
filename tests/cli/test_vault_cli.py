"""The commands on vaults as a person and a pipe use them."""

import json

import pytest
from typer.testing import CliRunner

from cleanbreak.cli.app import app
from cleanbreak.cli.vaults import COMMANDS
from notes import write_notes

NOTES = {
    "Home.md": "# Home\n\nSee [[Deep Work]] and [[Nowhere]]. #start\n",
    "Deep Work.md": "---\ntags: [work/deep]\n---\n# Deep Work\n\n## Rules\n\nOne [thing].\n",
    "Alone.md": "Nothing.\n",
}


def run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})
    return done.exit_code, done.stdout, done.stderr


def run_json(*words):
    code, out, _ = run(*words, "--json")
    assert code == 0
    return json.loads(out)


@pytest.fixture
def folder(tmp_path):
    return write_notes(tmp_path, NOTES)


@pytest.fixture
def vault(folder):
    assert run("index", folder)[0] == 0
    return folder


def test_index_says_what_it_did(folder):
    """In one line, twice."""
    assert run("index", folder) == (0, "notes: 3 new; 5 chunks cut\n", "")
    assert run("index", folder) == (0, "notes: 3 unchanged; 0 chunks cut\n", "")


def test_index_verbose_shows_chunks_sizes_tokens_and_headings(folder):
    """Note by note."""
    _, out, _ = run("index", folder, "--verbose")
    assert "new Deep Work.md: 3 chunks, 62 bytes\n" in out
    assert "  3: 23 bytes, " in out
    assert " tokens, # Deep Work > ## Rules\n" in out
    assert " tokens, (before the first heading)\n" in out


def test_index_json(folder):
    """The report as data."""
    report = run_json("index", folder)
    assert (report["new"], report["chunks"], report["problems"]) == (sorted(NOTES), 5, [])


def test_index_takes_settings(folder):
    """Patterns may be repeated; the sizes of the splitter are settings too."""
    report = run_json(
        "index", folder, "--exclude", "Home.md", "--exclude", "Al*", "--chunk-size", 9
    )
    assert report["new"] == ["Deep Work.md"]
    assert report["chunks"] > 6
    assert run("index", folder, "--chunk-size", 0)[0] == 2


def test_a_note_that_cannot_be_read_is_exit_1_and_the_others_are_indexed(folder):
    """Its code is on standard error."""
    write_notes(folder, {"bad.md": bytes(range(256)) * 50})
    code, out, err = run("index", folder)
    assert code == 1
    assert "3 new" in out
    assert err.startswith("bad.md: ")
    assert "(SOURCE_UNDECODABLE)" in err


def test_a_warning_is_no_failure(folder):
    """Broken front matter is reported; the note is indexed."""
    write_notes(folder, {"odd.md": "---\na: [b\n---\ntext"})
    code, out, err = run("index", folder)
    assert code == 0
    assert "4 new" in out
    assert "(FRONT_MATTER_INVALID)" in err


def test_stats(vault):
    """For people and for programs."""
    _, out, _ = run("stats", vault)
    assert [line.split()[:2] for line in out.splitlines() if line.strip()][:4] == [
        ["Notes", "3"], ["Links", "2"], ["Tags", "1"], ["Chunks", "5"],
    ]  # fmt: skip
    stats = run_json("stats", vault)
    assert (stats["notes"], stats["links"], stats["tags"], stats["distinct_tags"]) == (3, 2, 1, 2)


def test_links_backlinks_and_unresolved(vault):
    """Where a link stands, what is written, what it leads to."""
    _, out, _ = run("links", vault, "Home")
    assert "Home.md:3" in out
    assert "(not found)" in out
    assert [link["path"] for link in run_json("links", vault)] == ["Deep Work.md", None]
    assert [link["source"] for link in run_json("backlinks", vault, "deep work")] == ["Home.md"]
    assert [link["target"] for link in run_json("unresolved", vault)] == ["Nowhere"]


def test_link_targets_are_shown_as_they_are(folder):
    """They come from the note: neither markup nor control characters take effect."""
    write_notes(folder, {"odd.md": "[x](<a\\\\[red]b\x1b[31mc>)"})
    run("index", folder)
    _, out, _ = run("links", folder, "odd")
    assert "a\\[red]b\ufffd[31mc" in out


def test_tags(vault):
    """All, or one with its notes."""
    assert [use["tag"] for use in run_json("tags", vault)] == ["start", "work/deep"]
    assert [use["notes"] for use in run_json("tags", vault, "work")] == [["Deep Work.md"]]
    _, out, _ = run("tags", vault, "#work")
    assert "Deep Work.md" in out


def test_orphans(vault):
    """One a line."""
    assert run("orphans", vault) == (0, "Alone.md\n", "")
    assert run_json("orphans", vault) == ["Alone.md"]


def test_an_unknown_note_is_an_error(vault):
    """With its code."""
    code, out, err = run("links", vault, "Nowhere")
    assert (code, out) == (1, "")
    assert "SOURCE_MISSING" in err


def test_an_index_kept_elsewhere(folder, tmp_path_factory):
    """By all commands."""
    place = tmp_path_factory.mktemp("elsewhere") / "notes.sqlite"
    assert run("index", folder, "--db", place)[0] == 0
    assert not (folder / ".cleanbreak").exists()
    for command in ("stats", "links", "unresolved", "tags", "orphans"):
        assert run(command, folder, "--db", place)[0] == 0
    assert run_json("search", folder, "nothing", "--db", place)


@pytest.mark.parametrize("command", [command.__name__ for command in COMMANDS])
def test_every_command_has_help_with_an_example(command):
    """Of how it is used."""
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"cleanbreak {command} ~/notes" in out


@pytest.mark.parametrize(
    "words",
    [["thing", "-nothing"], ["-nothing", "thing"], ["thing -nothing"], ["--", "thing", "-nothing"]],
)
def test_a_word_of_a_query_may_start_with_a_hyphen(tmp_path, words):
    """``-nothing`` is no run of short options, though ``-n`` is an option."""
    write_notes(tmp_path, {"a.md": "thing\n", "b.md": "thing and nothing\n"})
    run("index", tmp_path)
    for options in ([], ["-n5"], ["-n", "5"], ["--limit=5"], ["-C", "1"]):
        code, out, err = run("search", *options, tmp_path, *words)
        assert (code, err) == (0, "")
        assert "a.md" in out
        assert "b.md" not in out


def test_a_misspelt_option_of_search_is_refused(vault):
    """It is not taken for a word."""
    code, _, err = run("search", vault, "thing", "--limmit", "3")
    assert code == 2
    assert "--limmit" in err


def test_notes_lists_the_paths(vault):
    """One a line, in order."""
    assert run("notes", vault)[1].splitlines() == ["Alone.md", "Deep Work.md", "Home.md"]
    assert run_json("notes", vault) == ["Alone.md", "Deep Work.md", "Home.md"]
