"""Embedding a world by a provider: keys, limits, failures, stops; against a real server."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx", reason="the extra providers is not installed")
pytest.importorskip("numpy", reason="the extra vectors is not installed")

import cleanbreak as cb
from bookshelf import SETTINGS, record_of, write_books
from cleanbreak import errors
from cleanbreak.providers.embedding.remote import RemoteEmbedder
from cleanbreak.worlds import RunReport
from embedders import Plain, assert_vectors, stored_vectors
from home import own_home, write_catalogue
from providers.embedding_server import Script, serving
from providers.keys_for_tests import SECRET, FakeClock, write_key
from providers.remote import embedder as remote


@pytest.fixture
def server() -> Iterator[tuple[str, Script]]:
    with serving() as found:
        yield found


@pytest.fixture
def script(server: tuple[str, Script]) -> Script:
    return server[1]


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    write_key(tmp_path / "keys", "a")
    return tmp_path / "keys"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def embedder(server: tuple[str, Script], keys: Path, clock: FakeClock) -> RemoteEmbedder:
    made: RemoteEmbedder = remote(keys, server[0], clock=clock, tokenizer="words")
    made.most_texts = 4
    return made


def chunks_of(root: Path) -> list[tuple[int, int, str]]:
    chunks = cb.World.open(root).chunks()
    return [(chunk.book_number, chunk.chunk_number, chunk.chunk_text) for chunk in chunks]


def failed(root: Path, book: int = 1) -> dict[int, str]:
    found = json.loads((root / f"books/book-{book:04d}/embeddings.json").read_bytes())
    return {entry["chunk_number"]: entry["last_error_code"] for entry in found["failed"]}


def assert_complete(root: Path) -> None:
    assert_vectors(root, chunks_of(root))
    assert cb.World.open(root).status().stages["embeddings"] == "complete"


def texts(script: Script) -> list[str]:
    return [text for asked in script.asked for text in asked]


def test_a_world_is_embedded_with_one_request_a_batch(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script
) -> None:
    world.embed(embedder)
    assert_complete(root)
    assert sorted(texts(script)) == sorted(text for _, _, text in chunks_of(root))
    assert max(map(len, script.asked)) == 4


@pytest.mark.parametrize("fields", [None, {"enabled": False}, {"allowed_models": ["acme/other"]}])
def test_without_a_key_nothing_is_written(
    fields: dict[str, Any] | None,
    world: cb.World,
    root: Path,
    tmp_path: Path,
    server: tuple[str, Script],
) -> None:
    """Also with one that is disabled, or for other models."""
    if fields is not None:
        write_key(tmp_path / "none", "a", **fields)
    before = record_of(root)
    with pytest.raises(errors.KeysMissingError):
        world.embed(remote(tmp_path / "none", server[0]))
    assert before == record_of(root)
    assert not (root / "vectors.sqlite").exists()


def test_books_get_their_chunks_also_when_the_key_is_gone(
    world: cb.World, root: Path, tmp_path: Path, embedder: RemoteEmbedder, keys: Path
) -> None:
    """The run of all books ended at the first one."""
    world.embed(embedder)
    (keys / "acme/a.json").unlink()
    more = write_books(tmp_path / "more", gate="A gate stood open. " * 9, wall="A wall fell. " * 9)
    report = world.ingest(more)
    assert [failure.error.code for failure in report.failures] == ["PROVIDER_KEYS_MISSING"] * 2
    assert report.state == "paused"
    assert len(world.search("gate OR wall", mode="words")) > 5
    write_key(keys, "b")
    assert world.resume().state == "completed"
    assert_complete(root)


def test_a_limit_of_one_key_leaves_the_work_to_the_other(
    world: cb.World,
    root: Path,
    embedder: RemoteEmbedder,
    script: Script,
    keys: Path,
    clock: FakeClock,
) -> None:
    """Nobody waits, no chunk fails, and what was refused is asked again once."""
    write_key(keys, "b")
    script.answers = [(429, {"Retry-After": "3600"}, b"")]
    assert world.embed(embedder).state == "completed"
    assert_complete(root)
    assert clock.waits == []
    assert failed(root) == {}
    assert len(texts(script)) == len(chunks_of(root)) + 4
    assert len(set(script.keys)) == 2


def test_a_limit_of_the_only_key_is_waited_for(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script, clock: FakeClock
) -> None:
    script.answers = [429, 429, 429]
    assert world.embed(embedder).state == "completed"
    assert_complete(root)
    assert sum(clock.waits) >= 60
    assert failed(root) == {}


def test_a_chunk_at_which_the_provider_fails_fails_alone(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script
) -> None:
    """After three tries; the others are done, and the next run tries it again."""
    word = next(text for book, _, text in chunks_of(root) if book == 1)
    script.minds[word] = 500
    same = [number for _, number, text in chunks_of(root) if word in text]
    assert {book for book, _, text in chunks_of(root) if word in text} == {1}
    report = world.embed(embedder)
    assert (report.state, report.failures) == ("paused", ())
    assert failed(root) == dict.fromkeys(same, "PROVIDER_STATUS")
    assert [asked for asked in script.asked if asked == [word]] == [[word]] * 3 * len(same)
    record = json.loads((root / "books/book-0001/embeddings.json").read_bytes())
    assert {entry["retry_count"] for entry in record["failed"]} == {3}
    (sea, *_) = cb.World.open(root).status().books
    assert sea.stages["embeddings"] is not None
    assert sea.stages["embeddings"].failed == len(same)
    assert len(stored_vectors(root)) == len(chunks_of(root)) - len(same)
    script.minds.clear()
    script.asked.clear()
    assert world.embed(embedder).state == "completed"
    assert texts(script) == [word] * len(same)
    assert_complete(root)


def test_a_chunk_that_the_provider_refuses_is_not_tried_twice_in_a_run(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script
) -> None:
    script.minds["bells"] = 400
    bad = {number for book, number, text in chunks_of(root) if "bells" in text}
    world.embed(embedder)
    assert failed(root, 3) == dict.fromkeys(sorted(bad), "PROVIDER_STATUS")
    alone = [asked for asked in script.asked if len(asked) == 1 and "bells" in asked[0]]
    assert len(alone) == len(bad)


def test_a_vector_that_is_no_number_fails_its_chunk_and_no_other(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script
) -> None:
    script.minds["bells"] = "NaN"
    bad = {number for book, number, text in chunks_of(root) if "bells" in text}
    world.embed(embedder)
    assert failed(root, 3) == dict.fromkeys(sorted(bad), "EMBEDDING_VECTOR_INVALID")
    assert len(stored_vectors(root)) == len(chunks_of(root)) - len(bad)


def test_a_chunk_that_is_too_long_is_never_sent(
    root: Path, tmp_path: Path, embedder: RemoteEmbedder, script: Script
) -> None:
    """The model of these tests takes 100 words."""
    text = "Longer words stood here.\n\n" * 20 + "a b c d " * 30 + "\n\n" + "The end came. " * 40
    world = cb.World.create(root, settings={"chunk_size": 250, "max_lookback": 60})
    world.ingest(write_books(tmp_path / "in", book=text))
    long = [number for _, number, text in chunks_of(root) if len(text.split()) > 100]
    world.embed(embedder)
    assert long
    assert failed(root) == dict.fromkeys(long, "EMBEDDING_CHUNK_TOO_LARGE")
    assert len(texts(script)) == len(chunks_of(root)) - len(long) > 2
    assert not any(len(text.split()) > 100 for text in texts(script))


def test_a_provider_that_is_away_ends_the_work_soon(
    world: cb.World, root: Path, keys: Path, embedder: RemoteEmbedder
) -> None:
    """No connection is made, so no chunk is tried alone; what was made is kept."""
    made = remote(keys, "http://127.0.0.1:9")  # nobody listens at this port
    tries: list[object] = []
    post = made._client.post
    made._client.post = lambda request: (tries.append(request), post(request))[1]
    with pytest.raises(errors.ProviderStatusError) as caught:
        world.embed(made)
    assert caught.value.details["reached"] is False
    assert len(tries) == 3  # all chunks of the first book are one batch
    assert failed(root) == {}
    world.embed(embedder)
    assert_complete(root)


def test_a_provider_that_fails_at_everything_ends_the_work_soon(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script
) -> None:
    """It asked for every chunk of a batch alone, three times."""
    script.minds[""] = 500
    with pytest.raises(errors.ProviderStatusError):
        world.embed(embedder)
    # At most four batches are under way; each is halved twice, and three chunks are tried alone.
    assert len(script.asked) <= 5 * (1 + 2 + 3) * 3
    script.minds.clear()
    world.embed(embedder)
    assert_complete(root)


def test_a_key_that_is_revoked_in_mid_run_ends_it_and_keeps_what_was_made(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script, keys: Path
) -> None:
    script.answers = ["good", "good", *[401] * 99]
    with pytest.raises(errors.KeyRejectedError):
        world.embed(embedder)
    stored = stored_vectors(root)
    assert len(stored) == sum(map(len, script.asked[:2]))
    script.answers = []
    (keys / "acme/a.json").unlink()
    write_key(keys, "new")
    script.asked.clear()
    world.embed(embedder)
    assert_complete(root)
    assert len(texts(script)) == len(chunks_of(root)) - len(stored)


def codes(report: RunReport) -> list[str]:
    return [warning.code for warning in report.warnings]


def test_a_run_that_was_limited_says_so_once(
    world: cb.World, embedder: RemoteEmbedder, script: Script
) -> None:
    script.answers = ["good", 429, 429]
    assert codes(world.embed(embedder)) == ["EMBEDDING_PROVIDER_RATE_LIMITED"]
    assert codes(world.embed(embedder)) == []


def test_a_model_that_changed_behind_its_name_is_said(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script, tmp_path: Path
) -> None:
    assert codes(world.embed(embedder)) == []
    script.model = "one-2027"
    (root / "vectors.sqlite").unlink()
    assert codes(world.embed(embedder)) == ["PROFILE_MODEL_DRIFT"]


def test_a_catalogue_that_says_something_else_changes_no_world(
    world: cb.World, root: Path, embedder: RemoteEmbedder, tmp_path: Path
) -> None:
    """The stored profile holds, and the run says what differs."""
    with own_home(tmp_path / "home") as home:
        write_catalogue(home, "http://127.0.0.1:9", limits={"maxEmbeddingDimensions": 9})
        report = world.embed(embedder)
    (warning,) = (one for one in report.warnings if one.code == "PROFILE_CATALOGUE_DIFFERS")
    assert "dimensions" in warning.message
    assert world.embedding_profile == embedder.profile


@pytest.mark.parametrize("status", [404, 410])
def test_a_model_that_is_withdrawn_in_mid_run_ends_it_and_keeps_what_was_made(
    status: int, world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script
) -> None:
    """Every chunk was asked for alone, as if each were too long."""
    script.answers = ["good", "good", *[status] * 999]
    with pytest.raises(errors.ModelWithdrawnError) as caught:
        world.embed(embedder)
    assert "--replace" in caught.value.message
    stored = len(stored_vectors(root))
    assert stored == sum(map(len, script.asked[:2])) > 0
    assert len(script.asked) <= 2 + 5
    script.answers = []
    script.asked.clear()
    world.embed(embedder)
    assert_complete(root)
    assert len(texts(script)) == len(chunks_of(root)) - stored


def test_a_quota_that_is_gone_is_waited_for_and_nothing_is_lost(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script, clock: FakeClock
) -> None:
    """No money left (402): the key rests until the provider's next day, and no chunk fails."""
    script.answers = ["good", "good", 402]
    world.embed(embedder)
    assert_complete(root)
    assert failed(root) == {}
    assert sum(clock.waits) > 60


def test_a_stop_with_requests_under_way_sends_no_more_and_drops_the_answers(
    world: cb.World, root: Path, embedder: RemoteEmbedder, script: Script
) -> None:
    script.open.clear()
    asked_at_stop: list[int] = []

    def stop() -> bool:
        if script.asked and not asked_at_stop:
            time.sleep(0.3)  # all places have their request
            asked_at_stop.append(len(script.asked))
        return bool(asked_at_stop)

    began = time.monotonic()
    with pytest.raises(errors.RunInterruptedError):
        world.embed(embedder, stop=stop)
    assert time.monotonic() - began < 5
    assert stored_vectors(root) == {}
    script.answers = [500] * 9  # late answers that would be tried again
    script.open.set()
    for thread in threading.enumerate():
        if thread.name.startswith("ThreadPoolExecutor"):
            thread.join(10)
    assert stored_vectors(root) == {}
    assert len(script.asked) == asked_at_stop[0]
    script.answers = []
    world.embed(embedder)
    assert_complete(root)


def test_no_key_and_no_text_is_in_a_log_an_error_or_a_file(
    root: Path,
    tmp_path: Path,
    embedder: RemoteEmbedder,
    script: Script,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The provider quotes both in its refusals."""
    caplog.set_level("DEBUG")
    marker = "marmalade"
    quoted = f'{{"error": {{"message": "{marker} {SECRET}-a"}}}}'.encode()
    world = cb.World.create(root, settings=SETTINGS)
    world.ingest(write_books(tmp_path / "in", jam=f"The {marker} was kept in a tin box. " * 20))
    script.answers = [(429, {}, quoted), (400, {}, quoted), *[(500, {}, quoted)] * 9]
    said = []
    for answers in ([], [(401, {}, quoted)] * 9):
        try:
            said.append(repr(world.embed(embedder)))
        except errors.CleanbreakError as error:
            said += [repr(error), json.dumps(error.as_dict())]
        script.answers = answers
        (root / "vectors.sqlite").unlink(missing_ok=True)
    ours = [record.getMessage() for record in caplog.records if "cleanbreak" in record.name]
    assert ours
    for text in (*said, *ours):
        assert marker not in text
        assert SECRET not in text
    files = [path for path in root.rglob("*") if path.is_file()]
    files += [path for path in tmp_path.glob("keys/.*") if path.is_file()]
    assert len(files) > 20
    for path in files:
        assert SECRET.encode() not in path.read_bytes(), path.name


def test_the_dimensions_of_a_plain_object_are_asked_once() -> None:
    plain = Plain()
    from cleanbreak.providers.embedding import make_embedder

    embedder = make_embedder(plain)
    embedder.embed(["a"])
    assert plain.asked == [["dimensions"], ["a"]]
