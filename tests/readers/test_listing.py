"""Folders stand for the files in them that can be read."""

from pathlib import Path

import pytest

from cleanbreak.errors import SourceMissingError
from cleanbreak.readers.listing import expand


def test_folders_are_replaced_by_the_readable_files_in_them(tmp_path: Path) -> None:
    """Below them too, sorted; what is named stays in its place."""
    folder = tmp_path / "books"
    folder.mkdir()
    for name in ("c.TXT", "b.pdf", "a.jpg", "no extension", "inner/d.epub"):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"x")
    (folder / "a folder.md").mkdir()
    named = tmp_path / "named.jpg"
    found = expand([named, folder, tmp_path / "missing.txt"])
    assert found == [
        named,
        folder / "b.pdf",
        folder / "c.TXT",
        folder / "inner" / "d.epub",
        tmp_path / "missing.txt",
    ]


def test_folder_without_a_readable_file_is_refused(tmp_path: Path) -> None:
    """By its name; a batch of nothing would look like success."""
    (tmp_path / "a.jpg").write_bytes(b"x")
    with pytest.raises(SourceMissingError) as caught:
        expand([tmp_path])
    assert caught.value.details == {"name": tmp_path.name}
    assert str(tmp_path.parent) not in str(caught.value)


def test_name_that_is_too_long_is_left_to_the_reader() -> None:
    """Which says what is wrong with it."""
    path = Path("x" * 5000)
    assert expand([path]) == [path]
