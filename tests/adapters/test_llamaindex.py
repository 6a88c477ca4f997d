"""The LlamaIndex adapter, with LlamaIndex itself."""

import json

import pytest
from llama_index.core import SimpleDirectoryReader
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import Document, MetadataMode, NodeRelationship, TextNode

import cleanbreak as cb
from adapters.repeats import TEXT, assert_exact
from cleanbreak.adapters.llamaindex import (
    CleanbreakNodeParser,
    CleanbreakReader,
    CleanbreakRetriever,
)

pytestmark = pytest.mark.slow


def spans(nodes: list[TextNode]) -> list[tuple[int, int]]:
    return [(node.start_char_idx, node.end_char_idx) for node in nodes]


def test_offsets_are_exact_where_a_text_repeats_itself():
    """In an ingestion pipeline, whose own search would find an earlier place."""
    parser = CleanbreakNodeParser(chunk_size=100, max_lookback=40, overlap_size=50)
    nodes = IngestionPipeline(transformations=[parser]).run(documents=[Document(text=TEXT)])
    assert_exact(TEXT, spans(nodes), [node.text for node in nodes])


def test_nodes_know_their_document_and_neighbours():
    """By the relations that LlamaIndex uses."""
    document = Document(text="Oak floats. Iron sinks. Tin too.", metadata={"kind": "proverb"})
    first, second, _ = CleanbreakNodeParser(chunk_size=12).get_nodes_from_documents([document])
    assert first.ref_doc_id == document.doc_id
    assert first.metadata["kind"] == "proverb"
    assert second.relationships[NodeRelationship.PREVIOUS].node_id == first.node_id
    assert first.relationships[NodeRelationship.NEXT].node_id == second.node_id


def test_models_see_pages_and_chapters_but_no_offsets_and_ids(sample):
    """What is embedded by accident makes every chunk of a book look alike."""
    documents = CleanbreakReader().load_data(sample)
    nodes = CleanbreakNodeParser(chunk_size=600).get_nodes_from_documents(documents)
    chunks = cb.split(cb.read(sample), chunk_size=600)
    assert [node.metadata.get("page_label") for node in nodes] == [c.pages[0] for c in chunks]
    assert [node.metadata["citation"] for node in nodes] == [c.citation for c in chunks]
    for mode in (MetadataMode.EMBED, MetadataMode.LLM):
        seen = nodes[0].get_content(metadata_mode=mode)
        assert "page_label" in seen
        assert "start_index" not in seen
        assert "chunk_id" not in seen
        assert "cleanbreak_sections" not in documents[0].get_content(metadata_mode=mode)
    assert "cleanbreak_sections" not in nodes[0].metadata


def test_the_reader_serves_a_directory_reader(sample, tmp_path):
    """For a suffix."""
    (tmp_path / "book.pdf").write_bytes(sample.read_bytes())
    [document] = SimpleDirectoryReader(
        str(tmp_path), file_extractor={".pdf": CleanbreakReader()}
    ).load_data()
    assert document.text == cb.read(sample).text
    assert document.metadata["title"]


def test_the_node_parser_survives_storing():
    """As pipelines store the settings of their components."""
    parser = CleanbreakNodeParser(by="tokens", max_tokens=5, measure="words")
    stored = json.loads(json.dumps(parser.to_dict()))
    restored = CleanbreakNodeParser.from_dict(stored)
    texts = [
        [node.text for node in each.get_nodes_from_documents([Document(text=TEXT)])]
        for each in (parser, restored)
    ]
    assert texts[0] == texts[1]


def test_nodes_of_nodes_are_cut_inside_their_own_text():
    """A parser can be the second of a pipeline."""
    pipeline = IngestionPipeline(
        transformations=[CleanbreakNodeParser(chunk_size=400), CleanbreakNodeParser(chunk_size=60)]
    )
    nodes = pipeline.run(documents=[Document(text=TEXT)])
    assert "".join(node.text for node in nodes) == TEXT


def test_the_retriever_gives_scored_nodes_with_citations(world):
    """Best first."""
    found = CleanbreakRetriever(world, similarity_top_k=3).retrieve("lighthouse")
    assert 0 < len(found) <= 3
    assert [node.score for node in found] == sorted((n.score for n in found), reverse=True)
    assert found[0].node.metadata["citation"].startswith("the-keeper-of-sand-point.pdf")
    document = next(iter(cb.World.open(world).books()))
    text = cb.World.open(world).document(document.number).text
    assert text[found[0].node.start_char_idx : found[0].node.end_char_idx] == found[0].node.text


def test_an_unknown_setting_is_refused_with_the_known_ones():
    """LlamaIndex's own name for a setting among them."""
    with pytest.raises(cb.CleanbreakError, match="overlap_size"):
        CleanbreakNodeParser(chunk_overlap=20)
