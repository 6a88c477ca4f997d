"""The laws hold for `TokenSplitter`, whatever the text, the tokenizer and the limit."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleanbreak import TokenSplitter
from cleanbreak.core.measures.measure import FunctionMeasure, as_measure
from cleanbreak.core.text.characters import is_blank
from laws import assert_laws
from strategies import texts
from tokenizers_for_tests import MAKE


def uneven(text: str) -> int:
    """A counter that is neither additive nor monotone: a fifth character may halve the count."""
    return len(text) if len(text) % 5 else len(text) // 2


def superlinear(text: str) -> int:
    """Counts of two texts sum to less than the count of both together."""
    return len(text) ** 2 // 8 + (text != "")


def unknowns(text: str) -> int:
    """As BERT: a long word is one unknown token, a shorter one a token a letter."""
    return sum(1 if len(word) > 12 else len(word) for word in text.split())


COUNTERS = {"uneven": uneven, "superlinear": superlinear, "unknowns": unknowns, "characters": len}


@pytest.mark.parametrize("kind", [*sorted(MAKE), *COUNTERS])
@settings(max_examples=40, deadline=None)
@given(text=texts, max_tokens=st.integers(1, 40), overlap_tokens=st.integers(0, 20))
def test_laws(kind: str, text: str, max_tokens: int, overlap_tokens: int) -> None:
    """Exact, lossless, within the limit, whole characters, no needless blanks, counts as told."""
    measure = as_measure(COUNTERS[kind] if kind in COUNTERS else MAKE[kind]())
    splitter = TokenSplitter(max_tokens, measure, overlap_tokens, oversize="emit")
    chunks = splitter.split(text)
    if is_blank(text):
        assert chunks == []
        return
    assert_laws(
        text,
        chunks,
        limit=max_tokens,
        measure=measure,
        overlap_limit=overlap_tokens,
        # Where a part may count for more than the whole, a blank cannot always be shared.
        blank_is_content=kind == "uneven",
    )
    assert [measure(chunk.text) for chunk in chunks] == [chunk.token_count for chunk in chunks]
    assert all(len(chunk.text) == 1 for chunk in chunks if chunk.oversize)
    if measure(text) <= max_tokens:
        assert len(chunks) == 1


@settings(deadline=None)
@given(text=texts, seed=st.integers(), max_tokens=st.integers(1, 20))
def test_a_counter_without_any_order_is_obeyed(text: str, seed: int, max_tokens: int) -> None:
    """Counts drawn at random, the same each time for a text: no rule but the limit is relied on."""

    def count(part: str) -> int:
        return random.Random(f"{seed}{part}").randint(1, max(1, 2 * len(part)))

    chunks = TokenSplitter(max_tokens, FunctionMeasure(count), oversize="emit").split(text)
    assert "".join(chunk.text for chunk in chunks) == ("" if is_blank(text) else text)
    assert all(count(c.text) == c.token_count for c in chunks)
    assert all(c.token_count <= max_tokens for c in chunks if not c.oversize)
