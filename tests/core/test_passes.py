"""How much text a tokenizer is given: characters counted over characters of the text.

Counted, not timed, so that a slow machine does not fail and a wasteful change does.
"""

import random

import pytest

from cleanbreak import CodeSplitter, MarkdownSplitter, SentenceSplitter, TokenSplitter
from cleanbreak.core.measures.measure import Measure, as_measure, where_counts_add_up
from cleanbreak.core.splitters import Splitter
from tokenizers_for_tests import cl100k

WORDS = [
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "he",
    "that",
    "was",
    "it",
    "his",
    "her",
    "with",
    "as",
    "had",
    "not",
    "at",
    "for",
    "on",
    "she",
    "is",
    "be",
    "him",
    "all",
    "but",
    "from",
    "lamp",
    "keeper",
    "stair",
    "window",
    "evening",
    "harbour",
    "nobody",
    "remember",
    "carefully",
    "understood",
    "conversation",
    "disappointment",
    "extraordinary",
    "neighbour’s",
    "don't,",
    "however,",
    "although,",
    "Petersburg",
]


def english(characters: int) -> str:
    """Text with the shape of English prose: sentences, quotations, paragraphs, some headings."""
    rng = random.Random(8)
    parts: list[str] = []
    length = 0
    while length < characters:
        if rng.random() < 0.04:
            paragraph = f"## Chapter {len(parts)}"
        else:
            paragraph = " ".join(sentence(rng) for _ in range(rng.randint(1, 8)))
        parts.append(paragraph)
        length += len(paragraph) + 2
    return "\n\n".join(parts)


def sentence(rng: random.Random) -> str:
    """Some words that start with a capital and end with a mark."""
    words = rng.choices(WORDS, k=rng.randint(3, 30))
    text = " ".join(words).rstrip(",").capitalize() + rng.choice(".....!?")
    return f"“{text}”" if rng.random() < 0.2 else text


class Asked:
    """cl100k, noting how much text it is asked about."""

    name = None

    def __init__(self) -> None:
        self._measure: Measure = as_measure(cl100k())
        self.adds_up = where_counts_add_up(self._measure)
        self.characters = 0

    def __call__(self, text: str, /) -> int:
        """The count, noted."""
        self.characters += len(text)
        return self._measure(text)


def passes(text: str, splitter: Splitter, asked: Asked) -> float:
    """How many times over the tokenizer is given the text."""
    assert len(splitter.split(text)) > 20
    return asked.characters / len(text)


@pytest.mark.parametrize("limit", [128, 512])
def test_passes(limit: int) -> None:
    """Tokens about once; the others at most this often, overlap included."""
    text = english(200_000)
    overlap = limit // 8
    most = {
        "tokens": (1.1, lambda asked: TokenSplitter(limit, asked)),
        "tokens, an eighth of overlap": (1.5, lambda asked: TokenSplitter(limit, asked, overlap)),
        "markdown": (1.5, lambda asked: MarkdownSplitter(limit, 0, asked)),
        "markdown, an eighth of overlap": (
            1.8,
            lambda asked: MarkdownSplitter(limit, overlap, asked),
        ),
        "sentences": (
            1.2,
            lambda asked: SentenceSplitter(max_tokens=limit, measure=asked, language="en"),
        ),
        "sentences, 15 % of overlap": (
            1.5,
            lambda asked: SentenceSplitter(
                max_tokens=limit, measure=asked, overlap_percent=15, language="en"
            ),
        ),
    }
    for name, (at_most, build) in most.items():
        asked = Asked()
        assert passes(text, build(asked), asked) <= at_most, name


@pytest.mark.parametrize("limit", [128, 512])
def test_passes_over_code(limit: int) -> None:
    """A definition is asked about as a whole, and its members again."""
    code = "".join(
        f"class C{n}:\n    x = {n}\n\n    def f(self, a):\n        return a + {n}\n\n\n"
        for n in range(2000)
    )
    asked = Asked()
    assert passes(code, CodeSplitter(limit, "python", asked), asked) <= 1.9
