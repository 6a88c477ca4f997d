r"""Cleanbreak in LlamaIndex: a node parser, a reader and a retriever (extra ``llamaindex``).

>>> from llama_index.core import Document
>>> from cleanbreak.adapters.llamaindex import CleanbreakNodeParser
>>> parser = CleanbreakNodeParser(by="boundary", chunk_size=12, overlap_size=0)
>>> for node in parser.get_nodes_from_documents([Document(text="Oak floats. Oak floats.")]):
...     print(node.start_char_idx, node.end_char_idx, repr(node.text))
0 11 'Oak floats.'
11 23 ' Oak floats.'
"""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from llama_index.core.node_parser import NodeParser
from llama_index.core.readers.base import BaseReader
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    BaseNode,
    Document,
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    TextNode,
)
from pydantic import Field, PrivateAttr

from cleanbreak.adapters import metadata
from cleanbreak.core.splitters import Splitter, build_splitter
from cleanbreak.places import PathLike, Place, open_place
from cleanbreak.readers import read

# What is for people and programs, and would only disturb an embedding or a prompt.
_NOT_FOR_MODELS = (
    metadata.SECTIONS,
    "start_index",
    "end_index",
    "chunk_number",
    "chunk_id",
    "citation",
    "token_count",
    "break_level",
    "score",
)


class CleanbreakNodeParser(NodeParser):
    """Cuts documents into nodes; ``start_char_idx`` and ``end_char_idx`` are exact.

    Args:
        by: ``"boundary"``, ``"code"``, ``"markdown"``, ``"sentences"`` or ``"tokens"``.
        settings: those of that splitter, by name (``chunk_size=800``) or as a dictionary.

    The offsets are those of the cut and not of a search for the text, so they are right where a
    text repeats itself. A node's metadata has ``page_label``, ``chapter`` and ``heading_path``, and
    the offsets, ids and the citation, which are excluded from what a model sees.

    Raises:
        SettingsError: for a splitter or setting that does not exist or is refused.
    """

    by: str = "boundary"
    settings: dict[str, Any] = Field(default_factory=dict)
    _splitter: Splitter = PrivateAttr()

    def __init__(
        self, by: str = "boundary", settings: dict[str, Any] | None = None, **more: Any
    ) -> None:
        # What LlamaIndex itself sets, also when it restores a stored component.
        fields = {key: more.pop(key) for key in tuple(more) if key in NodeParser.model_fields}
        more.pop("class_name", None)
        if not callable(fields.get("id_func", print)):
            # LlamaIndex stores a function by its name, and cannot restore it.
            del fields["id_func"]
        fields |= {"by": by, "settings": {**(settings or {}), **more}}
        super().__init__(**fields)
        self._splitter = build_splitter(self.by, self.settings)

    @classmethod
    def class_name(cls) -> str:
        """The name by which LlamaIndex stores the component."""
        return "CleanbreakNodeParser"

    def _parse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        # Cutting is too fast for a progress bar, and there are no further arguments.
        del show_progress, kwargs
        return [node for parent in nodes for node in self._nodes_of(parent)]

    def _nodes_of(self, parent: BaseNode) -> Iterator[TextNode]:
        text = parent.get_content(metadata_mode=MetadataMode.NONE)
        # The relation recomputes the hash of the whole text, so it is made once for all nodes.
        source = parent.as_related_node_info()
        for chunk in self._splitter.stream(metadata.to_document(text, parent.metadata)):
            yield TextNode(
                id_=self.id_func(chunk.number - 1, parent),
                text=chunk.text,
                start_char_idx=chunk.start,
                end_char_idx=chunk.end,
                metadata=metadata.of_chunk(chunk),
                excluded_embed_metadata_keys=_excluded(parent.excluded_embed_metadata_keys),
                excluded_llm_metadata_keys=_excluded(parent.excluded_llm_metadata_keys),
                relationships={NodeRelationship.SOURCE: source},
            )

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        # The parent looks for each text and puts the first place it finds: keep the exact ones.
        spans = [(node.start_char_idx, node.end_char_idx) for node in nodes]  # type: ignore[attr-defined]
        nodes = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, (start, end) in zip(nodes, spans, strict=True):
            node.start_char_idx, node.end_char_idx = start, end  # type: ignore[attr-defined]
            node.metadata.pop(metadata.SECTIONS, None)
        return nodes


class CleanbreakReader(BaseReader):
    """Reads a file (PDF, EPUB, DOCX, Markdown, …) as one document with its pages and chapters.

    It can be given to ``SimpleDirectoryReader`` for a suffix: ``file_extractor={".epub": reader}``.
    The options are those of `cleanbreak.read`.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    def lazy_load_data(
        self, file: PathLike, extra_info: dict[str, Any] | None = None
    ) -> Iterator[Document]:
        """Yield the document of `file`, with `extra_info` added to its metadata.

        Raises:
            SourceError: if the file cannot be read.
        """
        document = read(file, **self._options)
        said = {"file_path": os.fspath(file), **metadata.of_document(document)}
        yield Document(
            text=document.text,
            metadata={**said, **(extra_info or {})},
            excluded_embed_metadata_keys=[*_NOT_FOR_MODELS, "file_path"],
            excluded_llm_metadata_keys=[*_NOT_FOR_MODELS, "file_path"],
        )


class CleanbreakRetriever(BaseRetriever):
    """Searches a world or a vault; each node is a stored chunk with its citation and score.

    Args:
        place: a `World`, a `Vault` or the path of one.
        similarity_top_k: the greatest number of nodes.
        options: passed on to the search, such as ``mode="hybrid"`` for a world.
    """

    def __init__(self, place: PathLike | Place, similarity_top_k: int = 5, **options: Any) -> None:
        super().__init__()
        self._place: Any = open_place(place) if isinstance(place, (str, os.PathLike)) else place
        self._limit = similarity_top_k
        self._options = options

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._place.search(query_bundle.query_str, limit=self._limit, **self._options)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=hit.chunk_id,
                    text=hit.text,
                    start_char_idx=hit.start,
                    end_char_idx=hit.end,
                    metadata=metadata.of_hit(hit),
                    excluded_embed_metadata_keys=list(_NOT_FOR_MODELS),
                    excluded_llm_metadata_keys=list(_NOT_FOR_MODELS),
                ),
                score=hit.score,
            )
            for hit in hits
        ]


def _excluded(keys: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*keys, *_NOT_FOR_MODELS]))
