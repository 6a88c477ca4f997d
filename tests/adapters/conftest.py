"""Fixtures of the tests of adapters."""

from pathlib import Path

import pytest

import cleanbreak as cb

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="session")
def sample() -> Path:
    """A book with pages and chapters."""
    return SAMPLES / "the-keeper-of-sand-point.pdf"


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory, sample: Path) -> Path:
    """A world that holds the sample."""
    root = tmp_path_factory.mktemp("adapters") / "lib"
    cb.World.create(root).ingest([sample])
    return root
