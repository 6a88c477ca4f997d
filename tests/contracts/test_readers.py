"""What every reader owes, whatever the kind of file."""

import hashlib
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cleanbreak as cb

SAMPLES = Path(__file__).parents[2] / "samples"
KINDS = ["txt", "md", "epub", "pdf"]


@pytest.fixture(params=KINDS)
def file(request: pytest.FixtureRequest) -> Path:
    return next(SAMPLES.glob(f"*.{request.param}"))


def test_source_is_identified(file: Path) -> None:
    """Name without folder, digest and size of the bytes."""
    source = cb.read(file).source
    assert source is not None
    data = file.read_bytes()
    assert (file.name, hashlib.sha256(data).hexdigest(), len(data)) == (
        source.name,
        source.sha256,
        source.size,
    )


def test_same_file_gives_the_same_document_anywhere(file: Path) -> None:
    """Another process, with another hash seed, reads the same text and sections."""
    code = (
        "import sys, hashlib, cleanbreak as cb; d = cb.read(sys.argv[1]);"
        "print(hashlib.sha256(repr((d.text, d.sections, d.metadata)).encode()).hexdigest())"
    )
    here = cb.read(file)
    digest = hashlib.sha256(repr((here.text, here.sections, here.metadata)).encode()).hexdigest()
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)],
        capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7", "PATH": ""},
    )  # fmt: skip
    assert digest == done.stdout.strip()


def test_document_travels_between_processes(file: Path) -> None:
    """Workers send documents home."""
    document = cb.read(file)
    assert document == pickle.loads(pickle.dumps(document))


def test_chunks_of_a_read_document_are_exact(file: Path) -> None:
    """The laws hold from the file on."""
    document = cb.read(file)
    chunks = cb.split(document)
    assert document.text == "".join(chunk.text for chunk in chunks)
    assert all(document.text[chunk.start : chunk.end] == chunk.text for chunk in chunks)


def test_sections_lie_in_the_text_and_start_with_their_words(file: Path) -> None:
    """A title is the first thing in its section."""
    document = cb.read(file)
    named = [section for section in document.sections if section.kind != "page"]
    assert named
    for section in document.sections:
        assert 0 <= section.span.start < section.span.end <= len(document.text)
        if section.kind != "page":
            start = document.text[section.span.start : section.span.end].lstrip("# ")
            assert start.lower().startswith(section.title.lower())


def test_file_is_not_written_to(file: Path, tmp_path: Path) -> None:
    """Reading leaves the bytes and the folder as they were."""
    copy = Path(shutil.copy(file, tmp_path))
    cb.read(copy)
    assert file.read_bytes() == copy.read_bytes()
    assert [copy] == list(tmp_path.iterdir())


def test_empty_file_is_empty_in_every_kind(file: Path, tmp_path: Path) -> None:
    """The same mistake has the same code."""
    blank = tmp_path / file.name
    blank.touch()
    with pytest.raises(cb.CleanbreakError) as caught:
        cb.read(blank)
    assert ("SOURCE_EMPTY", {"name": file.name}) == (caught.value.code, caught.value.details)


def test_errors_name_the_file_and_never_its_folder(file: Path, tmp_path: Path) -> None:
    """A file cut short, in a folder whose name is private."""
    folder = tmp_path / "private"
    folder.mkdir()
    told = []
    for cut in (10, 100, 1000):
        broken = folder / file.name
        broken.write_bytes(file.read_bytes()[:cut])
        try:
            cb.read(broken)
        except cb.CleanbreakError as error:  # some kinds can be read in part
            told.append(error)
    assert all(file.name == error.details["name"] for error in told)
    assert "private" not in "".join(f"{error} {error.details}" for error in told)
