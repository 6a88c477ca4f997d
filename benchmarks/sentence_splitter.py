"""SentenceSplitter beside its peers, on worst cases, in memory; what soft wraps do to the cuts."""

import sys
from collections.abc import Callable

import cleanbreak as cb
from benchmarks.timing import SHARED, best_seconds, english, print_table

MODES: dict[str, dict[str, int]] = {
    "5 sentences": {"max_sentences": 5},
    "200 words": {"max_tokens": 200},
    "200 words, overlap 20 %": {"max_tokens": 200, "overlap_percent": 20},
    "10 sentences, 200 words, overlap 20 %": {
        "max_sentences": 10,
        "max_tokens": 200,
        "overlap_percent": 20,
    },
}
HARD_TEXTS = {
    "only full stops": ".",
    "only quotes": '"',
    "only Dr.": "Dr. ",
    "no punctuation": "tariff schedule annex quota ",
    "no space": "x7",
    "only newlines": "\n",
    "only Chinese sentences": "中。",
    "only commas": "a, ",
    "only families": "👨\u200d👩\u200d👧",
}


def main() -> None:
    """Print the tables."""
    compare(english(1))
    worst_cases()
    soft_wraps()


def words(text: str) -> int:
    return len(text.split())


def compare(text: str) -> None:
    rows: list[tuple[object, ...]] = []
    for mode, settings in MODES.items():
        splitter = cb.SentenceSplitter(**settings, language="en")
        ours = best_seconds(lambda: list(splitter.stream(text)), 10)  # noqa: B023 (called at once)
        rows.append((mode, "cleanbreak", f"{len(text) / 1e6 / ours:.1f}", 1))
        for peer, seconds in peers(settings, text).items():
            if seconds:
                rows.append(
                    (mode, peer, f"{len(text) / 1e6 / seconds:.2f}", f"{seconds / ours:.0f}")
                )
    print_table(
        "1 MB of English by whitespace-separated words",
        ("mode", "splitter", "MB/s", "time against ours"),
        rows,
    )


def peers(settings: dict[str, int], text: str) -> dict[str, float]:
    """Seconds for the whole text. The slow ones get a part of it, which flatters them if anything."""
    found = {}
    for name, make, share in (
        ("chunklet-py", chunklet, 1),
        ("llama-index-core", llama_index, 1),
    ):
        try:
            split = make(settings)
        except ImportError:
            print(f"{name} is not installed: left out", file=sys.stderr)
            continue
        if split is not None:
            part = text[: len(text) // share]
            found[name] = share * best_seconds(lambda: split(part), 1)  # noqa: B023 (called at once)
    return found


def chunklet(settings: dict[str, int]) -> Callable[[str], object]:
    from chunklet import DocumentChunker

    limits = {"overlap_percent": 0} | settings
    return DocumentChunker("en", **limits, token_counter=words).chunk_text


def llama_index(settings: dict[str, int]) -> Callable[[str], object] | None:
    from llama_index.core.node_parser import SentenceSplitter

    if "max_sentences" in settings:
        return None  # it has no such limit
    size = settings["max_tokens"]
    overlap = size * settings.get("overlap_percent", 0) // 100
    return SentenceSplitter(chunk_size=size, chunk_overlap=overlap, tokenizer=str.split).split_text


def worst_cases() -> None:
    rows = []
    for name, unit in HARD_TEXTS.items():
        text = "a" + unit * (1_000_000 // len(unit.encode()))
        for measure, limit in (("words", 200), ("characters", 1000)):
            splitter = cb.SentenceSplitter(max_tokens=limit, overlap_percent=20, measure=measure)
            half, whole = (
                best_seconds(lambda: sum(1 for _ in splitter.stream(part)), 1)  # noqa: B023 (called at once)
                for part in (text[: len(text) // 2], text)
            )
            rows.append((name, f"{limit} {measure}", f"{whole:.2f}", f"{whole / half:.1f}"))
    print_table("1 MB of one thing", ("text", "limit", "s", "against half of it"), rows)


def soft_wraps() -> None:
    """How many cuts of the boundary splitter fall at sentence ends, in hard-wrapped books."""
    rows = []
    for book in sorted((SHARED / "corpus" / "txt").glob("*.txt")):
        try:
            text = book.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            continue
        if cb.is_hard_wrapped(text):
            shares = [_share_at_sentence_ends(text, way) for way in ("never", "auto")]
            rows.append((book.stem, *(f"{share:.0%}" for share in shares)))
    if rows:
        print_table(
            'Cuts at sentence ends, BoundarySplitter(), by soft_wraps; language "auto"',
            ("hard-wrapped book", '"never"', '"auto"'),
            rows,
        )


def _share_at_sentence_ends(text: str, soft_wraps: str) -> float:
    """White space around a cut does not matter: it may lie on either side."""
    ends = {_content_end(text, sentence.end) for sentence in cb.sentences(text)}
    cuts = [chunk.end for chunk in cb.BoundarySplitter(soft_wraps=soft_wraps).stream(text)][:-1]
    return sum(_content_end(text, cut) in ends for cut in cuts) / len(cuts)


def _content_end(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end


if __name__ == "__main__":
    main()
