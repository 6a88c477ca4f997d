"""Notes that are like a note by what they link to, what links to them, and their tags."""

from collections import defaultdict
from math import log
from typing import NamedTuple

from cleanbreak.stores.fulltext.note_graph import NoteGraph


class RelatedNote(NamedTuple):
    """A note that has neighbours or tags in common with another.

    ``shared`` are the notes and files that both link to or are linked from, ``tags`` the tags of
    both, folded; ``linked`` is whether one links to the other. ``score`` is higher for more in
    common.
    """

    path: str
    score: float
    linked: bool
    shared: tuple[str, ...]
    tags: tuple[str, ...]


def related_notes(graph: NoteGraph, path: str, notes: set[str]) -> list[RelatedNote]:
    """The notes that have something in common with the note at `path`, the most related first.

    What is in common counts 1 / log(1 + n) if n notes have it (Adamic and Adar, Friends and
    neighbors on the Web, 2003): a rare tag says more than a common one. A direct link counts as
    what two notes share.
    """
    score: dict[str, float] = defaultdict(float)
    shared: dict[str, list[str]] = defaultdict(list)
    tags: dict[str, list[str]] = defaultdict(list)
    linked = graph.neighbours([path])[path]
    for found, kept in (
        (graph.neighbours(sorted(linked)), shared),
        ({tag: set(graph.tagged(tag)) for tag in graph.tags_of(path)}, tags),
    ):
        for common, having in found.items():
            for note in having - {path}:
                score[note] += 1 / log(1 + max(2, len(having)))
                kept[note].append(common)
    for note in linked:
        score[note] += 1 / log(3)
    related = [
        RelatedNote(
            note, round(score[note], 3), note in linked, tuple(shared[note]), tuple(tags[note])
        )
        for note in score
        if note in notes and note != path
    ]
    return sorted(related, key=lambda one: (-one.score, one.path))
