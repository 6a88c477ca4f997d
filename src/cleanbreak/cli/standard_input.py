"""Standard input in place of a file: ``-`` on the command line."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

STANDARD_INPUT = Path("-")
_NAME = "stdin.txt"


@contextmanager
def with_standard_input(files: Sequence[Path]) -> Iterator[list[Path]]:
    """The files, with ``-`` replaced by a file that holds what standard input gave.

    So it is read as any text file is, with its limits and its encodings, also by workers. The file is
    gone afterwards.
    """
    if STANDARD_INPUT not in files:
        yield list(files)
        return
    with TemporaryDirectory(prefix="cleanbreak-") as folder:
        held = Path(folder) / _NAME
        with held.open("wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
        yield [held if file == STANDARD_INPUT else file for file in files]
