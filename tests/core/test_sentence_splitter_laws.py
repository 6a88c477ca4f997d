"""The laws hold for `SentenceSplitter` over nasty texts, by any measure."""

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

import cleanbreak as cb
from cleanbreak.core.text.characters import is_blank
from laws import assert_laws
from strategies import texts
from tokenizers_for_tests import tiktoken_cl100k


def words(text: str) -> int:
    return len(text.split())


def syllables(text: str) -> int:
    """Counts runs, so that counts do not add up: two halves may be more or less than the whole."""
    return sum(a.isalnum() != b.isalnum() for a, b in pairwise(text)) + 1


def unknown_words(text: str) -> int:
    """As WordPiece counts: a long word is one token, a part of it may be many."""
    return sum(1 if len(word) > 10 else -(-len(word) // 2) for word in text.split())


def utf8(text: str) -> int:
    return len(text.encode())


MEASURES = {
    "words": words,  # whose counts are known to add up at white space
    "characters": len,
    words: words,
    syllables: syllables,
    unknown_words: unknown_words,
    utf8: utf8,
}
measures = st.sampled_from(list(MEASURES))
some = st.one_of(st.none(), st.integers(1, 6))


@given(texts, some, st.integers(1, 60), measures, st.integers(0, 75))
def test_laws_within_tokens(
    text: str,
    max_sentences: int | None,
    max_tokens: int,
    spec: str | Callable[[str], int],
    percent: int,
) -> None:
    """Whatever the text, limits and measure, every law holds, for overlap and text together too."""
    splitter = cb.SentenceSplitter(
        max_sentences, max_tokens, percent, measure=spec, oversize="emit"
    )
    check(text, splitter, MEASURES[spec], max_tokens, max_tokens * percent // 100)


@given(texts, some, st.integers(4, 60), st.integers(0, 75))
@settings(max_examples=50)
def test_laws_within_tokens_of_a_tokenizer(
    text: str, max_sentences: int | None, max_tokens: int, percent: int
) -> None:
    """The same by a real byte-pair encoding, counted by itself."""
    encoding = tiktoken_cl100k()
    splitter = cb.SentenceSplitter(
        max_sentences, max_tokens, percent, measure=encoding, oversize="emit"
    )

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    check(text, splitter, count, max_tokens, max_tokens * percent // 100)


def check(
    text: str,
    splitter: cb.SentenceSplitter,
    measure: Callable[[str], int],
    max_tokens: int,
    max_overlap: int,
) -> None:
    chunks = list(splitter.stream(text))
    if not is_blank(text):
        assert_laws(text, chunks, limit=max_tokens, measure=measure)
    for chunk in chunks:
        assert measure(chunk.text) == chunk.token_count
        assert chunk.oversize or measure(chunk.overlap_text + chunk.text) <= max_tokens
        assert not chunk.overlap_text or measure(chunk.overlap_text) <= max_overlap


@given(texts, st.integers(1, 6), st.integers(0, 75))
def test_laws_within_sentences(text: str, max_sentences: int, percent: int) -> None:
    """With a limit of sentences alone nothing is cut inside a sentence, and no chunk is blank."""
    chunks = cb.SentenceSplitter(max_sentences, overlap_percent=percent).split(text)
    assert_laws(text, chunks, blank_is_content=False)
    ends = {span.end for span in cb.sentences(text)}
    assert {chunk.end for chunk in chunks} <= ends


@given(texts, st.integers(1, 6), st.one_of(st.none(), st.integers(3, 40)), st.integers(0, 75))
def test_sentences_of_overlap_and_text_together(
    text: str, max_sentences: int, max_tokens: int | None, percent: int
) -> None:
    """Counting every sentence that is touched, overlap and text together stay within the limit."""
    spans = cb.sentences(text)
    for chunk in cb.SentenceSplitter(max_sentences, max_tokens, percent).split(text):
        start = chunk.start - len(chunk.overlap_text)
        touched = sum(span.end > start and span.start < chunk.end for span in spans)
        assert touched <= max_sentences


@given(texts, st.integers(1, 60), st.integers(0, 75))
def test_no_chunk_is_blank_by_words(text: str, max_tokens: int, percent: int) -> None:
    """White space counts for nothing in words, so that it can always stay with its word."""
    chunks = cb.SentenceSplitter(max_tokens=max_tokens, overlap_percent=percent).split(text)
    assert_laws(text, chunks, limit=max_tokens, measure=words, blank_is_content=False)


@given(texts, some, st.integers(8, 60), st.integers(30, 75))
def test_overlap_is_given_whenever_any_fits(
    text: str, max_sentences: int | None, max_tokens: int, percent: int
) -> None:
    """In words, every chunk after the first has overlap unless the limit of sentences forbids it."""
    chunks = cb.SentenceSplitter(max_sentences, max_tokens, percent).split(text)
    assert all(chunk.overlap_text.strip() for chunk in chunks[1:]) or (max_sentences or 9) == 1


@given(texts, st.integers(1, 60))
def test_stream_is_split(text: str, max_tokens: int) -> None:
    """Streaming gives the same chunks one by one."""
    splitter = cb.SentenceSplitter(max_tokens=max_tokens)
    assert splitter.split(text) == list(splitter.stream(text))
