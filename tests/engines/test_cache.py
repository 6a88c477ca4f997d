"""The cache of answers: exact, bounded in bytes, shared by threads, impossible to spoil."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import cleanbreak as cb
from cleanbreak.engines.cache import ChunkCache


class CountingSplitter(cb.Splitter):
    """Cuts with another splitter and counts how often it is asked."""

    def __init__(self, splitter: cb.Splitter | None = None) -> None:
        self.splitter = splitter or cb.BoundarySplitter(10, 5, 0)
        self.asked = 0

    @property
    def recipe(self) -> cb.Recipe:
        return self.splitter.recipe

    def stream(self, source: str | cb.Document) -> Iterator[cb.Chunk]:
        self.asked += 1
        return self.splitter.stream(source)


def test_second_answer_is_remembered() -> None:
    """The same text and recipe are cut once, and a string is the document of its text."""
    splitter, cache = CountingSplitter(), ChunkCache()
    first = cache.split(splitter, cb.Document("One. Two. Three. Four."))
    second = cache.split(splitter, "One. Two. " + "Three. Four.")
    assert (1, first) == (splitter.asked, second)


def test_caller_cannot_spoil_answers() -> None:
    """Emptying a list that was given leaves the next answer whole."""
    splitter, cache = CountingSplitter(), ChunkCache()
    cache.split(splitter, "One. Two. Three. Four.").clear()
    again = cache.split(splitter, "One. Two. Three. Four.")
    assert (splitter.asked, "".join(c.text for c in again)) == (1, "One. Two. Three. Four.")


def test_other_settings_are_another_answer() -> None:
    """One text under two recipes gives each its own chunks."""
    text, cache = "One. Two. Three. Four.", ChunkCache()
    splitters = [cb.BoundarySplitter(size) for size in (5, 11, 5)]
    assert [len(cache.split(splitter, text)) for splitter in splitters] == [7, 3, 7]


def test_sections_are_part_of_the_identity() -> None:
    """Equal texts with other pages do not share chunks, as chunks name their pages."""
    cache, page = ChunkCache(), cb.Section("page", "7", 1, cb.Span(0, 4))
    documents = cb.Document("One."), cb.Document("One.", (page,))
    plain, paged = (cache.split(cb.BoundarySplitter(), document) for document in documents)
    assert ((), (page,)) == (plain[0].sections, paged[0].sections)


def test_equal_texts_of_two_files_keep_their_own_source() -> None:
    """A copy under another name is cut once more, as chunks name their source."""
    cache = ChunkCache()
    for name in ("one.txt", "two.txt"):
        document = cb.Document("One.", source=cb.Source(name, "text/plain", "0" * 64))
        assert cache.split(cb.BoundarySplitter(), document)[0].source == name


def test_bytes_are_bounded_and_the_oldest_goes_first() -> None:
    """However many texts are cut, the bytes held stay within the bound; the last ones stay."""
    splitter, cache = CountingSplitter(), ChunkCache(max_bytes=20_000)
    texts = [f"{n} " * 100 for n in range(50)]
    for text in texts:
        cache.split(splitter, text)
        assert 0 < cache.size <= 20_000
    cache.split(splitter, texts[-1])
    assert splitter.asked == 50
    cache.split(splitter, texts[0])
    assert splitter.asked == 51


def test_an_answer_that_was_just_used_is_not_the_oldest() -> None:
    """What goes first is what was asked for longest ago, not what was stored first."""
    splitter, cache = CountingSplitter(), ChunkCache(max_bytes=20_000)
    first = "first " * 5
    for n in range(50):
        cache.split(splitter, first)
        cache.split(splitter, f"{n} " * 100)
    assert splitter.asked == 51


def test_answer_over_the_bound_is_not_kept() -> None:
    """One huge text does not push everything else out."""
    splitter, cache = CountingSplitter(), ChunkCache(max_bytes=20_000)
    for text in ("One. Two.", "word " * 10_000, "One. Two."):
        cache.split(splitter, text)
    assert splitter.asked == 2


def test_unnamed_functions_are_never_remembered() -> None:
    """Their recipes look alike, and the functions may be impure: their answers are not kept."""
    cache = ChunkCache()
    chooser = CountingSplitter(cb.BoundarySplitter(find_split_point=lambda rest, size, back: 2))
    counter = CountingSplitter(cb.TokenSplitter(5, lambda text: len(text)))
    for splitter in (chooser, counter):
        assert cache.split(splitter, "abcdefghij") == cache.split(splitter, "abcdefghij")
    assert (chooser.asked, counter.asked, cache.size) == (2, 2, 0)


def test_clear_frees_everything() -> None:
    """Then no bytes are held, and the text is cut again."""
    splitter, cache = CountingSplitter(), ChunkCache()
    cache.split(splitter, "One. Two.")
    cache.clear()
    assert cache.size == 0
    cache.split(splitter, "One. Two.")
    assert splitter.asked == 2


def test_threads_share_it_safely() -> None:
    """Many threads on a cache that evicts all the time get right answers, and the sum stays exact."""
    cache = ChunkCache(max_bytes=30_000)
    texts = [f"{n}. " * 60 for n in range(20)]

    def ask(turn: int) -> bool:
        text = texts[turn % len(texts)]
        return "".join(chunk.text for chunk in cache.split(CountingSplitter(), text)) == text

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(400)))
    assert cache.size == sum(size for _, size in cache._answers.values()) <= 30_000
