"""The spans of sentences and clauses are partitions, whatever the text."""

import regex
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak import clauses, iter_sentences, sentences
from cleanbreak.core.document import Span
from strategies import texts

GRAPHEME = regex.compile(r"\X")
LANGUAGES = st.sampled_from(["auto", "en", "de", "el", "hy", "ja", "th", "xx"])


def assert_partition(text: str, spans: list[Span]) -> None:
    """The spans follow one another, are the whole text, and part no grapheme."""
    starts = {match.start() for match in GRAPHEME.finditer(text)} | {len(text)}
    at = 0
    for start, end in spans:
        assert at == start < end
        assert end in starts
        at = end
    assert at == len(text)


@given(texts, LANGUAGES, st.booleans())
def test_sentences_are_a_partition(text: str, language: str, newline_ends: bool) -> None:
    """Nothing is lost or doubled, no grapheme is cut, and no sentence is blank."""
    spans = sentences(text, language, newline_ends=newline_ends)
    if not text.strip():
        assert spans == []
        return
    assert_partition(text, spans)
    assert all(text[start:end].strip() for start, end in spans)


@given(texts, texts, texts)
def test_a_window_is_cut_as_if_it_were_the_text(before: str, text: str, after: str) -> None:
    """What stands around a window does not change its sentences."""
    start, end = len(before), len(before) + len(text)
    spans = iter_sentences(before + text + after, "en", start, end)
    assert [(low - start, high - start) for low, high in spans] == sentences(text, "en")


@given(texts)
def test_clauses_are_a_partition(text: str) -> None:
    """Nothing is lost or doubled, and no grapheme is cut."""
    assert_partition(text, clauses(text))
