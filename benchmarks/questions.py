"""Questions with the places of their answers, which lie beside the project and are not shipped.

`retrieval/chroma` has 472 questions with exact spans (the evaluation of Chroma, MIT),
`retrieval/readers.jsonl` questions of readers about the books of `corpus`.
"""

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass

import cleanbreak as cb
from benchmarks.bm25 import Place
from benchmarks.timing import SHARED


@dataclass(frozen=True)
class Question:
    """What is asked, of which book, and where the answers stand in it."""

    text: str
    book: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Set:
    """Documents by name, and the questions about them."""

    books: dict[str, cb.Document]
    questions: list[Question]


def chroma() -> Set:
    folder = SHARED / "retrieval" / "chroma"
    books = {}
    for path in sorted(folder.glob("*.md")):
        with path.open(encoding="utf-8", newline="") as file:
            books[path.stem] = cb.Document(file.read())
    with (folder / "questions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    questions = [
        Question(
            row["question"],
            row["corpus_id"],
            tuple((span["start_index"], span["end_index"]) for span in _loads(row["references"])),
        )
        for row in rows
    ]
    return Set(books, questions)


def readers() -> Set:
    lines = (SHARED / "retrieval" / "readers.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    names = sorted({row["book"] for row in rows})
    books = {name: cb.read(next((SHARED / "corpus").glob(f"*/{name}"))) for name in names}
    questions = [
        Question(
            row["question"],
            row["book"],
            tuple(_found(books[row["book"]].text, span) for span in row["spans"]),
        )
        for row in rows
    ]
    return Set(books, questions)


def _found(text: str, span: dict[str, object]) -> tuple[int, int]:
    """Where a span's text stands now; reading may have changed since the span was written."""
    wanted, near = str(span["text"]), int(str(span["start"]))
    start = text.find(wanted, max(0, near - 5_000))
    if start < 0:
        first = " ".join(wanted.split()[:9])
        start = text.find(first)
    start = near if start < 0 else start
    return start, start + len(wanted)


def _loads(value: str) -> list[dict[str, int]]:
    loaded: list[dict[str, int]] = json.loads(value)
    return loaded


def overlap_of(question: Question, found: Iterable[Place]) -> int:
    """How many characters of the answer lie in the chunks, which do not overlap."""
    return sum(
        max(0, min(end, place[2]) - max(start, place[1]))
        for place in found
        if place[0] == question.book
        for start, end in question.spans
    )


def mean_and_error(values: list[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, (variance / len(values)) ** 0.5
