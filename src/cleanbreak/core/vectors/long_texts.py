"""Embed texts longer than the model's window: cut, embed the chunks, combine their vectors."""

from collections.abc import Callable, Iterator, Sequence

from cleanbreak.core.checks import string, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.measures.measure import as_measure
from cleanbreak.core.splitters import Splitter
from cleanbreak.core.vectors.combine import Vector, combine_chunk_vectors
from cleanbreak.errors import SettingsError, VectorError

Embed = Callable[[list[str]], Sequence[Vector]]
"""Takes the texts of one request, returns their vectors in order."""


def embedding_chunk_budget(context: int, specials: int, prefix: str, measure: object) -> int:
    """The number of tokens left for text in a model's context window.

    Args:
        context: the size of the model's window, in tokens.
        specials: tokens that the model adds to every text, such as 2 for BERT's ``[CLS]`` and ``[SEP]``.
        prefix: the text put before every chunk, such as ``"search_document: "``.
        measure: the model's tokenizer; see `cleanbreak.tokenizers`.

    Raises:
        SettingsError: if no token is left for text.

    >>> embedding_chunk_budget(2048, 2, "search_document: ", "words")
    2045
    """
    whole_number("context", context, minimum=1)
    whole_number("specials", specials, minimum=0)
    left = context - specials - as_measure(measure)(string("prefix", prefix))
    if left < 1:
        raise SettingsError("context", context, f"at least {context - left + 1}, so that text fits")
    return left


def embed_long_texts(
    texts: Sequence[str],
    embed: Embed,
    splitter: Splitter,
    *,
    batch_size: int = 32,
    request_tokens: int | None = None,
    strategy: str = "length_weighted_mean",
    progress: Callable[[int, int], object] | None = None,
) -> list[Vector | None]:
    """One vector for each text of any length, in the order of the texts.

    `splitter` cuts the texts. `embed` gets their chunks in requests filled up to the limits; one
    request may hold chunks of several texts. The vectors of a text are combined, weighted by the
    lengths of its chunks. Overlap is not embedded.

    Args:
        texts: the texts to embed; the result for a blank text is ``None``.
        embed: takes the texts of one request and returns one vector for each, in order.
        splitter: its limit must fit the model's window; see `embedding_chunk_budget`.
        batch_size: maximum number of chunks in a request.
        request_tokens: maximum number of tokens in a request, if the server has such a limit; a
            larger chunk is sent alone.
        strategy: how vectors are combined; see `combine_chunk_vectors`.
        progress: called after every request with the number of finished texts and of all texts.

    Raises:
        SettingsError: for a wrong size, one text instead of a list, or a token limit with a
            splitter that does not count tokens.
        VectorError: if `embed` does not return one vector for each text.

    >>> from cleanbreak import TokenSplitter
    >>> embed_long_texts(["a b c", " "], lambda texts: [[1.0]] * len(texts), TokenSplitter(2, "words"))
    [[1.0], None]
    """
    whole_number("batch_size", batch_size, minimum=1)
    if request_tokens is not None:
        whole_number("request_tokens", request_tokens, minimum=1)
    if isinstance(texts, str):  # each of its characters would be embedded
        raise SettingsError("texts", str, "a list of strings")
    combined: list[Vector | None] = [None] * len(texts)
    pending: list[tuple[Vector, int]] = []  # of the text whose chunks are not complete yet
    current = 0
    for request in _requests(_chunks(texts, splitter), batch_size, request_tokens):
        vectors = embed([chunk.text for _, chunk in request])
        if len(vectors) != len(request):
            raise VectorError(
                f"The embedder gave {len(vectors)} vectors for {len(request)} texts.",
                vectors=len(vectors),
                texts=len(request),
            )
        for (index, chunk), vector in zip(request, vectors, strict=True):
            if index != current:
                combined[current] = _combine(pending, strategy)
                current, pending = index, []
            pending.append((vector, len(chunk.text)))
        if progress:
            progress(current, len(texts))
    if texts:
        combined[current] = _combine(pending, strategy)
    if progress:
        progress(len(texts), len(texts))
    return combined


def _chunks(texts: Sequence[str], splitter: Splitter) -> Iterator[tuple[int, Chunk]]:
    for index, text in enumerate(texts):
        for chunk in splitter.stream(text):
            yield index, chunk


def _requests(
    chunks: Iterator[tuple[int, Chunk]], batch_size: int, request_tokens: int | None
) -> Iterator[list[tuple[int, Chunk]]]:
    request: list[tuple[int, Chunk]] = []
    tokens = 0
    for index, chunk in chunks:
        size = _tokens(chunk) if request_tokens is not None else 0
        is_over = request_tokens is not None and tokens + size > request_tokens
        if request and (is_over or len(request) == batch_size):
            yield request
            request, tokens = [], 0
        request.append((index, chunk))
        tokens += size
    if request:
        yield request


def _tokens(chunk: Chunk) -> int:
    if chunk.token_count is None:
        raise SettingsError(
            "request_tokens",
            "given",
            "left out with a splitter that counts no tokens",
            sentence="request_tokens needs a splitter that counts tokens, such as TokenSplitter; "
            "use one, or leave request_tokens out.",
        )
    return chunk.token_count


def _combine(pending: list[tuple[Vector, int]], strategy: str) -> Vector | None:
    vectors = [vector for vector, _ in pending]
    return combine_chunk_vectors(vectors, [length for _, length in pending], strategy)
