"""The file of a vault's index: found, opened, made, and replaced where it is damaged."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from cleanbreak.errors import (
    CleanbreakError,
    FormatTooNewError,
    IndexMalformedError,
    IndexMissingError,
    VaultLockedError,
    VaultMissingError,
    WorldLockedError,
    WriteFailedError,
)
from cleanbreak.stores.fulltext import Index
from cleanbreak.stores.fulltext.note_states import NoteStates
from cleanbreak.vaults.config import FOLDER, VaultConfig, config_of
from cleanbreak.vaults.scan import scan

PathLike = str | os.PathLike[str]

# Kinds of files named where there are no notes.
_MOST_KINDS = 3

_DATABASE = "index.sqlite"

# Git leaves out all files beside this one, which is itself left out: the index is derived.
_GITIGNORE = "*\n!config.toml\n"


def folder_at(path: PathLike) -> Path:
    """The folder of a vault.

    Raises:
        VaultMissingError: if there is none.
    """
    folder = Path(path)
    if not os.path.isdir(folder):  # noqa: PTH112 (Path raises for a name too long)
        raise VaultMissingError(
            f"There is no folder {folder.name!r}; give the folder with the notes.",
            name=folder.name,
        )
    return folder


def refuse_world(folder: Path) -> None:
    """Refuse the folder of a world: it holds books, and would be cut as notes.

    Raises:
        VaultMissingError: if the folder is one.
    """
    # Also one whose world.json was lost.
    if (folder / "books").is_dir() and (
        (folder / "world.json").is_file() or (folder / "sources").is_dir()
    ):
        raise VaultMissingError(
            f"{folder.name!r} is a world of books and no vault; use cleanbreak status and "
            "cleanbreak search.",
            name=folder.name,
        )


def refuse_other_files(folder: Path, db: PathLike | None, config: VaultConfig) -> None:
    """Refuse a folder without notes that was never indexed and has other files.

    Raises:
        VaultMissingError: naming the commonest kinds of files.
    """
    if _index_path(folder, db).exists():
        return
    found = scan(folder, config.notes, config.left_out)
    if found.notes or found.problems or not found.attachments:
        return
    kinds = Counter(PurePosixPath(path).suffix or "without suffix" for path in found.attachments)
    listed = ", ".join(f"{number:,} {kind}" for kind, number in kinds.most_common(_MOST_KINDS))
    raise VaultMissingError(
        f"No notes in {folder.name!r} (looked for {', '.join(config.include)}), but other files: "
        f"{listed}. For books use cleanbreak ingest; for other notes --include.",
        name=folder.name,
    )


def _index_path(folder: Path, db: PathLike | None) -> Path:
    return folder / FOLDER / _DATABASE if db is None else Path(db)


@contextmanager
def naming_vault(folder: Path) -> Iterator[None]:
    """Say of which vault the index is, where another run writes it.

    Raises:
        VaultLockedError: in place of the error of the index.
    """
    try:
        yield
    except WorldLockedError as error:
        raise VaultLockedError(
            f"Another run is indexing the vault {folder.resolve().name!r}; wait for it to end and "
            "run again.",
            name=folder.resolve().name,
        ) from error


def identity(folder: Path, db: PathLike | None) -> tuple[int, int] | None:
    """Which file lies at the place of the index; ``None`` if there is none."""
    try:
        status = os.stat(_index_path(folder, db))  # noqa: PTH116 (Path raises for a name too long)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def refuse_empty(folder: Path) -> None:
    """Refuse a folder that has lost all it held, as that of a disk that is not mounted.

    Raises:
        VaultMissingError: if it is empty or gone.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        raise VaultMissingError(
            f"The folder {folder.name!r} is empty or gone; is its disk mounted?", name=folder.name
        )


def made(folder: Path, db: PathLike | None, *, force: bool) -> Index:
    """The index of a vault, for writing. With `force` a damaged one in the vault is replaced."""
    path = _index_path(folder, db)
    try:
        path.parent.mkdir(parents=db is not None, exist_ok=True)
        if db is None and not (ignore := path.parent / ".gitignore").exists():
            ignore.write_text(_GITIGNORE, "utf-8", newline="\n")
    except OSError as error:
        raise WriteFailedError(
            f"The folder for {path.name} cannot be created ({error.strerror}); make the vault "
            "writable, or keep its index in another folder with --db.",
            name=path.name,
        ) from None
    try:
        with naming_vault(folder):
            return Index.open(path)
    except (IndexMalformedError, FormatTooNewError) as error:
        if not force or db is not None or "foreign" in error.details:
            raise
    return made_again(folder)


def made_again(folder: Path) -> Index:
    """A new index in the place of the one in the vault."""
    path = _index_path(folder, None)
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return Index.open(path)


def opened(folder: Path, db: PathLike | None) -> tuple[Index, VaultConfig]:
    """The index of a vault, for reading, and the settings it was made with.

    Raises:
        IndexMissingError: if there is none, or the first run over the vault has not ended.
    """
    path = _index_path(folder, db)
    try:
        index = Index.open(path, readonly=True)
    except IndexMissingError:
        refuse_world(folder)
        raise _not_indexed(folder, "") from None
    try:
        settings = NoteStates(index).settings()
    except BaseException:
        index.close()
        raise
    if settings is None:
        index.close()
        raise _not_indexed(folder, ": the first run has not ended")
    return index, config_of(settings)


def last_settings(folder: Path, db: PathLike | None) -> VaultConfig | None:
    """The settings of the last run; ``None`` if there was none, or they cannot be read."""
    try:
        index, config = opened(folder, db)
    except CleanbreakError:
        return None
    index.close()
    return config


def _not_indexed(folder: Path, why: str) -> IndexMissingError:
    return IndexMissingError(
        f"The notes of {folder.name!r} are not indexed yet{why}; index them first, with: "
        "cleanbreak index FOLDER",
        name=folder.name,
    )
