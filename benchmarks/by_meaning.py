"""Words, vectors and both: what finds the answers, by the product's own search.

Chunks are cut by the three splitters for text at the limits of RETRIEVAL_SIZES, without overlap, and
searched as a world is: the same index, the same fusion. Vectors are MiniLM's, of whole chunks and of
passages; they are kept on the disk (`benchmarks.cached_vectors`), so a second run takes minutes.
"""

import hashlib
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cleanbreak as cb
from benchmarks.bm25 import Place
from benchmarks.cached_vectors import CachedVectors, cpu_seconds
from benchmarks.questions import Question, Set, chroma, mean_and_error, overlap_of, readers
from benchmarks.timing import SHARED, print_table
from cleanbreak.errors import DependencyMissingError, ModelNotInstalledError
from cleanbreak.providers.embedding.passages import passages
from cleanbreak.retrieval import search
from cleanbreak.retrieval.fusion import CANDIDATES, fuse
from cleanbreak.retrieval.meaning import Nearest
from cleanbreak.stores.fulltext import FoundChunk, Index, SourceRow

SIZES = (400, 1000, 2000)
WEIGHTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
MOST = 20

# Chunks whose cost is measured.
SAMPLE = 100

SPLITTERS: dict[str, Callable[[int], cb.Splitter]] = {
    "boundary": lambda size: cb.BoundarySplitter(size, overlap_size=0),
    "sentences": lambda size: cb.SentenceSplitter(max_tokens=size, measure="characters"),
    "markdown": lambda size: cb.MarkdownSplitter(size, overlap_size=0),
}

Legs = tuple[list[FoundChunk], list[Nearest], dict[tuple[str, int], FoundChunk]]
Judge = Callable[[Question, list[Place]], list[float]]


def main() -> None:
    """Print the tables, as far as the questions and the model are there."""
    try:
        embedder = cb.make_embedder("minilm", max_length_policy="split_and_combine")
    except (DependencyMissingError, ModelNotInstalledError) as error:
        print(f"search by meaning is not measured: {error.message}")
        return
    vectors = CachedVectors(embedder)
    folder = SHARED / "retrieval"
    if (folder / "readers.jsonl").exists():
        _compare(readers(), "60 questions of readers", RANKS, by_rank, vectors)
    if (folder / "chroma").exists():
        _compare(chroma(), "Chroma's 472 questions", SPANS, by_span, vectors)


# --- what is right -------------------------------------------------------------------------------

RANKS = ("recall at 1", "recall at 5", "recall at 20")
SPANS = ("recall", "full")


def by_rank(question: Question, found: list[Place]) -> list[float]:
    """Whether a chunk that touches an answer is among the first 1, 5 and 20."""
    hits = [bool(overlap_of(question, [place])) for place in found]
    return [float(any(hits[:count])) for count in (1, 5, 20)]


def by_span(question: Question, found: list[Place]) -> list[float]:
    """The share of the answer in the first five chunks, and whether all of it is there."""
    wanted = sum(end - start for start, end in question.spans)
    hit = overlap_of(question, found[:5])
    return [hit / wanted, float(hit == wanted)]


# --- a shelf of books ----------------------------------------------------------------------------


@dataclass
class Shelf:
    """An index of books that are cut, and the texts of their chunks by source and number."""

    index: Index
    texts: dict[tuple[str, int], str] = field(default_factory=dict)
    starts: dict[tuple[str, int], int] = field(default_factory=dict)

    def places(self, hits: list[cb.Hit]) -> list[Place]:
        """Where the hits stand."""
        return [(hit.source_key, hit.start, hit.end) for hit in hits]

    def units(self, place: tuple[str, int], unit: str) -> list[tuple[int, int]]:
        """The spans of a chunk's text that have a vector each."""
        text = self.texts[place]
        return [(0, len(text))] if unit == "chunk" else list(passages(text))


@contextmanager
def _indexed(chosen: Set, splitter: cb.Splitter) -> Iterator[Shelf]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Index.open(Path(folder) / "index.sqlite") as index,
    ):
        shelf = Shelf(index)
        for name, document in chosen.books.items():
            records = [chunk.record() for chunk in splitter.stream(document)]
            index.replace_source(SourceRow(name, "book", name), records)
            for record in records:
                place = (name, record.chunk_number)
                if record.chunk_text.strip():
                    shelf.texts[place] = record.chunk_text
                    shelf.starts[place] = record.character_start_offset
        yield shelf


class Matrix:
    """Finds by meaning among the chunks of a shelf, as a world does."""

    def __init__(
        self, shelf: Shelf, unit: str, vectors: CachedVectors, weight: float | None = None
    ) -> None:
        self.weight = vectors.embedder.profile.fusion_weight if weight is None else weight
        self._vectors = vectors
        self._rows: list[tuple[tuple[str, int], int, int, str]] = []
        texts = []
        for place, text in shelf.texts.items():
            first = shelf.starts[place]
            for start, end in shelf.units(place, unit):
                digest = hashlib.sha256(text[start:end].encode()).hexdigest()
                self._rows.append((place, first + start, first + end, digest))
                texts.append(text[start:end])
        self._matrix = vectors.of(texts)
        self._wanted = 4 if unit == "passages" else 1

    def nearest(self, query: str, most: int) -> list[Nearest]:
        """See `cleanbreak.retrieval.meaning.Meaning`."""
        (vector,) = self._vectors.of([query], "query")
        cosines = self._matrix @ vector
        best: dict[tuple[str, int], Nearest] = {}
        for row in (-cosines).argsort(kind="stable")[: most * self._wanted]:
            place, start, end, digest = self._rows[row]
            if place not in best:
                best[place] = Nearest(*place, float(cosines[row]), start, end, digest)
        return list(best.values())[:most]


# --- the tables ----------------------------------------------------------------------------------


def _compare(
    chosen: Set, title: str, columns: tuple[str, ...], judge: Judge, vectors: CachedVectors
) -> None:
    sizes = [int(size) for size in os.environ.get("RETRIEVAL_SIZES", "").split()] or SIZES
    names = os.environ.get("RETRIEVAL_SPLITTERS", "").split() or list(SPLITTERS)
    for size in sizes:
        rows = []
        for name in names:
            with _indexed(chosen, SPLITTERS[name](size)) as shelf:
                rows += _rows(shelf, chosen, name, judge, vectors)
        header = ("splitter", "chunks", "search", *columns, "CPU s for 1,000 chunks")
        print_table(f"{title}, limit {size} (percent)", header, rows)


def _rows(
    shelf: Shelf, chosen: Set, name: str, judge: Judge, vectors: CachedVectors
) -> list[tuple[object, ...]]:
    chunks = f"{len(shelf.texts):,}"
    words = [
        judge(q, shelf.places(search(shelf.index, q.text, limit=MOST))) for q in chosen.questions
    ]
    rows = [(name, chunks, "words", *_shown(words), "0")]
    for unit in ("chunk", "passages"):
        meaning = Matrix(shelf, unit, vectors)
        cost = f"{_cost(shelf, unit, vectors):.0f}"
        for mode in ("vectors", "hybrid"):
            judged = [
                judge(
                    question,
                    shelf.places(
                        search(
                            shelf.index,
                            question.text,
                            limit=MOST,
                            meaning=meaning,
                            by_words=mode == "hybrid",
                        )
                    ),
                )
                for question in chosen.questions
            ]
            rows.append((name, chunks, f"{mode}, {unit}", *_shown(judged), cost))
    return rows


def _shown(judged: list[list[float]]) -> list[str]:
    found = [mean_and_error(list(column)) for column in zip(*judged, strict=True)]
    return [f"{100 * mean:.1f} ± {100 * error:.1f}" for mean, error in found]


def _cost(shelf: Shelf, unit: str, vectors: CachedVectors) -> float:
    places = random.Random(7).sample(sorted(shelf.texts), min(SAMPLE, len(shelf.texts)))
    texts = [
        shelf.texts[place][start:end] for place in places for start, end in shelf.units(place, unit)
    ]
    return cpu_seconds(vectors.embedder, texts) * 1000 / len(places)


def compare_weights(size: int = 1000) -> None:
    """Print what each weight of the fusion finds, for boundary."""
    vectors = CachedVectors(cb.make_embedder("minilm", max_length_policy="split_and_combine"))
    for chosen, title, columns, judge in (
        (readers(), "60 questions of readers", RANKS, by_rank),
        (chroma(), "Chroma's 472 questions", SPANS, by_span),
    ):
        with _indexed(chosen, SPLITTERS["boundary"](size)) as shelf:
            rows = []
            for unit in ("chunk", "passages"):
                meaning = Matrix(shelf, unit, vectors)
                legs = [_legs(shelf, meaning, question) for question in chosen.questions]
                for weight in WEIGHTS:
                    judged = [
                        judge(question, _best(fuse(*leg, weight)))
                        for question, leg in zip(chosen.questions, legs, strict=True)
                    ]
                    rows.append((unit, weight, *_shown(judged)))
            print_table(f"{title}, limit {size} (percent)", ("unit", "weight", *columns), rows)


def _legs(shelf: Shelf, meaning: Matrix, question: Question):
    asked = shelf.index.ask(question.text, CANDIDATES)
    words = asked.rows if asked.answered_by == "words" else []
    nearest = meaning.nearest(question.text, CANDIDATES)
    return words, nearest, shelf.index.chunks_at(near.place for near in nearest)


def _best(fused) -> list[Place]:
    found = ((one.chunk.source.key, one.chunk.chunk) for one in fused[:MOST])
    return [(key, c.character_start_offset, c.character_end_offset) for key, c in found]
