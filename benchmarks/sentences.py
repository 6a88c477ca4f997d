"""`sentences` beside its peers: F1 on treebanks, speed on English prose, worst cases, line ends."""

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate
from pathlib import Path

from benchmarks.timing import SHARED, best_seconds, english, print_table
from cleanbreak import BoundarySplitter, clauses, is_hard_wrapped, sentences

Peer = Callable[[str, str], Iterable[int]]
"""From a text and a language code to the offsets where sentences end."""

HARD_TEXTS = {
    "dots": "." * 1_000_000,
    "quotes": '"' * 1_000_000,
    '"Dr. "': "Dr. " * 250_000,
    "no punctuation": "word " * 200_000,
    "100k newlines": "\n" * 100_000,
    "100k blank lines": "a\n\n" * 100_000,
    '"中。" x 500k': "中。" * 500_000,
    "nested quotes": "“" * 400_000 + "A. " * 60_000 + "”" * 400_000,
    "open quotations": "“One two three. " * 60_000,
    "initials": "J. R. R. Smith " * 65_000,
    "spaced dots": ". " * 500_000,
    "digits": "3.14 " * 200_000,
    "spaces": "One." + " " * 1_000_000 + "Two.",
}


def main() -> None:
    """Print the tables."""
    found = {"cleanbreak": lambda text, code: [end for _, end in sentences(text, code)]} | peers()
    quality(found)
    speed(found)
    worst_cases()
    wrapped_books()


def peers() -> dict[str, Peer]:
    found: dict[str, Peer] = {}
    try:
        import sentencex

        def by_sentencex(text: str, code: str) -> Iterable[int]:
            bounds = sentencex.get_sentence_boundaries(code, text)
            return [bound["end_index"] for bound in bounds]

        found["sentencex"] = by_sentencex
    except ImportError:
        print("sentencex is not installed: left out", file=sys.stderr)
    try:
        import blingfire

        found["blingfire"] = lambda text, _: [
            end for _, end in blingfire.text_to_sentences_and_offsets(text)[1]
        ]
    except ImportError:
        print("blingfire is not installed: left out", file=sys.stderr)
    try:
        import pysbd

        known = set(pysbd.languages.LANGUAGE_CODES)

        def by_pysbd(text: str, code: str) -> Iterable[int]:
            segmenter = pysbd.Segmenter(language=code if code in known else "en", char_span=True)
            return [span.end for span in segmenter.segment(text)]

        found["pysbd"] = by_pysbd
    except ImportError:
        print("pysbd is not installed: left out", file=sys.stderr)
    return found


# --- quality -------------------------------------------------------------------------------------


def quality(found: dict[str, Peer]) -> None:
    """F1 inside paragraphs: their ends are given, and white space at the seam is ignored."""
    banks = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((SHARED / "gold").glob("*.json"))
    ]
    if not banks:
        print("\nThe treebanks are not here: no F1.")
        return
    for title, form in (("as they are", str), ("hard-wrapped at 70 columns", wrap)):
        rows: list[tuple[object, ...]] = []
        scores = {
            bank["treebank"].removeprefix("UD_"): [f1(bank, form, peer) for peer in found.values()]
            for bank in banks
        }
        for name, row in scores.items():
            rows.append((name, *(f"{score:.1f}" for score in row)))
        means = (sum(column) / len(column) for column in zip(*scores.values(), strict=True))
        rows.append(("**mean**", *(f"**{mean:.2f}**" for mean in means)))
        print_table(f"F1 on treebanks, {title}", ("treebank", *found), rows)


def wrap(text: str) -> str:
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n\n".join(textwrap.fill(part, 70, break_on_hyphens=False) for part in paragraphs)


def f1(bank: dict, form: Callable[[str], str], peer: Peer) -> float:
    text, shown = bank["text"], form(bank["text"])
    given = places(text, [m.start() for m in re.finditer(r"\n\s*\n", text)] + [len(text)])
    expected = places(text, bank["boundaries"]) - given
    found = places(shown, peer(shown, bank["lang"])) - given
    return 200 * len(expected & found) / (len(expected) + len(found))


def places(text: str, offsets: Iterable[int]) -> set[int]:
    """Offsets as counts of the characters before them that are not white space."""
    before = [0, *accumulate(not character.isspace() for character in text)]
    return {before[offset] for offset in offsets}


# --- speed ---------------------------------------------------------------------------------------


def speed(found: dict[str, Peer]) -> None:
    rows = []
    book = english(3)
    ours = best_seconds(lambda: sentences(book, "en"))
    for name, peer in found.items():
        # pysbd is a hundred times slower: given a hundredth of the text, once.
        part, rounds = (book[:30_000], 1) if name == "pysbd" else (book, 3)
        seconds = best_seconds(partial(peer, part, "en"), rounds) * len(book) / len(part)
        rows.append((name, *row(book, seconds, ours)))
    seconds = best_seconds(lambda: sentences(book))
    rows.append(("cleanbreak, language guessed", *row(book, seconds, ours)))
    seconds = best_seconds(lambda: clauses(book))
    rows.append(("cleanbreak, clauses", *row(book, seconds, ours)))
    print_table("3 MB of English prose", ("", "MB/s", "time against ours"), rows)


def row(text: str, seconds: float, ours: float) -> tuple[str, str]:
    return f"{len(text.encode()) / 1e6 / seconds:.1f}", f"{seconds / ours:.2f}"


def worst_cases() -> None:
    rows = []
    for name, text in HARD_TEXTS.items():
        half = best_seconds(partial(sentences, text[: len(text) // 2], "en"), 2)
        whole = best_seconds(partial(sentences, text, "en"), 2)
        parts = best_seconds(partial(clauses, text), 2)
        rows.append((name, len(text), f"{whole:.2f}", f"{whole / half:.1f}", f"{parts:.2f}"))
    print_table(
        "Worst cases: linear time",
        ("text", "characters", "sentences, s", "whole / half", "clauses, s"),
        rows,
    )


# --- hard-wrapped books --------------------------------------------------------------------------


def wrapped_books() -> None:
    """How many chunks of `BoundarySplitter` end where a sentence does, by `soft_wraps`."""
    rows: list[tuple[object, ...]] = []
    for path in sorted((SHARED / "corpus" / "txt").glob("*.txt")):
        text = decoded(path)
        if is_hard_wrapped(text):
            ends = {end for _, end in sentences(text)}
            shares = (share(text, ends, soft_wraps) for soft_wraps in ("never", "auto"))
            rows.append((path.stem, *shares))
    if rows:
        header = ("hard-wrapped book", "cuts at a sentence end", 'with soft_wraps="auto"')
        print_table("Hard-wrapped books, 1000/200/0", header, rows)


def share(text: str, ends: set[int], soft_wraps: str) -> str:
    chunks = BoundarySplitter(1000, 200, 0, soft_wraps=soft_wraps).split(text)[:-1]
    # Our chunks may leave the white space after a sentence to the next one.
    good = sum(past_white_space(text, chunk.end) in ends for chunk in chunks)
    return f"{100 * good / len(chunks):.0f}%"


def past_white_space(text: str, offset: int) -> int:
    near = text[offset : offset + 100]
    return offset + len(near) - len(near.lstrip())


def decoded(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("shift_jis" if path.stem.startswith("ja_") else "latin-1")


if __name__ == "__main__":
    main()
