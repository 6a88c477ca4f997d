r"""Cleanbreak in LangChain: a text splitter, a loader and a retriever (extra ``langchain``).

>>> from cleanbreak.adapters.langchain import CleanbreakTextSplitter
>>> splitter = CleanbreakTextSplitter(by="boundary", chunk_size=12, overlap_size=0)
>>> for document in splitter.create_documents(["Oak floats. Oak floats."]):
...     print(document.metadata["start_index"], repr(document.page_content))
0 'Oak floats.'
11 ' Oak floats.'
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_text_splitters import TextSplitter
from pydantic import Field

from cleanbreak.adapters import metadata
from cleanbreak.core.splitters import build_splitter
from cleanbreak.places import PathLike, open_place
from cleanbreak.readers import read


class CleanbreakTextSplitter(TextSplitter):
    """Cuts LangChain documents; ``start_index`` is exact, also where a text repeats itself.

    Args:
        by: ``"boundary"``, ``"code"``, ``"markdown"``, ``"sentences"`` or ``"tokens"``.
        settings: those of that splitter, such as ``chunk_size`` and ``overlap_size``.

    A chunk's metadata is that of its document, and ``start_index``, ``end_index``,
    ``chunk_number``, ``chunk_id``, ``page_label``, ``chapter``, ``heading_path``, ``citation``,
    ``token_count`` and ``break_level``, as far as they are known. Offsets are code points of the
    document's ``page_content``. Joined, the contents of the chunks are that text: the overlap is
    not repeated in them.

    Raises:
        SettingsError: for a splitter or setting that does not exist or is refused.
    """

    def __init__(self, by: str = "boundary", **settings: Any) -> None:
        # The parent's settings are those of its own search for offsets, which is not used here.
        super().__init__(chunk_size=1, chunk_overlap=0, add_start_index=True)
        self._splitter = build_splitter(by, settings)

    def split_text(self, text: str) -> list[str]:
        """The texts of the chunks, in order; joined they are `text`."""
        return [chunk.text for chunk in self._splitter.stream(text)]

    def create_documents(
        self, texts: Sequence[str], metadatas: Sequence[Mapping[Any, Any]] | None = None
    ) -> list[Document]:
        """The chunks of all texts as documents, each with the metadata of its text."""
        given: Sequence[Mapping[Any, Any]] = [{}] * len(texts) if metadatas is None else metadatas
        return [
            document
            for text, inherited in zip(texts, given, strict=True)
            for document in self._documents(text, inherited)
        ]

    def _documents(self, text: str, inherited: Mapping[Any, Any]) -> Iterator[Document]:
        kept = {key: value for key, value in inherited.items() if key != metadata.SECTIONS}
        for chunk in self._splitter.stream(metadata.to_document(text, inherited)):
            yield Document(page_content=chunk.text, metadata={**kept, **metadata.of_chunk(chunk)})


class CleanbreakLoader(BaseLoader):
    """Reads files (PDF, EPUB, DOCX, Markdown, …) as one LangChain document each.

    Args:
        paths: a path, or several.
        options: those of `cleanbreak.read`, such as ``encoding`` or ``furniture``.

    A document's metadata has ``source`` (the path), ``file_name``, ``title``, ``author``,
    ``language`` and the pages and chapters, from which `CleanbreakTextSplitter` gives each chunk
    its ``page_label`` and ``chapter``.
    """

    def __init__(self, paths: PathLike | Sequence[PathLike], **options: Any) -> None:
        self._paths = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
        self._options = options

    def lazy_load(self) -> Iterator[Document]:
        """Yield the documents, one file in memory at a time.

        Raises:
            SourceError: for a file that cannot be read; the files before it were yielded.
        """
        for path in self._paths:
            document = read(path, **self._options)
            yield Document(
                page_content=document.text,
                metadata={"source": os.fspath(path), **metadata.of_document(document)},
            )


class CleanbreakRetriever(BaseRetriever):
    """Searches a world or a vault; each document is a stored chunk with its citation.

    ``place`` is a `World`, a `Vault` or the path of one; ``k`` is the greatest number of documents,
    and can be given to ``invoke`` too. ``options`` are passed on to the search, such as
    ``{"mode": "hybrid"}`` for a world.
    """

    place: Any
    k: int = 5
    options: dict[str, Any] = Field(default_factory=dict)

    def model_post_init(self, context: Any, /) -> None:
        """Open the place, so that a wrong path is an error now and not at the first question."""
        super().model_post_init(context)
        if isinstance(self.place, (str, os.PathLike)):
            self.place = open_place(self.place)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        del run_manager
        hits = self.place.search(query, limit=self.k if k is None else k, **self.options)
        return [
            Document(id=hit.chunk_id, page_content=hit.text, metadata=metadata.of_hit(hit))
            for hit in hits
        ]
