"""What is said where a world was expected and something else lies there."""

from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import SETTINGS, write_books
from cleanbreak import errors


@pytest.fixture
def lib(tmp_path: Path) -> Path:
    """A world in a folder of its own."""
    cb.World.create(tmp_path / "home" / "lib", settings=SETTINGS)
    return tmp_path / "home" / "lib"


def message_of(path: Path) -> str:
    with pytest.raises(errors.WorldMissingError) as caught:
        cb.World.open(path)
    assert str(path.absolute().parent) not in caught.value.message
    return caught.value.message


def test_the_folder_above_a_world_names_it(lib: Path) -> None:
    assert "found below it: lib" in message_of(lib.parent)


def test_a_misspelt_world_names_the_one_beside_it(lib: Path) -> None:
    assert "lies beside it: lib" in message_of(lib.with_name("libb"))


def test_a_vault_is_called_one(tmp_path: Path, books: list[Path]) -> None:
    """Also when it is to become a world."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "n.md").write_text("# Hi")
    cb.Vault.index(tmp_path / "notes").close()
    assert "is a vault of notes" in message_of(tmp_path / "notes")
    with pytest.raises(errors.WorldExistsError, match="vault of notes"):
        cb.World.draft(tmp_path / "notes").ingest(books)


def test_a_book_in_the_place_of_the_world_is_called_a_file(books: list[Path]) -> None:
    """The two arguments were swapped."""
    assert "is a file" in message_of(books[0])
    with pytest.raises(errors.WorldExistsError, match="name the folder of the world first"):
        cb.World.draft(books[0])


def test_a_folder_called_books_makes_no_world_of_the_folder_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was called a world that lost its world.json; and the folder had no name."""
    shelf = tmp_path / "shelf"
    write_books(shelf / "books")
    monkeypatch.chdir(shelf)
    with pytest.raises(errors.WorldExistsError, match="'shelf' is in use"):
        cb.World.draft(".")
    assert "'shelf'" in message_of(Path())
    assert not cb.World.exists(".")


def test_a_world_without_its_record_is_a_damaged_world(world: cb.World, root: Path) -> None:
    """A search said to index first, which made a vault inside the world."""
    assert world.settings_locked
    (root / "world.json").unlink()
    assert cb.World.exists(root)
    with pytest.raises(errors.WorldMalformedError):
        cb.World.open(root)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({**SETTINGS, "chunk_size": 50}, "chunk_size is 40, and 50 was asked for"),
        ({"by": "markdown"}, "by is boundary, and markdown was asked for"),
    ],
)
def test_locked_settings_that_differ_are_named(
    settings: dict[str, object], said: str, world: cb.World, books: list[Path]
) -> None:
    with pytest.raises(errors.StateConflictError, match=said):
        world.ingest(books, settings=settings)


def test_the_command_that_replaces_a_source_is_spelt_out(
    world: cb.World, books: list[Path]
) -> None:
    books[0].write_text("A new edition.")
    with pytest.raises(errors.StateConflictError, match=r"cleanbreak reingest WORLD sea\.txt"):
        world.ingest(books[0])
