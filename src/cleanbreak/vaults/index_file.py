"""The file of a vault's index: found, opened, made, and replaced where it is damaged."""

import os
from pathlib import Path

from cleanbreak.errors import (
    FormatTooNewError,
    IndexMalformedError,
    IndexMissingError,
    VaultMissingError,
    WriteFailedError,
)
from cleanbreak.stores.fulltext import Index
from cleanbreak.stores.fulltext.note_states import NoteStates
from cleanbreak.vaults.config import FOLDER, VaultConfig, config_of

PathLike = str | os.PathLike[str]

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


def _index_path(folder: Path, db: PathLike | None) -> Path:
    return folder / FOLDER / _DATABASE if db is None else Path(db)


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


def _not_indexed(folder: Path, why: str) -> IndexMissingError:
    return IndexMissingError(
        f"The notes of {folder.name!r} are not indexed yet{why}; index them first, with: "
        "cleanbreak index FOLDER",
        name=folder.name,
    )
