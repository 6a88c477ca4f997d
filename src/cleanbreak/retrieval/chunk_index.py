"""An index of chunks that one's own program keeps: search without a world."""

import os
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self

from cleanbreak.core.checks import one_of
from cleanbreak.core.chunk import Chunk
from cleanbreak.errors import ProfileRequiredError, SettingsError
from cleanbreak.providers.embedding.embedder import Embedder
from cleanbreak.providers.embedding.passages import passages
from cleanbreak.retrieval.answer import Answer
from cleanbreak.retrieval.meaning import Nearest, best_of_chunks, text_sha256
from cleanbreak.retrieval.search import search
from cleanbreak.storage.files import translated
from cleanbreak.stores.fulltext import Index as FullText
from cleanbreak.stores.fulltext import SourceRow
from cleanbreak.stores.vectors.point import Point, chunk_point_id

if TYPE_CHECKING:
    from types import TracebackType

    from cleanbreak.stores.vectors.store import VectorStore

MODES = ("auto", "words", "vectors", "hybrid")

# The points of an index, which has no identity of its own, as those of one world.
_WORLD = str(uuid.UUID(int=0))
_UNNAMED = "text"


class Index:
    r"""Chunks of texts and files, found by words and, with an embedder, by meaning.

    It is in memory (in a temporary folder), or in a folder that is opened again later. Unlike a
    world it keeps no sources and proves nothing against files; a crash loses at most the last call.

    >>> import cleanbreak as cb
    >>> with cb.Index.build(cb.split("# Boats\nOak floats. Iron sinks.", chunk_size=20)) as index:
    ...     [hit.text for hit in index.search("iron")]
    [' Iron sinks.']
    """

    def __init__(
        self, path: str | os.PathLike[str] | None = None, *, embedder: Embedder | None = None
    ) -> None:
        """An empty index, or the one in the folder `path`, which is made if it is missing.

        Args:
            path: the folder of its files; without it the index goes when it is closed.
            embedder: of `cleanbreak.make_embedder`; an index is opened with the one it was built
                with.

        Raises:
            StoreError: if the folder cannot be used.
            SettingsError: for an object that is no embedder.
        """
        if embedder is not None and not hasattr(embedder, "profile"):
            raise SettingsError("embedder", type(embedder), "what cleanbreak.make_embedder gives")
        self._temporary = TemporaryDirectory(prefix="cleanbreak-") if path is None else None
        folder = Path(self._temporary.name if self._temporary else path or "")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise translated(error, folder) from None
        self._words = FullText.open(folder / "index.sqlite")
        self._meaning = None if embedder is None else _Meaning(folder, embedder, self._words)

    @classmethod
    def build(
        cls,
        chunks: Iterable[Chunk],
        *,
        path: str | os.PathLike[str] | None = None,
        embedder: Embedder | None = None,
    ) -> Self:
        """An index of these chunks; see `upsert`."""
        index = cls(path, embedder=embedder)
        try:
            index.upsert(chunks)
        except BaseException:
            index.close()
            raise
        return index

    def upsert(self, chunks: Iterable[Chunk], *, source: str | None = None) -> None:
        """Add the chunks of one or several documents; a source that is held is replaced whole.

        Args:
            chunks: of whole documents, each in order, one document after another.
            source: what the only document is called; else each is called by its ``chunk.source``.
                Documents without a name are always added.

        Raises:
            SettingsError: if two documents of one call have one name.
            CleanbreakError: what the embedder raises; the documents before are in.
        """
        seen: set[str] = set()
        for document in _documents(chunks):
            name = source or document[0].source or self._free_name()
            if name in seen:
                raise SettingsError(
                    "source",
                    name,
                    "a name of its own for each document; add them one by one with source=",
                )
            seen.add(name)
            self._replace(name, document)

    def _replace(self, name: str, document: list[Chunk]) -> None:
        if self._meaning:
            self._meaning.forget(name)
        records = [chunk.record() for chunk in document]
        self._words.replace_source(SourceRow(name, "book", name), records)
        if self._meaning:
            self._meaning.add(name, document)

    def _free_name(self) -> str:
        held = self._words.sources()
        return next(
            name
            for number in range(1, len(held) + 2)
            if (name := f"{_UNNAMED}-{number}") not in held
        )

    def delete(self, source: str) -> bool:
        """Remove a document by its name; false if it is not held."""
        if self._meaning:
            self._meaning.forget(source)
        return self._words.remove_source(source)

    def sources(self) -> list[str]:
        """The names of the documents."""
        return list(self._words.sources())

    def search(
        self,
        query: str,
        *,
        mode: str = "auto",
        limit: int = 10,
        context: int = 0,
        min_similarity: float | None = None,
    ) -> Answer:
        """The best chunks for a query, best first; the query language is that of docs/search.md.

        Args:
            query: what a person types.
            mode: ``"words"``; ``"hybrid"``, words and meaning; ``"vectors"``, meaning alone;
                ``"auto"`` is hybrid where there is an embedder.
            limit: the most hits.
            context: how many chunks before and after each hit to give with it.
            min_similarity: the lowest cosine by which meaning may find a chunk.

        Raises:
            SettingsError: for an argument that is wrong, and for a field that does not exist.
            ProfileRequiredError: if meaning is asked for and there is no embedder.
        """
        one_of("mode", mode, MODES)
        meaning = None if mode == "words" else self._meaning
        if meaning is None and mode in ("vectors", "hybrid"):
            raise ProfileRequiredError(
                "This index has no vectors; build it with embedder=cleanbreak.make_embedder(...)."
            )
        if meaning is not None:
            meaning.min_similarity = min_similarity
        return search(
            self._words,
            query,
            limit=limit,
            context=context,
            meaning=meaning,
            by_words=mode != "vectors",
        )

    def close(self) -> None:
        """Close the files; an index in memory is gone."""
        self._words.close()
        if self._meaning:
            self._meaning.store.close()
        if self._temporary:
            self._temporary.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        self.close()


class _Meaning:
    """The vectors of an index."""

    def __init__(self, folder: Path, embedder: Embedder, words: FullText) -> None:
        from cleanbreak.stores.vectors.sqlite import SqliteVectors

        profile = embedder.profile
        self.weight = profile.fusion_weight
        self.min_similarity: float | None = None
        self.store: VectorStore = SqliteVectors(folder / "vectors.sqlite")
        self.store.ensure_collection("chunks", f"chunks_{profile.key}", profile.dimensions)
        self._embedder = embedder
        self._words = words

    def forget(self, source: str) -> None:
        """Remove the points of a source."""
        number = self._numbers().get(source)
        if number is not None:
            self.store.delete_where({"world_uuid": _WORLD, "book_number": number})

    def add(self, source: str, document: list[Chunk]) -> None:
        """Make and store the vectors of a source that the words hold already."""
        number = self._numbers()[source]
        units = [unit for chunk in document for unit in self._units(chunk)]
        size = self._embedder.most_texts
        for first in range(0, len(units), size):
            batch = units[first : first + size]
            vectors = self._embedder.embed([text for *_, text in batch])
            self.store.upsert(
                [_point(number, unit, vector) for unit, vector in zip(batch, vectors, strict=True)]
            )

    def _units(self, chunk: Chunk) -> Iterator[tuple[Chunk, int, int, str]]:
        """The chunk, a number, the start and the text of each piece that gets a vector."""
        spans = [(0, len(chunk.text))]
        if self._embedder.profile.unit == "passages":
            spans = list(passages(chunk.text))
        for number, (start, end) in enumerate(spans, 1):
            if chunk.text[start:end].strip():
                yield chunk, number, chunk.start + start, chunk.text[start:end]

    def nearest(self, query: str, most: int) -> list[Nearest]:
        """See `Meaning`."""
        (vector,) = self._embedder.embed([query], "query")
        names = {number: source for source, number in self._numbers().items()}
        found = self.store.query(
            vector,
            limit=4 * most,
            where={"world_uuid": _WORLD},
            score_threshold=self.min_similarity,
        )
        return best_of_chunks(found, names.__getitem__, most)

    def _numbers(self) -> dict[str, int]:
        rows = self._words.connection.execute("SELECT source_key, id FROM sources")
        return dict(rows.fetchall())


def _documents(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    """The chunks of each document."""
    document: list[Chunk] = []
    for chunk in chunks:
        if document and (chunk.number == 1 or chunk.source != document[0].source):
            yield document
            document = []
        document.append(chunk)
    if document:
        yield document


def _point(source: int, unit: tuple[Chunk, int, int, str], vector: Any) -> Point:
    chunk, number, start, text = unit
    return Point(
        chunk_point_id(_WORLD, source, chunk.number, number),
        vector,
        {
            "world_uuid": _WORLD,
            "book_number": source,
            "chunk_number": chunk.number,
            "character_start_offset": start,
            "character_end_offset": start + len(text),
            "text_hash": text_sha256(text),
        },
    )
