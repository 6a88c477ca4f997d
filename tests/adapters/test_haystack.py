"""The Haystack adapter, with Haystack itself."""

import logging

import pytest
from haystack import Document, Pipeline
from haystack.components.writers import DocumentWriter
from haystack.dataclasses import ByteStream
from haystack.document_stores.in_memory import InMemoryDocumentStore

import cleanbreak as cb
from adapters.repeats import TEXT, assert_exact
from cleanbreak.adapters.haystack import (
    CleanbreakConverter,
    CleanbreakDocumentSplitter,
    CleanbreakRetriever,
)

pytestmark = pytest.mark.slow


def restored_from(stored: str) -> Pipeline:
    """Haystack restores the classes of modules only that its caller trusts."""
    return Pipeline.loads(stored, allowed_modules=["cleanbreak.adapters.haystack"])


def test_offsets_are_exact_where_a_text_repeats_itself():
    """And ids differ though texts are equal."""
    splitter = CleanbreakDocumentSplitter(chunk_size=100, max_lookback=40, overlap_size=50)
    documents = splitter.run([Document(content=TEXT)])["documents"]
    starts = [d.meta["split_idx_start"] for d in documents]
    spans = [(start, d.meta["end_index"]) for start, d in zip(starts, documents, strict=True)]
    assert_exact(TEXT, spans, [d.content for d in documents])
    assert [d.meta["split_id"] for d in documents] == list(range(len(documents)))
    assert len({d.id for d in documents}) == len(documents)


def test_a_pipeline_survives_storing_and_runs(sample):
    """From files to a document store."""
    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    pipeline.add_component("read", CleanbreakConverter(furniture="keep"))
    pipeline.add_component("split", CleanbreakDocumentSplitter(by="sentences", max_sentences=3))
    pipeline.connect("read", "split")
    restored = restored_from(pipeline.dumps())
    restored.add_component("write", DocumentWriter(store))
    restored.connect("split", "write")
    restored.run({"read": {"sources": [sample]}})
    chunks = cb.split(cb.read(sample, furniture="keep"), by="sentences", max_sentences=3)
    stored = sorted(store.filter_documents(), key=lambda d: d.meta["split_id"])
    assert [d.content for d in stored] == [c.text for c in chunks]
    assert [d.meta["page_label"] for d in stored] == [c.pages[0] for c in chunks]
    assert [d.meta["citation"] for d in stored] == [c.citation for c in chunks]
    assert stored[0].meta["page_number"] == 1
    assert "cleanbreak_sections" not in stored[0].meta


def test_a_bad_source_is_logged_by_its_name_and_skipped(sample, tmp_path, caplog):
    """As the converters of Haystack do."""
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"no PDF")
    with caplog.at_level(logging.WARNING):
        documents = CleanbreakConverter().run([bad, sample])["documents"]
    assert [d.meta["file_name"] for d in documents] == [sample.name]
    assert "bad.pdf" in caplog.text
    assert str(tmp_path) not in caplog.text


def test_bytes_are_read_by_their_name():
    """With the metadata that came with them."""
    stream = ByteStream(b"# Boats\nOak floats.", meta={"file_name": "boats.md", "shelf": 3})
    [document] = CleanbreakConverter().run([stream], meta={"owner": "Ann"})["documents"]
    assert document.content == "# Boats\nOak floats."
    assert document.meta["shelf"] == 3
    assert document.meta["owner"] == "Ann"


def test_a_document_without_text_gives_no_chunks():
    """Such as one that holds a picture."""
    assert CleanbreakDocumentSplitter().run([Document(content=None)]) == {"documents": []}


def test_the_retriever_survives_storing_and_gives_citations(world):
    """By the path of its place."""
    pipeline = Pipeline()
    pipeline.add_component("search", CleanbreakRetriever(world, top_k=3, mode="words"))
    found = restored_from(pipeline.dumps()).run({"search": {"query": "lighthouse"}})
    documents = found["search"]["documents"]
    assert 0 < len(documents) <= 3
    assert documents[0].meta["citation"].startswith("the-keeper-of-sand-point.pdf")
    assert documents[0].score >= documents[-1].score


def test_what_cannot_be_stored_is_refused_by_name(world):
    """An open place, and a measure that is a function."""
    with pytest.raises(cb.CleanbreakError, match="place"):
        CleanbreakRetriever(cb.World.open(world)).to_dict()
    with pytest.raises(cb.CleanbreakError, match="measure"):
        CleanbreakDocumentSplitter(by="tokens", max_tokens=5, measure=len).to_dict()
