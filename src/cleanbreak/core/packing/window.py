"""A text that arrives in pieces, of which only the part that is still needed is held."""

from collections.abc import Iterable, Iterator

from cleanbreak.core.fingerprint import StreamFingerprint
from cleanbreak.errors import SettingsError


class Window:
    """The held part of a text. Offsets count from the start of the whole text.

    ``text`` is what is held, ``start`` where it starts, and ``is_whole`` whether nothing follows.
    """

    __slots__ = ("_fingerprint", "_pieces", "is_whole", "start", "text")

    def __init__(self, pieces: Iterable[str], fingerprint: StreamFingerprint) -> None:
        self._pieces = checked_pieces(pieces)
        self._fingerprint = fingerprint
        self.text = ""
        self.start = 0
        self.is_whole = False

    def read(self, length: int) -> None:
        """Read on until at least `length` more characters are held, or the text ends."""
        held, missing = [self.text], length
        while missing > 0:
            piece = next(self._pieces, None)
            if piece is None:
                self.is_whole = True
                self._fingerprint.finish()
                break
            self._fingerprint.add(piece)
            held.append(piece)
            missing -= len(piece)
        self.text = "".join(held)

    def drop_before(self, offset: int) -> None:
        """Hold only what follows an offset from now on."""
        if offset > self.start:
            self.text = self.text[offset - self.start :]
            self.start = offset

    def __getitem__(self, span: slice) -> str:
        return self.text[span.start - self.start : span.stop - self.start]


def checked_pieces(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the pieces of a text.

    Raises:
        SettingsError: at the first one that is no string.
    """
    for piece in pieces:
        if not isinstance(piece, str):
            raise SettingsError("source", type(piece), "an iterable of strings, if not a string")
        yield piece
