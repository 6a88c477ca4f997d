"""Reading EPUB and plain text beside the least it could cost: parsing alone, decoding alone."""

import io
import subprocess
import sys
import time
import zipfile
from functools import partial
from pathlib import Path

from lxml.html import document_fromstring as fromstring
from selectolax.lexbor import LexborHTMLParser

import cleanbreak as cb
from benchmarks.timing import SHARED, best_seconds, print_table
from cleanbreak.readers.epub import read_epub
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.text import read_book, read_text

SAMPLES = Path(__file__).parents[1] / "samples"
LARGEST = SHARED / "corpus" / "epub" / "se_pepys_diary.epub"  # 10 MB of markup


def main() -> None:
    """Print the ratios, and what a child process and the memory cost."""
    books = sorted((SHARED / "corpus" / "epub").glob("se_*.epub")) or [*SAMPLES.glob("*.epub")]
    print_table(
        "EPUB: markup over time, as a share of selectolax",
        (
            "book",
            "parsing alone, ms",
            "read, ms",
            "share of parsing",
            "share of unzipping and parsing",
            "share of zip and lxml text_content",
        ),
        [epub_row(book) for book in books],
    )
    print_table(
        "Text: bytes over time, as a share of `bytes.decode`",
        (
            "encoding",
            "files",
            "decode, ms",
            "SHA-256, ms",
            "read, ms",
            "and chapters, ms",
            "share",
            "share with chapters",
        ),
        text_rows(),
    )
    largest = LARGEST if LARGEST.exists() else books[-1]
    print_table(
        f"A child process, and memory: {largest.name}",
        ("what", "value"),
        [*isolation_rows(books[0]), memory_row(largest)],
    )


def epub_row(book: Path) -> tuple[object, ...]:
    data = book.read_bytes()
    chapters = unzipped(data)
    unzip = best_seconds(lambda: unzipped(data))
    parse = best_seconds(lambda: [LexborHTMLParser(chapter) for chapter in chapters])
    lxml = best_seconds(lambda: [fromstring(chapter).text_content() for chapter in unzipped(data)])
    read = best_seconds(lambda: read_epub(SourceFile(book.name, data)))
    return (
        book.stem, f"{parse * 1e3:.1f}", f"{read * 1e3:.1f}",
        f"{parse / read:.2f}", f"{(parse + unzip) / read:.2f}", f"{lxml / read:.2f}",
    )  # fmt: skip


def unzipped(data: bytes) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [archive.read(name) for name in archive.namelist() if name.endswith("html")]


def text_rows() -> list[tuple[object, ...]]:
    """By encoding, as finding it is what costs; and what is spent on digests and on chapters."""
    files = sorted((SHARED / "corpus" / "txt").glob("*.txt")) or [*SAMPLES.glob("*.txt")]
    rows: dict[str, list[float]] = {}
    for file in files:
        source = SourceFile(file.name, file.read_bytes())
        document = read_text(source)
        assert document.source is not None
        encoding = document.source.encoding or ""
        family = "ASCII" if document.text.isascii() else encoding
        row = rows.setdefault(family, [0, 0.0, 0.0, 0.0, 0.0])
        row[0] += 1
        row[1] += best_seconds(partial(source.data.decode, encoding))
        row[2] += best_seconds(lambda source=source: source.sha256)
        row[3] += best_seconds(partial(read_text, source))
        row[4] += best_seconds(partial(read_book, source))
    return [
        (
            family, f"{count:.0f}", f"{decode * 1e3:.1f}", f"{digest * 1e3:.1f}",
            f"{text * 1e3:.1f}", f"{book * 1e3:.1f}", f"{decode / text:.2f}", f"{decode / book:.2f}",
        )
        for family, (count, decode, digest, text, book) in sorted(rows.items())
    ]  # fmt: skip


def isolation_rows(book: Path) -> list[tuple[object, ...]]:
    """Seconds by the clock, as a child's time is not ours."""

    def clocked(*, isolate: bool) -> float:
        start = time.perf_counter()
        cb.read(book, isolate=isolate)
        return time.perf_counter() - start

    first = clocked(isolate=True)
    again = min(clocked(isolate=True) for _ in range(5))
    here = min(clocked(isolate=False) for _ in range(5))
    return [
        (f"{book.name}, in this process", f"{here * 1e3:.0f} ms"),
        ("in a child, the first time", f"{first * 1e3:.0f} ms"),
        ("in a child, again", f"{again * 1e3:.0f} ms"),
    ]


def memory_row(book: Path) -> tuple[object, ...]:
    """The peak of a process that reads, over one that has only loaded what reading needs."""
    code = (
        "import sys, pathlib, re, cleanbreak as cb\n"
        "text = [len(cb.read(f, isolate=False).text.encode()) for f in sys.argv[1:]][-1]\n"
        "status = pathlib.Path('/proc/self/status').read_text()\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', status)[1], text)"
    )
    if not Path("/proc/self/status").exists():
        return ("peak memory", "measured on Linux only")
    small = next(SAMPLES.glob("*.epub"))
    (base, _), (peak, text) = (
        map(int, subprocess.check_output([sys.executable, "-c", code, *files], text=True).split())
        for files in ([small], [small, book])
    )
    over = (peak - base) / 1024 - text / 2**20
    return ("peak memory above the text", f"{over:.0f} MiB (text {text / 2**20:.1f} MiB)")


if __name__ == "__main__":
    main()
