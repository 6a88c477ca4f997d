"""Long texts embedded whole: cut into chunks, sent in full requests, folded back into one vector."""

from collections.abc import Callable, Iterator, Sequence

from cleanbreak.core.checks import string, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.measures.measure import as_measure
from cleanbreak.core.splitters import Splitter
from cleanbreak.core.vectors.combine import Vector, combine_chunk_vectors
from cleanbreak.errors import SettingsError, VectorError

Embed = Callable[[list[str]], Sequence[Vector]]
"""The texts of one request to their vectors, in order."""


def embedding_chunk_budget(context: int, specials: int, prefix: str, measure: object) -> int:
    """How many tokens of text fit a model's context window beside what is sent with each chunk.

    Args:
        context: tokens that the model takes.
        specials: tokens that it adds to every text, such as 2 for BERT's ``[CLS]`` and ``[SEP]``.
        prefix: what is put before every text, such as ``"search_document: "``.
        measure: the model's tokenizer; see `cleanbreak.tokenizers`.

    Raises:
        SettingsError: if nothing is left for the text.

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
    """One vector for each text, however long, in the order of the texts.

    The texts are cut by `splitter`, their chunks sent to `embed` in requests that are as full as
    they may be (chunks of several texts share one), and the vectors of each text are combined,
    weighted by the lengths of its chunks. Overlap is not embedded.

    Args:
        texts: what to embed; a blank one has no vector, and gets ``None``.
        embed: takes the texts of one request and gives as many vectors, in order.
        splitter: its limit must be what the model takes; see `embedding_chunk_budget`.
        batch_size: chunks in a request, at most.
        request_tokens: tokens in a request, at most, where the server has such a limit; a chunk
            that alone has more is sent alone.
        strategy: how to combine; see `combine_chunk_vectors`.
        progress: called with the texts done and their number after every request.

    Raises:
        SettingsError: for a wrong size, one text in place of a list, or a token limit with a
            splitter that does not count.
        VectorError: if `embed` gives more or fewer vectors than it was given texts.

    >>> from cleanbreak import TokenSplitter
    >>> embed_long_texts(["a b c", " "], lambda texts: [[1.0]] * len(texts), TokenSplitter(2, "words"))
    [[1.0], None]
    """
    whole_number("batch_size", batch_size, minimum=1)
    if request_tokens is not None:
        whole_number("request_tokens", request_tokens, minimum=1)
    if isinstance(texts, str):  # or each of its characters would be embedded
        raise SettingsError("texts", str, "a list of strings")
    combined: list[Vector | None] = [None] * len(texts)
    pending: list[tuple[Vector, int]] = []  # of the one text whose chunks are still coming
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
