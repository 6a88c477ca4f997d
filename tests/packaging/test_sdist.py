"""The source distribution holds all that its own tests need."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
# Tests that read docs, samples, tools and settings of the project.
TESTS = ["tests/docs", "tests/packaging", "tests/contracts", "tests/readers/test_samples.py"]


@pytest.mark.slow
def test_the_unpacked_source_distribution_passes_its_tests(tmp_path: Path) -> None:
    """Built from this folder, unpacked elsewhere, and tested there."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)],
        cwd=PROJECT,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "not slow", *TESTS],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout[-2000:]
