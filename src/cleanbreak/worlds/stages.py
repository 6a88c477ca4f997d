"""Stages: what a run must finish for every book before it is complete.

``chunks`` is built in. Later stages (embedding, extraction, manifestation) are asked for by name in
``world.json`` and handed in when the world is opened. A stage that is asked for and not handed in
keeps the run paused: it is never forgotten.
"""

from typing import Protocol

from cleanbreak.worlds.layout import Book
from cleanbreak.worlds.records import Manifest

CHUNKS = "chunks"


class Stage(Protocol):
    """Work on the complete chunks of a book, such as embedding them."""

    @property
    def name(self) -> str:
        """The name under which a world asks for it; also of its manifest, ``<name>.json``."""

    def is_complete(self, book: Book, manifest: Manifest) -> bool:
        """Whether nothing is left to do; cheap, and judged from the disk alone."""

    def advance(self, book: Book, manifest: Manifest) -> None:
        """Do what is left, or some of it."""
