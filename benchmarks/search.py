"""Search in an index of 100,000 chunks: milliseconds a query, and the way of matching compared."""

import random
import statistics
import tempfile
import time
from pathlib import Path

import msgspec

from benchmarks.timing import english, print_table
from cleanbreak import BoundarySplitter
from cleanbreak.retrieval import search
from cleanbreak.stores.fulltext import Index, SourceRow

CHUNKS = 100_000
PER_BOOK = 1_000
LIMIT = 10
QUERIES = 100


def main() -> None:
    """Build the index, then ask it words taken from its own text."""
    with tempfile.TemporaryDirectory() as folder:
        index, seconds, texts = build(Path(folder) / "index.sqlite")
        print(f"{CHUNKS:,} chunks indexed in {seconds:.1f} s of CPU ({CHUNKS / seconds:,.0f}/s)")
        with index:
            print_table(
                f"Searches for {LIMIT} hits, snippets and citations included, CPU milliseconds",
                ("query", "p50", "p90", "worst"),
                [row(name, index, queries) for name, queries in kinds(texts).items()],
            )


def build(path: Path) -> tuple[Index, float, list[str]]:
    chunks = BoundarySplitter(600).split(english(80))[:CHUNKS]
    while len(chunks) < CHUNKS:
        chunks += chunks[: CHUNKS - len(chunks)]
    index = Index.open(path)
    started = time.process_time()
    for book in range(CHUNKS // PER_BOOK):
        records = [
            msgspec.structs.replace(chunk.record(), chunk_number=number)
            for number, chunk in enumerate(chunks[book * PER_BOOK : (book + 1) * PER_BOOK], 1)
        ]
        index.replace_source(SourceRow(f"book-{book:04}", "book", f"{book}.txt"), records)
    return index, time.process_time() - started, [chunk.text for chunk in chunks]


def kinds(texts: list[str]) -> dict[str, list[str]]:
    chooser = random.Random(7)
    sampled = [
        [word for word in map(_bare, text.split()) if word.isalpha()]
        for text in chooser.sample(texts, QUERIES)
    ]
    sampled = [words for words in sampled if len(words) > 5]
    return {
        "one to three words of one chunk": [
            " ".join(chooser.sample(words, chooser.randint(1, 3))) for words in sampled
        ],
        "a phrase": ['"' + " ".join(words[2:5]) + '"' for words in sampled],
        "a word of seven letters or more": [
            next((word for word in words if len(word) > 6), "lighthouse") for words in sampled
        ],
        "a prefix": [f"{max(words, key=len)[:5]}*" for words in sampled],
        "words no chunk has all of": [f"{words[0]} {words[1]} zzyzx" for words in sampled],
        "the commonest word": ["the"] * 5,
    }


def _bare(word: str) -> str:
    return word.strip(".,;:!?'\"()")


def row(name: str, index: Index, queries: list[str]) -> tuple[object, ...]:
    times = []
    for query in queries:
        started = time.process_time()
        search(index, query, limit=LIMIT)
        times.append((time.process_time() - started) * 1000)
    times.sort()
    shown = (statistics.median(times), times[int(len(times) * 0.9)], times[-1])
    return name, *(f"{milliseconds:.1f}" for milliseconds in shown)


if __name__ == "__main__":
    main()
