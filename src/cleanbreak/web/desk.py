"""The desk: what one server holds for its page."""

from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import anyio

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document
from cleanbreak.core.splitters.base import FrozenSplitter
from cleanbreak.readers import read
from cleanbreak.web.jobs import Jobs
from cleanbreak.web.kept import Kept
from cleanbreak.web.places import Place, Places
from cleanbreak.web.uploads import Uploads

_MIB = 1 << 20
_THREADS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class WebLimits:
    """What one request may cost."""

    body_bytes: int = 256 * _MIB
    """Size of the body: a text, or a file that is uploaded."""
    seconds: float = 120.0
    """How long one answer may take, waiting included."""
    held_characters: int = 64 * _MIB
    """Texts that are held together, for all documents and for all splits."""


@dataclass(frozen=True, slots=True)
class HeldSplit:
    """Chunks of a document, and the splitter that cut them."""

    document_id: str
    document: Document
    splitter: FrozenSplitter
    chunks: tuple[Chunk, ...]


class Desk:
    """Documents and splits in memory, and the limits of work.

    `files` are read when the page first asks for its documents.
    """

    def __init__(
        self,
        *,
        places: tuple[Place, ...] = (),
        files: tuple[Path, ...] = (),
        limits: WebLimits | None = None,
    ) -> None:
        self.places = Places(places)
        self.uploads = Uploads()
        self.jobs = Jobs()
        self.limits = limits or WebLimits()
        self._unread = list(files)
        room = self.limits.held_characters
        self.documents: Kept[Document] = Kept("text", most=16, room=room)
        self.splits: Kept[HeldSplit] = Kept("split", most=8, room=2 * room)
        self.threads = anyio.CapacityLimiter(_THREADS)
        self.one_at_a_time = anyio.CapacityLimiter(1)
        self._reading = Lock()

    def close(self) -> None:
        """Stop all jobs and delete all uploads."""
        self.jobs.close()
        self.uploads.close()

    def read_files(self) -> None:
        """Read the files that the server was started with, once; later they are only asked for.

        Raises:
            SourceError: if one cannot be read.
        """
        with self._reading:
            while self._unread:
                found = read(self._unread[0])
                self.documents.add(found, len(found.text))
                del self._unread[0]
