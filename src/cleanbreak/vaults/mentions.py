"""Places where a note is named without a link to it."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from cleanbreak.core.text.characters import count_newlines
from cleanbreak.stores.fulltext import parse_query
from cleanbreak.stores.fulltext.folding import segments
from cleanbreak.stores.fulltext.note_graph import NoteGraph
from cleanbreak.stores.fulltext.rows import MentionedIn, StoredLink


class Mention(NamedTuple):
    """A place in a note that names another note. Offsets are code points, ``line`` counts from 1."""

    source: str
    line: int
    start: int
    end: int
    text: str


def unlinked_mentions(
    graph: NoteGraph,
    path: str,
    names: Iterable[str],
    links_of: Callable[[str], list[StoredLink]],
) -> list[Mention]:
    """The places in other notes that hold one of the names as words, outside of all links."""
    wanted = [name for name in dict.fromkeys(names) if any(map(str.isalnum, name))]
    expressions = [parse_query(f'"{_plain(name)}"').strict for name in wanted]
    expression = " OR ".join(f"({found})" for found in expressions if found)
    if not expression:
        return []
    pattern = _pattern(wanted)
    found: list[Mention] = []
    for source, chunks in groupby(
        graph.mentions(expression, path), key=lambda chunk: chunk.source_key
    ):
        links = [(one.link.start, one.link.end) for one in links_of(source)]
        found += [
            mention
            for chunk in chunks
            for mention in _in_chunk(chunk, pattern)
            if not any(start < mention.end and mention.start < end for start, end in links)
        ]
    return found


def _plain(name: str) -> str:
    return name.replace('"', " ")


def _pattern(names: list[str]) -> re.Pattern[str]:
    """The names as whole words, the longest first; any white space may stand between words."""
    either = "|".join(map(_word_pattern, sorted(names, key=len, reverse=True)))
    return re.compile(either, re.IGNORECASE)


def _word_pattern(name: str) -> str:
    """A name that is no part of a word; in scripts without spaces it may stand inside a sentence."""
    words = name.split()
    before = "" if _is_unspaced(words[0][0]) else r"(?<!\w)"
    after = "" if _is_unspaced(words[-1][-1]) else r"(?!\w)"
    return before + r"\s+".join(map(re.escape, words)) + after


def _is_unspaced(character: str) -> bool:
    return any(kind == "unspaced" for kind, _ in segments(character))


def _in_chunk(chunk: MentionedIn, pattern: re.Pattern[str]) -> Iterator[Mention]:
    line, at = chunk.line, 0
    for match in pattern.finditer(chunk.text):
        line, at = line + count_newlines(chunk.text[at : match.start()]), match.start()
        start, end = match.span()
        yield Mention(chunk.source_key, line, chunk.start + start, chunk.start + end, match[0])
