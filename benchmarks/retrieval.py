"""What cutting and meaning do to search: recall of answers.

The questions lie beside the project, or where CLEANBREAK_SHARED says; see `benchmarks.questions`.
Cutting is compared by BM25, at equal mean length of the chunks: the limit of each splitter is
searched for until its mean is within 2 % of the size. `benchmarks.by_meaning` has the rest.
RETRIEVAL_PART is `cutting` or `meaning` for one of both, RETRIEVAL_SIZES has the sizes.
"""

import os
from collections.abc import Callable

import cleanbreak as cb
from benchmarks import by_meaning
from benchmarks.bm25 import BM25, Place
from benchmarks.questions import Set, chroma, mean_and_error, overlap_of, readers
from benchmarks.timing import SHARED, print_table

SIZES = (400, 1000, 2000)
RETRIEVED = 5
READERS_AT = (1, 5, 20)
TOLERANCE = 0.02

Cut = Callable[[cb.Document], list[tuple[int, int]]]


def main() -> None:
    """Print the tables, as far as the texts are there."""
    part = os.environ.get("RETRIEVAL_PART", "")
    if part != "meaning":
        _compare_cutting()
    if part != "cutting":
        by_meaning.main()


def _compare_cutting() -> None:
    sizes = [int(size) for size in os.environ.get("RETRIEVAL_SIZES", "").split()] or SIZES
    if (SHARED / "retrieval" / "chroma").exists():
        chosen = chroma()
        for size in sizes:
            compare(chosen, size, evaluate_spans, SPAN_COLUMNS, "Chroma's questions")
    if (SHARED / "retrieval" / "readers.jsonl").exists():
        chosen = readers()
        for size in sizes:
            compare(chosen, size, evaluate_ranks, RANK_COLUMNS, "Readers' questions")


def compare(
    chosen: Set,
    size: int,
    evaluate: Callable[[Set, list[Place]], list[list[float]]],
    columns: tuple[str, ...],
    title: str,
) -> None:
    results = []
    for name, make in splitters().items():
        limit, places = at_mean(chosen.books, make, size)
        mean = sum(end - start for _, start, end in places) / len(places)
        values = [mean_and_error(column) for column in evaluate(chosen, places)]
        results.append((name, limit, len(places), mean, values))
    best = [
        max(value[0] for value in column) for column in zip(*(r[-1] for r in results), strict=True)
    ]
    rows = [
        (name, limit, chunks, f"{mean:.0f}", *map(_shown, values, best))
        for name, limit, chunks, mean, values in results
    ]
    header = ("splitter", "limit", "chunks", "mean", *columns)
    print_table(f"{title}, chunks of {size} characters on average (percent)", header, rows)


def _shown(value: tuple[float, float], best: float) -> str:
    """The mean and its standard error; bold if it is the first or within one error of it."""
    mean, error = value
    shown = f"{100 * mean:.1f} ± {100 * error:.1f}"
    return f"**{shown}**" if mean >= best - error else shown


# --- the splitters -------------------------------------------------------------------------------


def splitters() -> dict[str, Callable[[int], Cut]]:
    """Makers of cuts at a limit of characters; peers that are not installed are left out."""
    found: dict[str, Callable[[int], Cut]] = {
        "boundary": lambda limit: ours(cb.BoundarySplitter(limit, overlap_size=0)),
        "boundary, 4/5": lambda limit: ours(
            cb.BoundarySplitter(limit, max_lookback=4 * limit // 5, overlap_size=0)
        ),
        "sentences": lambda limit: ours(
            cb.SentenceSplitter(max_tokens=limit, measure="characters")
        ),
        "markdown": lambda limit: ours(cb.MarkdownSplitter(limit, overlap_size=0)),
    }
    for name, peer in PEERS.items():
        try:
            peer(100)
        except ImportError:
            print(f"{name}: not installed")
        else:
            found[name] = peer
    return found


def ours(splitter: cb.Splitter) -> Cut:
    return lambda document: [(chunk.start, chunk.end) for chunk in splitter.stream(document)]


def chonkie_recursive(limit: int) -> Cut:
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(tokenizer="character", chunk_size=limit)
    return lambda document: [(c.start_index, c.end_index) for c in chunker.chunk(document.text)]


def chonkie_sentence(limit: int) -> Cut:
    from chonkie import SentenceChunker

    chunker = SentenceChunker(tokenizer="character", chunk_size=limit, chunk_overlap=0)
    return lambda document: [(c.start_index, c.end_index) for c in chunker.chunk(document.text)]


def langchain_recursive(limit: int) -> Cut:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=limit, chunk_overlap=0, add_start_index=True
    )

    def cut(document: cb.Document) -> list[tuple[int, int]]:
        return [
            (found.metadata["start_index"], found.metadata["start_index"] + len(found.page_content))
            for found in splitter.create_documents([document.text])
        ]

    return cut


def semantic_text_splitter(limit: int) -> Cut:
    from semantic_text_splitter import TextSplitter

    splitter = TextSplitter(limit)
    return lambda document: [
        (start, start + len(text)) for start, text in splitter.chunk_indices(document.text)
    ]


PEERS: dict[str, Callable[[int], Cut]] = {
    "chonkie recursive": chonkie_recursive,
    "chonkie sentence": chonkie_sentence,
    "langchain recursive": langchain_recursive,
    "semantic-text-splitter": semantic_text_splitter,
}


def at_mean(
    books: dict[str, cb.Document], make: Callable[[int], Cut], size: int
) -> tuple[int, list[Place]]:
    """The limit at which chunks have the mean length `size`, and these chunks."""
    low, high, limit = size // 2, size * 4, size
    best: tuple[float, int, list[Place]] | None = None
    for _ in range(8):
        cut = make(limit)
        places = [(name, *span) for name, document in books.items() for span in cut(document)]
        mean = sum(end - start for _, start, end in places) / len(places)
        off = abs(mean / size - 1)
        if best is None or off < best[0]:
            best = off, limit, places
        if off <= TOLERANCE / 4:
            break
        low, high = (limit, high) if mean < size else (low, limit)
        guess = round(limit * size / mean)
        limit = guess if low < guess < high else (low + high) // 2
    assert best is not None
    if best[0] > TOLERANCE:
        print(f"the mean length is {best[0]:.1%} off")
    return best[1], best[2]


# --- the figures ---------------------------------------------------------------------------------

SPAN_COLUMNS = ("recall", "full", "IoU", "precision", "precision Ω")
RANK_COLUMNS = tuple(f"recall at {count}" for count in READERS_AT)


def evaluate_spans(chosen: Set, places: list[Place]) -> list[list[float]]:
    """Chroma's figures for each question, by characters; `full`: the answer is found whole."""
    index = BM25(_text_of(chosen, place) for place in places)
    rows = []
    for question in chosen.questions:
        wanted = sum(end - start for start, end in question.spans)
        found = [places[number] for number in index.best(question.text, RETRIEVED)]
        touching = [
            place
            for place in places
            if place[0] == question.book
            and any(place[1] < end and start < place[2] for start, end in question.spans)
        ]
        hit, given = overlap_of(question, found), sum(end - start for _, start, end in found)
        all_hit = overlap_of(question, touching)
        all_given = sum(end - start for _, start, end in touching)
        rows.append(
            (
                hit / wanted,
                float(hit == wanted),
                hit / (given + wanted - hit),
                hit / given,
                all_hit / (all_given + wanted - all_hit),
            )
        )
    return [list(column) for column in zip(*rows, strict=True)]


def evaluate_ranks(chosen: Set, places: list[Place]) -> list[list[float]]:
    """Whether a chunk that touches an answer is among the first 1, 5 and 20."""
    index = BM25(_text_of(chosen, place) for place in places)
    rows = []
    for question in chosen.questions:
        found = [places[number] for number in index.best(question.text, max(READERS_AT))]
        hits = [bool(overlap_of(question, [place])) for place in found]
        rows.append([float(any(hits[:count])) for count in READERS_AT])
    return [list(column) for column in zip(*rows, strict=True)]


def _text_of(chosen: Set, place: Place) -> str:
    name, start, end = place
    return chosen.books[name].text[start:end]


if __name__ == "__main__":
    main()
