"""The LangChain adapter, with LangChain itself and its standard tests for retrievers."""

import asyncio
import json
from pathlib import Path

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.runnables import RunnableLambda
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests

import cleanbreak as cb
from adapters.repeats import TEXT, assert_exact
from cleanbreak.adapters.langchain import (
    CleanbreakLoader,
    CleanbreakRetriever,
    CleanbreakTextSplitter,
)

pytestmark = pytest.mark.slow


def spans(documents: list[Document]) -> list[tuple[int, int]]:
    return [(d.metadata["start_index"], d.metadata["end_index"]) for d in documents]


@pytest.mark.parametrize("overlap", [0, 50])
def test_offsets_are_exact_where_a_text_repeats_itself(overlap):
    """The parent class searches for the text, and finds an earlier place."""
    splitter = CleanbreakTextSplitter(chunk_size=100, max_lookback=40, overlap_size=overlap)
    documents = splitter.split_documents([Document(page_content=TEXT)])
    assert_exact(TEXT, spans(documents), [d.page_content for d in documents])


def test_each_chunk_keeps_the_metadata_of_its_document():
    """And no two chunks share a dictionary."""
    first, second = CleanbreakTextSplitter(chunk_size=12).create_documents(
        ["Oak floats. Iron too."], [{"kind": "proverb"}]
    )
    assert first.metadata["kind"] == second.metadata["kind"] == "proverb"
    first.metadata["kind"] = "changed"
    assert second.metadata["kind"] == "proverb"


def test_texts_of_another_number_than_their_metadata_are_refused():
    """Instead of dropping the texts at the end."""
    with pytest.raises(ValueError, match="zip"):
        CleanbreakTextSplitter().create_documents(["One.", "Two."], [{}])


def test_pages_and_chapters_reach_the_chunks(sample):
    """Through the loader's document, and what carries them there is left out of the chunks."""
    documents = CleanbreakTextSplitter(chunk_size=600).split_documents(
        CleanbreakLoader(sample).lazy_load()
    )
    chunks = cb.split(cb.read(sample), chunk_size=600)
    assert [d.metadata.get("page_label") for d in documents] == [c.pages[0] for c in chunks]
    assert [d.metadata["citation"] for d in documents] == [c.citation for c in chunks]
    assert {d.metadata.get("chapter") for d in documents} - {None}
    assert "cleanbreak_sections" not in documents[0].metadata
    assert documents[0].metadata["source"] == str(sample)
    assert documents[0].metadata["title"]


def test_metadata_are_plain_values(sample):
    """A vector store takes strings, numbers and booleans only."""
    for document in CleanbreakTextSplitter().split_documents(CleanbreakLoader([sample]).load()):
        assert all(
            isinstance(value, (str, int, float, bool)) for value in document.metadata.values()
        )
        json.dumps(document.metadata)


def test_chunks_go_into_a_vector_store(sample):
    """As any other documents do."""
    documents = CleanbreakTextSplitter(by="sentences", max_sentences=3).split_documents(
        CleanbreakLoader(sample).load()
    )
    store = InMemoryVectorStore.from_documents(documents, DeterministicFakeEmbedding(size=8))
    assert store.similarity_search(documents[3].page_content, k=1)[0] == documents[3].model_copy(
        update={"id": store.similarity_search(documents[3].page_content, k=1)[0].id}
    )


def test_an_unknown_setting_is_refused_with_the_known_ones():
    """LangChain's own name for a setting among them."""
    with pytest.raises(cb.CleanbreakError, match="overlap_size"):
        CleanbreakTextSplitter(chunk_overlap=20)


def test_the_retriever_takes_part_in_a_chain(world):
    """Its documents carry the citation."""
    chain = CleanbreakRetriever(place=world, k=1) | RunnableLambda(
        lambda found: found[0].metadata["citation"]
    )
    assert chain.invoke("lighthouse").startswith("the-keeper-of-sand-point.pdf")
    assert asyncio.run(chain.ainvoke("lighthouse")) == chain.invoke("lighthouse")


def test_the_retriever_passes_options_on(world):
    """Such as the mode of the search."""
    retriever = CleanbreakRetriever(place=cb.World.open(world), options={"mode": "words"})
    assert retriever.invoke("lighthouse")


def test_a_place_that_is_neither_world_nor_vault_is_refused_at_once(tmp_path):
    """And not at the first question."""
    with pytest.raises(cb.CleanbreakError):
        CleanbreakRetriever(place=tmp_path)


@pytest.mark.anyio
class TestStandard(RetrieversIntegrationTests):
    """The standard tests of LangChain."""

    @pytest.fixture
    def anyio_backend(self) -> str:
        """What LangChain is run with."""
        return "asyncio"

    @pytest.fixture(autouse=True)
    def _in_world(self, world: Path) -> None:
        self.world = world

    @property
    def retriever_constructor(self) -> type[CleanbreakRetriever]:
        """The class under test."""
        return CleanbreakRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, object]:
        """With what it is built."""
        return {"place": self.world}

    @property
    def retriever_query_example(self) -> str:
        """A query with more than three hits."""
        return "the lighthouse keeper and the storm"
