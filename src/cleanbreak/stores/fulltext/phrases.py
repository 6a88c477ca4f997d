"""What FTS5 is asked for a word or phrase.

Everything typed reaches FTS5 inside a quoted string, so that no character can be read as its syntax.
"""

from collections.abc import Iterator, Sequence

from cleanbreak.stores.fulltext.folding import grams, pictograph_term, respell, segments, sign_term
from cleanbreak.stores.fulltext.signs import asked_words


def quoted(text: str) -> str:
    """A string for FTS5, in which nothing is read as its syntax."""
    return '"' + text.replace('"', '""') + '"'


def joined(operator: str, parts: Sequence[str | None]) -> str | None:
    """The expressions that there are, joined; ``None`` if there are none."""
    named = [part for part in parts if part]
    return named[0] if len(named) == 1 else operator.join(f"({part})" for part in named) or None


def word_parts(text: str, *, prefix: bool, loose: bool = False) -> Iterator[str]:
    """What must be found for a word or phrase; with `loose`, any of it.

    A word with signs must be found with them.
    """
    signs = [quoted(sign_term(word)) for word in asked_words(text)]
    parts = list(_word_parts(text, prefix=prefix, loose=loose))
    yield from signs
    yield from filter(None, [joined(" OR ", parts)]) if loose else parts


def _word_parts(text: str, *, prefix: bool, loose: bool) -> Iterator[str]:
    pieces = pieces_of(text)
    if [kind for kind, _ in pieces] == ["spaced"]:
        # Given as it was typed, as SQLite folds it as it did the text, and as we fold it.
        star = " *" if prefix else ""
        plain, folded = f"{quoted(text)}{star}", f"{quoted(pieces[0][1])}{star}"
        yield plain if folded == plain.lower() else f"({plain} OR {folded})"
        return
    for place, (kind, piece) in enumerate(pieces, 1):
        if kind == "unspaced" and loose and len(piece) > 1:
            yield from map(quoted, grams(piece)[:-1])
        elif kind == "unspaced":
            yield quoted(piece) + " *" if len(piece) == 1 else quoted(" ".join(grams(piece)[:-1]))
        elif kind == "pictograph":
            yield quoted(pictograph_term(piece))
        else:
            yield quoted(piece) + (" *" if prefix and place == len(pieces) else "")


def pieces_of(text: str) -> list[tuple[str, str]]:
    """What a word or phrase is looked for by: whole, or cut where scripts without spaces start."""
    folded = respell(text)
    pieces = segments(folded)
    if all(kind == "spaced" for kind, _ in pieces):
        pieces = [("spaced", folded)]
    return [
        (kind, piece) for kind, piece in pieces if kind != "spaced" or any(map(str.isalnum, piece))
    ]
