"""Embed texts longer than the model's window: cut, embed the chunks, combine their vectors."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from itertools import islice, takewhile
from typing import overload

from cleanbreak.core.checks import one_of, string, whole_number
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.measures.measure import as_measure
from cleanbreak.core.splitters import Splitter, TokenSplitter
from cleanbreak.core.vectors.combine import STRATEGIES, Vector
from cleanbreak.core.vectors.requests import Embed, Gathered, Requests
from cleanbreak.errors import SettingsError, VectorError


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


@overload
def embed_long_texts(  # type: ignore[overload-overlap]  # a sequence is an iterable as well
    texts: Sequence[str],
    embed: Embed,
    splitter: Splitter,
    *,
    prefix: str | None = None,
    batch_size: int = 32,
    request_tokens: int | None = None,
    strategy: str = "length_weighted_mean",
    retries: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> list[Vector | None]: ...
@overload
def embed_long_texts(
    texts: Iterable[str],
    embed: Embed,
    splitter: Splitter,
    *,
    prefix: str | None = None,
    batch_size: int = 32,
    request_tokens: int | None = None,
    strategy: str = "length_weighted_mean",
    retries: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[Vector | None]: ...
def embed_long_texts(
    texts: Iterable[str],
    embed: Embed,
    splitter: Splitter,
    *,
    prefix: str | None = None,
    batch_size: int = 32,
    request_tokens: int | None = None,
    strategy: str = "length_weighted_mean",
    retries: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> list[Vector | None] | Iterator[Vector | None]:
    """One vector for each text of any length, in the order of the texts.

    `splitter` cuts the texts. `embed` gets their chunks in requests filled up to the limits; one
    request may hold chunks of several texts. The vectors of a text are combined, weighted by the
    lengths of its chunks. Overlap is not embedded.

    Args:
        texts: the texts to embed; the result for a blank text is ``None``. A list gives a list; any
            other iterable is taken as needed and gives an iterator of vectors, each as soon as its
            text is whole.
        embed: takes the texts of one request and returns one vector for each, in order.
        splitter: its limit must fit the model's window; see `embedding_chunk_budget`.
        prefix: put before every chunk, such as ``"passage: "``; that of the splitter, if it has
            one, is the default. A `TokenSplitter` keeps prefix and chunk together within its limit.
        batch_size: maximum number of chunks in a request.
        request_tokens: maximum number of tokens in a request, if the server has such a limit; a
            larger chunk is sent alone.
        strategy: how vectors are combined; see `combine_chunk_vectors`. With ``"first_only"`` only
            the first chunk of a text is embedded.
        retries: how many times a request that failed is sent again, at once.
        progress: called after every request with the number of finished texts and of all texts (of
            those taken so far, if their number is not known).

    Raises:
        SettingsError: for a wrong size or strategy, one text instead of a list, a prefix other than
            the splitter's, or a token limit with a splitter that does not count tokens.
        EmbedderError: if `embed` fails, also after the retries.
        DimensionMismatchError: if two vectors differ in dimension, also those of different texts.
        VectorError: if `embed` does not return one vector of finite numbers for each text. For a
            list of texts each of the three has the vectors that were finished before, in
            ``finished``: go on with the texts after those.

    >>> from cleanbreak import TokenSplitter
    >>> embed_long_texts(["a b c", " "], lambda texts: [[1.0]] * len(texts), TokenSplitter(2, "words"))
    [[1.0], None]
    """
    one_of("strategy", strategy, STRATEGIES)
    whole_number("batch_size", batch_size, minimum=1)
    whole_number("retries", retries, minimum=0)
    if request_tokens is not None:
        whole_number("request_tokens", request_tokens, minimum=1)
    if isinstance(texts, str):  # each of its characters would be embedded
        raise SettingsError("texts", str, "a list of strings")
    splitter, before = _with_prefix(splitter, prefix)
    requests = Requests(embed, batch_size, request_tokens, retries)
    vectors = _vectors(texts, splitter, before, requests, strategy, progress)
    if not isinstance(texts, Sized):
        return vectors
    finished: list[Vector | None] = []
    try:
        finished.extend(vectors)
    except VectorError as error:
        error.finished = finished
        raise
    return finished


def _with_prefix(splitter: Splitter, prefix: str | None) -> tuple[Splitter, str]:
    """The splitter that counts the prefix, if it can, and the prefix."""
    own: str = getattr(splitter, "prefix", "")
    if prefix is None:
        return splitter, own
    string("prefix", prefix)
    if own and own != prefix:
        raise SettingsError("prefix", prefix, "left out, or that of the splitter")
    if isinstance(splitter, TokenSplitter):
        return splitter.with_prefix(prefix), prefix
    return splitter, prefix


def _vectors(
    texts: Iterable[str],
    splitter: Splitter,
    prefix: str,
    requests: Requests,
    strategy: str,
    progress: Callable[[int, int], object] | None,
) -> Iterator[Vector | None]:
    total = len(texts) if isinstance(texts, Sized) else None
    waiting: deque[Gathered] = deque()
    taken = done = reported = 0

    def whole() -> Iterator[Vector | None]:
        nonlocal done
        while waiting and waiting[0].is_whole:
            done += 1
            yield waiting.popleft().combined(strategy)

    def report() -> None:
        nonlocal reported
        if progress and requests.sent > reported:
            reported = requests.sent
            ready = sum(1 for _ in takewhile(lambda text: text.is_whole, waiting))
            progress(done + ready, taken if total is None else total)

    for text in texts:
        taken += 1
        gathered = Gathered()
        waiting.append(gathered)
        chunks = splitter.stream(text)
        for chunk in islice(chunks, 1) if strategy == "first_only" else chunks:
            size = _tokens(chunk, splitter, prefix) if requests.counts_tokens else 0
            requests.add(gathered.place(chunk), prefix + chunk.text, size)
            report()
            yield from whole()
        gathered.is_complete = True
        yield from whole()
    requests.send()
    report()
    yield from whole()
    if progress:
        progress(done, done)


def _tokens(chunk: Chunk, splitter: Splitter, prefix: str) -> int:
    """The tokens of a chunk with its prefix."""
    if chunk.token_count is None:
        raise SettingsError(
            "request_tokens",
            "given",
            "left out with a splitter that counts no tokens",
            sentence="request_tokens needs a splitter that counts tokens, such as TokenSplitter; "
            "use one, or leave request_tokens out.",
        )
    if not prefix or isinstance(splitter, TokenSplitter):
        return chunk.token_count
    measure = getattr(splitter, "measure", None)
    return chunk.token_count if measure is None else measure(prefix + chunk.text)
