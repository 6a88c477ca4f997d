"""What a world holds, to decide for each source of a batch whether it is new."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from cleanbreak.core.recipe import Recipe
from cleanbreak.worlds import sources
from cleanbreak.worlds.identity import best_match
from cleanbreak.worlds.layout import Book, Layout
from cleanbreak.worlds.reading import Reading, how_read
from cleanbreak.worlds.records import Manifest, WorldRecord, manifest_or_none
from cleanbreak.worlds.sources import name_key

if TYPE_CHECKING:
    from cleanbreak.readers.listing import Listed


class Stored:
    """The books of a world, by path and by content.

    With `begun`, the record of a re-ingest in staging, they are as they will be after it: cut with
    its settings, and with the sources that it replaces.
    """

    def __init__(
        self,
        layout: Layout,
        record: WorldRecord | None,
        begun: WorldRecord | None = None,
        load: Callable[[Book], Manifest | None] = manifest_or_none,
    ) -> None:
        self._layout = layout
        self._load = load
        self._record = record
        self._rebuilt = set(begun.run.books) if begun and begun.run else set()
        self._by_name: dict[str, list[int]] = defaultdict(list)
        self._by_content: dict[str, int] = {}
        self._without_manifest: dict[int, list[Path]] = {}
        self.sizes: set[int] = set()
        self._manifests: dict[int, Manifest | None] = {}
        for number in layout.book_numbers():
            self._add(number)
        known = record.books if record else {}
        self.next_number = max({*self._manifests, *known}, default=0) + 1

    def _add(self, number: int) -> None:
        manifest = self._load(self._layout.book(number))
        self._manifests[number] = manifest
        # An ambiguous slot has several names; it is refused when one of them is asked for.
        names = [manifest.source.filename] if manifest else sources.names(self._layout, number)
        for name in names:
            self._by_name[name_key(name)].append(number)
        if manifest and not self._replacement(number):
            self._by_content.setdefault(manifest.source.sha256, number)
            self.sizes.add(manifest.source.size)
        elif not manifest:
            # Removed, or begun and not cut: only the copies say what they hold.
            copies = self._layout.copies("sources", number)
            self._without_manifest[number] = copies
            self.sizes |= {path.stat().st_size for path in copies}

    def find(self, file: "Listed") -> int | None:
        """The book that is stored under the path of a file, not looking at what it holds."""
        name = PurePosixPath(file.relative).name
        numbers = self._by_name.get(name_key(name), ())
        return best_match(file.path, file.relative, ((self._path(n, name), n) for n in numbers))

    def holding(self, sha256: str) -> int | None:
        """The first book with that content."""
        for number, copies in self._without_manifest.items():
            if sha256 in map(sources.digest_of, copies):
                return number
        return self._by_content.get(sha256)

    def path(self, number: int) -> str:
        """The path that a book is stored under."""
        manifest = self._manifests[number]
        copies = self._without_manifest.get(number, ())
        names = [manifest.source.filename] if manifest else [path.name for path in copies]
        return self._path(number, names[0] if names else "")

    def _path(self, number: int, name: str) -> str:
        return self._record.path_of(number, name) if self._record else name

    def digests(self, number: int) -> set[str]:
        """The digests that a file of the same path may have: one, unless the copies differ."""
        replacement = self._replacement(number)
        if replacement:
            return {sources.identify(replacement).sha256}
        manifest = self._manifests[number]
        if manifest:
            return {manifest.source.sha256}
        slot = sources.look(self._layout, number)
        return {sources.identify(path).sha256 for path in slot if path}

    def has_other_settings(self, number: int, recipe: Recipe) -> bool:
        """Whether a book was cut otherwise, and will stay so."""
        manifest = self._manifests[number]
        if manifest is None or number in self._rebuilt:
            return False
        return Recipe.from_dict(manifest.settings) != recipe

    def is_read_otherwise(self, number: int, asked: Reading) -> bool:
        """Whether `asked` names a way of reading that is not the book's."""
        if self._record is None:
            return False
        stored = how_read(self._record, number)
        return stored.changed(asked) != stored

    def is_removed(self, number: int) -> bool:
        """Whether the book was removed and its source is kept."""
        return self._record is not None and number in self._record.removed_books

    def is_complete(self, number: int) -> bool:
        """Whether all chunks of a book count."""
        manifest = self._manifests[number]
        hidden = self._record.hidden_books if self._record else set()
        return manifest is not None and manifest.complete and number not in hidden

    def _replacement(self, number: int) -> Path | None:
        """The file that a re-ingest in staging puts in the place of a book's source."""
        if number not in self._rebuilt:
            return None
        return next(iter(self._layout.staging.copies("sources", number)), None)
