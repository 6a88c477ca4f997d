"""The stored copies of a book's source: two of them, each proved by its digest."""

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cleanbreak.core.document import Document
from cleanbreak.errors import (
    AmbiguousSlotError,
    SourceMissingError,
    SourceUnreadableError,
    StateConflictError,
)
from cleanbreak.storage.files import (
    ChangedError,
    Check,
    Files,
    Identity,
    no_check,
    sha256_of,
    unreadable,
)
from cleanbreak.worlds.layout import Layout, slot_name
from cleanbreak.worlds.records import SourceRecord, WarningRecord

_COPIES = ("sources", "backups")


# By the folder of the copy that was restored.
_RESTORED = {
    "backups": WarningRecord(
        "BACKUP_RESTORED",
        "The backup copy was lost or altered; it was made again from the working copy.",
    ),
    "sources": WarningRecord(
        "BACKUP_USED",
        "The working copy was lost or altered; the backup was used and the copy restored.",
    ),
}
RECOVERY_CODES = frozenset(warning.code for warning in _RESTORED.values())
"""The codes of warnings about a copy that was restored."""


class Slot(NamedTuple):
    """The copies of one book that are there; their content is not looked at."""

    working: Path | None
    backup: Path | None

    @property
    def filename(self) -> str | None:
        """The name of the source, if a copy is left."""
        copy = self.working or self.backup
        return copy.name if copy else None


class Trusted(NamedTuple):
    """A copy that holds the source's bytes, and warnings about the other copy if it was restored."""

    path: Path
    sha256: str
    warnings: tuple[WarningRecord, ...] = ()


def name_key(name: str) -> str:
    """Names are compared composed, as some file systems hand them back decomposed."""
    return unicodedata.normalize("NFC", name)


def look(layout: Layout, book_number: int, filename: str | None = None) -> Slot:
    """The copies of a book; `filename` is what its manifest calls the source, if it has one.

    Other files in the slot, which desktops and synchronisers leave there, are not looked at. With a
    manifest they are all of another name; without one hidden ones and those of a kind that is not
    read, if there is a better one.

    Raises:
        AmbiguousSlotError: if it is not clear which file is the source.
    """
    working, backups = (_candidates(layout, kind, book_number, filename) for kind in _COPIES)
    keys = {name_key(path.name) for path in (*working, *backups)}
    if len(working) > 1 or len(backups) > 1 or len(keys) > 1:
        listed = ", ".join(sorted({repr(path.name) for path in (*working, *backups)}))
        raise AmbiguousSlotError(
            f"{slot_name(book_number)} is ambiguous: it holds {len(working)} working and "
            f"{len(backups)} backup copies ({listed}); leave one of each, of the same name.",
            book_number=book_number,
            working=[path.name for path in working],
            backups=[path.name for path in backups],
        )
    return Slot(working[0] if working else None, backups[0] if backups else None)


def names(layout: Layout, book_number: int) -> list[str]:
    """The names that a book's source may have, by the files of its slot: one, if all is well."""
    return sorted(
        {path.name for kind in _COPIES for path in _candidates(layout, kind, book_number, None)}
    )


def _candidates(layout: Layout, kind: str, book_number: int, filename: str | None) -> list[Path]:
    """The files of a slot that may be the source's copy."""
    there = layout.copies(kind, book_number)
    if filename is not None:
        return [path for path in there if name_key(path.name) == name_key(filename)]
    likely = [path for path in there if _is_of_a_kind_that_is_read(path)]
    return likely or there


def _is_of_a_kind_that_is_read(path: Path) -> bool:
    from cleanbreak.readers.detect import EXTENSIONS

    return path.suffix.lower() in EXTENSIONS and not path.name.startswith(".")


def identify(path: Path, check_stop: Check = no_check) -> Identity:
    """Size and digest of a file that a person named.

    Raises:
        SourceMissingError: if there is none.
        SourceUnreadableError: if it may not be read.
    """
    try:
        return Identity(path.stat().st_size, sha256_of(path, check_stop))
    except FileNotFoundError:
        from cleanbreak.readers.file import missing

        raise missing(path) from None
    except OSError as error:
        raise SourceUnreadableError(
            f"{path.name!r} cannot be read ({error.strerror}); check its permissions.",
            name=path.name,
        ) from None


def identity_of(path: Path, document: Document) -> Identity:
    """Size and digest of the bytes that `document` was read from."""
    source = document.source
    return Identity(source.size or 0, source.sha256) if source else identify(path)


def store(
    files: Files,
    layout: Layout,
    book_number: int,
    path: Path,
    expected: Identity,
    check_stop: Check = no_check,
) -> None:
    """Put the working and the backup copy of a new source in place.

    Each copy is read back and must have the digest that was planned. So both copies and the file
    that was checked are the same bytes, or nothing is put in place.

    Raises:
        StateConflictError: if the file is no longer the one that was planned.
    """
    for kind in ("sources", "backups"):
        folder = layout.slot(kind, book_number)
        target = folder / path.name
        if digest_of(target) == expected.sha256:
            continue  # an earlier attempt got this far
        files.make_folder(folder)
        try:
            _copy(files, path, target, expected.sha256, check_stop)
        except ChangedError:
            raise StateConflictError(
                f"{path.name!r} changed while it was being copied; run again when it is at rest.",
                name=path.name,
            ) from None


def trusted_copy(
    files: Files,
    layout: Layout,
    book_number: int,
    expected: SourceRecord | None,
    warn: Callable[[WarningRecord], None] = lambda _: None,
) -> Trusted:
    """A good copy; the other one is restored from it where it is lost or altered.

    `expected` is what the manifest says. Without a manifest two equal copies prove each other, and
    a single one is taken as it is: the run stopped before the second was made.

    Raises:
        SourceMissingError: if no good copy is left.
        StateConflictError: if there are two different ones and no manifest to decide between them.
    """
    slot = look(layout, book_number, expected.filename if expected else None)
    digests = {path: digest_of(path) for path in slot if path}
    if expected is None:
        _check_equal(book_number, digests)
    good = [
        (path, digest)
        for path, digest in digests.items()
        if digest and (expected is None or digest == expected.sha256)
    ]
    if not good:
        raise _missing(book_number, slot.filename or (expected.filename if expected else None))
    if len(good) == 2:
        return Trusted(*good[0])
    path, digest = good[0]
    return _restore(files, layout, book_number, path, digest, None if expected is None else warn)


def good_copy(layout: Layout, book_number: int, expected: SourceRecord | None) -> Path:
    """A copy that holds the source's bytes; nothing is restored.

    Raises:
        SourceMissingError: if there is none.
    """
    slot = look(layout, book_number, expected.filename if expected else None)
    for path in slot:
        if path and (expected is None or digest_of(path) == expected.sha256):
            return path
    raise _missing(book_number, slot.filename)


def copies_are_good(layout: Layout, book_number: int, expected: SourceRecord) -> bool:
    """Whether both copies are there with the bytes that the manifest names."""
    slot = look(layout, book_number, expected.filename)
    return all(path and digest_of(path) == expected.sha256 for path in slot)


def copies_are_there(layout: Layout, book_number: int, expected: SourceRecord) -> bool:
    """Whether both copies are there with the size that the manifest names."""
    slot = look(layout, book_number, expected.filename)
    return all(path and path.stat().st_size == expected.size for path in slot)


def _restore(
    files: Files,
    layout: Layout,
    book_number: int,
    good: Path,
    sha256: str,
    warn: Callable[[WarningRecord], None] | None,
) -> Trusted:
    """Make the other copy again. Without `warn` the book is unfinished: a backup was never made."""
    was_working = good.parent == layout.current_slot("sources", book_number)
    kind = "backups" if was_working else "sources"
    folder = layout.current_slot(kind, book_number)
    warnings = () if was_working and warn is None else (_RESTORED[kind],)
    if warn:
        warn(_RESTORED[kind])
    files.clear_for_folder(folder)
    files.make_folder(folder)
    try:
        _copy(files, good, folder / good.name, sha256)
    except ChangedError:
        raise _missing(book_number, good.name) from None  # it was good a moment ago
    return Trusted(good if was_working else folder / good.name, sha256, warnings)


def _copy(
    files: Files, source: Path, target: Path, sha256: str, check_stop: Check = no_check
) -> None:
    files.clear_for_file(target)
    try:
        files.copy(source, target, sha256, check_stop)
    except OSError as error:
        raise SourceUnreadableError(
            f"{source.name!r} cannot be read ({error.strerror}); check its permissions.",
            name=source.name,
        ) from None


def digest_of(path: Path) -> str | None:
    """The digest of a copy; ``None`` if there is no such file.

    Raises:
        WriteFailedError: if the disk fails. A copy that cannot be read now is not lost, and must not
            be replaced.
    """
    try:
        return sha256_of(path)
    except (FileNotFoundError, IsADirectoryError):
        return None
    except OSError as error:
        raise unreadable(error, path) from None


def _check_equal(book_number: int, digests: dict[Path, str | None]) -> None:
    readable = {digest for digest in digests.values() if digest}
    if len(readable) > 1:
        raise StateConflictError(
            f"The two copies in {slot_name(book_number)} differ and there is no manifest to say "
            "which is the source; remove the wrong one.",
            book_number=book_number,
        )


def _missing(book_number: int, name: str | None) -> SourceMissingError:
    shown = repr(name) if name else "its source"
    return SourceMissingError(
        f"Neither stored copy of {shown} (book {book_number}) is left as it was; put the file back "
        "into sources and backups, or remove the book.",
        name=name,
        book_number=book_number,
    )
