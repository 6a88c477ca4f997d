"""Which files to read, where a person may also name folders."""

import os
from collections.abc import Iterable
from pathlib import Path

from cleanbreak.errors import SourceMissingError
from cleanbreak.readers.detect import EXTENSIONS


def expand(paths: Iterable[Path]) -> list[Path]:
    """The files named, in order; a folder is replaced by the readable files in it and below it.

    Readable are files with an extension that is read; within a folder they are sorted by path. A
    file that is named itself is kept without a check, also if it does not exist.

    Raises:
        SourceMissingError: if a folder holds no such file.
    """
    files: list[Path] = []
    for path in paths:
        # Not `Path.is_dir`, which raises for a name that is too long.
        files += _inside(path) if os.path.isdir(path) else [path]  # noqa: PTH112
    return files


def _inside(folder: Path) -> list[Path]:
    files = [
        file
        for file in sorted(folder.rglob("*"))
        if file.suffix.lower() in EXTENSIONS and os.path.isfile(file)  # noqa: PTH113 (as above)
    ]
    if not files:
        raise SourceMissingError(
            f"The folder {folder.name!r} holds no file of a kind that is read, such as TXT, PDF, EPUB or DOCX.",
            name=folder.name,
        )
    return files
