"""PDF text against plain pypdfium2, over the same pages in one process.

Run `python -m benchmarks.pdf [FILE…]`; without files it makes its own. Prints seconds of processor
time for `get_text_range` on every page, for `read_pdf`, and the ratio, which should be 0.8 or more;
then the peak memory of reading 3,000 full pages beyond what the text takes.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import pypdfium2

from cleanbreak.errors import CleanbreakError
from cleanbreak.readers.pdf import read_pdf
from pdf_maker import column, drawn, pdf

SENTENCE = (
    "The ferry left at dawn with six goats aboard and no captain, and the oldest goat stood at the "
    "wheel as though it had steered for years."
)
ROUNDS = 5


def main(files: Sequence[str] = ()) -> None:
    """Print the ratios and the memory."""
    named = {Path(file).name: Path(file).read_bytes() for file in files}
    for name, data in (named or {"300 pages of prose": book(300)}).items():
        try:
            plain, ours = (
                min(timed(read, data) for _ in range(ROUNDS)) for read in (extracted, reader)
            )
        except (CleanbreakError, pypdfium2.PdfiumError) as error:
            print(f"{name}: not read ({type(error).__name__})")
            continue
        print(f"{name}: plain {plain:.3f} s, read_pdf {ours:.3f} s, ratio {plain / ours:.2f}")
    print(memory())


def timed(work, data: bytes) -> float:
    start = time.process_time()
    work(data)
    return time.process_time() - start


def extracted(data: bytes) -> None:
    document = pypdfium2.PdfDocument(data)
    for page in document:
        page.get_textpage().get_text_range()
    document.close()


def reader(data: bytes) -> None:
    read_pdf(data, "book.pdf")


def book(pages: int) -> bytes:
    """Pages of 45 lines under a running head."""
    words = SENTENCE.split() * 40
    lines = [" ".join(words[start : start + 13]) for start in range(0, 45 * 13, 13)]
    return pdf(
        [
            drawn([(72, 810, f"THE GOAT LOG {number}"), *column(lines, y=770)])
            for number in range(1, pages + 1)
        ]
    )


def memory() -> str:
    """The peak of a fresh process that reads 3,000 pages, less that of one that reads a page."""
    code = (
        "import resource, sys; sys.path.insert(0, '.'); from benchmarks import pdf\n"
        "text = pdf.read_pdf(pdf.book(int(sys.argv[1])), 'book.pdf').text\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, len(text))"
    )
    peaks = []
    for pages in ("1", "3000"):
        done = subprocess.run(
            [sys.executable, "-c", code, pages], capture_output=True, text=True, check=True
        )
        peaks.append([int(part) for part in done.stdout.split()])
    (base, _), (peak, text) = peaks
    return f"3,000 pages: peak {(peak - base) / 1024:.0f} MiB over one page, of them text {text / 2**20:.0f} MiB"


if __name__ == "__main__":
    main(sys.argv[1:])
