"""The interface of the page: every route, as the page uses it."""

import time
from pathlib import Path

import msgspec
import pytest

import cleanbreak as cb
from cleanbreak.web.desk import Desk
from cleanbreak.web.places import Place

from .conftest import BOOK, client_for

API = "/api/v1"
SAMPLES = Path(__file__).parents[2] / "samples"


def got(client, path, status=200, **query):
    answer = client.get(API + path, params=query)
    assert answer.status_code == status, answer.text
    return answer.json()


def sent(client, path, body, status=200):
    answer = client.post(API + path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def ended(client, job):
    """The job when it has ended."""
    for _ in range(300):
        if job["state"] != "running":
            return job
        time.sleep(0.05)
        job = got(client, f"/jobs/{job['job_id']}")
    raise AssertionError(job)


# --- cutting -------------------------------------------------------------------------------------


def test_a_split_has_the_chunks_that_python_makes(client):
    text = "One. Two, three. " * 40
    made = sent(client, "/split", {"text": text, "by": "boundary", "settings": {"chunk_size": 30}})
    chunks = cb.split(text, chunk_size=30)
    assert made["ends"] == [chunk.end for chunk in chunks]
    assert made["levels"] == [chunk.break_level for chunk in chunks]
    assert made["total_chunks"] == len(chunks)
    assert sum(made["levels_count"].values()) == len(chunks)
    rows = got(client, f"/splits/{made['split_id']}/chunks", first=3, limit=2)
    expected = [msgspec.json.decode(msgspec.json.encode(c.as_dict())) for c in chunks[2:4]]
    assert rows["chunks"] == expected


def test_the_python_of_a_split_makes_the_same_chunks(client):
    text = "One. Two, three.\n\nFour. " * 30
    settings = {"max_tokens": 12, "measure": "words"}
    made = sent(client, "/split", {"text": text, "by": "tokens", "settings": settings})
    source = made["python"].replace("cb.read('text.txt')", "text")
    chunks = eval(source, {"cb": cb, "text": text})
    assert [chunk.end for chunk in chunks] == made["ends"]


@pytest.mark.parametrize(
    ("by", "settings"),
    [
        ("boundary", {"chunk_size": 30, "separators": ["\n", ". "]}),
        ("sentences", {"max_sentences": 2, "overlap_percent": 20}),
        ("markdown", {"chunk_size": 60, "cross_chapters": True}),
        ("code", {"max_size": 90, "language": "python"}),
    ],
)
def test_the_command_of_a_split_is_one_that_the_command_line_takes(client, by, settings, tmp_path):
    import shlex

    from typer.testing import CliRunner

    from cleanbreak.cli.app import app

    text = "def one():\n    return 1\n\n\n" * 9
    made = sent(client, "/split", {"text": text, "by": by, "settings": settings})
    (tmp_path / "text.txt").write_bytes(text.encode())
    words = shlex.split(made["command"].replace("text.txt", str(tmp_path / "text.txt")))
    shown = CliRunner().invoke(app, [*words[1:], "--json"])
    assert shown.exit_code == 0, shown.output
    rows = msgspec.json.decode(shown.stdout.encode())
    assert [row["character_end_offset"] for row in rows] == made["ends"]


def test_a_cut_is_explained_as_the_splitter_explains_it(client):
    text = "One. Two, three. " * 20
    made = sent(client, "/split", {"text": text, "settings": {"chunk_size": 30}})
    found = got(client, f"/splits/{made['split_id']}/cuts/2")
    explained = cb.BoundarySplitter(30).explain(text, 2).as_dict()
    assert found == msgspec.json.decode(msgspec.json.encode(explained))


def test_chunks_are_measured_on_demand(client):
    made = sent(client, "/split", {"text": "One two. Three.", "settings": {"chunk_size": 9}})
    assert got(client, f"/splits/{made['split_id']}/counts", measure="words")["counts"] == [2, 1]
    got(client, f"/splits/{made['split_id']}/counts", 400, measure="/etc/x.json")


def test_a_file_is_read_with_its_sections_and_warnings(client):
    answer = client.post(
        f"{API}/documents/read",
        params={"name": "tea.md"},
        content=b"# Tea\n\nHot.\n",
        headers={"Content-Type": "application/octet-stream"},
    )
    document = answer.json()
    assert document["source_filename"] == "tea.md"
    assert [one["title"] for one in document["sections"]] == ["Tea"]
    text = got(client, f"/documents/{document['document_id']}/text", start=2, end=5)
    assert text["text"] == "Tea"
    made = sent(client, "/split", {"document_id": document["document_id"], "by": "markdown"})
    assert made["chunks"][0]["heading_path"] == "# Tea"


def test_a_file_named_at_the_start_is_a_document(client):
    [document] = got(client, "/documents")["documents"]
    assert document["source_filename"] == "note.md"
    assert len(got(client, "/documents")["documents"]) == 1


def test_formats_name_every_splitter_and_its_settings(client):
    found = got(client, "/formats")
    assert {one["by"] for one in found["splitters"]} == {
        "boundary",
        "code",
        "markdown",
        "sentences",
        "tokens",
    }
    assert ".epub" in found["extensions"]


# --- shelf ---------------------------------------------------------------------------------------


def test_a_world_shows_its_books_chunks_and_passages(client, world_id):
    [book] = got(client, f"/places/{world_id}/books")["books"]
    assert (book["source_filename"], book["state"], book["complete"]) == (
        "oslo.txt",
        "complete",
        True,
    )
    base = f"/places/{world_id}/books/{book['number']}"
    rows = got(client, f"{base}/chunks", first=1, limit=1000)
    assert "".join(row["chunk_text"] for row in rows["chunks"]) == BOOK
    assert rows["total_chunks"] == book["chunks"]
    found = got(client, f"{base}/passage", start=11, end=28, around=1)
    assert found["passage"] == BOOK[11:28]
    assert found["citation"].startswith("oslo.txt")


def test_a_book_shows_its_chapters_in_order(tmp_path):
    cb.World.create(tmp_path / "shelf").ingest(SAMPLES / "the-keeper-of-sand-point.epub")
    client = client_for(Desk(places=(Place("world", tmp_path / "shelf"),)))
    [place] = got(client, "/places")["places"]
    chapters = got(client, f"/places/{place['place_id']}/books/1/chapters")["chapters"]
    starts = [one["character_start_offset"] for one in chapters]
    assert len(starts) > 3
    assert starts == sorted(starts)


def test_a_source_is_a_download(client, world_id):
    answer = client.get(f"{API}/places/{world_id}/books/1/source")
    assert answer.content == BOOK.encode()
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["Content-Type"] == "application/octet-stream"


def test_a_book_is_added_searched_and_removed(client, world_id):
    answer = client.post(
        f"{API}/uploads",
        params={"name": "../whale.txt"},
        content=b"Call me Ishmael. " * 30,
        headers={"Content-Type": "application/octet-stream"},
    )
    upload = answer.json()
    assert upload["source_filename"] == "whale.txt"
    body = {"kind": "ingest", "place_id": world_id, "uploads": [upload["upload_id"]]}
    job = ended(client, sent(client, "/jobs", body, 202))
    assert job["state"] == "done", job
    assert [one["source_filename"] for one in job["report"]["books"]] == ["whale.txt"]
    hit = got(client, "/search", query="ishmael")["results"][0]
    assert (hit["book_number"], hit["place_id"], hit["kind"]) == (2, world_id, "book")
    removed = client.delete(f"{API}/places/{world_id}/books/2", params={"sources": "true"})
    assert removed.json() == {"removed": 2}
    assert got(client, "/search", query="ishmael")["results"] == []


def test_a_world_that_is_not_there_is_made_by_its_first_book(tmp_path):
    desk = Desk(places=(Place("world", tmp_path / "new"),))
    client = client_for(desk)
    [place] = got(client, "/places")["places"]
    assert place["exists"] is False
    assert got(client, f"/places/{place['place_id']}/books") == {"books": []}
    upload = client.post(
        f"{API}/uploads",
        params={"name": "a.txt"},
        content=b"Fog came. " * 40,
        headers={"Content-Type": "application/octet-stream"},
    ).json()
    body = {
        "kind": "ingest",
        "place_id": place["place_id"],
        "uploads": [upload["upload_id"]],
        "by": "sentences",
        "settings": {"max_sentences": 2},
    }
    assert ended(client, sent(client, "/jobs", body, 202))["state"] == "done"
    assert cb.World.open(tmp_path / "new").settings.splitter == "sentences"
    desk.close()


def test_a_job_that_is_stopped_is_resumed(client, world_id, desk):
    """The stop is asked for before the run asks for the first time."""
    started = desk.jobs.start("resume", world_id, _wait_for_stop)
    sent(client, f"/jobs/{started.job_id}/stop", {})
    assert (
        ended(client, started.record().__class__ and got(client, f"/jobs/{started.job_id}"))[
            "state"
        ]
        == "stopped"
    )
    job = sent(client, "/jobs", {"kind": "resume", "place_id": world_id}, 202)
    assert ended(client, job)["state"] == "done"


def _wait_for_stop(job):
    while not job.wants_stop():
        time.sleep(0.01)
    raise cb.errors.RunInterruptedError("Stopped.")


def test_a_second_job_in_a_place_is_refused(client, world_id, desk):
    first = desk.jobs.start("verify", world_id, _wait_for_stop)
    answer = sent(client, "/jobs", {"kind": "verify", "place_id": world_id}, 409)
    assert answer["code"] == "STATE_CONFLICT"
    first.stop()


def test_the_events_of_a_job_end_with_its_last_state(client, world_id):
    job = sent(client, "/jobs", {"kind": "verify", "place_id": world_id}, 202)
    events = client.get(f"{API}/jobs/{job['job_id']}/events")
    assert events.headers["Content-Type"].startswith("text/event-stream")
    last = events.text.strip().split("\n\n")[-1]
    assert last.startswith("event: job\ndata: ")
    record = msgspec.json.decode(last.removeprefix("event: job\ndata: ").encode())
    assert (record["state"], record["report"]["ok"]) == ("done", True)


def test_a_repair_restores_a_chunk_that_was_lost(client, world_id, world_path):
    next((world_path / "books").rglob("000001.json")).unlink()
    found = ended(client, sent(client, "/jobs", {"kind": "verify", "place_id": world_id}, 202))
    assert found["report"]["ok"] is False
    fixed = ended(client, sent(client, "/jobs", {"kind": "repair", "place_id": world_id}, 202))
    assert fixed["report"]["ok"] is True
    assert fixed["report"]["repaired"]


# --- search and notes ----------------------------------------------------------------------------


def test_one_search_asks_all_places(client, world_id, vault_id):
    found = got(client, "/search", query="ferry")
    assert {one["kind"] for one in found["results"]} == {"book", "note"}
    assert {one["place_id"] for one in found["places"]} == {world_id, vault_id}
    hit = next(one for one in found["results"] if one["kind"] == "note")
    assert hit["note"] == "oslo.md"
    start, end = hit["marks"][0]
    assert hit["snippet"][start:end].lower() == "ferry"


@pytest.mark.parametrize(
    ("query", "kinds"),
    [({"kind": "note"}, {"note"}), ({"kind": "book"}, {"book"}), ({"tag": "sea/north"}, {"note"})],
)
def test_a_search_is_narrowed_by_kind_and_tag(client, query, kinds):
    assert {
        one["kind"] for one in got(client, "/search", query="ferry", **query)["results"]
    } == kinds


def test_a_search_in_a_book_that_is_not_there_says_so_for_its_place(client, world_id):
    [answer] = got(client, "/search", query="ferry", place=world_id, book=9)["places"]
    assert answer["error"]["code"] == "STATE_CONFLICT"


def test_a_vault_shows_its_notes_links_tags_and_graph(client, vault_id):
    base = f"/places/{vault_id}"
    assert [one["note"] for one in got(client, f"{base}/notes")["notes"]] == ["boats.md", "oslo.md"]
    [chunk] = got(client, f"{base}/notes/chunks", note="oslo.md")["chunks"]
    assert chunk["chunk_text"] == "A town with a ferry. #sea/north\n"
    assert [one["target"] for one in got(client, f"{base}/links", note="boats.md")["links"]] == [
        "oslo",
        "nowhere",
    ]
    assert [one["source"] for one in got(client, f"{base}/backlinks", note="oslo.md")["links"]] == [
        "boats.md"
    ]
    assert [one["target"] for one in got(client, f"{base}/unresolved")["links"]] == ["nowhere"]
    assert {one["tag"] for one in got(client, f"{base}/tags")["tags"]} == {"sea", "sea/north"}
    graph = got(client, f"{base}/graph")
    assert [[graph["nodes"][at] for at in edge] for edge in graph["edges"]] == [
        ["boats.md", "oslo.md"]
    ]
    assert got(client, f"{base}/problems")["problems"] == []
    assert "stats" in got(client, base)


def test_a_vault_is_indexed_again(client, vault_id, vault_path):
    (vault_path / "new.md").write_text("A lighthouse.\n", encoding="utf-8")
    assert got(client, f"/places/{vault_id}")["behind"]["new"] == ["new.md"]
    job = ended(client, sent(client, "/jobs", {"kind": "index", "place_id": vault_id}, 202))
    assert job["report"]["new"] == ["new.md"]


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/nothing", 404, "ROUTE_UNKNOWN"),
        ("/places/0123", 404, "NOT_HELD"),
        ("/documents/0123", 404, "NOT_HELD"),
        ("/jobs/0123", 404, "NOT_HELD"),
        ("/splits/0123/cuts/1", 404, "NOT_HELD"),
        ("/splits/0123/cuts/one", 400, "REQUEST_INVALID"),
        ("/places?other=1", 400, "REQUEST_INVALID"),
    ],
)
def test_an_error_has_a_status_a_code_and_a_sentence(client, path, status, code):
    answer = client.get(API + path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["message"].endswith(".")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": "a", "document_id": "b"},
        {"text": "a", "settings": {"chunk_size": 0}},
        {"text": "a", "by": "chapters"},
        {"text": "a", "other": 1},
        {"text": "a", "settings": 3},
        {"text": "\ud800"},
    ],
)
def test_a_split_that_cannot_be_is_a_bad_request(client, body):
    import json

    answer = client.post(
        f"{API}/split", content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 400, answer.text


def test_a_file_that_cannot_be_read_is_a_sentence(client):
    answer = client.post(
        f"{API}/documents/read",
        params={"name": "x.pdf"},
        content=b"%PDF-1.4 broken",
        headers={"Content-Type": "application/octet-stream"},
    )
    assert answer.status_code == 422
    assert answer.json()["code"].startswith("SOURCE_")
