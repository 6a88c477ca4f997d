"""What the ids of one document's chunks share: the recipe and a digest of the text."""

import hashlib
from typing import Any

from cleanbreak.core.recipe import Recipe
from cleanbreak.core.text.utf8 import utf8
from cleanbreak.errors import SplitError

_HASHED_AT_ONCE = 1 << 20


class Fingerprint:
    """The recipe and the text of one splitting, hashed on first use.

    Hashing a text costs as much as cutting it, so it is done only when an id is asked for; until
    then the text is kept. A pickled fingerprint carries the digest, never the text.
    """

    __slots__ = ("_digest", "_text", "_text_sha256", "recipe")

    def __init__(self, recipe: Recipe, text: str) -> None:
        self.recipe = recipe
        self._text: str | None = text
        self._text_sha256 = ""
        self._digest = ""

    @property
    def text_sha256(self) -> str:
        """SHA-256 of the text's UTF-8 form, as hexadecimal digits."""
        if self._text is not None:
            self._text_sha256, self._text = text_digest(self._text), None
        return self._text_sha256

    @property
    def digest(self) -> str:
        """SHA-256 over the recipe's digest and the text's, as hexadecimal digits."""
        if not self._digest:
            both = f"{self.recipe.digest}\n{self.text_sha256}"
            self._digest = hashlib.sha256(both.encode()).hexdigest()
        return self._digest

    def chunk_id(self, start: int, end: int) -> str:
        """128 bits as hexadecimal digits: the same text, recipe and span give the same id."""
        return hashlib.sha256(f"{self.digest}\n{start}\n{end}".encode()).hexdigest()[:32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fingerprint) and (
            self is other or (self.recipe, self.digest) == (other.recipe, other.digest)
        )

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_fingerprint, (self.recipe, self.text_sha256))


class StreamFingerprint(Fingerprint):
    """The same for a text that arrives in pieces: its digest is known when all have come."""

    __slots__ = ("_hash", "_length")

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe, "")
        self._text = None
        self._hash = hashlib.sha256()
        self._length = 0

    def add(self, piece: str) -> None:
        """Hash the next piece.

        Raises:
            TextInvalidError: if the piece holds a lone surrogate.
        """
        self._hash.update(utf8(piece, self._length))
        self._length += len(piece)

    def finish(self) -> None:
        """Say that the last piece was added."""
        self._text_sha256 = self._hash.hexdigest()

    @property
    def text_sha256(self) -> str:
        """SHA-256 of the whole text.

        Raises:
            SplitError: while pieces may follow.
        """
        if not self._text_sha256:
            raise SplitError(
                "The id of a chunk depends on the whole text, of which pieces are still to come; "
                "ask for it when the stream has ended."
            )
        return self._text_sha256


def _fingerprint(recipe: Recipe, text_sha256: str) -> Fingerprint:
    fingerprint = Fingerprint(recipe, "")
    fingerprint._text, fingerprint._text_sha256 = None, text_sha256  # noqa: SLF001 (its own)
    return fingerprint


def text_digest(text: str) -> str:
    """SHA-256 of the text's UTF-8 form, as hexadecimal digits, without holding that form whole."""
    digest = hashlib.sha256()
    for at in range(0, len(text), _HASHED_AT_ONCE):
        digest.update(text[at : at + _HASHED_AT_ONCE].encode())
    return digest.hexdigest()
