"""The cost of exact token counts: passes of the tokenizer, and CPU time beside other libraries.

The ratio r is the CPU time of splitting over that of one plain pass of the same tokenizer over the
whole text, both in this process, the best of several interleaved runs. A pass is the text once
through the tokenizer: characters counted over characters of the text.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import regex

from benchmarks.timing import SHARED, print_table
from cleanbreak import MarkdownSplitter, SentenceSplitter, TokenSplitter
from cleanbreak.core.measures.measure import Measure, as_measure

BUDGETS = (128, 512, 2048)
RUNS = 4
_CLEAN_END = regex.compile(r"(?:[.!?…][\"'”’)\]*_]*\s*|\n\s*\n\s*)\Z")

HARD_TEXTS = {
    "1 MB of one letter": "a" * 1_000_000,
    "450 KB on one line": "tariff schedule annex quota " * 16_000,
    "100,000 newlines": "\n" * 100_000,
    "100,000 newlines in a text": "Start." + "\n" * 100_000 + "End.",
    "1 MB of emoji": "👍🏽👨\u200d👩\u200d👧\u200d👦🇫🇷😀" * 20_000,
    "1 MB of base64": "QmFzZTY0IGlzIG5vdCB0ZXh0IGJ1dCBpdCBsb29rcyBsaWtl" * 20_000,
}


def main() -> None:
    """Print the passes, the ratios, the quality of the cuts, and the hard texts."""
    text = _book()
    for name, tokenizer, whole_pass in _tokenizers():
        _passes(name, as_measure(tokenizer), text)
        _compare(name, tokenizer, whole_pass, text)
        _hard_texts(name, tokenizer, whole_pass)


def _book() -> str:
    path = SHARED / "corpus/txt/pg2701_moby_dick_en.txt"
    if path.exists():
        return path.read_text(encoding="utf-8")
    sample = Path(__file__).parents[1] / "samples"
    book = "".join(p.read_text(encoding="utf-8") for p in sorted(sample.glob("*.txt")))
    return book * (1_200_000 // len(book) + 1)


def _tokenizers():
    """(name, tokenizer, one plain pass); those that are not here are skipped with a word."""
    bert = SHARED / "tokenizers/bert-base-uncased.json"
    if bert.exists():
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(bert))
        encode = tokenizer.encode
        yield "BERT (tokenizers)", tokenizer, lambda text: encode(text, add_special_tokens=False)
    else:
        print("BERT is skipped: its vocabulary is not here")
    try:
        import bpe_openai
        import tiktoken
    except ImportError:
        print("cl100k is skipped: it needs tiktoken and bpe-openai")
        return
    fast = bpe_openai.get_encoding("cl100k_base")
    slow = tiktoken.Encoding(
        "cl100k_base",
        pat_str=fast._pat_str,  # noqa: SLF001 (the table is nowhere else)
        mergeable_ranks=fast._mergeable_ranks,  # noqa: SLF001
        special_tokens=fast._special_tokens,  # noqa: SLF001
    )
    yield "cl100k (tiktoken)", slow, slow.encode_ordinary
    yield "cl100k (bpe-openai)", fast, lambda text: _in_pieces(fast, text)


class _Counted:
    """A measure that adds up the characters it is asked to count."""

    def __init__(self, measure: Measure) -> None:
        self.name = measure.name
        self.adds_up = getattr(measure, "adds_up", None)
        self.characters = 0
        self._measure = measure

    def __call__(self, text: str) -> int:
        self.characters += len(text)
        return self._measure(text)


def _passes(name: str, measure: Measure, text: str) -> None:
    rows = []
    for title, build in (
        ("TokenSplitter", lambda m: TokenSplitter(512, m)),
        ("TokenSplitter, overlap 64", lambda m: TokenSplitter(512, m, 64)),
        ("SentenceSplitter", lambda m: SentenceSplitter(max_tokens=512, measure=m)),
        (
            "SentenceSplitter, overlap 15 %",
            lambda m: SentenceSplitter(max_tokens=512, overlap_percent=15, measure=m),
        ),
        ("MarkdownSplitter", lambda m: MarkdownSplitter(512, 0, m)),
        ("MarkdownSplitter, overlap 64", lambda m: MarkdownSplitter(512, 64, m)),
    ):
        counted = _Counted(measure)
        chunks = sum(1 for _ in build(counted).stream(text))
        rows.append((title, f"{counted.characters / len(text):.2f}", f"{chunks:,}"))
    print_table(f"{name}: passes, 512 tokens", ("splitter", "passes", "chunks"), rows)


def _in_pieces(encoding, text: str) -> None:
    """bpe-openai refuses more than about 200,000 tokens, so its plain pass is in large pieces."""
    for at in range(0, len(text), 50_000):
        encoding.encode_ordinary(text[at : at + 50_000])


def _compare(name, tokenizer, whole_pass, text: str) -> None:
    rows = []
    for budget in BUDGETS:
        splitter = TokenSplitter(budget, tokenizer)
        cuts = {"cleanbreak": lambda s=splitter: [chunk.text for chunk in s.stream(text)]}
        cuts |= _peers(tokenizer, splitter.measure, budget, text)
        seconds = _interleaved([lambda: whole_pass(text), *cuts.values()])
        for (peer, cut), spent in zip(cuts.items(), seconds[1:], strict=True):
            rows.append((budget, peer, f"{spent / seconds[0]:.2f}", *_judge(cut(), splitter, text)))
    header = ("budget", "splitter", "r", "chunks", "over", "lossless", "at sentence ends", "fill")
    print_table(f"{name}: r = splitting / one pass over {len(text):,} characters", header, rows)


def _judge(chunks: list[str], splitter: TokenSplitter, text: str) -> tuple[str, ...]:
    counts = [splitter.measure(chunk) for chunk in chunks]
    clean = sum(bool(_CLEAN_END.search(chunk[-40:])) for chunk in chunks[:-1])
    return (
        f"{len(chunks):,}",
        str(sum(count > splitter.max_tokens for count in counts)),
        "yes" if "".join(chunks) == text else "no",
        f"{clean / max(1, len(chunks) - 1):.1%}",
        f"{sum(counts) / len(counts) / splitter.max_tokens:.0%}",
    )


def _hard_texts(name, tokenizer, whole_pass) -> None:
    rows = []
    for title, text in HARD_TEXTS.items():
        splitter = TokenSplitter(512, tokenizer, oversize="emit")
        one, ours = _interleaved(
            [lambda t=text: whole_pass(t), lambda t=text, s=splitter: s.split(t)], 2
        )
        rows.append((title, f"{one:.3f} s", f"{ours / one:.2f}" if one > 1e-4 else f"{ours:.3f} s"))
    print_table(f"{name}: hard texts, budget 512", ("text", "one pass", "r"), rows)


def _interleaved(works: list[Callable[[], object]], runs: int = RUNS) -> list[float]:
    """The best CPU seconds of each; slow ones run once, and all meet the same disturbances."""
    best = [float("inf")] * len(works)
    for run in range(runs):
        for index, work in enumerate(works):
            if run == 0 or best[index] < 0.5:
                begun = time.process_time()
                work()
                best[index] = min(best[index], time.process_time() - begun)
    return best


def _peers(tokenizer, measure, budget: int, text: str) -> dict[str, Callable[[], list[str]]]:
    peers: dict[str, Callable[[], list[str]]] = {}
    if "--alone" in sys.argv:
        return peers
    for name, build in (
        ("semantic-text-splitter", _semantic_text_splitter),
        ("semchunk", _semchunk),
        ("langchain recursive", _langchain),
        ("llama-index sentences", _llama_index),
    ):
        try:
            peers[name] = build(tokenizer, measure, budget, text)
        except ImportError as error:
            print(f"{name} is skipped: {json.dumps(str(error))}")
    return peers


def _semantic_text_splitter(tokenizer, measure, budget, text):
    from semantic_text_splitter import TextSplitter

    if hasattr(tokenizer, "to_str"):
        splitter = TextSplitter.from_huggingface_tokenizer(tokenizer, budget, trim=False)
    else:
        splitter = TextSplitter.from_callback(measure, budget, trim=False)
    return lambda: splitter.chunks(text)


def _semchunk(_tokenizer, measure, budget, text):
    import semchunk

    chunker = semchunk.chunkerify(measure, budget)
    return lambda: chunker(text)


def _langchain(_tokenizer, measure, budget, text):
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        chunk_size=budget, chunk_overlap=0, length_function=measure, keep_separator=True
    )
    return lambda: splitter.split_text(text)


def _llama_index(tokenizer, _measure, budget, text):
    from llama_index.core.node_parser import SentenceSplitter

    if type(tokenizer).__module__.startswith("bpe_openai"):
        raise ImportError("it counts the whole text at once, which bpe-openai refuses")
    encode = getattr(tokenizer, "encode_ordinary", None) or (
        lambda part: tokenizer.encode(part, add_special_tokens=False).ids
    )
    splitter = SentenceSplitter(chunk_size=budget, chunk_overlap=0, tokenizer=encode)
    return lambda: splitter.split_text(text)


if __name__ == "__main__":
    main()
