"""What a search says besides its hits: a line for a person, fields for a program."""

from typing import Any

from msgspec import to_builtins

from cleanbreak.cli import console
from cleanbreak.vaults import NoteHits
from cleanbreak.worlds import Hits

_READ_AS = {
    "without signs": "the words without their signs",
    "beginnings": "words that begin with those typed",
    "parts": "words that contain those typed",
    "spelling": "what was probably meant",
    "exclusion": "everything without the unwanted words",
}

# Characters of a suggestion.
_WIDTH = 200


def as_data(found: Hits | NoteHits) -> Any:
    """The hits as a list; where there is more to say, an object with that and the hits."""
    hits = [hit.as_dict() for hit in found]
    more: dict[str, Any] = {}
    if not found.complete:
        more |= {"complete": False, **_lacking(found)}
    if found.answered_by != "words" or found.suggestion is not None:
        more |= {"answered_by": found.answered_by, "suggestion": found.suggestion}
    if isinstance(found, Hits) and found.warnings:
        more["warnings"] = to_builtins(found.warnings)
    return {"complete": True, **more, "hits": hits} if more else hits


def print_notes(found: Hits | NoteHits) -> None:
    """Say on standard error what was not searched, and how what is shown was found."""
    if not found.complete:
        nothing = "" if found else "No hits so far. "
        console.err.print(f"{nothing}{_not_searched(found)}")
    elif not found:
        console.err.print("Nothing found.")
    for warning in found.warnings if isinstance(found, Hits) else ():
        console.err.print(f"{warning.message} ({warning.code})", style="yellow")
    if found and found.answered_by != "words":
        typed = "" if found.answered_by == "exclusion" else "Nothing found as typed. "
        console.err.print(f"{typed}Shown: {_READ_AS[found.answered_by]}.")
    if found.suggestion is not None:
        console.err.print(f"Did you mean: {console.one_line(found.suggestion, _WIDTH)}")


def _lacking(found: Hits | NoteHits) -> dict[str, Any]:
    if isinstance(found, Hits):
        return {"behind": list(found.behind), "unfinished": list(found.unfinished)}
    return found.behind._asdict()


def _not_searched(found: Hits | NoteHits) -> str:
    if isinstance(found, Hits):
        missing = len(found.behind) + len(found.unfinished)
        were = "was" if missing == 1 else "were"
        rest = "; resume the world to finish it" if found.unfinished else ""
        return f"{console.counted(missing, 'book')} {were} not searched{rest}."
    lacking = ", ".join(
        f"{len(paths):,} {kind}" for kind, paths in found.behind._asdict().items() if paths
    )
    return f"Notes not searched as they are now: {lacking}; index the vault again."
