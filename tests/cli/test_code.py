"""``cleanbreak split --by code``: a folder of sources, and files without a grammar."""

import json

import pytest
from typer.testing import CliRunner, Result

from cleanbreak import World
from cleanbreak.cli.app import app

PYTHON = "class Stack:\n    def push(self, x):\n        self.items.append(x)\n"


def cleanbreak(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture
def folder(tmp_path):
    sources = tmp_path / "src"
    (sources / "web").mkdir(parents=True)
    (sources / "node_modules" / "left").mkdir(parents=True)
    (sources / "stack.py").write_text(PYTHON, "utf-8")
    (sources / "web" / "add.js").write_text("function add(a) {\n  return a;\n}\n", "utf-8")
    (sources / "node_modules" / "left" / "pad.js").write_text("pad();\n", "utf-8")
    (sources / "notes.md").write_text("# Notes\n", "utf-8")
    (sources / "run.sh").write_text("echo\n", "utf-8")
    return sources


def test_a_folder_gives_its_sources_and_says_what_it_left_out(folder):
    done = cleanbreak("split", folder, "--by", "code", "--max-size", 60, "--json")
    rows = json.loads(done.stdout)
    assert [(row["source_path"], row["heading_path"]) for row in rows] == [
        ("stack.py", "# Stack"), ("stack.py", "# Stack > ## push"), ("web/add.js", "# add"),
    ]  # fmt: skip
    assert "skipped" in done.stderr
    assert "1 .md" in done.stderr
    assert "1 .sh" in done.stderr


def test_a_file_without_a_grammar_is_cut_if_it_is_named(folder):
    done = cleanbreak("split", folder / "run.sh", "--by", "code", "--json")
    assert [row["chunk_text"] for row in json.loads(done.stdout)] == ["echo\n"]


def test_a_folder_without_sources_is_an_error(folder):
    (folder / "docs").mkdir()
    (folder / "docs" / "a.txt").write_text("One.", "utf-8")
    done = cleanbreak("split", folder / "docs", "--by", "code")
    assert done.exit_code == 1
    assert "of a language that --by code knows" in done.stderr


def test_an_unknown_language_names_those_that_there_are(folder):
    done = cleanbreak("split", folder, "--by", "code", "--language", "cobol")
    assert done.exit_code == 2
    assert "'csharp', 'go', 'java'" in done.stderr


@pytest.mark.slow
def test_workers_cut_alike(folder):
    rows = [
        cleanbreak("split", folder, "--by", "code", "--max-size", 60, "--json", "--workers", number)
        for number in (0, 2)
    ]
    assert json.loads(rows[0].stdout) == json.loads(rows[1].stdout)


def test_a_world_takes_a_folder_of_sources(folder, tmp_path):
    shelf = tmp_path / "shelf"
    done = cleanbreak("ingest", shelf, folder, "--by", "code", "--max-size", 60)
    assert done.exit_code == 0, done.stderr
    (hit,) = World.open(shelf).search("append")
    assert hit.heading_path == "# Stack > ## push"
