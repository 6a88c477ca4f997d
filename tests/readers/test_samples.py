"""The samples: one text in four kinds of file, all read alike."""

import importlib.util
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import cleanbreak as cb

PROJECT = Path(__file__).parents[2]
SAMPLES = PROJECT / "samples"
NAME = "the-keeper-of-sand-point"


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_samples", PROJECT / "tools/make_samples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_samples_are_what_their_source_makes(maker: ModuleType, tmp_path: Path) -> None:
    """After an edit of the Markdown the other formats must be made again."""
    maker.main(tmp_path)
    for kind in ("txt", "pdf"):
        assert (tmp_path / f"{NAME}.{kind}").read_bytes() == sample(kind).read_bytes()
    # Not the archive's bytes: another zlib may pack them otherwise.
    assert entries(tmp_path / f"{NAME}.epub") == entries(sample("epub"))


@pytest.mark.parametrize("kind", ["epub", "pdf"])
def test_chapters_of_the_sample(kind: str) -> None:
    """The table of contents becomes sections that the words lie in."""
    document = cb.read(sample(kind))
    chapter = next(s for s in document.sections if s.title == "IV. Nine Seconds")
    text = document.text[chapter.span.start : chapter.span.end]
    assert text.startswith("IV. Nine Seconds\n\nIt was nine.")
    assert text.rstrip().endswith("I could have answered that with a lantern.”")
    assert document.metadata.title == "The Keeper of Sand Point"


def test_words_are_the_same_in_every_kind() -> None:
    """What a book says does not depend on how it came."""
    words = {kind: cb.read(sample(kind)).text.lower().split() for kind in ("epub", "pdf", "txt")}
    assert words["epub"] == words["pdf"] == words["txt"]


def sample(kind: str) -> Path:
    return SAMPLES / f"{NAME}.{kind}"


def entries(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
