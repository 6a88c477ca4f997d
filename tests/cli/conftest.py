"""Fixtures of the tests of commands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from home import own_home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A folder of settings that is empty."""
    with own_home(tmp_path / "home") as folder:
        yield folder
