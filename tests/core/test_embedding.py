"""Long texts in, one vector each out, in requests that are full and never too full."""

import pytest

from cleanbreak import BoundarySplitter, TokenSplitter, embed_long_texts, embedding_chunk_budget
from cleanbreak.errors import SettingsError, VectorError


class Embedder:
    """Gives each text the vector (its length, 1), and remembers the requests."""

    def __init__(self):
        self.requests = []

    def __call__(self, texts):
        self.requests.append(texts)
        return [[float(len(text)), 1.0] for text in texts]


TEXTS = ["one two three four five", "six", " \n", "seven eight nine"]
SPLITTER = TokenSplitter(2, "words")


def test_each_text_has_one_vector_in_order():
    """Weighted by the lengths of its chunks; a blank text has none."""
    vectors = embed_long_texts(TEXTS, Embedder(), SPLITTER)
    lengths = [[len(chunk.text) for chunk in SPLITTER.split(text)] for text in TEXTS]
    expected = [[sum(n * n for n in ns) / sum(ns), 1.0] if ns else None for ns in lengths]
    assert vectors[2] is None
    assert [v for v in vectors if v] == [pytest.approx(e) for e in expected if e]


@pytest.mark.parametrize("batch_size", [1, 2, 3, 100])
def test_requests_are_full(batch_size):
    """Chunks of several texts share a request; all but the last are full."""
    embedder = Embedder()
    embed_long_texts(TEXTS, embedder, SPLITTER, batch_size=batch_size)
    sizes = [len(request) for request in embedder.requests]
    assert sum(sizes) == 6
    assert all(size == batch_size for size in sizes[:-1])


@pytest.mark.parametrize("request_tokens", [1, 2, 3, 5])
def test_requests_keep_to_their_token_limit(request_tokens):
    """A chunk that is over it alone is sent alone."""
    embedder = Embedder()
    embed_long_texts(TEXTS, embedder, SPLITTER, request_tokens=request_tokens)
    assert sum(len(request) for request in embedder.requests) == 6
    for request in embedder.requests:
        tokens = sum(len(text.split()) for text in request)
        assert tokens <= request_tokens or len(request) == 1


@pytest.mark.parametrize(
    "wrong", [lambda vectors: vectors[:-1], lambda vectors: [*vectors, [1, 1]]]
)
def test_too_few_or_too_many_vectors_are_an_error(wrong):
    """They could not be told apart, so none is used."""
    embedder = Embedder()
    with pytest.raises(VectorError, match="vectors for 6 texts"):
        embed_long_texts(TEXTS, lambda texts: wrong(embedder(texts)), SPLITTER)


def test_one_text_in_place_of_a_list_is_refused():
    """Or each of its characters would be embedded."""
    with pytest.raises(SettingsError, match="texts"):
        embed_long_texts("abc", Embedder(), SPLITTER)


def test_progress_ends_at_the_number_of_texts():
    """It never goes back."""
    told = []
    embed_long_texts(
        TEXTS, Embedder(), SPLITTER, batch_size=2, progress=lambda *done: told.append(done)
    )
    assert told == sorted(told)
    assert told[-1] == (4, 4)


def test_no_texts_are_no_requests():
    """And no vectors."""
    embedder = Embedder()
    assert embed_long_texts([], embedder, SPLITTER) == []
    assert embedder.requests == []


def test_a_token_limit_needs_a_splitter_that_counts():
    """A splitter by characters does not."""
    with pytest.raises(SettingsError, match="request_tokens needs a splitter that counts tokens"):
        embed_long_texts(TEXTS, Embedder(), BoundarySplitter(), request_tokens=10)


def test_the_budget_is_what_is_left_of_the_context():
    """Context less special tokens less the prefix."""
    assert embedding_chunk_budget(2048, 2, "search_document: ", len) == 2048 - 2 - 17


@pytest.mark.parametrize(
    ("context", "specials", "prefix"), [(10, 2, "12345678"), (2, 2, ""), (0, 0, "")]
)
def test_no_budget_left_is_an_error(context, specials, prefix):
    """There is no guessed headroom, and no budget of 0."""
    with pytest.raises(SettingsError):
        embedding_chunk_budget(context, specials, prefix, len)
