"""MarkdownSplitter beside one bare pass over the parser's events, and beside its peers."""

import sys
from collections.abc import Callable

import pyromark

from benchmarks.timing import SHARED, best_seconds, print_table
from cleanbreak import Document, MarkdownSplitter
from cleanbreak.core.markdown.parser import headings, inlines

SIZE, OVERLAP = 1000, 100


def main() -> None:
    """Print what a pass over the notes costs, ours and theirs."""
    notes = corpus()
    megabytes = sum(len(note.encode()) for note in notes) / 1e6
    documents = [Document(note, headings(note)) for note in notes]
    splitter = MarkdownSplitter(SIZE, OVERLAP)
    bare = best_seconds(lambda: each(notes, events))
    rows = [
        ("pyromark, every event and range", bare),
        ("cleanbreak, headings", best_seconds(lambda: each(notes, headings))),
        ("cleanbreak, links and prose", best_seconds(lambda: each(notes, consume_inlines))),
        ("cleanbreak, chunks", best_seconds(lambda: each(notes, splitter.split))),
        (
            "cleanbreak, chunks of read documents",
            best_seconds(lambda: each(documents, splitter.split)),
        ),
        *(
            (name, best_seconds(lambda split=split: each(notes, split), 1))
            for name, split in peers()
        ),
    ]
    print_table(
        f"{len(notes)} notes, {megabytes:.1f} MB, {SIZE}/{OVERLAP} characters",
        ("what", "MB/s", "bare passes it could be"),
        [(name, f"{megabytes / seconds:.1f}", f"{bare / seconds:.3f}") for name, seconds in rows],
    )


def corpus() -> list[str]:
    """Six public vaults where they are; else notes made of every kind of block."""
    found = sorted((SHARED / "corpus" / "md").rglob("*.md"))
    if found:
        return [path.read_bytes().decode("utf-8", "replace") for path in found]
    section = (
        "## Part\n\nSome *words* of [[Note]]. " * 9 + "\n\n- item\n- item\n\n```py\nx = 1\n```\n\n"
    )
    return [f"---\ntags: [a]\n---\n\n# Note\n\n{section * (number % 9)}" for number in range(1500)]


def each(sources: list, action: Callable[[object], object]) -> None:
    for source in sources:
        action(source)


def events(note: str) -> None:
    for _ in pyromark.events_with_range(note):
        pass


def consume_inlines(note: str) -> None:
    for _ in inlines(note):
        pass


def peers() -> list[tuple[str, Callable[[str], object]]]:
    """The peers that are installed."""
    found: list[tuple[str, Callable[[str], object]]] = []
    try:
        from semantic_text_splitter import MarkdownSplitter as Semantic

        semantic = Semantic(SIZE)
        found.append(("semantic-text-splitter, strings", semantic.chunk_indices))
    except ImportError:
        print("semantic-text-splitter is not installed: left out", file=sys.stderr)
    try:
        from langchain_text_splitters import (
            MarkdownHeaderTextSplitter,
            RecursiveCharacterTextSplitter,
        )

        by_heading = MarkdownHeaderTextSplitter(
            [("#" * level, str(level)) for level in range(1, 7)]
        )
        by_size = RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=OVERLAP)
        found.append(
            (
                "langchain, by heading then size",
                lambda note: by_size.split_documents(by_heading.split_text(note)),
            )
        )
    except ImportError:
        print("langchain-text-splitters is not installed: left out", file=sys.stderr)
    try:
        from llama_index.core import Document as LlamaDocument
        from llama_index.core.node_parser import MarkdownNodeParser

        parser = MarkdownNodeParser()
        found.append(
            (
                "llama-index, by heading only",
                lambda note: parser.get_nodes_from_documents([LlamaDocument(text=note)]),
            )
        )
    except ImportError:
        print("llama-index-core is not installed: left out", file=sys.stderr)
    return found


if __name__ == "__main__":
    main()
