"""`cleanbreak search` as a person and a pipe use it."""

import json

import pytest
from typer.testing import CliRunner

from cleanbreak import Vault, World
from cleanbreak.cli.app import app
from cleanbreak.errors import RunInterruptedError
from notes import write_notes

TEXT = "The sea was calm.\n\nThen the storm came, and [the mast] broke.\n"


def run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def world(tmp_path):
    book = tmp_path / "sea.txt"
    book.write_text(TEXT, encoding="utf-8", newline="")
    place = World.create(tmp_path / "world", settings={"chunk_size": 20})
    place.ingest(book)
    return tmp_path / "world"


@pytest.fixture
def vault(tmp_path):
    folder = write_notes(tmp_path / "vault", {"sea/Storm.md": f"# Storm\n\n{TEXT}", "b.md": "x"})
    Vault.index(folder).close()
    return folder


def test_a_world_is_searched(world):
    """With citations and marks."""
    code, out, _ = run("search", world, "storm")
    assert code == 0
    assert "1. sea.txt, line 3, characters " in out
    assert "**storm**" in out


def test_a_vault_is_searched(vault):
    """The same command; brackets are no markup."""
    code, out, _ = run("search", vault, "then came", "mast")
    assert code == 0
    assert "1. sea/Storm.md, # Storm, line 5, characters " in out
    assert "[the **mast**] broke" in out


def test_a_note_cannot_write_to_the_terminal(tmp_path):
    """Escape sequences in it are shown as what they are; a program gets them unchanged."""
    folder = write_notes(tmp_path / "vault", {"a.md": "red \x1b[31m alert \x07"})
    Vault.index(folder).close()
    _, out, _ = run("search", folder, "alert")
    assert "red \ufffd[31m **alert** \ufffd" in out
    _, out, _ = run("search", folder, "alert", "--json")
    assert "\x1b" in json.loads(out)[0]["chunk_text"]


def test_json_is_one_array_of_hits(vault):
    """Under the names that stored records use."""
    code, out, _ = run("search", vault, '"the mast"', "--json", "--limit", 1)
    (hit,) = json.loads(out)
    assert code == 0
    assert (hit["source_key"], hit["heading_path"], hit["line"]) == ("sea/Storm.md", "# Storm", 5)
    assert hit["chunk_text"][slice(*hit["marks"][0])] == "the mast"


def test_context_shows_the_chunks_around(world):
    """Before and after the hit."""
    _, out, _ = run("search", world, "storm", "--context", 1, "--limit", 1)
    assert "sea was calm" in out
    _, out, _ = run("search", world, "storm", "--context", 1, "--limit", 1, "--json")
    assert [near["chunk_number"] for near in json.loads(out)[0]["context"]] == [1, 3]


@pytest.mark.parametrize("query", ['"((', "*", "NOT", "🙂", "q\x00w", "tag:"])
def test_any_query_is_answered(vault, query):
    """Nothing found is no error."""
    code, out, _ = run("search", vault, "--json", "--", query)
    assert (code, json.loads(out)) == (0, [])


def test_books_that_were_not_searched_are_named(world, tmp_path):
    """On standard error, and never "Nothing found" instead; JSON says that it is not complete."""
    more = tmp_path / "hill.txt"
    more.write_text("Up the hill. " * 1000, encoding="utf-8")
    with pytest.raises(RunInterruptedError):
        World.open(world).ingest(more, stop=lambda: True)
    code, out, err = run("search", world, "storm")
    assert (code, "**storm**" in out) == (0, True)
    assert err == "1 book was not searched; resume the world to finish it.\n"
    assert run("search", world, "hill")[1:] == (
        "",
        "No hits so far. 1 book was not searched; resume the world to finish it.\n",
    )
    found = json.loads(run("search", world, "storm", "--json")[1])
    assert (found["complete"], found["unfinished"], len(found["hits"])) == (False, [2], 1)


def test_nothing_found_is_said_beside_the_output(vault):
    """A pipe sees nothing."""
    assert run("search", vault, "whale") == (0, "", "Nothing found.\n")


@pytest.mark.parametrize("place", ["world", "vault"])
def test_another_reading_of_a_query_is_said(place, request):
    """On standard error, and in JSON."""
    place = request.getfixturevalue(place)
    code, out, err = run("search", place, "strom")
    assert (code, "**storm**" in out) == (0, True)
    assert err == "Nothing found as typed. Shown: what was probably meant.\nDid you mean: storm\n"
    found = json.loads(run("search", place, "strom", "--json")[1])
    assert (found["complete"], found["answered_by"]) == (True, "spelling")
    assert (found["suggestion"], bool(found["hits"])) == ("storm", True)
    _, _, err = run("search", place, "stor")
    assert err.startswith("Nothing found as typed. Shown: words that begin with those typed.\n")
    _, out, err = run("search", place, '"the strom"')
    assert (out, err) == ("", 'Nothing found.\nDid you mean: "the storm"\n')


def test_unwanted_words_alone_list_the_rest(vault):
    """It is said that this is so."""
    code, out, err = run("search", vault, "--format", "paths", "-storm")
    assert (code, out, err) == (
        0,
        f"{vault / 'b.md'}\n",
        "Shown: everything without the unwanted words.\n",
    )


def test_a_search_may_be_of_one_book(world, tmp_path):
    """By the book's number; a vault has none."""
    more = tmp_path / "hill.txt"
    more.write_text("A storm on the hill.", encoding="utf-8")
    World.open(world).ingest(more)
    _, out, _ = run("search", world, "storm", "--book", 2)
    assert ("hill.txt" in out, "sea.txt" in out) == (True, False)
    _, out, _ = run("search", world, "storm", "--book", 2, "--book", 1)
    assert ("hill.txt" in out, "sea.txt" in out) == (True, True)
    assert run("search", world, "storm", "--book", 9)[0] == 1


def test_a_vault_has_no_books(vault):
    """Wrong usage, exit 2."""
    code, _, err = run("search", vault, "storm", "--book", 1)
    assert (code, "no books" in err) == (2, True)


def test_a_field_that_does_not_exist_is_wrong_usage(vault):
    """It is named, with those that do."""
    code, _, err = run("search", vault, "auhtor:x")
    assert (code, "There is no field auhtor:" in err, "author:" in err) == (2, True, True)


def test_what_was_never_indexed_is_an_error(tmp_path):
    """With its code, what to do, and exit 1."""
    code, out, err = run("search", tmp_path, "x")
    assert (code, out) == (1, "")
    assert "VAULT_MISSING" in err
    assert "`cleanbreak index`" in err
    code, _, err = run("search", tmp_path / "none", "x")
    assert code == 1
    assert "VAULT_MISSING" in err


def test_a_limit_out_of_range_is_wrong_usage(vault):
    """Exit 2."""
    assert run("search", vault, "x", "--limit", 0)[0] == 2


def test_chunks_that_were_left_out_are_said(tmp_path):
    """A line for a person, a field for a program."""
    world = World.create(tmp_path / "world", settings={"chunk_size": 40, "overlap_size": 0})
    book = tmp_path / "sea.txt"
    book.write_text("The sea was calm. Then the storm came. " * 5)
    world.ingest(book)
    hit = world.search("storm")[0]
    (tmp_path / f"world/books/book-0001/chunks/{hit.number:06d}.json").unlink()
    done = CliRunner().invoke(app, ["search", str(tmp_path / "world"), "storm"])
    assert "1 chunk was found and not shown" in done.stderr
    assert "cleanbreak verify WORLD --repair" in done.stderr.replace("\n", " ")
    done = CliRunner().invoke(app, ["search", str(tmp_path / "world"), "storm", "--json"])
    (warning,) = json.loads(done.stdout)["warnings"]
    assert (warning["code"], warning["count"]) == ("CHUNKS_NOT_PROVED", 1)
