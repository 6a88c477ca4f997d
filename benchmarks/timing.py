"""Timing within one process, so that ratios hold on a noisy machine."""

import gc
import os
import time
from collections.abc import Callable
from pathlib import Path

SHARED = Path(os.environ.get("CLEANBREAK_SHARED", Path(__file__).parents[2] / "shared"))
"""Real books beside the project, or where the environment says; every benchmark also runs without
them."""


def best_seconds(action: Callable[[], object], rounds: int = 3) -> float:
    """The least CPU seconds of several rounds: noise only ever adds."""
    best = float("inf")
    for _ in range(rounds):
        gc.collect()
        begun = time.process_time()
        action()
        best = min(best, time.process_time() - begun)
    return best


def print_table(title: str, header: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    """Print rows as a Markdown table, ready for docs/benchmarks.md."""
    print(f"\n### {title}\n")
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")


def english(megabytes: float) -> str:
    """English prose of that many million characters: a real book where there is one."""
    book = SHARED / "corpus" / "txt" / "pg2600_war_and_peace_en.txt"
    if not book.exists():
        book = next((Path(__file__).parents[1] / "samples").glob("*.txt"))
    text = book.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    size = int(megabytes * 1_000_000)
    return (text * (size // len(text) + 1))[:size]
