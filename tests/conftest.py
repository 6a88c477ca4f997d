"""Fixtures that all tests share."""

from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of cases and corpora beside the project; tests that need it skip without it."""
    folder = PROJECT.parent / "shared"
    if not (folder / "cases").is_dir():
        pytest.skip("the shared cases and corpus are not here")
    return folder
