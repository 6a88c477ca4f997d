"""What a person types, as an expression that FTS5 accepts. Every string is a query.

The language is described in docs/search.md. Everything typed reaches FTS5 inside a quoted string,
so that no character can be read as its syntax. Of an unbalanced query, what is left is searched.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cleanbreak.stores.fulltext.folding import (
    file_terms,
    grams,
    pictograph_term,
    respell,
    segments,
    tag_term,
)

_FIELDS = {"title": "title", "heading": "headings", "path": "path", "tag": "tags"}

_OPERATORS = {"AND": "and", "OR": "or", "NOT": "not"}

# A pasted page is searched by its first words; FTS5 refuses trees deeper than 256.
_MOST_CHARACTERS = 4_000
_MOST_TERMS = 64

# Parentheses within parentheses; deeper ones are ignored.
_DEEPEST = 24

_LEXER = re.compile(
    r"""
      (?P<open>\() | (?P<close>\))
    | (?P<not>-)(?=[^\s\-)])
    | (?:(?P<field>tag|path|file|title|heading):(?=[^\s:]))?
      (?: "(?P<phrase>[^"]*)(?:"|$)(?P<star>\*)? | (?P<word>[^\s()"]+) )
    """,
    re.VERBOSE,
)


class Term(NamedTuple):
    """A word or phrase to be found; with `prefix`, as the beginning of a word."""

    text: str
    prefix: bool = False
    field: str | None = None
    quoted: bool = False


class Not(NamedTuple):
    """Everything that its node does not find."""

    node: "Node"


class And(NamedTuple):
    """What all nodes find."""

    nodes: tuple["Node", ...]


class All(NamedTuple):
    """What all nodes find, as they were joined by the operator AND."""

    nodes: tuple["Node", ...]


class Or(NamedTuple):
    """What any node finds."""

    nodes: tuple["Node", ...]


Node = Term | Not | And | All | Or


class Highlight(NamedTuple):
    """A term to mark in a text that was found, folded.

    With `prefix` it may be the beginning of a word, with `inside` it may stand inside one.
    """

    text: str
    prefix: bool
    inside: bool


class Query(NamedTuple):
    """A query, ready for FTS5; ``strict`` finds what has every word, ``None`` if there is none."""

    strict: str | None
    node: Node
    highlights: tuple[Highlight, ...]

    def any_word(
        self, expression_of: Callable[[Term], str | None], *, loose: bool = False
    ) -> str | None:
        """The expression for chunks that have any word; ``None`` if nothing can be found.

        Phrases in quotes, groups, what is joined by AND, and conditions always hold; where a phrase
        or group is asked for, words do not find a chunk. `expression_of` gives the expression of a
        word, or none to leave it out, which only happens if others are left. `loose` takes any
        bigram of a script without spaces for the whole.
        """
        words = self.words()
        rest = tuple(part for part in _parts(self.node) if part not in words)
        if any(not _is_condition(part) and _compile(part, loose=False) for part in rest):
            return _compile(And(rest), loose=loose)
        named = [(word, _compile(word, loose=loose)) for word in words]
        chosen = [expression_of(word) for word in words] if not loose else []
        found = [one for one in chosen if one] or [one for _, one in named if one]
        return _compile_with(_joined(" OR ", list(dict.fromkeys(found))), rest)

    def words(self) -> tuple[Term, ...]:
        """The words any of which may find a chunk: neither in quotes, nor in a group or field."""
        return tuple(
            part
            for part in _parts(self.node)
            if isinstance(part, Term) and part.field is None and not part.quoted
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is words alone, any of which may find a chunk."""
        words = self.words()
        return all(part in words for part in _parts(self.node))

    def terms(self) -> tuple[Term, ...]:
        """All words and phrases that are looked for in any text, each once."""
        return tuple(dict.fromkeys(_terms(self.node)))

    @property
    def has_phrase(self) -> bool:
        """Whether several words, or characters of a script without spaces, must stand together."""
        return _has_phrase(self.node)


def unwanted(node: Node) -> list[str]:
    """The expressions of what a query says may not be found, outside of OR and parentheses."""
    while isinstance(node, And) and len(node.nodes) == 1:
        node = node.nodes[0]
    parts = node.nodes if isinstance(node, And) else (node,)
    found = (_compile(part.node, loose=False) for part in parts if isinstance(part, Not))
    return [expression for expression in found if expression]


def parse_query(text: str) -> Query:
    """The query that `text` means; any string means something.

    >>> parse_query('storm "old house" light* -ship tag:sea').strict
    '(("storm") AND ("old house") AND ("light" *) AND (tags : "tag736561")) NOT ("ship")'
    >>> parse_query("((* -").strict is None
    True
    """
    typed = text[:_MOST_CHARACTERS].encode("utf-8", "ignore").decode().replace("\0", " ")
    node = _Parser(typed).parse()
    return Query(_compile(node, loose=False), node, tuple(dict.fromkeys(_highlights(node))))


# --- parsing -------------------------------------------------------------------------------------


class _Parser:
    """Recursive descent over lexemes; what does not fit the grammar is skipped."""

    def __init__(self, typed: str) -> None:
        self._lexemes = list(_LEXER.finditer(typed))
        self._at = 0
        self._terms = 0

    def parse(self) -> Node:
        nodes = []
        while self._peek() is not None:
            nodes.append(self._any_of(0))
            if self._kind() == "close":
                self._at += 1  # one too many
        return And(tuple(nodes))

    def _peek(self) -> re.Match[str] | None:
        return self._lexemes[self._at] if self._at < len(self._lexemes) else None

    def _kind(self) -> str | None:
        lexeme = self._peek()
        if lexeme is None:
            return None
        if not lexeme["field"] and (operator := _OPERATORS.get(lexeme["word"])):
            return operator
        return next((kind for kind in ("open", "close", "not") if lexeme[kind]), "term")

    def _any_of(self, depth: int) -> Node:
        nodes = [self._all_of(depth)]
        while self._kind() == "or":
            self._at += 1
            nodes.append(self._all_of(depth))
        return nodes[0] if len(nodes) == 1 else Or(tuple(nodes))

    def _all_of(self, depth: int) -> Node:
        nodes: list[Node] = []
        negated = joined = False
        while (kind := self._kind()) not in (None, "or", "close"):
            self._at += 1
            if kind == "and":
                joined = True
                continue
            if kind == "not":
                negated = not negated
                continue
            node = self._group(depth) if kind == "open" else self._term()
            if node is not None and joined and nodes and not negated:
                nodes.append(_both(nodes.pop(), node))
            elif node is not None:
                nodes.append(Not(node) if negated else node)
            negated = joined = False
        return And(tuple(nodes))

    def _group(self, depth: int) -> Node | None:
        if depth == _DEEPEST:
            return None
        node = self._any_of(depth + 1)
        if self._kind() == "close":
            self._at += 1
        return node

    def _term(self) -> Node | None:
        self._terms += 1
        if self._terms > _MOST_TERMS:
            return None
        lexeme = self._lexemes[self._at - 1]
        word = lexeme["word"]
        if word is None:
            return Term(lexeme["phrase"], bool(lexeme["star"]), lexeme["field"], quoted=True)
        return Term(word.rstrip("*"), word.endswith("*"), lexeme["field"])


def _both(first: Node, second: Node) -> All:
    """Two parts that were joined by AND."""
    return All((*(first.nodes if isinstance(first, All) else (first,)), second))


def _parts(node: Node) -> tuple[Node, ...]:
    """The parts of a query that stand beside each other."""
    while isinstance(node, And) and len(node.nodes) == 1:
        node = node.nodes[0]
    return node.nodes if isinstance(node, And) else (node,)


def _terms(node: Node) -> Iterator[Term]:
    match node:
        case Term(_, _, field):
            if field is None:
                yield node
        case And(nodes) | All(nodes) | Or(nodes):
            for part in nodes:
                yield from _terms(part)
        case Not():
            pass


def _has_phrase(node: Node) -> bool:
    match node:
        case Term(text, _, field):
            is_one = all(kind == "spaced" for kind, _ in pieces_of(text)) and len(text.split()) < 2
            return field is None and not is_one
        case And(nodes) | All(nodes) | Or(nodes):
            return any(map(_has_phrase, nodes))
        case Not():
            return False


def _is_condition(node: Node) -> bool:
    return isinstance(node, Not) or (isinstance(node, Term) and node.field is not None)


# --- compiling -----------------------------------------------------------------------------------


def _compile(node: Node, *, loose: bool) -> str | None:
    """The node for FTS5; ``None`` if it names nothing to be found."""
    match node:
        case Term():
            return _joined(" OR " if loose else " AND ", _term_parts(node, loose=loose))
        case Or(nodes):
            return _joined(" OR ", [_compile(part, loose=loose) for part in nodes])
        case And(nodes) | All(nodes):
            wanted = [part for part in nodes if not isinstance(part, Not)]
            found = _joined(" AND ", [_compile(part, loose=loose) for part in wanted])
            return _without(found, nodes)
        case Not():
            return None  # FTS5 can only take away from what is found


def _compile_with(words: str | None, rest: Sequence[Node]) -> str | None:
    """The expression of words, under the conditions in `rest`."""
    conditions = [_compile(part, loose=False) for part in rest if not isinstance(part, Not)]
    return _without(_joined(" AND ", [words, *conditions]), rest)


def _without(found: str | None, nodes: Sequence[Node]) -> str | None:
    """What is found, less what the negated nodes find."""
    for part in nodes:
        if found and isinstance(part, Not):
            unwanted = _compile(part.node, loose=False)
            found = f"({found}) NOT ({unwanted})" if unwanted else found
    return found


def compiled(node: Node) -> str | None:
    """A node for FTS5; ``None`` if it names nothing to be found."""
    return _compile(node, loose=False)


def quoted(text: str) -> str:
    """A string for FTS5, in which nothing is read as its syntax."""
    return '"' + text.replace('"', '""') + '"'


def _joined(operator: str, parts: Sequence[str | None]) -> str | None:
    named = [part for part in parts if part]
    return named[0] if len(named) == 1 else operator.join(f"({part})" for part in named) or None


def _term_parts(term: Term, *, loose: bool) -> list[str]:
    if term.field == "tag":
        tag = term.text.lstrip("#").strip("/")
        return [f"tags : {quoted(tag_term(tag))}"] if tag else []
    if term.field == "file":
        terms = " ".join(file_terms(term.text))
        return [f"path : {quoted(terms)} *"] if terms else []
    column = f"{_FIELDS[term.field]} : " if term.field else ""
    prefix = term.prefix or term.field == "path"
    return [column + part for part in _word_parts(term.text, prefix=prefix, loose=loose)]


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


# --- marking -------------------------------------------------------------------------------------


def _highlights(node: Node) -> Iterator[Highlight]:
    match node:
        case Term(text, prefix, field) if field is None:
            for kind, piece in pieces_of(text):
                yield Highlight(piece, prefix, kind != "spaced")
        case And(nodes) | All(nodes) | Or(nodes):
            for part in nodes:
                yield from _highlights(part)
        case _:
            pass
