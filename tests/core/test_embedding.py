"""Long texts in, one vector each out, in requests that are full and never too full."""

import pytest

from cleanbreak import (
    BoundarySplitter,
    SentenceSplitter,
    TokenSplitter,
    embed_long_texts,
    embedding_chunk_budget,
)
from cleanbreak.errors import DimensionMismatchError, EmbedderError, SettingsError, VectorError


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


# --- prefixes ------------------------------------------------------------------------------------


def joins_space(text):
    """Like a byte-pair tokenizer: a space joins a letter behind it, but stands alone before 每."""
    return len(text) - text.count(" a")


@pytest.mark.parametrize("text", ["每天赶着马车到灾区", "aaa aaa aaa", "a b c d"])
def test_prefix_and_chunk_together_were_over_the_context(text):
    """Their counts were added, though the two may share a token or need one more."""
    prefix = "passage: "
    splitter = TokenSplitter(12, joins_space, prefix=prefix)
    chunks = splitter.split(text)
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(joins_space(prefix + chunk.text) == chunk.token_count <= 12 for chunk in chunks)
    for given in (
        {"splitter": splitter},
        {"splitter": TokenSplitter(12, joins_space), "prefix": prefix},
    ):
        embedder = Embedder()
        embed_long_texts([text], embedder, **given)
        sent = [each for request in embedder.requests for each in request]
        assert sent == [prefix + chunk.text for chunk in chunks]


def test_a_prefix_that_leaves_no_room_is_refused():
    """When the splitter is built; and so is a second prefix."""
    with pytest.raises(SettingsError, match="max_tokens"):
        TokenSplitter(2, "words", prefix="one two ")
    with pytest.raises(SettingsError, match="prefix"):
        embed_long_texts(["a"], Embedder(), TokenSplitter(3, "words", prefix="a "), prefix="b ")


def test_a_splitter_with_a_prefix_is_another_one():
    """It is part of the recipe, but only where it is given."""
    with_prefix = TokenSplitter(9, "words", prefix="q: ")
    assert with_prefix != TokenSplitter(9, "words")
    assert with_prefix.recipe.settings["prefix"] == "q: "
    assert "prefix" not in TokenSplitter(9, "words").recipe.settings


@pytest.mark.parametrize("request_tokens", [2, 4, 7])
def test_the_prefix_counts_in_requests(request_tokens):
    """With a splitter that does not know of it as well."""
    embedder = Embedder()
    splitter = SentenceSplitter(max_tokens=2)
    embed_long_texts(TEXTS, embedder, splitter, prefix="q: ", request_tokens=request_tokens)
    for request in embedder.requests:
        assert sum(len(text.split()) for text in request) <= request_tokens or len(request) == 1


# --- what is paid for ----------------------------------------------------------------------------


def test_an_unknown_strategy_was_found_after_the_first_request():
    embedder = Embedder()
    with pytest.raises(SettingsError, match="strategy"):
        embed_long_texts(TEXTS, embedder, SPLITTER, strategy="sum")
    assert embedder.requests == []


def test_vectors_of_two_texts_might_differ_in_dimension():
    """Found across requests, at the request that brings the first one that differs."""
    dimensions = iter([2, 2, 3, 3])
    with pytest.raises(DimensionMismatchError) as caught:
        embed_long_texts(
            ["a", "b", "c", "d"], lambda _: [[1.0] * next(dimensions)], SPLITTER, batch_size=1
        )
    assert next(dimensions) == 3
    assert caught.value.finished == [[1.0, 1.0]] * 2


def test_first_only_embedded_every_chunk():
    """Only the first chunk of each text is sent."""
    embedder = Embedder()
    embed_long_texts(TEXTS, embedder, SPLITTER, strategy="first_only")
    assert embedder.requests == [[SPLITTER.split(text)[0].text for text in TEXTS if text.strip()]]


def test_an_iterable_gives_vectors_as_they_are_whole():
    """It is taken only as needed, and the result is that of a list."""
    taken = []

    def texts():
        for text in TEXTS:
            taken.append(text)
            yield text

    vectors = embed_long_texts(texts(), Embedder(), SPLITTER, batch_size=1)
    first = next(vectors)
    assert len(taken) == 2
    assert [first, *vectors] == embed_long_texts(TEXTS, Embedder(), SPLITTER)


def test_a_failed_request_is_sent_again_as_often_as_asked():
    failures = iter([True, True, False, True, False, False, False])
    embedder = Embedder()

    def flaky(texts):
        if next(failures):
            raise ConnectionError("with a key")
        return embedder(texts)

    vectors = embed_long_texts(TEXTS, flaky, SPLITTER, batch_size=2, retries=2)
    assert vectors == embed_long_texts(TEXTS, Embedder(), SPLITTER)


def test_the_vectors_of_earlier_requests_were_lost():
    """The error has those of every text that was whole, and nothing of the embedder's message."""
    calls = []

    def failing(texts):
        calls.append(texts)
        if len(calls) > 4:
            raise ConnectionError("secret")
        return [[1.0] for _ in texts]

    with pytest.raises(EmbedderError, match="ConnectionError") as caught:
        embed_long_texts(TEXTS, failing, SPLITTER, batch_size=1, retries=1)
    assert "secret" not in str(caught.value)
    assert caught.value.finished == [[1.0], [1.0], None]
    assert len(calls) == 6
