"""`cleanbreak embed`: vectors for a world, and what they cost before they are paid for."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("httpx", reason="the extra providers is not installed")
pytest.importorskip("numpy", reason="the extra vectors is not installed")

import cleanbreak as cb
from bookshelf import record_of, write_books
from cleanbreak.cli import console
from cleanbreak.cli.app import app
from home import SECRET, write_catalogue, write_key
from providers.embedding_server import Script, serving

PRICE = {"inputPerMillion": 1000.0, "asOf": "2026-11-30"}


def run(*words: object, given: str | None = None) -> Result:
    done = CliRunner().invoke(app, list(map(str, words)), input=given)
    assert SECRET not in done.output
    return done


@pytest.fixture
def server(home: Path) -> Iterator[tuple[str, Script]]:
    with serving() as (address, script):
        write_catalogue(home, address)
        write_key(home)
        yield address, script


@pytest.fixture
def script(server: tuple[str, Script]) -> Script:
    return server[1]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    world = cb.World.create(tmp_path / "shelf", settings={"chunk_size": 100})
    world.ingest(write_books(tmp_path / "in"))
    return tmp_path / "shelf"


def chunks(shelf: Path) -> int:
    return sum(1 for _ in cb.World.open(shelf).chunks())


def sent(script: Script) -> int:
    return sum(map(len, script.asked))


def test_a_world_is_embedded_and_later_books_with_it(
    shelf: Path, script: Script, tmp_path: Path
) -> None:
    done = run("embed", shelf, "--model", "acme/one")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.count("book ") == 3
    assert sent(script) == chunks(shelf)
    (gate,) = write_books(tmp_path / "more", gate="A gate stood open all night. " * 9)
    assert run("ingest", shelf, gate).exit_code == 0
    assert sent(script) == chunks(shelf)
    assert "embeddings complete" in run("status", shelf).stdout


def test_a_second_run_needs_no_model_and_has_nothing_to_do(shelf: Path, script: Script) -> None:
    run("embed", shelf, "--model", "acme/one")
    before = sent(script)
    done = run("embed", shelf)
    assert (done.exit_code, done.stdout) == (0, "nothing to do: every book is complete\n")
    assert sent(script) == before


def test_the_report_is_json_for_programs(shelf: Path, script: Script) -> None:
    report = json.loads(run("embed", shelf, "--model", "acme/one", "--json").stdout)
    assert report["state"] == "completed"
    assert len(report["books"]) == 3


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "EMBEDDING_PROFILE_REQUIRED"),
        (("--model", "acme/onne"), "MODEL_UNKNOWN"),
        (("--model", "openai/gpt-5.5"), "UNSUPPORTED_EMBEDDING_MODEL"),
        (("--model", "openai/text-embedding-3-small", "--yes"), "PROVIDER_KEYS_MISSING"),
        (("--model", "minilm"), "MODEL_NOT_INSTALLED"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_written(
    words: tuple[str, ...], code: str, shelf: Path, script: Script
) -> None:
    before = record_of(shelf)
    done = run("embed", shelf, *words, "--json")
    assert done.exit_code == 1
    error = json.loads(done.stderr)["error"]
    assert error["code"] == code
    assert "cleanbreak" in error["message"] or "did you mean acme/one" in error["message"]
    assert before == record_of(shelf)
    assert script.asked == []


def test_another_model_needs_replace(
    shelf: Path, server: tuple[str, Script], home: Path, script: Script
) -> None:
    run("embed", shelf, "--model", "acme/one")
    write_catalogue(home, server[0], documentPrefix="passage: ")
    done = run("embed", shelf, "--model", "acme/one")
    assert (done.exit_code, "--replace" in done.stderr) == (1, True)
    assert run("embed", shelf, "--model", "acme/one", "--replace").exit_code == 0
    assert sent(script) == 2 * chunks(shelf)
    assert script.asked[-1][0].startswith("passage: ")


def test_a_chunk_that_cannot_be_embedded_is_said(shelf: Path, script: Script) -> None:
    script.minds["bells"] = 400
    done = run("embed", shelf, "--model", "acme/one")
    assert done.exit_code == 0
    assert "town.txt: " in done.stderr
    assert "could not be embedded" in done.stderr


def test_a_provider_that_is_away_is_one_error(shelf: Path, home: Path, script: Script) -> None:
    write_catalogue(home, "http://127.0.0.1:9")
    done = run("embed", shelf, "--model", "acme/one")
    assert done.exit_code == 1
    assert done.stderr.count("PROVIDER_STATUS") == 1
    assert "127.0.0.1" not in done.output


# --- money ----------------------------------------------------------------------------------------


@pytest.fixture
def paid(server: tuple[str, Script], home: Path) -> Script:
    """The model costs money."""
    write_catalogue(home, server[0], price=PRICE)
    return server[1]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "can_ask", lambda: True)


@pytest.mark.usefixtures("terminal")
def test_before_paid_work_the_price_is_said_and_asked_for(shelf: Path, paid: Script) -> None:
    refused = run("embed", shelf, "--model", "acme/one", given="n\n")
    assert refused.exit_code == 1
    assert "tokens, about" in refused.stderr
    assert "(price of 2026-11-30)" in refused.stderr
    assert paid.asked == []
    assert not (shelf / "vectors.sqlite").exists()
    agreed = run("embed", shelf, "--model", "acme/one", given="y\n")
    assert agreed.exit_code == 0
    assert sent(paid) == chunks(shelf)


def test_without_a_terminal_paid_work_needs_yes(shelf: Path, paid: Script) -> None:
    before = record_of(shelf)
    done = run("embed", shelf, "--model", "acme/one")
    assert (done.exit_code, "--yes" in done.stderr) == (2, True)
    assert before == record_of(shelf)
    assert paid.asked == []
    assert run("embed", shelf, "--model", "acme/one", "--yes").exit_code == 0
    assert sent(paid) == chunks(shelf)


def test_an_ingest_that_is_paid_for_is_asked_for(shelf: Path, paid: Script, tmp_path: Path) -> None:
    run("embed", shelf, "--model", "acme/one", "--yes")
    before, files = sent(paid), record_of(shelf)
    (gate,) = write_books(tmp_path / "more", gate="A gate stood open all night. " * 9)
    done = run("ingest", shelf, gate)
    assert (done.exit_code, "about 66 tokens" in done.stderr) == (2, True)
    assert (sent(paid), record_of(shelf)) == (before, files)
    assert run("ingest", shelf, gate, "--yes").exit_code == 0
    assert sent(paid) > before
    done = run("ingest", shelf, gate)
    assert (done.exit_code, "tokens" in done.stderr) == (0, False)


def test_a_resume_and_a_reingest_that_are_paid_for_are_asked_for(shelf: Path, paid: Script) -> None:
    run("embed", shelf, "--model", "acme/one", "--yes")
    assert "--yes" in run("reingest", shelf, "--book", "1").stderr
    (shelf / "vectors.sqlite").unlink()
    before = sent(paid)
    assert "--yes" in run("resume", shelf).stderr
    assert sent(paid) == before
    assert run("resume", shelf, "--yes").exit_code == 0
    assert sent(paid) == 2 * before


def test_where_nothing_is_to_be_paid_nobody_is_asked(shelf: Path, paid: Script) -> None:
    run("embed", shelf, "--model", "acme/one", "--yes")
    done = run("embed", shelf)
    assert (done.exit_code, "price" in done.output) == (0, False)


def test_the_cost_is_of_what_has_no_vector_yet(shelf: Path, paid: Script, tmp_path: Path) -> None:
    world = cb.World.open(shelf)
    whole = world.embedding_cost("acme/one")
    assert whole.texts == chunks(shelf)
    assert whole.cost == pytest.approx(whole.tokens * 1000 / 1_000_000)
    text = "".join(chunk.chunk_text for chunk in world.chunks())
    assert whole.tokens == pytest.approx(cb.estimate_tokens(text), rel=0.15)
    world.embed("acme/one")
    assert (world.embedding_cost().texts, world.embedding_cost().cost) == (0, 0)
    write_key(tmp_path / "home", "later")
    (shelf / "vectors.sqlite").unlink()
    assert world.embedding_cost() == whole


def test_the_cost_of_a_model_without_a_price_is_not_known(shelf: Path, script: Script) -> None:
    assert cb.World.open(shelf).embedding_cost("acme/one").cost is None


def test_the_model_of_an_object_costs_nothing(shelf: Path) -> None:
    from embedders import Plain

    found: Any = cb.World.open(shelf).embedding_cost(Plain())
    assert (found.cost, found.texts) == (0.0, chunks(shelf))
