"""The nodes in a node, each with the comments, decorators or attributes that belong to it."""

from collections.abc import Iterator
from typing import NamedTuple

from cleanbreak.core.code.lines import Lines
from cleanbreak.core.code.names import Node

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
# They belong to what follows, also behind blank lines.
_ATTRIBUTES = frozenset({"access_specifier", "attribute_item", "decorator"})
_CLOSING = frozenset({"#endif", "?>", "end"})


class Unit(NamedTuple):
    """A node with what stands above it and belongs to it."""

    node: Node
    line: int | None
    """The line that it begins; ``None`` if something else begins that line."""
    own_line: int | None = None
    """The line of the node itself, if something stands above it."""


def units(parent: Node, lines: Lines) -> Iterator[Unit]:
    """The units in a node, in order. A comment that ends a line is part of that line.

    Comments belong to what starts on the next line; they are a unit of their own if that is blank,
    or closes the node.
    """
    above: list[Node] = []
    begun: int | None = None  # the line of the first of them
    for node in parent.children:
        line = lines.line_begun_by(node.start_byte)
        joins = bool(above) and _belongs(above[-1], node, lines)
        if above and not joins and not (line is None and _is_company(node)):
            yield Unit(above[-1], begun)
            above.clear()
        if not _is_company(node):
            yield Unit(node, begun, line) if above else Unit(node, line)
            above.clear()
        elif line is not None or above:
            begun = begun if above else line
            above.append(node)
    if above:
        yield Unit(above[-1], begun)


def closes(node: Node) -> bool:
    """Whether a node is the bracket or keyword that closes the node around it."""
    kind: str = node.type
    return not node.is_named and (kind[:1] in ")]}" or kind in _CLOSING)


def _is_company(node: Node) -> bool:
    return node.type in _COMMENTS or node.type in _ATTRIBUTES


def _belongs(above: Node, node: Node, lines: Lines) -> bool:
    """Whether what stands above belongs to a node."""
    if closes(node):
        return False
    if above.type in _ATTRIBUTES:
        return True
    between = lines.utf8[above.end_byte : node.start_byte]
    # The comments of some grammars hold their line end.
    ends = lines.utf8[above.end_byte - 1 : above.end_byte] in (b"\n", b"\r")
    return not between.strip() and lines.newlines(between) + ends <= 1
