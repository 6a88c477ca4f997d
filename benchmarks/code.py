"""CodeSplitter beside its peers on Python's own library, judged by the module `ast`."""

import ast
import sys
import sysconfig
from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.timing import best_seconds, print_table
from cleanbreak import CodeSplitter

SIZE = 1000

Spans = list[tuple[int, int]]


def main() -> None:
    """Print where the cuts fall, how full the chunks are, and what cutting costs."""
    programs = corpus()
    megabytes = sum(map(len, programs)) / 1e6
    rows = [(name, *judge(programs, split)) for name, split in splitters()]
    print_table(
        f"{len(programs)} modules of Python's library, {megabytes:.1f} MB, {SIZE} characters",
        ("splitter", "cuts at a statement", "definitions that fit, cut", "fill", "MB/s"),
        rows,
    )


def corpus() -> list[str]:
    """The modules at the top of the standard library that do not fit in one chunk."""
    folder = Path(sysconfig.get_path("stdlib"))
    texts = [path.read_bytes().decode("utf-8", "replace") for path in sorted(folder.glob("*.py"))]
    return [text for text in texts if len(text) > SIZE]


def judge(programs: list[str], split: Callable[[str], Spans]) -> tuple[str, str, str, str]:
    cuts = clean = fit = broken = size = chunks = 0
    for program in programs:
        spans = split(program)
        starts = [start for start, _ in spans[1:]]
        ends, definitions = structure(program)
        cuts += len(starts)
        clean += sum(len(program[:start].rstrip()) in ends for start in starts)
        for start, end in definitions:
            if end - start <= SIZE:
                fit += 1
                at = bisect_right(starts, start)
                broken += at < len(starts) and bool(program[starts[at] : end].strip())
        size += sum(end - start for start, end in spans)
        chunks += len(spans)
    seconds = best_seconds(lambda: [split(program) for program in programs], 1)
    speed = sum(map(len, programs)) / 1e6 / seconds
    shares = (f"{100 * clean / cuts:.1f} %", f"{broken} of {fit}", f"{size / chunks / SIZE:.2f}")
    return (*shares, f"{speed:.1f}")


def structure(program: str) -> tuple[set[int], Spans]:
    """Where statements and comments end; from where to where definitions go."""
    lines = program.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    ends, definitions = set(), []
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.stmt):
            ends.add(offset(node.end_lineno or 1, node.end_col_offset or 0))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            definitions.append((starts[first - 1], starts[node.end_lineno or 1]))
    for number, line in enumerate(lines):
        if "#" in line:
            ends.add(starts[number] + len(line.rstrip()))
    return ends, definitions


def splitters() -> Iterator[tuple[str, Callable[[str], Spans]]]:
    """Ours, and the peers that are installed."""
    ours = CodeSplitter(SIZE, "python")
    yield "cleanbreak", lambda text: [(chunk.start, chunk.end) for chunk in ours.split(text)]
    try:
        import tree_sitter_python
        from semantic_text_splitter import CodeSplitter as Semantic

        semantic = Semantic(tree_sitter_python.language(), SIZE)
        yield (
            "semantic-text-splitter",
            lambda text: [(at, at + len(piece)) for at, piece in semantic.chunk_indices(text)],
        )
    except ImportError:
        print("semantic-text-splitter is not installed: left out", file=sys.stderr)
    try:
        from chonkie import CodeChunker

        chunker = CodeChunker(tokenizer="character", chunk_size=SIZE, language="python")
        yield (
            "chonkie",
            lambda text: [(piece.start_index, piece.end_index) for piece in chunker.chunk(text)],
        )
    except ImportError:
        print("chonkie is not installed with its grammars: left out", file=sys.stderr)
    try:
        from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

        recursive = RecursiveCharacterTextSplitter.from_language(
            Language.PYTHON, chunk_size=SIZE, chunk_overlap=0, add_start_index=True
        )

        def langchain(text: str) -> Spans:
            found = recursive.create_documents([text])
            places = [(one.metadata["start_index"], one.page_content) for one in found]
            return [(at, at + len(piece)) for at, piece in places]

        yield "langchain", langchain
    except ImportError:
        print("langchain-text-splitters is not installed: left out", file=sys.stderr)


if __name__ == "__main__":
    main()
