"""Search in a vault whose notes may have changed since they were indexed."""

from pathlib import Path

from cleanbreak.retrieval import Answer, search
from cleanbreak.stores.fulltext import Index
from cleanbreak.stores.fulltext.expressions import unwanted
from cleanbreak.stores.fulltext.note_graph import NoteGraph
from cleanbreak.stores.fulltext.note_states import NoteStates
from cleanbreak.stores.fulltext.query import parse_query
from cleanbreak.vaults.changes import Changes


class NoteHits(Answer):
    """The hits of a search in a vault, best first, and what the index does not know yet.

    ``answered_by`` and ``suggestion`` say whether they were found as typed; see
    `cleanbreak.retrieval.Answer`.

    Of a note that changed there are only hits whose text still stands at its place; of a note that
    was removed there are none.
    """

    def __init__(self, found: Answer, behind: Changes) -> None:
        super().__init__(found, found.answered_by, found.suggestion)
        self.behind = behind
        """The notes that are new, changed or removed since the vault was indexed."""

    @property
    def complete(self) -> bool:
        """Whether the whole vault was searched as it is now."""
        return not self.behind


def search_notes(
    folder: Path, index: Index, query: str, behind: Changes, *, limit: int, context: int
) -> NoteHits:
    """The best chunks for a query, of notes without unwanted words, proved by the files that changed."""
    graph = NoteGraph(index)
    # A word that may not be found may stand nowhere in a note, not only not in the chunk.
    unwanted_in = set[str]().union(
        *(graph.matching(expression) for expression in unwanted(parse_query(query).node))
    )
    gone, changed = unwanted_in | set(behind.removed), set(behind.changed)
    states = NoteStates(index)
    files: dict[str, bytes] = {}

    def prove(key: str, number: int) -> bool:
        if key in gone:
            return False
        if key not in changed:
            return True
        if key not in files:
            files[key] = _read(folder / key)
        return states.holds_bytes(key, number, files[key])

    proof = prove if behind or gone else None
    return NoteHits(search(index, query, limit=limit, context=context, prove=proof), behind)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
