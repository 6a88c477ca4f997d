r"""Cleanbreak in Haystack: a document splitter, a converter and a retriever (extra ``haystack``).

>>> from haystack import Document
>>> from cleanbreak.adapters.haystack import CleanbreakDocumentSplitter
>>> splitter = CleanbreakDocumentSplitter(by="boundary", chunk_size=12, overlap_size=0)
>>> for document in splitter.run([Document(content="Oak floats. Oak floats.")])["documents"]:
...     print(document.meta["split_idx_start"], repr(document.content))
0 'Oak floats.'
11 ' Oak floats.'
"""

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict, logging
from haystack.dataclasses import ByteStream

from cleanbreak.adapters import metadata
from cleanbreak.core.chunk import Chunk
from cleanbreak.core.splitters import build_splitter
from cleanbreak.errors import SettingsError, SourceError
from cleanbreak.places import PathLike, Place, open_place
from cleanbreak.readers import read

logger = logging.getLogger(__name__)


@component
class CleanbreakDocumentSplitter:
    """Cuts documents; ``split_idx_start`` is exact, also where a text repeats itself.

    Args:
        by: ``"boundary"``, ``"code"``, ``"markdown"``, ``"sentences"`` or ``"tokens"``.
        settings: those of that splitter, such as ``chunk_size`` and ``overlap_size``.

    A chunk's ``meta`` is that of its document, and Haystack's ``source_id``, ``split_id``,
    ``split_idx_start`` and ``page_number`` (from 1, where the pages are known), and ``end_index``,
    ``page_label``, ``chapter``, ``heading_path``, ``chunk_id`` and ``citation``.

    Raises:
        SettingsError: for a splitter or setting that does not exist or is refused.
    """

    def __init__(self, by: str = "boundary", **settings: Any) -> None:
        self._by = by
        self._settings = settings
        self._splitter = build_splitter(by, settings)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """The chunks of all documents, in order. A document without text gives none."""
        return {"documents": [chunk for parent in documents for chunk in self._chunks(parent)]}

    def _chunks(self, parent: Document) -> Iterator[Document]:
        kept = {key: value for key, value in parent.meta.items() if key != metadata.SECTIONS}
        source = metadata.to_document(parent.content or "", parent.meta)
        page_starts = [s.span.start for s in source.sections if s.kind == "page"]
        for chunk in self._splitter.stream(source):
            own = {
                **metadata.of_chunk(chunk),
                "source_id": parent.id,
                "split_id": chunk.number - 1,
                "split_idx_start": chunk.start,
            }
            own |= _page_number(chunk, page_starts)
            yield Document(content=chunk.text, meta={**kept, **own})

    def to_dict(self) -> dict[str, Any]:
        """The component for `Pipeline.dumps`.

        Raises:
            SettingsError: if a setting is an object without a name, such as a tokenizer.
        """
        for name, value in self._settings.items():
            if not isinstance(value, (str, int, float, bool, list, type(None))):
                raise SettingsError(
                    name, type(value), "a name or number, to be stored in a pipeline"
                )
        return default_to_dict(self, by=self._by, **self._settings)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "CleanbreakDocumentSplitter":
        """The component that `to_dict` described."""
        restored: CleanbreakDocumentSplitter = default_from_dict(cls, data)
        return restored


@component
class CleanbreakConverter:
    """Reads files (PDF, EPUB, DOCX, Markdown, …) as one document each, with pages and chapters.

    `options` are those of `cleanbreak.read`. A source that cannot be read is logged by its name and
    skipped, as the converters of Haystack do.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[str | Path | ByteStream],
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """The documents of the sources that could be read, in order."""
        extra = meta if isinstance(meta, list) else [meta or {}] * len(sources)
        documents = []
        for source, more in zip(sources, extra, strict=True):
            try:
                documents.append(self._document(source, more))
            except SourceError as error:
                logger.warning("A source was skipped: {error}", error=error)
        return {"documents": documents}

    def _document(self, source: str | Path | ByteStream, more: dict[str, Any]) -> Document:
        if isinstance(source, ByteStream):
            name = str(source.meta.get("file_name") or Path(source.meta.get("file_path", "")).name)
            document = read(source.data, name=name or None, **self._options)
            more = {**source.meta, **more}
        else:
            document = read(source, **self._options)
            more = {"file_path": os.fspath(source), **more}
        return Document(content=document.text, meta={**metadata.of_document(document), **more})

    def to_dict(self) -> dict[str, Any]:
        """The component for `Pipeline.dumps`."""
        return default_to_dict(self, **self._options)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "CleanbreakConverter":
        """The component that `to_dict` described."""
        restored: CleanbreakConverter = default_from_dict(cls, data)
        return restored


@component
class CleanbreakRetriever:
    """Searches a world or a vault; each document is a stored chunk with its citation and score.

    Args:
        place: the path of a world or vault, or an open one, which cannot be stored in a pipeline.
        top_k: the greatest number of documents.
        options: passed on to the search, such as ``mode="hybrid"`` for a world.
    """

    def __init__(self, place: PathLike | Place, top_k: int = 10, **options: Any) -> None:
        self._path = os.fspath(place) if isinstance(place, (str, os.PathLike)) else None
        self._place: Any = open_place(place) if isinstance(place, (str, os.PathLike)) else place
        self._top_k = top_k
        self._options = options

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """The best documents for the query, best first."""
        limit = self._top_k if top_k is None else top_k
        hits = self._place.search(query, limit=limit, **self._options)
        return {
            "documents": [
                Document(
                    id=hit.chunk_id, content=hit.text, meta=metadata.of_hit(hit), score=hit.score
                )
                for hit in hits
            ]
        }

    def to_dict(self) -> dict[str, Any]:
        """The component for `Pipeline.dumps`.

        Raises:
            SettingsError: if the place was given as an object and not as a path.
        """
        if self._path is None:
            raise SettingsError("place", type(self._place), "a path, to be stored in a pipeline")
        return default_to_dict(self, place=self._path, top_k=self._top_k, **self._options)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "CleanbreakRetriever":
        """The component that `to_dict` described."""
        restored: CleanbreakRetriever = default_from_dict(cls, data)
        return restored


def _page_number(chunk: Chunk, page_starts: Sequence[int]) -> dict[str, int]:
    number = bisect_right(page_starts, chunk.start)
    return {"page_number": number} if number else {}
