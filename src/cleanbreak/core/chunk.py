"""A chunk: an exact slice of a document, numbered, with its offsets, context and id."""

import hashlib
from typing import Any, Literal, NamedTuple

import msgspec

from cleanbreak.core.document import Section
from cleanbreak.core.recipe import Recipe

_HASHED_AT_ONCE = 1 << 20


BreakLevel = Literal[
    "chapter",
    "heading",
    "block",
    "paragraph",
    "line",
    "sentence",
    "clause",
    "word",
    "grapheme",
    "end",
]
"""The levels of breaks, cleanest first; ``end`` is the end of the text."""


class Heading(NamedTuple):
    """A heading's level, from 1, and its title without markup."""

    level: int
    title: str

    def __str__(self) -> str:
        return f"{'#' * self.level} {self.title}"


class HeadingPath(tuple[Heading, ...]):
    """The headings above a place, outermost first; as a string ``# Main > ## Sub``."""

    __slots__ = ()

    def __str__(self) -> str:
        return " > ".join(map(str, self))


class Fingerprint:
    """What the ids of one splitting share: the recipe and the text, hashed on first use.

    Hashing a text costs as much as cutting it, so it is done only when an id is asked for; until
    then the text is kept. A pickled fingerprint carries the digest, never the text.
    """

    __slots__ = ("_digest", "_text", "recipe")

    def __init__(self, recipe: Recipe, text: str) -> None:
        self.recipe = recipe
        self._text: str | None = text
        self._digest = ""

    @property
    def digest(self) -> str:
        """SHA-256 over the recipe's digest and the text's, as hexadecimal digits."""
        if self._text is not None:
            both = f"{self.recipe.digest}\n{text_digest(self._text)}"
            self._digest = hashlib.sha256(both.encode()).hexdigest()
            self._text = None
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
        return (_fingerprint, (self.recipe, self.digest))


def _fingerprint(recipe: Recipe, digest: str) -> Fingerprint:
    fingerprint = Fingerprint(recipe, "")
    fingerprint._text, fingerprint._digest = None, digest  # noqa: SLF001 (its own unpickling)
    return fingerprint


def text_digest(text: str) -> str:
    """SHA-256 of the text's UTF-8 form, as hexadecimal digits, without holding that form whole."""
    digest = hashlib.sha256()
    for at in range(0, len(text), _HASHED_AT_ONCE):
        digest.update(text[at : at + _HASHED_AT_ONCE].encode())
    return digest.hexdigest()


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """An exact slice of a document.

    Guaranteed for the document it was cut from, whichever splitter cut it:

    - ``text == document.text[start:end]``, and ``[byte_start:byte_end]`` of the text's UTF-8 form
      says the same. ``start`` and ``end`` count code points; ends are exclusive.
    - ``overlap_text`` is earlier text that ends where the chunk starts, empty on the first chunk;
      it is never part of ``text``.
    - ``number`` counts from 1; ``token_count`` is the splitter's own measure of ``text`` where it
      counts tokens or words, else ``None``.
    - ``heading_path`` is the headings above ``start``, ``None`` before the first heading.
    - ``sections`` are the pages and chapters that the chunk touches, in order.
    - ``oversize`` marks the one case in which a chunk may exceed the limit: a single grapheme that
      alone exceeds it, where the caller chose to have it emitted.
    - ``break_level`` is the level of the break at which the chunk ends.
    - ``source`` is the file name of the document, never a path; ``None`` for text without a file.

    The representation leaves the text out, so that a logged chunk does not spill it. (A `Struct`
    and not a dataclass because building one costs 0.2 µs instead of 1.4, which is half the time
    of cutting; and as chunks cannot form cycles the collector need not visit them. See
    docs/design/002-chunk-is-a-struct.md.)
    """

    number: int
    text: str
    overlap_text: str
    start: int
    end: int
    byte_start: int
    byte_end: int
    token_count: int | None
    heading_path: HeadingPath | None
    sections: tuple[Section, ...]
    oversize: bool
    fingerprint: Fingerprint
    break_level: BreakLevel = "end"
    source: str | None = None

    @property
    def id(self) -> str:
        """32 hexadecimal digits, the same in every process for the same text, recipe and span."""
        return self.fingerprint.chunk_id(self.start, self.end)

    def __repr__(self) -> str:
        return f"Chunk(number={self.number}, start={self.start}, end={self.end})"
