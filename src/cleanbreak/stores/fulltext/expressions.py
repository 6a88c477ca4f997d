"""The nodes of a query, and what FTS5 is asked for each of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cleanbreak.stores.fulltext.fields import FIELDS
from cleanbreak.stores.fulltext.phrases import joined, word_parts


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


def parts_of(node: Node) -> tuple[Node, ...]:
    """The parts of a query that stand beside each other."""
    while isinstance(node, And) and len(node.nodes) == 1:
        node = node.nodes[0]
    return node.nodes if isinstance(node, And) else (node,)


def is_condition(node: Node) -> bool:
    """Whether it says where to look and not what for."""
    if isinstance(node, Or):
        return all(map(is_condition, node.nodes))
    return isinstance(node, Not) or (isinstance(node, Term) and node.field is not None)


def terms_of(node: Node) -> Iterator[Term]:
    """The words and phrases that are looked for in any text, in order."""
    match node:
        case Term(_, _, field):
            if field is None:
                yield node
        case And(nodes) | All(nodes) | Or(nodes):
            for part in nodes:
                yield from terms_of(part)
        case Not():
            pass


def with_terms(node: Node, change: Callable[[Term], Node]) -> Node:
    """The node with its terms as `change` gives them, but those that may not be found."""
    match node:
        case Term(_, _, field):
            return change(node) if field is None else node
        case And(nodes):
            return And(tuple(with_terms(part, change) for part in nodes))
        case All(nodes):
            return All(tuple(with_terms(part, change) for part in nodes))
        case Or(nodes):
            return Or(tuple(with_terms(part, change) for part in nodes))
        case Not():
            return node


def compiled(node: Node, *, loose: bool = False) -> str | None:
    """The node for FTS5; ``None`` if it names nothing to be found.

    `loose` takes any bigram of a script without spaces for the whole.
    """
    match node:
        case Term():
            return joined(" AND ", _term_parts(node, loose=loose))
        case Or(nodes):
            return joined(" OR ", [compiled(part, loose=loose) for part in nodes])
        case And(nodes) | All(nodes):
            wanted = [part for part in nodes if not isinstance(part, Not)]
            found = joined(" AND ", [compiled(part, loose=loose) for part in wanted])
            return _without(found, nodes)
        case Not():
            return None  # FTS5 can only take away from what is found


def compiled_with(words: str | None, rest: Sequence[Node]) -> str | None:
    """The expression of words, under the conditions in `rest`."""
    conditions = [compiled(part) for part in rest if not isinstance(part, Not)]
    return _without(joined(" AND ", [words, *conditions]), rest)


def unwanted(node: Node) -> list[str]:
    """The expressions of what a query says may not be found, outside of OR and parentheses."""
    found = (compiled(part.node) for part in parts_of(node) if isinstance(part, Not))
    return [expression for expression in found if expression]


def _without(found: str | None, nodes: Sequence[Node]) -> str | None:
    """What is found, less what the negated nodes find."""
    for part in nodes:
        if found and isinstance(part, Not):
            taken = compiled(part.node)
            found = f"({found}) NOT ({taken})" if taken else found
    return found


def _term_parts(term: Term, *, loose: bool) -> list[str]:
    if term.field is not None:
        return FIELDS[term.field](term.text, term.prefix)
    return list(word_parts(term.text, prefix=term.prefix, loose=loose))
