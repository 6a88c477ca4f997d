"""Folders of notes for tests."""

import os
from collections.abc import Mapping
from pathlib import Path

LONG_AGO_NS = 1_000_000_000 * 10**9
"""A time of change that no clock can doubt: 2001."""


def write_notes(folder: Path, notes: Mapping[str, str | bytes], age: int = 0) -> Path:
    """Write files, each `age` nanoseconds after `LONG_AGO_NS`."""
    for name, content in notes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(path, ns=(LONG_AGO_NS + age, LONG_AGO_NS + age))
    return folder
