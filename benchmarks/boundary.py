"""BoundarySplitter beside its peers: full chunk objects from English prose; linear; flat memory."""

import sys
import tracemalloc
from collections.abc import Callable

from benchmarks.timing import best_seconds, english, print_table
from cleanbreak import BoundarySplitter

SIZES = ((1000, 200, 100), (4000, 1000, 200))
HARD_TEXTS = {
    "no break at all": "x",
    "only newlines": "\n",
    "only full stops": ".",
    "only combining marks": "\u0301",
    "only flags": "\U0001f1eb",
    "only Chinese": "\u4e2d",
}


def main() -> None:
    """Print the three tables."""
    for name, text in (("ASCII", ascii_only(english(20))), ("with curly quotes", english(20))):
        for sizes in SIZES:
            compare(name, text, *sizes)
    linearity()
    memory()


def ascii_only(text: str) -> str:
    return text.encode("ascii", "ignore").decode()


def compare(name: str, text: str, size: int, lookback: int, overlap: int) -> None:
    splitter = BoundarySplitter(size, lookback, overlap)
    ours = best_seconds(lambda: splitter.split(text))
    floor = best_seconds(lambda: rfind(text, size, lookback))
    rows = [
        row("cleanbreak, chunk objects", ours, ours, text),
        row("plain rfind loop, spans", floor, ours, text),
    ]
    for peer, seconds in peers(text, size, overlap).items():
        rows.append(row(peer, seconds(), ours, text))
    print_table(
        f"20 MB of English ({name}), {size}/{lookback}/{overlap}",
        ("splitter", "MB/s", "time against ours"),
        rows,
    )


def row(name: str, seconds: float, ours: float, text: str) -> tuple[object, ...]:
    return name, f"{len(text) / 1e6 / seconds:.0f}", f"{seconds / ours:.2f}"


def rfind(text: str, size: int, lookback: int) -> list[tuple[int, int]]:
    """What one would write in a minute: the floor for anything in Python, exactness left out."""
    spans, start = [], 0
    while start < len(text):
        end = start + size
        if end < len(text):
            for mark in ("\n\n", "\n", ". ", " "):
                found = text.rfind(mark, end - lookback, end)
                if found != -1:
                    end = found + len(mark)
                    break
        spans.append((start, end))
        start = end
    return spans


def peers(text: str, size: int, overlap: int) -> dict[str, Callable[[], float]]:
    """The peers that are installed, each with how long it takes for the whole text."""
    found: dict[str, Callable[[], float]] = {}
    try:
        from chonkie import FastChunker

        fast = FastChunker(chunk_size=size)
        found["chonkie FastChunker, chunk objects"] = lambda: best_seconds(lambda: fast.chunk(text))
    except ImportError:
        print("chonkie is not installed: left out", file=sys.stderr)
    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        chain = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)
        found["langchain recursive, strings"] = lambda: best_seconds(
            lambda: chain.split_text(text), 1
        )
    except ImportError:
        print("langchain-text-splitters is not installed: left out", file=sys.stderr)
    try:
        from semantic_text_splitter import TextSplitter

        semantic, part = TextSplitter(size), text[: len(text) // 10]
        # Thirty times slower than ours: given a tenth of the text, and one round.
        found["semantic-text-splitter, strings"] = lambda: (
            10 * best_seconds(lambda: semantic.chunks(part), 1)
        )
    except ImportError:
        print("semantic-text-splitter is not installed: left out", file=sys.stderr)
    return found


def linearity() -> None:
    splitter = BoundarySplitter()

    def seconds(text: str) -> float:
        return best_seconds(lambda: sum(1 for _ in splitter.stream(text)))

    texts = {"English": english(40)} | {name: c * 40_000_000 for name, c in HARD_TEXTS.items()}
    rows = []
    for name, text in texts.items():
        half, whole = seconds(text[: len(text) // 2]), seconds(text)
        rows.append((name, f"{half:.2f}", f"{whole:.2f}", f"{whole / half:.2f}"))
    print_table("Linear time", ("text", "20 M characters, s", "40 M, s", "ratio"), rows)


def memory() -> None:
    """`stream` over 200 MB, every allocation counted."""
    text = ("The lamp was lit at dusk. Nobody came. " * 25 + "\n\n") * (200_000_000 // 977)
    tracemalloc.start()
    count = sum(1 for _ in BoundarySplitter().stream(text))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print_table(
        "Memory of stream()",
        ("characters", "chunks", "peak above the text, kB"),
        [(len(text), count, f"{peak / 1e3:.0f}")],
    )


if __name__ == "__main__":
    main()
