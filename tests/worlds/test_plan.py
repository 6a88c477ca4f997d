"""Plan, then commit: a batch is checked whole before a byte is written."""

import os
from pathlib import Path

import pytest

import cleanbreak as cb
from bookshelf import write_books
from cleanbreak import errors
from cleanbreak.storage.files import Files


def actions(plan: cb.worlds.Plan) -> list[str]:
    return [source.action for source in plan.sources]


def test_a_plan_says_what_would_become_of_each(
    world: cb.World, root: Path, books: list[Path], tmp_path: Path
) -> None:
    """New, resume, complete, conflict and refused, each with why; and writes nothing."""
    (root / "books/book-0002/manifest.json").unlink()
    books[2].write_text("other bytes")
    new, blank = write_books(tmp_path / "more", new="New.", blank=" \n\t ")
    before = sorted(root.rglob("*"))
    plan = world.plan([*books, new, blank, tmp_path / "missing.txt"])
    assert actions(plan) == ["complete", "resume", "conflict", "new", "refused", "refused"]
    codes = [source.error.code for source in plan.sources if source.error]
    assert codes == ["STATE_CONFLICT", "SOURCE_EMPTY", "SOURCE_MISSING"]
    assert [source.book_number for source in plan.sources] == [1, 2, 3, 4, None, None]
    assert before == sorted(root.rglob("*"))
    assert str(tmp_path) not in str(plan.as_dict())


def test_a_name_too_long_for_the_disk_is_no_raw_error(world: cb.World, books: list[Path]) -> None:
    """Nor is a folder that may not be searched, for which the system's calls fail alike."""
    long = books[0].with_name("a" * 300 + ".txt")
    with pytest.raises(errors.SourceError):
        world.ingest(long)
    assert not cb.World.exists(long)
    with pytest.raises(errors.StoreError):
        cb.World.create(long)
    with pytest.raises(errors.VaultMissingError):
        cb.Vault.open(long)


def test_an_unknown_encoding_is_refused_also_where_nothing_is_new(
    world: cb.World, books: list[Path]
) -> None:
    """A wrong setting is named before anything else is looked at."""
    with pytest.raises(errors.SettingsError):
        world.ingest(books, encoding="no-such-encoding")


@pytest.mark.parametrize("bad", ["missing.txt", "picture.png", "folder"])
def test_a_slip_in_the_request_stops_the_whole_batch(
    bad: str, root: Path, books: list[Path], tmp_path: Path
) -> None:
    """Missing, of an unknown kind, an empty folder: not even the good ones are written."""
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "folder").mkdir()
    with pytest.raises(errors.SourceError):
        cb.World.draft(root).ingest([books[0], tmp_path / bad])
    assert not root.exists()


def test_a_source_without_text_is_reported_and_the_others_go_on(
    root: Path, books: list[Path], tmp_path: Path
) -> None:
    """A blank book among good ones is a failure of its own (cases I13)."""
    (blank,) = write_books(tmp_path / "more", blank=" \n")
    report = cb.World.draft(root).ingest([books[0], blank, books[1]])
    assert [(f.name, f.error.code) for f in report.failures] == [("blank.txt", "SOURCE_EMPTY")]
    assert [book.book_number for book in report.books] == [1, 2]


def test_only_sources_without_text_write_nothing(root: Path, tmp_path: Path) -> None:
    """If none is usable the first one's error is the answer."""
    blank, empty = write_books(tmp_path / "more", blank=" \n", empty="")
    with pytest.raises(errors.SourceEmptyError):
        cb.World.draft(root).ingest([blank, empty])
    assert not root.exists()


def test_a_folder_stands_for_the_books_in_it(root: Path, books: list[Path]) -> None:
    """Readable kinds only, in order of name."""
    (books[0].parent / "cover.jpg").write_bytes(b"\xff\xd8")
    plan = cb.World.draft(root).plan(books[0].parent)
    assert [source.name for source in plan.sources] == ["hill.txt", "sea.txt", "town.txt"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_an_unreadable_source_stops_the_batch(root: Path, books: list[Path]) -> None:
    """Access is checked with the rest."""
    books[1].chmod(0)
    with pytest.raises(errors.SourceUnreadableError):
        cb.World.draft(root).ingest(books)
    assert not root.exists()


# --- drafts and names ----------------------------------------------------------------------------


def test_a_draft_is_edited_until_its_first_commit(root: Path, books: list[Path]) -> None:
    """Validated at once, changed freely, then locked."""
    world = cb.World.draft(root)
    with pytest.raises(errors.SettingsError):
        world.change_settings({"chunk_size": 0})
    world.change_settings({"chunk_size": 50})
    assert not world.settings_locked
    assert not root.exists()
    world.ingest(books[0])
    assert world.settings_locked
    assert cb.World.open(root).settings.settings["chunk_size"] == 50
    with pytest.raises(errors.StateConflictError, match="locked"):
        world.change_settings({"chunk_size": 60})


def test_an_empty_world_is_still_a_draft(root: Path, books: list[Path]) -> None:
    """Made and reopened, without a book in it, its settings can still be chosen."""
    cb.World.create(root, settings={"chunk_size": 50})
    world = cb.World.open(root)
    world.change_settings({"chunk_size": 60})
    world.ingest(books[0], settings={"chunk_size": 70})
    assert cb.World.open(root).settings.settings["chunk_size"] == 70


def test_any_named_splitter_can_be_locked(root: Path, books: list[Path]) -> None:
    """A recipe is one value, whichever splitter it describes."""
    splitter = cb.BoundarySplitter(55, 11, 5)
    for given in (splitter, splitter.recipe, {"by": "boundary", **splitter.recipe.settings}):
        assert splitter.recipe == cb.World.draft(root, settings=given).settings


def test_a_splitter_that_cannot_be_named_is_refused(root: Path) -> None:
    """Another process could not build it again."""
    recipe = cb.Recipe("boundary", 1, {"chunk_size": 10}, measure=None)
    own = cb.BoundarySplitter(find_split_point=cb.find_split_point)
    for settings, part in (
        (recipe, "measure"),
        (cb.TokenSplitter(9, len), "measure"),
        (own, "find_split_point"),
    ):
        with pytest.raises(errors.SettingsError, match="stored with the settings") as caught:
            cb.World.draft(root, settings=settings)
        assert caught.value.details["field"] == part


def test_a_place_in_use_is_refused(root: Path, world: cb.World, tmp_path: Path) -> None:
    """By a world, by something else, or by a world of the same name beside it."""
    with pytest.raises(errors.WorldExistsError):
        cb.World.create(root)
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine")
    with pytest.raises(errors.WorldExistsError, match="in use"):
        cb.World.create(other)
    with pytest.raises(errors.WorldExistsError, match="called"):
        cb.World.create(tmp_path / "third", name=world.name)
    assert not (tmp_path / "third").exists()


def test_no_world_is_no_world(tmp_path: Path) -> None:
    """A missing or empty folder is said to hold none."""
    for path in (tmp_path, tmp_path / "none"):
        assert not cb.World.exists(path)
        with pytest.raises(errors.WorldMissingError):
            cb.World.open(path)


def test_a_tokenizer_without_a_public_name_is_given_again(root: Path, books: list[Path]) -> None:
    """Its digest is locked: the same one may be handed in, another one is refused."""
    tokenizers = pytest.importorskip("tokenizers")

    def tokenizer(*words: str) -> object:
        vocabulary = {word: number for number, word in enumerate(("[UNK]", *words))}
        made = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, "[UNK]"))
        made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
        return made

    splitter = cb.TokenSplitter(8, tokenizer("sea"))
    cb.World.create(root, settings=splitter).ingest(books[0])
    with pytest.raises(errors.SettingsError):
        cb.World.open(root).ingest(books[1])
    with pytest.raises(errors.SettingsError):
        cb.World.open(root, measure=tokenizer("hill")).ingest(books[1])
    cb.World.open(root, measure=tokenizer("sea")).ingest(books[1])
    world = cb.World.open(root)
    assert world.verify().ok
    assert world.search("storm")


@pytest.mark.parametrize(
    "settings",
    [
        {"by": "tokens", "max_tokens": 12, "measure": "words"},
        {"by": "markdown", "chunk_size": 60, "overlap_size": 10},
        {"by": "sentences", "max_sentences": 2},
    ],
)
def test_every_splitter_can_be_locked_and_resumed(
    settings: dict[str, object], root: Path, books: list[Path]
) -> None:
    """Another process builds the same splitter from the record alone."""
    world = cb.World.create(root, settings=settings, files=Files(group_size=2))
    with pytest.raises(errors.RunInterruptedError):
        world.ingest(books, stop=lambda: True)
    again = cb.World.open(root)
    assert again.resume().state == "completed"
    assert again.verify().ok
    assert world.settings == again.settings


def test_a_world_inside_the_folder_of_its_books_is_no_book(tmp_path: Path) -> None:
    """The second ingest was refused for ever, as the world's own copies were taken for books."""
    shelf = write_books(tmp_path / "shelf")[0].parent
    world = cb.World.draft(shelf / "world")
    world.ingest(shelf)
    write_books(shelf, new="A lantern.")
    report = world.ingest(shelf)
    assert [book.source_filename for book in report.books] == ["new.txt"]


def test_what_lies_in_a_folder_and_is_not_read_is_counted(root: Path, books: list[Path]) -> None:
    """In the plan and in the report."""
    books[0].with_suffix(".mobi").write_bytes(b"x")
    world = cb.World.draft(root)
    assert world.plan(books[0].parent).as_dict()["skipped"] == {".mobi": 1}
    assert world.ingest(books[0].parent).as_dict()["skipped"] == {".mobi": 1}


def test_a_removed_book_comes_back_only_if_it_is_named_itself(
    world: cb.World, books: list[Path]
) -> None:
    """An ingest of the whole folder, every night, undid every removal."""
    world.remove(1)
    assert "removed" in actions(world.plan(books[0].parent))
    assert world.ingest(books[0].parent).books == ()
    assert [book.state for book in world.status().books] == ["removed", "complete", "complete"]
    assert [book.book_number for book in world.ingest(books[0]).books] == [1]
