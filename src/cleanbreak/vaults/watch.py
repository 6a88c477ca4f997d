"""Wait for changes of the files of a vault."""

from collections.abc import Iterator
from pathlib import Path

from cleanbreak.errors import DependencyMissingError
from cleanbreak.vaults.globs import Globs


def changes(folder: Path, left_out: Globs) -> Iterator[None]:
    """Yield after each group of changes, without end.

    Files that are left out of the vault, such as the index itself, do not count.

    Raises:
        DependencyMissingError: without the extra ``watch``.
    """
    try:
        from watchfiles import watch
    except ImportError:
        raise DependencyMissingError(
            "Watching a vault needs the watchfiles package: pip install 'cleanbreak[watch]'.",
            package="watchfiles",
            extra="watch",
        ) from None

    root = folder.resolve()

    def counts(_: object, path: str) -> bool:
        return not is_left_out(root, path, left_out)

    for _ in watch(root, watch_filter=counts, raise_interrupt=True):
        yield


def is_left_out(root: Path, path: str, left_out: Globs) -> bool:
    """Whether a path or one of its folders is left out of the vault."""
    try:
        parts = Path(path).relative_to(root).parts
    except ValueError:
        return False  # reached through a symbolic link
    folders = ("/".join(parts[:depth]) for depth in range(1, len(parts)))
    return left_out.match("/".join(parts)) or any(
        left_out.match(folder, folder=True) for folder in folders
    )
