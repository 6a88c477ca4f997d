"""Reading on, exporting and renaming on the command line."""

import json
import webbrowser
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

import cleanbreak as cb
from bookshelf import HILL, SEA, write_books
from cleanbreak.cli.app import app

SAMPLES = Path(__file__).parents[2] / "samples"


def run(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A world with a sea and a hill, cut small."""
    world = cb.World.create(tmp_path / "shelf", settings={"chunk_size": 50, "overlap_size": 0})
    world.ingest(write_books(tmp_path / "in", sea=SEA, hill=HILL))
    return tmp_path / "shelf"


def text_of(result: Result) -> str:
    """What was printed under the citation, without the indent."""
    return "\n".join(line.removeprefix("   ") for line in result.stdout.splitlines()[1:])


def test_a_hit_of_the_last_search_is_shown_with_its_neighbours_whole(shelf: Path) -> None:
    """And with the words of the query marked."""
    first = cb.World.open(shelf).search("storm")[0]
    run("search", shelf, "storm")
    done = run("show", shelf, 1)
    assert done.stdout.startswith(first.citation.replace(f"line {first.line}, ", ""))
    chunks = [chunk.chunk_text for chunk in cb.World.open(shelf).chunks(1)]
    around = "".join(chunks[max(first.number - 2, 0) : first.number + 1])
    assert text_of(done).replace("**", "") == around.rstrip("\n")
    assert "**storm**" in done.stdout
    alone = run("show", shelf, 1, "-C", 0)
    assert text_of(alone).replace("**", "").strip() == first.text.strip()


def test_offsets_and_citations_name_the_same_passage(shelf: Path) -> None:
    """As a hit or an export gives them."""
    by_offsets = run("show", shelf, "1:4-60", "-C", 0)
    assert f"**{SEA[4:60]}**".splitlines()[0] in by_offsets.stdout
    citation = by_offsets.stdout.splitlines()[0]
    assert run("show", shelf, citation, "-C", 0).stdout == by_offsets.stdout
    shown = json.loads(run("show", shelf, citation, "--json").stdout)
    assert (shown["passage"], shown["book_number"]) == (SEA[4:60], 1)


@pytest.mark.parametrize("where", ["9", "0", "1:5", "x", "other.txt, characters 1-2"])
def test_what_is_no_place_is_wrong_usage(where: str, shelf: Path) -> None:
    done = run("show", shelf, where)
    assert done.exit_code == 2
    assert "where is" in done.stderr


def test_offsets_beyond_the_text_are_said(shelf: Path) -> None:
    assert run("show", shelf, f"1:0-{len(SEA) + 1}").exit_code == 1


def test_the_last_search_of_another_world_is_not_taken(shelf: Path, tmp_path: Path) -> None:
    """Its hit of that number would be another passage."""
    other = cb.World.create(tmp_path / "other")
    other.ingest(write_books(tmp_path / "more", town="A town of stone."))
    run("search", tmp_path / "other", "town")
    assert "which had 0" in run("show", shelf, 1).stderr


def test_a_copy_is_opened_at_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A viewer may write into the file, so that it never gets the stored source."""
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(typer, "launch", opened.append)
    world = cb.World.create(tmp_path / "world")
    world.ingest([SAMPLES / "the-keeper-of-sand-point.pdf", *write_books(tmp_path / "in", sea=SEA)])
    pages = [s.span for s in world.document(1).sections if s.kind == "page"]
    start = pages[1].start + 5
    assert run("show", tmp_path / "world", f"1:{start}-{start + 9}", "--open").exit_code == 0
    assert run("show", tmp_path / "world", "2:0-5", "--open").exit_code == 0
    assert opened[0].endswith("the-keeper-of-sand-point.pdf#page=2")
    assert opened[1].endswith("sea.txt")
    assert not any(str(tmp_path / "world") in place for place in opened)


@pytest.mark.parametrize("option", [["-C", "1"], ["--whole"]])
def test_search_context_shows_the_hit_itself_whole(option: list[str], tmp_path: Path) -> None:
    """The neighbours were whole, and of the hit the snippet alone: a hole in the middle."""
    long = "The first words. " + "Nothing much happens here. " * 30 + "A storm at last."
    world = cb.World.create(tmp_path / "world", settings={"chunk_size": 2000})
    world.ingest(write_books(tmp_path / "in", long=long))
    assert "The first words." not in run("search", tmp_path / "world", "storm").stdout
    whole = run("search", tmp_path / "world", "storm", *option).stdout
    assert "The first words." in whole
    assert "**storm**" in whole
    assert "…" not in whole


def test_books_are_listed_with_title_author_and_warnings_in_words(tmp_path: Path) -> None:
    """A status showed file names, and how many warnings there are."""
    book = tmp_path / "mixed.txt"
    book.write_bytes("Zürich is ".encode() * 50 + b"\xff" + "schön. ".encode() * 50)
    epub = SAMPLES / "the-keeper-of-sand-point.epub"
    cb.World.create(tmp_path / "world").ingest([epub, book])
    title = cb.read(epub).metadata.title
    done = run("books", tmp_path / "world")
    assert title
    assert title in done.stdout
    assert "ENCODING_MIXED" in done.stderr
    found = json.loads(run("books", tmp_path / "world", "--json").stdout)
    assert [one["source_path"] for one in found] == [epub.name, "mixed.txt"]
    assert found[1]["warnings"][0]["code"] == "ENCODING_MIXED"


@pytest.mark.parametrize("name", ["chunks.jsonl", "chunks.db"])
def test_a_world_is_exported(name: str, shelf: Path, tmp_path: Path) -> None:
    """All chunks, each with the path and digest of its source; or those of one book."""
    done = run("export", shelf, tmp_path / name, "--json")
    count = sum(1 for _ in cb.World.open(shelf).chunks())
    assert json.loads(done.stdout) == {"output": name, "chunks": count}
    one = run("export", shelf, tmp_path / name, "--book", 2, "--json")
    assert 0 < json.loads(one.stdout)["chunks"] < count
    if name.endswith("jsonl"):
        rows = [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]
        assert {row["source_path"] for row in rows} == {"hill.txt"}
        assert all(row["source_sha256"] for row in rows)
        assert "".join(row["chunk_text"] for row in rows) == HILL


def test_an_export_keeps_a_file_of_the_user(shelf: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    mine.write_text("Dear diary")
    assert run("export", shelf, mine).exit_code == 1
    assert mine.read_text() == "Dear diary"
    assert run("export", shelf, mine, "--overwrite").exit_code == 0


def test_split_keeps_a_file_of_the_user(tmp_path: Path) -> None:
    (book,) = write_books(tmp_path / "in", sea=SEA)
    mine = tmp_path / "mine.jsonl"
    mine.write_text("Dear diary")
    done = run("split", book, "-o", mine)
    assert (done.exit_code, "--overwrite" in done.stderr) == (1, True)
    assert run("split", book, "-o", mine, "--overwrite").exit_code == 0


def test_a_world_and_a_book_are_renamed(shelf: Path, tmp_path: Path) -> None:
    """The book keeps its place: its file is known under the new path, and cited by it."""
    assert run("rename", shelf, "Sea stories").exit_code == 0
    assert cb.World.open(shelf).name == "Sea stories"
    assert run("rename", shelf, "tales/ocean.txt", "--book", 1).exit_code == 0
    world = cb.World.open(shelf)
    assert [book.source_path for book in world.books()] == ["tales/ocean.txt", "hill.txt"]
    assert world.search("storm")[0].citation.startswith("tales/ocean.txt, ")
    (moved,) = write_books(tmp_path / "tales", ocean=SEA)
    assert world.plan(moved).sources[0].action in ("complete", "same")
    taken = run("rename", shelf, "hill.txt", "--book", 1)
    assert (taken.exit_code, "book 2" in taken.stderr.lower()) == (1, True)
    assert world.verify().ok
    cb.World.create(tmp_path / "other", name="Other")
    assert run("rename", shelf, "Other").exit_code == 1
    assert run("rename", shelf, " ").exit_code == 2


def test_a_note_is_shown_by_name_hit_and_citation(tmp_path: Path) -> None:
    """`show` reads on in a vault as in a world."""
    vault = tmp_path / "notes"
    vault.mkdir()
    (vault / "a, b.md").write_text("# One\n\nCalm.\n\n## Two, more\n\nThe storm comes.\n")
    (vault / "c.md").write_text("# Other\n\nCalm.\n")
    assert run("index", vault).exit_code == 0
    assert "Calm." in run("show", vault, "a, b").stdout
    part = run("show", vault, "a, b#Two, more", "-C", 0).stdout
    assert "The storm comes." in part
    assert "Calm." not in part
    hit = run("search", vault, "storm").stdout.splitlines()[0].removeprefix("1. ")
    shown = run("show", vault, 1).stdout
    assert "Calm." in shown
    assert "The **storm** comes." in shown
    assert "**## Two, more" in run("show", vault, hit).stdout
    assert json.loads(run("show", vault, "c", "--json").stdout)["path"] == "c.md"
    assert run("show", vault, 2).exit_code == 2
    assert "no such note" in run("show", vault, "d").stderr


def test_a_note_is_opened_itself_or_in_obsidian(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person edits the note; Obsidian is used where it has opened the folder before."""
    opened: list[str] = []
    monkeypatch.setattr(typer, "launch", opened.append)
    vault = tmp_path / "my notes"
    vault.mkdir()
    (vault / "a.md").write_text("Calm.\n")
    run("index", vault)
    assert run("show", vault, "a", "--open").exit_code == 0
    (vault / ".obsidian").mkdir()
    assert run("show", vault, "a", "--open").exit_code == 0
    assert opened == [str(vault / "a.md"), "obsidian://open?vault=my%20notes&file=a"]
