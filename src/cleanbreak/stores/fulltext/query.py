"""What a person types, as an expression that FTS5 accepts. Every string is a query.

The language is described in docs/search.md. Of an unbalanced query, what is left is searched.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from cleanbreak.stores.fulltext.expressions import (
    All,
    And,
    Node,
    Not,
    Or,
    Term,
    compiled,
    compiled_with,
    is_condition,
    parts_of,
    terms_of,
    with_terms,
)
from cleanbreak.stores.fulltext.fields import FIELDS, unknown_fields
from cleanbreak.stores.fulltext.phrases import joined, pieces_of
from cleanbreak.stores.fulltext.signs import asked_words

_OPERATORS = {"AND": "and", "OR": "or", "NOT": "not"}

# A pasted page is searched by its first words; FTS5 refuses trees deeper than 256.
_MOST_CHARACTERS = 4_000
_MOST_TERMS = 64

# Parentheses within parentheses; deeper ones are ignored.
_DEEPEST = 24

_LEXER = re.compile(
    rf"""
      (?P<open>\() | (?P<close>\))
    | (?P<not>-)(?=[^\s\-)])
    | (?:(?P<field>{"|".join(FIELDS)}):(?=[^\s:]))?
      (?: "(?P<phrase>[^"]*)(?:"|$)(?P<star>\*)? | (?P<word>[^\s()"]+) )
    """,
    re.VERBOSE,
)


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
    typed: str = ""

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
        rest = tuple(part for part in parts_of(self.node) if part not in words)
        if any(not is_condition(part) and compiled(part) for part in rest):
            return compiled(And(rest), loose=loose)
        named = [(word, compiled(word, loose=loose)) for word in words]
        chosen = [expression_of(word) for word in words] if not loose else []
        found = [one for one in chosen if one] or [one for _, one in named if one]
        return compiled_with(joined(" OR ", list(dict.fromkeys(found))), rest)

    def words(self) -> tuple[Term, ...]:
        """The words any of which may find a chunk: neither in quotes, nor in a group or field."""
        return tuple(
            part
            for part in parts_of(self.node)
            if isinstance(part, Term) and part.field is None and not part.quoted
        )

    @property
    def is_plain(self) -> bool:
        """Whether it is words alone, any of which may find a chunk."""
        words = self.words()
        return all(part in words for part in parts_of(self.node))

    def terms(self) -> tuple[Term, ...]:
        """All words and phrases that are looked for in any text, each once."""
        return tuple(dict.fromkeys(terms_of(self.node)))

    def only(self, conditions: Node) -> "Query":
        """The same query, where `conditions` hold too."""
        return _query(And((*parts_of(self.node), conditions)), self.typed)

    def with_terms(self, change: Callable[[Term], Node]) -> "Query":
        """The same query with its words and phrases as `change` gives them."""
        return _query(with_terms(self.node, change), self.typed)

    def unknown_fields(self) -> dict[str, str]:
        """What was typed like a field and is none, each with its words as a phrase."""
        return unknown_fields(self.typed)

    @property
    def has_phrase(self) -> bool:
        """Whether several words, or characters of a script without spaces, must stand together."""
        return _has_phrase(self.node)


def parse_query(text: str) -> Query:
    """The query that `text` means; any string means something.

    >>> parse_query('storm "old house" light* -ship tag:sea').strict
    '(("storm") AND ("old house") AND ("light" *) AND (tags : "tag736561")) NOT ("ship")'
    >>> parse_query("((* -").strict is None
    True
    """
    typed = text[:_MOST_CHARACTERS].encode("utf-8", "ignore").decode().replace("\0", " ")
    return _query(_Parser(typed).parse(), typed)


def _query(node: Node, typed: str) -> Query:
    return Query(compiled(node), node, tuple(dict.fromkeys(_highlights(node))), typed)


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
        negated = is_joined = False
        while (kind := self._kind()) not in (None, "or", "close"):
            self._at += 1
            if kind == "and":
                is_joined = True
                continue
            if kind == "not":
                negated = not negated
                continue
            node = self._group(depth) if kind == "open" else self._term()
            if node is not None and is_joined and nodes and not negated:
                nodes.append(_both(nodes.pop(), node))
            elif node is not None:
                nodes.append(Not(node) if negated else node)
            negated = is_joined = False
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


def _has_phrase(node: Node) -> bool:
    match node:
        case Term(text, _, field):
            is_one = all(kind == "spaced" for kind, _ in pieces_of(text)) and len(text.split()) < 2
            return field is None and not is_one
        case And(nodes) | All(nodes) | Or(nodes):
            return any(map(_has_phrase, nodes))
        case Not():
            return False


# --- marking -------------------------------------------------------------------------------------


def _highlights(node: Node) -> Iterator[Highlight]:
    match node:
        case Term(text, prefix, field) if field is None:
            for kind, piece in pieces_of(text):
                is_signed = " " not in piece and bool(asked_words(piece))
                yield Highlight(piece, prefix, kind != "spaced" or is_signed)
        case And(nodes) | All(nodes) | Or(nodes):
            for part in nodes:
                yield from _highlights(part)
        case _:
            pass
