"""Where the rules say that counts add up, they do: for real and trained tokenizers, on any text."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cleanbreak.core.measures.measure import CHARACTERS, WORDS, as_measure
from cleanbreak.tokenizers.additive import rule_for_pattern
from strategies import NASTY, any_text, texts
from tokenizers_for_tests import MAKE

GLUE = st.sampled_from([" ", "  ", "\n", "\n\n", " \n", "\r\n", "\t", "/", "'s", "’", ".", "…", "\u0301",
    "\u200b", "\u00a0", "\u3000", "\x1c", "\x00", "<|endoftext|>", "[SEP]", "▁", "a", "É", "1", "。"])  # fmt: skip
blanky = st.lists(st.one_of(GLUE, GLUE, st.sampled_from(NASTY), any_text), max_size=12).map("".join)

every = pytest.mark.parametrize("kind", sorted(MAKE))


@pytest.mark.slow
@every
@settings(max_examples=60, deadline=None)
@given(text=st.one_of(blanky, texts))
@example(text="word.\n/ path")
@example(text="a\u200b b")
@example(text="a \u0301b")
@example(text="x\n\ny \n z\r\n\r\nw")
def test_counts_add_up(kind: str, text: str) -> None:
    """For every cut that the rule allows: the counts of both sides sum to the whole's."""
    measure = as_measure(MAKE[kind]())
    for cut in range(1, len(text)):
        if measure.adds_up(text, cut):
            assert measure(text[:cut]) + measure(text[cut:]) == measure(text), cut


@every
def test_prose_has_seams(kind: str) -> None:
    """The rules would be useless if they never said yes: before words they always do."""
    measure = as_measure(MAKE[kind]())
    text = "The wind fell. The sea lay still, and nobody spoke."
    assert all(measure.adds_up(text, at) for at in range(1, len(text)) if text[at] == " ")


@given(texts)
def test_characters_and_words_add_up_where_they_say(text: str) -> None:
    """The measures of the core keep the same promise."""
    for measure in (CHARACTERS, WORDS):
        for cut in range(1, len(text)):
            if measure.adds_up(text, cut):
                assert measure(text[:cut]) + measure(text[cut:]) == measure(text)


@pytest.mark.parametrize("pattern", [r"\w+|\s+", r"[^\s]+ ?", r"\p{L}+\s?|.", ".", ""])
def test_unknown_patterns_have_no_rule(pattern: str) -> None:
    """A pattern that is not made of known parts proves nothing."""
    assert rule_for_pattern(pattern) is None
