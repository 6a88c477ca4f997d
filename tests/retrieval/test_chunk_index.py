"""Search without a world: `cleanbreak.Index`."""

import pytest

import cleanbreak as cb
from cleanbreak.errors import ProfileRequiredError

BOATS = "Oak floats. Iron sinks.\n\nA boat of oak crossed the bay."
HILLS = "The hill was high.\n\nNo boat came there."


def document(name: str, text: str) -> cb.Document:
    """A document with a name, as a reader makes it."""
    return cb.Document(text, source=cb.Source(name, "text/plain", "0" * 64))


def chunks_of(**texts: str) -> list[cb.Chunk]:
    """The chunks of several documents, one after another."""
    return [
        chunk
        for name, text in texts.items()
        for chunk in cb.split(document(f"{name}.txt", text), chunk_size=30, overlap_size=0)
    ]


def texts(hits: list[cb.Hit]) -> list[str]:
    return [hit.text.strip() for hit in hits]


class Colours:
    """A model that knows one thing: what is of wood, and what is not."""

    name = "colours/one"

    def embed(self, texts: list[str]) -> list[list[float]]:
        """Vectors of two dimensions."""
        return [[1.0, 0.1] if "oak" in t.lower() or "timber" in t else [0.1, 1.0] for t in texts]


def test_hits_are_exact_and_cited():
    """As those of a world are."""
    with cb.Index.build(chunks_of(boats=BOATS, hills=HILLS)) as index:
        [hit] = index.search("iron")
        assert hit.text == BOATS[hit.start : hit.end]
        assert hit.citation == "boats.txt, line 1, characters 0-25"
        assert {h.source_name for h in index.search("boat")} == {"boats.txt", "hills.txt"}
        assert index.sources() == ["boats.txt", "hills.txt"]


def test_a_source_is_replaced_whole():
    """Its old chunks are not found any more; the others stay."""
    with cb.Index.build(chunks_of(boats=BOATS, hills=HILLS)) as index:
        index.upsert(chunks_of(boats="Tin is dear."))
        assert not index.search("oak")
        assert texts(index.search("tin")) == ["Tin is dear."]
        assert index.search("hill")


def test_a_source_is_deleted_by_its_name():
    """And one that is not held is no error."""
    with cb.Index.build(chunks_of(boats=BOATS, hills=HILLS)) as index:
        assert index.delete("boats.txt")
        assert not index.delete("boats.txt")
        assert not index.search("oak")


def test_an_index_in_a_folder_is_there_again(tmp_path):
    """With and without changes in between."""
    folder = tmp_path / "deep" / "index"
    cb.Index.build(chunks_of(boats=BOATS), path=folder).close()
    with cb.Index(folder) as index:
        assert index.search("iron")
        index.upsert(chunks_of(hills=HILLS))
    with cb.Index(folder) as index:
        assert index.sources() == ["boats.txt", "hills.txt"]


def test_texts_without_a_name_are_added_one_beside_the_other():
    """Also by a later call."""
    with cb.Index.build([*cb.split(BOATS), *cb.split(HILLS)]) as index:
        index.upsert(cb.split("Tin is dear."))
        assert index.sources() == ["text-1", "text-2", "text-3"]
        assert index.search("oak")
        assert index.search("hill")


def test_two_documents_of_one_name_are_refused():
    """The second would silently replace the first; with names of their own both are held."""
    with pytest.raises(cb.CleanbreakError, match="source="):
        cb.Index.build([*chunks_of(boats=BOATS), *chunks_of(boats=HILLS)])
    with cb.Index() as index:
        index.upsert(chunks_of(boats=BOATS), source="a/boats.txt")
        index.upsert(chunks_of(boats=HILLS), source="b/boats.txt")
        assert index.sources() == ["a/boats.txt", "b/boats.txt"]
        assert [hit.source_key for hit in index.search("hill")] == ["b/boats.txt"]


@pytest.mark.parametrize("unit", ["chunk", "passages"])
def test_meaning_finds_what_words_do_not(unit):
    """And the passage that answered is marked."""
    embedder = cb.make_embedder(Colours(), unit=unit)
    with cb.Index.build(chunks_of(boats=BOATS, hills=HILLS), embedder=embedder) as index:
        best = index.search("timber")[0]
        assert "oak" in best.text.lower()
        assert best.scores["vectors"] > 0.99
        assert not index.search("timber", mode="words")
        assert all("oak" in h.text.lower() for h in index.search("timber", min_similarity=0.9))


def test_vectors_are_replaced_and_deleted_with_their_source(tmp_path):
    """Nothing is found by the vector of a text that is gone; an opened index finds by meaning too."""
    embedder = cb.make_embedder(Colours())
    cb.Index.build(chunks_of(boats=BOATS, hills=HILLS), path=tmp_path, embedder=embedder).close()
    with cb.Index(tmp_path, embedder=embedder) as index:
        assert index.search("timber", mode="vectors", min_similarity=0.9)
        index.upsert(chunks_of(boats="Tin is dear."))
        assert not index.search("timber", mode="vectors", min_similarity=0.9)
        index.delete("boats.txt")
        assert {hit.source_key for hit in index.search("timber", mode="vectors")} == {"hills.txt"}


def test_meaning_without_an_embedder_is_refused():
    """With what to do."""
    with (
        cb.Index.build(chunks_of(boats=BOATS)) as index,
        pytest.raises(ProfileRequiredError, match="embedder="),
    ):
        index.search("oak", mode="hybrid")


def test_wrong_arguments_are_refused():
    """By the names of the arguments."""
    with pytest.raises(cb.CleanbreakError, match="make_embedder"):
        cb.Index(embedder=Colours())
    with cb.Index() as index, pytest.raises(cb.CleanbreakError, match="mode"):
        index.search("oak", mode="word")


def test_a_folder_that_cannot_be_made_is_our_error(tmp_path):
    """A file is in its place."""
    (tmp_path / "index").write_text("mine")
    with pytest.raises(cb.CleanbreakError, match="index"):
        cb.Index(tmp_path / "index")
    assert (tmp_path / "index").read_text() == "mine"
