"""Asking providers: over answers as each sends them, and over a real server that misbehaves."""

import inspect
import logging
from datetime import UTC, datetime

import msgspec
import pytest

httpx = pytest.importorskip("httpx", reason="the extra providers is not installed")
np = pytest.importorskip("numpy", reason="the extra vectors is not installed")

from cleanbreak.errors import (  # noqa: E402
    EmbeddingInvalidError,
    EmbeddingMismatchError,
    EmbeddingTooLargeError,
    KeyRejectedError,
    KeysMissingError,
    ProviderStatusError,
)
from cleanbreak.providers.clients.every import EMBEDDINGS  # noqa: E402
from cleanbreak.providers.clients.http import HttpClient  # noqa: E402
from cleanbreak.providers.clients.refusal import (  # noqa: E402
    LimitedError,
    RefusedError,
    RejectedError,
    TransientError,
    refusal,
)
from cleanbreak.providers.keys import RateLimit  # noqa: E402
from providers.embedding_server import DIMENSIONS, serving, vector_of  # noqa: E402
from providers.keys_for_tests import SECRET, FakeClock, write_key  # noqa: E402
from providers.remote import embedder  # noqa: E402

TEXTS = ["the sea", "the storm", "the shore"]
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
MARKER = "text-marker-5678"

# For each protocol a good answer to three texts, in a form that the provider documents.
ANSWERS = {
    "openai": {
        "data": [{"index": n, "embedding": [n, 1.0]} for n in (2, 0, 1)],
        "usage": {"total_tokens": 7},
    },
    "voyage": {
        "data": [{"index": n, "embedding": [n, 1.0]} for n in (1, 2, 0)],
        "usage": {"total_tokens": 7},
    },
    "cohere": {
        "embeddings": {"float": [[0, 1.0], [1, 1.0], [2, 1.0]]},
        "meta": {"billed_units": {"input_tokens": 7}},
    },
    "google": {"embeddings": [{"values": [n, 1.0]} for n in range(3)]},
    "ollama": {"embeddings": [[0, 1.0], [1, 1.0], [2, 1.0]], "prompt_eval_count": 7},
}


@pytest.fixture
def server():
    with serving() as (address, script):
        yield address, script


@pytest.fixture
def keys(tmp_path):
    write_key(tmp_path, "a")
    return tmp_path


# --- the forms of requests and answers ------------------------------------------------------------


@pytest.mark.parametrize("name", EMBEDDINGS)
def test_every_protocol_reads_the_answer_that_its_provider_documents(name):
    found = EMBEDDINGS[name].answer(ANSWERS[name])
    assert [vector[0] for vector in found.vectors] == [0, 1, 2]
    assert found.tokens == (None if name == "google" else 7)


@pytest.mark.parametrize("name", EMBEDDINGS)
@pytest.mark.parametrize("kind", ["document", "query"])
def test_every_protocol_sends_each_text_once_and_the_key_in_a_header_only(name, kind):
    request = EMBEDDINGS[name].request("one", TEXTS, kind, 256, SECRET)
    body = str(request.body)
    assert all(body.count(text) == 1 for text in TEXTS)
    assert SECRET not in body + request.path
    assert any(SECRET in value for value in request.headers.values())


@pytest.mark.parametrize("name", ["cohere", "google", "voyage"])
def test_queries_and_documents_differ_where_the_protocol_can(name):
    protocol = EMBEDDINGS[name]
    asked = [protocol.request("one", TEXTS, kind, None, "") for kind in ("document", "query")]
    assert asked[0].body != asked[1].body


@pytest.mark.parametrize("name", ["cohere", "ollama", "voyage"])
def test_no_provider_truncates_in_silence(name):
    body = EMBEDDINGS[name].request("one", TEXTS, "document", None, "").body
    assert body.get("truncate", body.get("truncation")) in (False, "NONE")


@pytest.mark.parametrize("name", EMBEDDINGS)
@pytest.mark.parametrize("body", [{}, [], None, "x", {"data": None}, {"embeddings": 3}], ids=repr)
def test_an_answer_of_another_form_is_one_of_three_errors(name, body):
    with pytest.raises((LookupError, TypeError, ValueError, AttributeError)):
        list(EMBEDDINGS[name].answer(body).vectors)


# --- what refusals mean ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, RefusedError),
        (401, RejectedError),
        (402, LimitedError),
        (403, RejectedError),
        (404, RefusedError),
        (408, TransientError),
        (413, RefusedError),
        (422, RefusedError),
        (429, LimitedError),
        (500, TransientError),
        (503, TransientError),
        (529, TransientError),
        (301, RefusedError),
    ],
)
def test_a_refusal_is_known_by_its_status(status, kind):
    assert type(refusal(status, {}, b"", NOW)) is kind


@pytest.mark.parametrize(
    ("body", "limit"),
    [
        (b"slow down", RateLimit("rpm", "model")),
        (
            b"Quota exceeded: GenerateRequestsPerDayPerProjectPerModel per day",
            RateLimit("rpd", "project"),
        ),
        (b"limit of tokens per min (TPM) for this API key", RateLimit("tpm", "credential")),
        (b'{"error": {"code": "insufficient_quota"}}', RateLimit("rpd", "model")),
    ],
    ids=["plain", "day", "tokens", "money"],
)
def test_a_limit_is_known_by_a_few_words(body, limit):
    assert refusal(429, {}, body, NOW).limit == limit


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"retry-after": "7"}, b"", 7),
        ({"retry-after": "1.5"}, b"", 1.5),
        ({"retry-after": "Mon, 04 May 2026 12:00:30 GMT"}, b"", 30),
        ({"retry-after": "Mon, 04 May 2026 11:00:30 GMT"}, b"", 0),
        ({"retry-after-ms": "250"}, b"", 0.25),
        ({"retry-after": "soon"}, b"", None),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s"}, b"", 360),
        ({}, b'{"retryDelay": "34s"}', 34),
        ({}, b"", None),
    ],
    ids=str,
)
def test_how_long_to_wait_is_read_in_every_form(headers, body, seconds):
    assert refusal(429, headers, body, NOW).limit.retry_after_seconds == seconds


def test_every_exception_of_the_http_library_is_one_of_ours():
    """Each class is raised by a transport, so that a new one in a later version is noticed."""
    kinds = [
        kind
        for _, kind in inspect.getmembers(httpx, inspect.isclass)
        if issubclass(kind, Exception) and not issubclass(kind, Warning)
    ]
    assert len(kinds) > 20
    for kind in kinds:
        client = HttpClient("http://127.0.0.1", transport=httpx.MockTransport(_raising(kind)))
        with pytest.raises(TransientError) as caught:
            client.post(EMBEDDINGS["openai"].request("one", TEXTS, "document", None, ""))
        assert caught.value.why == kind.__name__


def _raising(kind):
    """A way to send that raises an error of a class."""

    def handle(_request):
        error = kind.__new__(kind)
        Exception.__init__(error, "the text of a request")
        raise error

    return handle


# --- over a real server ---------------------------------------------------------------------------


def test_vectors_come_in_the_order_of_the_texts(server, keys):
    address, script = server
    script.answers = ["reordered"]
    found = embedder(keys, address).embed(TEXTS)
    expected = np.array([vector_of(text) for text in TEXTS], np.float64)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert found.dtype == np.float32
    assert np.allclose(found, expected, atol=1e-6)


def test_many_texts_are_sent_in_requests_of_limited_size(server, keys):
    address, script = server
    texts = [f"text {number}" for number in range(300)]
    assert embedder(keys, address).embed(texts).shape == (300, DIMENSIONS)
    assert [len(asked) for asked in script.asked] == [128, 128, 44]


def test_no_texts_need_no_request(server, keys):
    address, script = server
    assert embedder(keys, address).embed([]).shape == (0, DIMENSIONS)
    assert script.asked == []


@pytest.mark.parametrize(
    "answer", [500, 503, 408, "hang up", "broken JSON", "no JSON object"], ids=str
)
def test_what_may_pass_is_tried_again(server, keys, answer):
    address, script = server
    script.answers = [answer, answer]
    assert len(embedder(keys, address).embed(TEXTS)) == 3
    assert len(script.asked) == 3


def test_what_does_not_pass_is_an_error_after_three_tries(server, keys):
    address, script = server
    script.answers = [500] * 9
    with pytest.raises(ProviderStatusError) as caught:
        embedder(keys, address).embed(TEXTS)
    assert caught.value.details["retryable"]
    assert len(script.asked) == 3


def test_a_refusal_is_not_tried_again(server, keys):
    address, script = server
    script.answers = [400]
    with pytest.raises(ProviderStatusError) as caught:
        embedder(keys, address).embed(TEXTS)
    assert (caught.value.details["status"], caught.value.details["retryable"]) == (400, False)
    assert len(script.asked) == 1


def test_a_limit_waits_as_long_as_the_provider_says_and_is_no_failure(server, keys):
    address, script = server
    script.answers = [(429, {"Retry-After": "20"}, b""), (429, {}, b""), (429, {}, b""), 500]
    clock = FakeClock()
    assert len(embedder(keys, address, clock=clock).embed(TEXTS)) == 3
    assert sum(clock.waits) == pytest.approx(20 + 60 + 120)
    assert len(script.asked) == 5


def test_a_limit_of_one_key_leaves_work_to_the_next(server, keys):
    address, script = server
    write_key(keys, "b")
    script.answers = [429]
    clock = FakeClock()
    assert len(embedder(keys, address, clock=clock).embed(TEXTS)) == 3
    assert clock.waits == []
    assert script.keys[0] != script.keys[1]


def test_a_key_that_is_rejected_is_left_for_the_next(server, keys):
    address, script = server
    script.answers = [401]
    made = embedder(keys, address)
    with pytest.raises(KeyRejectedError):
        made.embed(TEXTS)
    write_key(keys, "b")
    assert len(made.embed(TEXTS)) == 3
    assert len(script.asked) == 2


def test_no_key_is_an_error_before_any_request(server, tmp_path):
    address, script = server
    made = embedder(tmp_path, address)
    for work in (made.check, lambda: made.embed(TEXTS)):
        with pytest.raises(KeysMissingError):
            work()
    assert script.asked == []


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("wrong length", EmbeddingInvalidError),
        ("NaN", EmbeddingInvalidError),
        ("zeros", EmbeddingInvalidError),
        ("one short", EmbeddingMismatchError),
    ],
)
def test_vectors_that_mean_nothing_are_refused(server, keys, answer, error):
    address, script = server
    script.answers = [answer]
    with pytest.raises(error):
        embedder(keys, address).embed(TEXTS)


def test_a_text_that_is_too_long_is_refused_before_any_request(server, keys):
    address, script = server
    made = embedder(keys, address, tokenizer="words")
    with pytest.raises(EmbeddingTooLargeError) as caught:
        made.embed(["short", "word " * 101])
    assert caught.value.details["index"] == 1
    assert script.asked == []
    assert len(made.embed(["longword" * 12 + " b"])) == 1


def test_prefixes_are_put_before_texts(server, keys):
    address, script = server
    made = embedder(keys, address)
    made.profile = msgspec.structs.replace(
        made.profile, query_prefix="query: ", document_prefix="passage: "
    )
    made.embed(["a"])
    made.embed(["a"], "query")
    assert script.asked == [["passage: a"], ["query: a"]]


def test_dimensions_are_asked_of_a_model_that_no_catalogue_lists(server, keys):
    address, _ = server
    made = embedder(keys, address)
    made.ask_dimensions()
    assert made.profile.dimensions == DIMENSIONS


def test_no_key_and_no_text_is_in_a_log_or_an_error(server, keys, caplog):
    caplog.set_level(logging.DEBUG)
    address, script = server
    script.answers = [400, (429, {}, MARKER.encode()), 500, 500, 500]
    made = embedder(keys, address)
    seen = []
    for _ in range(2):
        with pytest.raises(ProviderStatusError) as caught:
            made.embed([MARKER])
        seen.append(str(caught.value.as_dict()))
    ours = [record.getMessage() for record in caplog.records if "cleanbreak" in record.name]
    assert ours
    assert not any(SECRET in text or MARKER in text for text in [*seen, *ours])
