"""Why a chunk ends where it does: the window that was searched, and what was found in it."""

from bisect import insort
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from cleanbreak.core.chunk import BreakLevel, Chunk
from cleanbreak.core.packing.trace import Search
from cleanbreak.core.recipe import Recipe

MOST_SHOWN = 50
"""Places of one level that an explanation lists."""

Rule = Literal["end", "chapter", "section", "cleanest", "whole", "hard", "function", "moved"]
"""Which rule ended the chunk; `Explanation` has the sentence for each."""

# Settings that limit a chunk or the search for its end.
_LIMITS = ("chunk_size", "max_size", "max_tokens", "max_sentences", "max_lookback")

# Why a splitter may pass over a cleaner break.
_PASSED_OVER = {
    "boundary": "a cleaner one lies too early",
    "code": "what follows a cleaner one is too long for a chunk of its own, so this one is filled",
    "markdown": "what follows a cleaner one is too long for a chunk of its own, so this one is filled",
    "sentences": "a paragraph end goes first only in the last third of a chunk that its tokens end",
    "tokens": "a cleaner one would leave the chunk less than half full",
}

_FILLED = "clauses of the next sentence fill the chunk up"

# Those that know the places of blocks beforehand and keep what fits whole.
_BY_STRUCTURE = ("code", "markdown")

_ALONE = {
    "end": "The rest of the text fits.",
    "chapter": "A chapter starts here, and no chunk holds text of two.",
    "section": "A section ends here, and what is left of it fits.",
    "hard": "No break lies in the window, so the cut is at the limit, after a whole character.",
    "function": "A function of the caller chose this place.",
    "moved": "The cut was moved, so that no chunk is blank and a word that fits is not cut.",
    "whole": "What follows fits in a chunk of its own, so it stays whole.",
}


class Candidate(msgspec.Struct, frozen=True):
    """The places of one level in the window: how many, and the last of them, ascending."""

    break_level: BreakLevel
    total: int
    offsets: tuple[int, ...]


class Explanation(msgspec.Struct, frozen=True):
    """Why a chunk ends where it does, as the splitter itself decided.

    The window, from ``window_start`` to ``window_end``, is where its end was looked for; both are
    the chunk's end where nothing had to be looked for. ``candidates`` are in the order in which the
    splitter looks. ``count`` is the chunk's size by the measure. ``rule`` is a word for programs:

    - ``end``: the rest of the text fits.
    - ``chapter``, ``section``: a chapter starts, or a section ends.
    - ``cleanest``: the last place of the cleanest level that could be taken.
    - ``whole``: what follows stays whole in a chunk of its own.
    - ``hard``: no break lies in the window.
    - ``function``: a function of the caller chose.
    - ``moved``: moved after the search, because of blank text or a word that would be cut.

    ``reason`` is a sentence for a person; it holds no text of the document.
    """

    chunk_number: int
    character_start_offset: int
    character_end_offset: int
    break_level: BreakLevel
    rule: Rule
    reason: str
    limits: dict[str, int]
    measure: str | None
    count: int
    window_start: int
    window_end: int
    candidates: tuple[Candidate, ...]

    def as_dict(self) -> dict[str, Any]:
        """The explanation as plain data."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def explain(
    chunk: Chunk, text: str, recipe: Recipe, count: int, searches: Sequence[Search]
) -> Explanation:
    """Put what was searched for a chunk of `text` into words; `count` is its size."""
    low, high = _window(searches, chunk.end)
    found = _candidates(searches, low, high)
    taken = _taken(found, chunk, text)
    rule = _rule(chunk, len(text), recipe, taken, found)
    return Explanation(
        chunk.number,
        chunk.start,
        chunk.end,
        chunk.break_level,
        rule,
        _ALONE[rule] if rule in _ALONE else _cleanest(taken, found, recipe.splitter),
        {name: value for name in _LIMITS if isinstance(value := recipe.settings.get(name), int)},
        recipe.measure,
        count,
        low,
        high,
        tuple(Candidate(level, len(at), tuple(at[-MOST_SHOWN:])) for level, at in found),
    )


_Found = list[tuple[BreakLevel, list[int]]]


def _window(searches: Sequence[Search], end: int) -> tuple[int, int]:
    if not searches:
        return end, end
    return (
        min(search.base + search.low for search in searches),
        max(search.base + search.high for search in searches),
    )


def _candidates(searches: Sequence[Search], low: int, high: int) -> _Found:
    """The places by level, of the last search, whose levels are those of the others."""
    if not searches:
        return []
    base = searches[-1].base
    found: dict[BreakLevel, set[int]] = {}
    for name, find in searches[-1].levels:
        found.setdefault(name, set()).update(find(low - base, high - base))
    return [(name, sorted(base + at for at in places)) for name, places in found.items()]


def _taken(found: _Found, chunk: Chunk, text: str) -> int:
    """Which of the levels the end belongs to; -1 if none.

    The blanks behind a break may be taken along, or go to the next chunk, so the end need not be
    the very place that was found; then it is added to the places of its level.
    """
    content = chunk.start + len(text[chunk.start : chunk.end].rstrip())
    for index, (name, places) in enumerate(found):
        if name == chunk.break_level:
            if not any(content <= at <= chunk.end for at in places):
                insort(places, chunk.end)
            return index
    return next((i for i, (_, places) in enumerate(found) if chunk.end in places), -1)


def _rule(chunk: Chunk, length: int, recipe: Recipe, taken: int, found: _Found) -> Rule:
    if chunk.end == length:
        return "end"
    if recipe.functions and recipe.splitter == "boundary":
        return "function"
    if chunk.break_level in {"chapter", "heading"}:
        return "chapter" if chunk.break_level == "chapter" else "section"
    if not found:
        return "moved" if recipe.splitter == "tokens" else "section"
    if taken == -1:
        return "hard"
    level, places = found[taken]
    is_known = recipe.splitter in _BY_STRUCTURE and level in {"block", "line"}
    if is_known and places and places[-1] > chunk.end:
        return "whole"
    return "cleanest"


def _cleanest(taken: int, found: _Found, splitter: str) -> str:
    level, _ = found[taken]
    before = [name for name, _ in found[:taken]]
    passed = [name for name, places in found[:taken] if places]
    if not before:
        return f"The last break of the level {level} that fits, the cleanest level of all."
    if not passed:
        *first, last = before
        names = f"{', '.join(first)} or {last}" if first else last
        return f"The last break of the level {level} that fits; the window holds none of the level {names}."
    why = _FILLED if level == "clause" and splitter == "sentences" else _PASSED_OVER[splitter]
    return f"The last break of the level {level} that fits; {why}."
