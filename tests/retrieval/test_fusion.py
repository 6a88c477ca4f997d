"""How the scores of words and of meaning become one order."""

from hypothesis import given
from hypothesis import strategies as st

from cleanbreak import BoundarySplitter
from cleanbreak.retrieval.fusion import fuse, place_of
from cleanbreak.retrieval.meaning import Nearest
from cleanbreak.stores.fulltext import FoundChunk, Index, SourceRow

scores = st.dictionaries(st.integers(1, 30), st.floats(0.01, 30), max_size=20)
cosines = st.dictionaries(st.integers(1, 30), st.floats(-1, 1), max_size=20)
weights = st.floats(0, 0.99)


def chunks(tmp_path_factory) -> dict[int, FoundChunk]:
    """Thirty chunks of a book by number, as an index gives them."""
    path = tmp_path_factory.mktemp("index") / "index.sqlite"
    records = [chunk.record() for chunk in BoundarySplitter(10).split("word " * 60)]
    with Index.open(path) as index:
        index.replace_source(SourceRow("book", "book", "book.txt"), records)
        found = index.chunks_at(("book", number) for number in range(1, 31))
    return {number: chunk for (_, number), chunk in found.items()}


def both(every, words, near):
    """The two sides as a search has them, best first."""
    found = [every[number]._replace(score=score) for number, score in words.items()]
    nearest = [Nearest("book", number, cosine, 0, 1, "") for number, cosine in near.items()]
    return (
        sorted(found, key=lambda one: -one.score),
        sorted(nearest, key=lambda one: -one.score),
        {place_of(chunk): chunk for chunk in every.values()},
    )


def test_the_laws_of_the_fusion(tmp_path_factory):
    """For any scores of both sides."""
    every = chunks(tmp_path_factory)
    assert len(every) == 30

    @given(scores, cosines, weights)
    def hold(words, near, weight):
        fused = fuse(*both(every, words, near), weight)
        numbers = [one.chunk.chunk.chunk_number for one in fused]
        assert sorted(numbers) == sorted({*words, *near})
        assert [one.score for one in fused] == sorted((one.score for one in fused), reverse=True)
        for one in fused:
            assert 0 <= one.score <= 1 + weight
            assert set(one.as_scores()) <= {"words", "vectors", "fused"}
        if words:
            # A chunk that only meaning found is never before the best words.
            best = max(words, key=lambda number: words[number])
            before = numbers[: numbers.index(best)]
            assert all(number in words for number in before)
        assert fuse(*both(every, words, near), weight) == fused

    hold()


def test_meaning_decides_between_equal_words(tmp_path_factory):
    every = chunks(tmp_path_factory)
    fused = fuse(*both(every, {1: 2.0, 2: 2.0}, {2: 0.8, 3: 0.1}), 0.5)
    assert [one.chunk.chunk.chunk_number for one in fused] == [2, 1, 3]
    assert [one.score for one in fused] == [1.5, 1.0, 0.0]


def test_a_chunk_that_the_index_does_not_have_is_left_out(tmp_path_factory):
    every = chunks(tmp_path_factory)
    assert fuse([], [Nearest("gone", 1, 0.9, 0, 1, "")], {}, 0.5) == []
    words, nearest, _ = both(every, {}, {4: 0.5})
    assert fuse(words, nearest, {}, 0.5) == []
