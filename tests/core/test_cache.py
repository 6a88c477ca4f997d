"""The cache of answers: exact, bounded in bytes, shared by threads, impossible to spoil."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import cleanbreak as cb
from cleanbreak.core.cache import SHARED, ChunkCache


class CountingCutter:
    """Cuts with the boundary splitter and counts how often it is asked."""

    def __init__(self) -> None:
        self.splitter = cb.BoundarySplitter(10, 5, 0)
        self.asked = 0

    def cut(self, document: cb.Document) -> Iterable[cb.Chunk]:
        self.asked += 1
        return self.splitter.stream(document)

    def ask(self, cache: ChunkCache, document: cb.Document) -> list[cb.Chunk]:
        return cache.chunks(self.splitter.recipe, document, self.cut)


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    cb.clear_cache()
    yield
    cb.clear_cache()


def test_second_answer_is_remembered() -> None:
    """The same text and recipe are cut once."""
    cutter, cache = CountingCutter(), ChunkCache()
    first = cutter.ask(cache, cb.Document("One. Two. Three. Four."))
    second = cutter.ask(cache, cb.Document("One. Two. " + "Three. Four."))
    assert (1, first) == (cutter.asked, second)


def test_caller_cannot_spoil_answers() -> None:
    """Emptying a list that was given leaves the next answer whole."""
    cutter, cache = CountingCutter(), ChunkCache()
    cutter.ask(cache, cb.Document("One. Two. Three. Four.")).clear()
    again = cutter.ask(cache, cb.Document("One. Two. Three. Four."))
    assert (cutter.asked, "".join(c.text for c in again)) == (1, "One. Two. Three. Four.")


def test_other_settings_are_another_answer() -> None:
    """One text under two recipes gives each its own chunks."""
    text = "One. Two. Three. Four."
    assert [len(cb.split(text, chunk_size=n)) for n in (5, 11, 5)] == [7, 3, 7]


def test_sections_are_part_of_the_identity() -> None:
    """Equal texts with other pages do not share chunks, as chunks name their pages."""
    page = cb.Section("page", "7", 1, cb.Span(0, 4))
    plain, paged = cb.split("One."), cb.split(cb.Document("One.", (page,)))
    assert ((), (page,)) == (plain[0].sections, paged[0].sections)


def test_bytes_are_bounded_and_the_oldest_goes_first() -> None:
    """However many texts are cut, the bytes held stay within the bound; the last ones stay."""
    cutter, cache = CountingCutter(), ChunkCache(max_bytes=20_000)
    texts = [cb.Document(f"{n} " * 100) for n in range(50)]
    for document in texts:
        cutter.ask(cache, document)
        assert 0 < cache.size <= 20_000
    cutter.ask(cache, texts[-1])
    assert cutter.asked == 50
    cutter.ask(cache, texts[0])
    assert cutter.asked == 51


def test_answer_over_the_bound_is_not_kept() -> None:
    """One huge text does not push everything else out."""
    cutter, cache = CountingCutter(), ChunkCache(max_bytes=20_000)
    small, huge = cb.Document("One. Two."), cb.Document("word " * 10_000)
    for document in (small, huge, small):
        cutter.ask(cache, document)
    assert cutter.asked == 2


def test_use_cache_false_bypasses() -> None:
    """Nothing is stored, nothing is looked up."""
    cb.split("One. Two.", use_cache=False)
    assert SHARED.size == 0
    cb.split("One. Two.")
    assert SHARED.size > 0


def test_clear_cache_frees_everything() -> None:
    """After `clear_cache` no bytes are held."""
    cb.split("One. Two.")
    cb.clear_cache()
    assert SHARED.size == 0


def test_unnamed_chooser_is_never_remembered() -> None:
    """Two choosers give recipes that look alike; their answers must not be mixed up."""
    text = "abcdefghij"
    two = cb.split(text, find_split_point=lambda rest, size, back: 2)
    five = cb.split(text, find_split_point=lambda rest, size, back: 5)
    assert (len(two), len(five)) == (5, 2)


def test_threads_share_it_safely() -> None:
    """Many threads on a cache that evicts all the time get right answers, and the sum stays exact."""
    cache = ChunkCache(max_bytes=30_000)
    documents = [cb.Document(f"{n}. " * 60) for n in range(20)]

    def ask(turn: int) -> bool:
        document = documents[turn % len(documents)]
        chunks = CountingCutter().ask(cache, document)
        return "".join(chunk.text for chunk in chunks) == document.text

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(400)))
    assert cache.size == sum(size for _, size in cache._answers.values()) <= 30_000
