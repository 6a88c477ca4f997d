"""The derived index of a world: caught up from the files, and never believed without them."""

from collections.abc import Callable, Iterator
from contextlib import suppress

from cleanbreak.errors import IndexMalformedError
from cleanbreak.stores.fulltext import Index, SourceRow, SourceState
from cleanbreak.worlds import chunks
from cleanbreak.worlds import manifest as manifests
from cleanbreak.worlds.layout import Layout, slot_name
from cleanbreak.worlds.records import Malformed, Manifest, WorldRecord


def catch_up(layout: Layout, record: WorldRecord) -> int:
    """Bring the index to what the manifests say; how many books had to be indexed anew.

    A damaged index is made anew: it holds nothing that the files do not.
    """
    try:
        return _catch_up(layout, record)
    except IndexMalformedError:
        remove(layout)
        return _catch_up(layout, record)


def remove(layout: Layout) -> None:
    """Delete the index; only time is lost."""
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            layout.index.with_name(layout.index.name + suffix).unlink()


def is_current(layout: Layout, record: WorldRecord, index: Index) -> bool:
    """Whether the index holds every chunk that counts, and no other."""
    states = index.sources()
    wanted = {slot_name(m.book_number): m for m in _manifests(layout, record)}
    return states.keys() == wanted.keys() and all(
        _in_step(states[key], manifest) for key, manifest in wanted.items()
    )


def prover(layout: Layout, record: WorldRecord, index: Index) -> Callable[[str, int], bool]:
    """What the files of record say of a chunk that the index found."""
    states = index.sources()
    current = {
        slot_name(m.book_number): (layout.book(m.book_number), m)
        for m in _manifests(layout, record)
        if (state := states.get(slot_name(m.book_number))) and _in_step(state, m)
    }

    def prove(source_key: str, number: int) -> bool:
        if source_key not in current:
            return False
        book, manifest = current[source_key]
        if number > manifest.completed_chunks:
            return False
        try:
            chunk = chunks.load(book, number)
        except Malformed:
            return False
        return chunk.text_sha256 == manifest.text_sha256

    return prove


def _catch_up(layout: Layout, record: WorldRecord) -> int:
    wanted = {slot_name(m.book_number): m for m in _manifests(layout, record)}
    if not wanted and not layout.index.exists():
        return 0
    indexed = 0
    with Index.open(layout.index) as index:
        states = index.sources()
        for key in sorted(states.keys() - wanted.keys()):
            index.remove_source(key)
        for key, manifest in wanted.items():
            if key not in states or not _in_step(states[key], manifest):
                book = layout.book(manifest.book_number)
                index.replace_source(_source_row(key, manifest), chunks.stream(book, manifest))
                indexed += 1
    return indexed


def _in_step(state: SourceState, manifest: Manifest) -> bool:
    """Whether what is indexed of a book is what its manifest counts."""
    return (state.digest, state.chunks) == (manifest.chunks_sha256, manifest.completed_chunks)


def _manifests(layout: Layout, record: WorldRecord) -> Iterator[Manifest]:
    for number in layout.book_numbers():
        if number not in record.hidden_books:
            manifest = manifests.load_or_none(layout.book(number))
            if manifest and manifest.completed_chunks:
                yield manifest


def _source_row(key: str, manifest: Manifest) -> SourceRow:
    return SourceRow(
        key,
        "book",
        manifest.source.filename,
        title=manifest.title or "",
        digest=manifest.chunks_sha256,
        size=manifest.source.size,
    )
