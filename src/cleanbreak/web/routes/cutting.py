"""Routes of cutting: a split of a text, and windows of its chunks."""

import json
import shlex
from collections import Counter
from time import monotonic
from typing import Any

import msgspec

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document
from cleanbreak.core.packing.explanation import Explanation
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters.base import FrozenSplitter
from cleanbreak.errors import RequestError
from cleanbreak.web.desk import Desk, HeldSplit
from cleanbreak.web.endpoint import Endpoint, Stop
from cleanbreak.web.routes.rows import ChunkRow, Chunks, bounds, chunks_of
from cleanbreak.web.routes.settings import new_measure, new_splitter
from cleanbreak.web.routes.texts import hold, text_document


class NewSplit(msgspec.Struct, forbid_unknown_fields=True):
    """What to cut, and how; one of `document_id` and `text`."""

    document_id: str | None = None
    text: str | None = None
    name: str | None = None
    by: str = "boundary"
    settings: dict[str, Any] = {}
    first: int = 1
    limit: int = 100


class ChunkWindow(msgspec.Struct, forbid_unknown_fields=True):
    """Some chunks of a split."""

    split_id: str
    first: int = 1
    limit: int = 100


class MeasuredSplit(msgspec.Struct, forbid_unknown_fields=True):
    """A split whose chunks are to be measured."""

    split_id: str
    measure: str


class Counts(msgspec.Struct):
    """The size of every chunk by a measure, each counted alone."""

    measure: str
    counts: list[int]


class CutOfSplit(msgspec.Struct, forbid_unknown_fields=True):
    """The cut at the end of a chunk."""

    split_id: str
    chunk_number: int


class RecipeRecord(msgspec.Struct):
    """How a text was cut."""

    splitter: str
    splitter_version: int
    settings: dict[str, Any]
    measure: str | None


class SplitRecord(msgspec.Struct):
    """All cuts of a text in short, and its first chunks."""

    split_id: str
    document_id: str
    recipe: RecipeRecord
    total_chunks: int
    total_characters: int
    seconds: float
    ends: list[int]
    levels: list[str]
    overlap_starts: list[int]
    counts: list[int | None]
    oversize: list[int]
    hard_cuts: list[int]
    levels_count: dict[str, int]
    python: str
    command: str
    first: int
    chunks: list[ChunkRow]


def split(desk: Desk, asked: NewSplit, stop: Stop) -> SplitRecord:
    """Cut a text."""
    if (asked.document_id is None) == (asked.text is None):
        raise RequestError("Give one of document_id and text.", field="document_id")
    splitter = new_splitter(asked.by, asked.settings)
    if asked.text is not None:
        document_id = hold(desk, text_document(asked.text, asked.name)).document_id
    else:
        document_id = asked.document_id or ""
    document = desk.documents.get(document_id)
    started = monotonic()
    chunks = _cut(splitter, document, stop)
    seconds = monotonic() - started
    held = HeldSplit(document_id, document, splitter, chunks)
    split_id = desk.splits.add(held, len(document.text))
    return _record(split_id, held, seconds, _window(asked.first, asked.limit, chunks))


def split_chunks(desk: Desk, asked: ChunkWindow, _stop: Stop) -> Chunks:
    """Some chunks of a split."""
    held = desk.splits.get(asked.split_id)
    return _window(asked.first, asked.limit, held.chunks)


def count(desk: Desk, asked: MeasuredSplit, stop: Stop) -> Counts:
    """The size of every chunk by another measure, such as a model's tokenizer."""
    held, measure = desk.splits.get(asked.split_id), new_measure(asked.measure)
    counts = []
    for chunk in held.chunks:
        stop.check()
        counts.append(measure(chunk.text))
    return Counts(asked.measure, counts)


def explain(desk: Desk, asked: CutOfSplit, _stop: Stop) -> Explanation:
    """Why a chunk ends where it does."""
    held = desk.splits.get(asked.split_id)
    return held.splitter.explain(held.document, asked.chunk_number)


def _window(first: int, limit: int, chunks: tuple[Chunk, ...]) -> Chunks:
    numbers = bounds(first, limit, len(chunks))
    return chunks_of(numbers.start, len(chunks), (chunks[n - 1].record() for n in numbers))


def _cut(splitter: FrozenSplitter, document: Document, stop: Stop) -> tuple[Chunk, ...]:
    """All chunks, made one by one, so that a client that goes need not be waited for."""
    found = []
    for chunk in splitter.stream(document):
        stop.check()
        found.append(chunk)
    return tuple(found)


def _record(split_id: str, held: HeldSplit, seconds: float, shown: Chunks) -> SplitRecord:
    chunks, recipe = held.chunks, held.splitter.recipe
    return SplitRecord(
        split_id,
        held.document_id,
        RecipeRecord(recipe.splitter, recipe.version, dict(recipe.settings), recipe.measure),
        len(chunks),
        len(held.document.text),
        seconds,
        [chunk.end for chunk in chunks],
        [chunk.break_level for chunk in chunks],
        [chunk.start - len(chunk.overlap_text) for chunk in chunks],
        [chunk.token_count for chunk in chunks],
        [chunk.number for chunk in chunks if chunk.oversize],
        [chunk.number for chunk in chunks if chunk.break_level == "grapheme"],
        dict(Counter(chunk.break_level for chunk in chunks)),
        _python(recipe, held.document),
        _command(recipe, held.document),
        shown.first,
        shown.chunks,
    )


def _settings(recipe: Recipe) -> dict[str, Any]:
    """The settings, with the measure where the splitter has one; without those left out."""
    settings = {name: value for name, value in recipe.settings.items() if value is not None}
    has_measure = recipe.splitter != "boundary"
    return settings | ({"measure": recipe.measure} if has_measure else {})


def _python(recipe: Recipe, document: Document) -> str:
    """What cuts so in Python."""
    name = document.source.name if document.source else "text.txt"
    settings = "".join(f", {name}={value!r}" for name, value in _settings(recipe).items())
    return f"cb.split(cb.read({name!r}), by={recipe.splitter!r}{settings})"


def _command(recipe: Recipe, document: Document) -> str:
    """What cuts so on the command line."""
    name = document.source.name if document.source else "text.txt"
    words = ["cleanbreak", "split", name, "--by", recipe.splitter]
    for setting, value in _settings(recipe).items():
        words += _option(setting, value)
    return shlex.join(words)


def _option(setting: str, value: Any) -> list[str]:
    # The command line has one option for overlap, whose unit is the splitter's.
    option = "overlap" if setting.startswith("overlap_") else setting.replace("_", "-")
    if isinstance(value, bool):
        return [f"--{option}"] if value else []
    if isinstance(value, (list, tuple)):
        once = option.removesuffix("s")
        return [word for one in value for word in (f"--{once}", json.dumps(one)[1:-1])]
    return [f"--{option}", str(value)]


_SPLIT = "/splits/{split_id}"

ENDPOINTS = (
    Endpoint("POST", "/split", split, NewSplit, SplitRecord, "Cut a text.", alone=True),
    Endpoint("GET", f"{_SPLIT}/chunks", split_chunks, ChunkWindow, Chunks, "Chunks of a split."),
    Endpoint(
        "GET",
        f"{_SPLIT}/counts",
        count,
        MeasuredSplit,
        Counts,
        "Sizes of chunks by a measure.",
        alone=True,
    ),
    Endpoint(
        "GET",
        f"{_SPLIT}/cuts/{{chunk_number}}",
        explain,
        CutOfSplit,
        Explanation,
        "Why a chunk ends where it does.",
        alone=True,
    ),
)
