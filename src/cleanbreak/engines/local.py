"""Work in this process: one call that cuts a text, and remembers the texts it cut last."""

from typing import Any, Literal, Unpack, overload

from cleanbreak.core.chunk import Chunk
from cleanbreak.core.document import Document
from cleanbreak.core.splitters import build_splitter
from cleanbreak.core.splitters.settings import (
    BoundarySettings,
    CodeSettings,
    MarkdownSettings,
    SentenceSettings,
    TokenSettings,
)
from cleanbreak.engines.cache import ChunkCache
from cleanbreak.engines.paths import warn_of_path

# One for the process, as callers of `split` hold no object that could keep one.
_cache = ChunkCache()


@overload
def split(
    source: str | Document,
    by: Literal["boundary"] = "boundary",
    *,
    use_cache: bool = True,
    **settings: Unpack[BoundarySettings],
) -> list[Chunk]: ...
@overload
def split(
    source: str | Document,
    by: Literal["code"],
    *,
    use_cache: bool = True,
    **settings: Unpack[CodeSettings],
) -> list[Chunk]: ...
@overload
def split(
    source: str | Document,
    by: Literal["markdown"],
    *,
    use_cache: bool = True,
    **settings: Unpack[MarkdownSettings],
) -> list[Chunk]: ...
@overload
def split(
    source: str | Document,
    by: Literal["sentences"],
    *,
    use_cache: bool = True,
    **settings: Unpack[SentenceSettings],
) -> list[Chunk]: ...
@overload
def split(
    source: str | Document,
    by: Literal["tokens"],
    *,
    use_cache: bool = True,
    **settings: Unpack[TokenSettings],
) -> list[Chunk]: ...
def split(
    source: str | Document, by: str = "boundary", *, use_cache: bool = True, **settings: Any
) -> list[Chunk]:
    """Cut a text or document in one call; `by` and the settings choose the splitter.

    Args:
        source: what to cut; `cleanbreak.read` makes a document of a file. A string that is the path
            of an existing file is cut as the text that it is, with a `UserWarning`.
        by: ``"boundary"``, ``"code"``, ``"markdown"``, ``"sentences"`` or ``"tokens"``.
        use_cache: whether a text that was cut before in this process with the same settings is
            answered from memory; at most 64 MiB are kept, and `clear_cache` frees them.
        settings: those of the splitter.

    Raises:
        SettingsError: for an unknown splitter, or a setting that it does not have or refuses.

    >>> [chunk.text for chunk in split("One. Two.", chunk_size=5)]
    ['One.', ' Two.']
    """
    warn_of_path(source)
    splitter = build_splitter(by, settings)
    return _cache.split(splitter, source) if use_cache else splitter.split(source)


def clear_cache() -> None:
    """Forget the chunks that `split` remembers in this process, and free their memory."""
    _cache.clear()
