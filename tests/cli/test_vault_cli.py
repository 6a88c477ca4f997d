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


@pytest.mark.parametrize("command", [command.__name__.replace("_", "-") for command in COMMANDS])
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


# --- lines for other programs --------------------------------------------------------------------


def test_a_table_in_a_pipe_has_one_row_a_line(tmp_path):
    """With tabs between the cells, however narrow and long they are, and no head."""
    path = "a long folder name/" * 6 + "note.md"
    write_notes(tmp_path, {path: "[[" + "no such note " * 9 + "x]]\n"})
    run("index", tmp_path)
    done = CliRunner().invoke(app, ["unresolved", str(tmp_path)], env={"COLUMNS": "40"})
    assert done.stdout == f"{path}:1\t{'no such note ' * 9}x\t(not found)\n"


def test_hits_as_lines_for_an_editor(vault):
    """``path:line: text``, from where the command is run."""
    code, out, _ = run("search", vault, "rules", "--format", "lines")
    assert (code, out) == (0, f"{vault / 'Deep Work.md'}:6: ## Rules One [thing].\n")
    assert run("search", vault, "deep work", "--format", "paths")[1].splitlines() == [
        str(vault / "Deep Work.md"),
        str(vault / "Home.md"),
    ]


def test_hits_as_links_for_obsidian(vault):
    """Which open the note at the heading."""
    _, out, _ = run("search", vault, "thing", "--format", "uri")
    assert out == f"obsidian://open?vault={vault.name}&file=Deep%20Work%23Rules\n"


def test_an_unknown_format_of_hits_names_the_known_ones(vault):
    """Before anything is searched."""
    code, _, err = run("search", vault, "x", "--format", "yaml")
    assert code == 2
    assert "'lines', 'paths', 'uri', 'text'" in err


# --- fresh answers -------------------------------------------------------------------------------


def test_a_search_finds_what_was_saved_since_the_last_run(vault):
    """And nothing of a note that was deleted."""
    write_notes(vault, {"new.md": "okapi\n"})
    (vault / "Alone.md").unlink()
    assert "new.md, line 1" in run("search", vault, "okapi")[1]
    assert run("search", vault, "nothing") == (0, "", "Nothing found.\n")


def test_a_search_without_update_says_what_it_does_not_know(vault):
    """On standard error and in JSON, and never that nothing was found."""
    write_notes(vault, {"new.md": "okapi\n"})
    code, out, err = run("search", vault, "okapi", "--no-update")
    assert (code, out) == (0, "")
    assert err.startswith("No hits so far. Notes not searched as they are now: 1 new;")
    found = run_json("search", vault, "okapi", "--no-update")
    assert found == {"complete": False, "new": ["new.md"], "changed": [], "removed": [], "hits": []}


def test_a_dry_run_shows_what_changed_and_writes_nothing(vault):
    """One note a line."""
    assert run("index", vault, "--dry-run") == (0, "", "Nothing changed.\n")
    write_notes(vault, {"new.md": "x", "Home.md": "changed"}, age=1)
    (vault / "Alone.md").unlink()
    shown = "new new.md\nchanged Home.md\nremoved Alone.md\n"
    assert run("index", vault, "--dry-run")[1] == run("index", vault, "--dry-run")[1] == shown


# --- the place -----------------------------------------------------------------------------------


def test_the_vault_above_the_current_folder_need_not_be_named(vault, monkeypatch):
    """Neither for a note nor for a query; one that is named is taken."""
    (vault / "sub/sub").mkdir(parents=True)
    monkeypatch.chdir(vault / "sub/sub")
    assert run("backlinks", "Deep Work") == run("backlinks", vault, "Deep Work")
    assert run("links", "Home")[1].count("\n") == 2
    assert run_json("stats")["notes"] == 3
    assert "Deep Work.md, # Deep Work" in run("search", "rules")[1]
    assert run("index") == (0, "notes: 3 unchanged; 0 chunks cut\n", "")


def test_a_default_vault_is_named_in_the_environment(vault, tmp_path_factory, monkeypatch):
    """Which beats the folder above."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    code, _, err = run("stats")
    assert code == 2
    assert "vault" in err
    monkeypatch.setenv("CLEANBREAK_PLACE", str(vault))
    assert run_json("stats")["notes"] == 3
    assert "Deep Work.md" in run("search", "thing", "-nested")[1]


def test_a_place_that_is_none_names_the_places_below(vault, tmp_path_factory, monkeypatch):
    """Whether it is a folder without notes or no folder."""
    above = tmp_path_factory.mktemp("above")
    vault.rename(above / "notes")
    monkeypatch.chdir(above)
    code, _, err = run("search", ".", "x")
    assert code == 1
    assert "neither a world nor a vault; found below it: notes." in err
    assert "There is no folder 'nope'" in run("search", "nope", "x")[2]


def test_a_folder_without_notes_is_left_as_it_is(tmp_path):
    """The files that lie there are named."""
    write_notes(tmp_path, {"a.pdf": b"x", "b.pdf": b"x", "c.epub": b"x"})
    code, _, err = run("index", tmp_path)
    assert code == 1
    assert "2 .pdf, 1 .epub" in err
    assert "cleanbreak ingest" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "b.pdf", "c.epub"]


def test_a_world_is_not_indexed_as_a_vault(tmp_path):
    """Its commands are named."""
    write_notes(tmp_path, {"books/a.txt": "text", "x.md": "x"})
    world = tmp_path / "lib"
    assert run("ingest", world, tmp_path / "books")[0] == 0
    for words in (("index", world), ("stats", world)):
        code, _, err = run(*words)
        assert code == 1
        assert "is a world of books" in err
    (world / "world.json").unlink()
    code, _, err = run("search", world, "text")
    assert code == 1
    assert "WORLD_MALFORMED" in err
    assert "is a world of books" in run("index", world)[2]
    assert not (world / ".cleanbreak").exists()


# --- the other lists -----------------------------------------------------------------------------


def test_related_mentions_and_dead_ends(vault):
    """One a line."""
    write_notes(vault, {"More.md": "[[Deep Work]] and home\n"})
    run("index", vault)
    assert run("related", vault, "Home")[1].split("\t")[0] == "Deep Work.md"
    assert run("mentions", vault, "Home")[1] == "More.md:1\thome\n"
    assert run("dead-ends", vault, "--exclude", "Al*")[1] == "Deep Work.md\n"
    assert run("orphans", vault, "--exclude", "Al*") == (0, "", "Nothing found.\n")


def test_problems_lists_older_warnings_too(vault):
    """With their codes."""
    write_notes(vault, {"bad.md": "---\ntitle: A: B\n---\n"})
    run("index", vault)
    run("index", vault)
    assert [problem["code"] for problem in run_json("problems", vault)] == ["FRONT_MATTER_INVALID"]
    assert run("problems", vault)[1].startswith("bad.md\twarning\t")


def test_the_graph_for_other_programs(vault):
    """In the format asked for."""
    assert '"Home.md" -> "Deep Work.md";' in run("graph", vault, "--format", "dot")[1]
    assert run("graph", vault, "--format", "png")[0] == 2


@pytest.mark.parametrize("words", [("tags", "nope"), ("links", "Alone"), ("backlinks", "Alone")])
def test_an_empty_list_says_so(vault, words):
    """On standard error, so that a pipe has nothing."""
    command, *rest = words
    assert run(command, vault, *rest) == (0, "", "Nothing found.\n")


def test_index_says_which_options_it_keeps_and_takes_them_back(tmp_path):
    """An empty pattern takes back those of earlier runs."""
    write_notes(tmp_path, {"a.md": "x\n", "draft/b.md": "y\n"})
    assert "with --exclude draft/" in run("index", tmp_path, "--exclude", "draft/")[2]
    assert run("notes", tmp_path)[1] == "a.md\n"
    assert "with --exclude draft/" in run("index", tmp_path)[2]
    assert run_json("index", tmp_path)["options"] == {"exclude": ["draft/"]}
    assert "--exclude" not in run("index", tmp_path, "--exclude", "")[2]
    assert run("notes", tmp_path)[1] == "a.md\ndraft/b.md\n"
