r"""Where source code may be cut, and which definitions lie in it, by its syntax tree.

A place to cut is the start of a line on which a node starts: what stands before it ends there. Nodes
are taken by depth, so that definitions at the top are kept before their members, and those before
their statements. Some places are worse than their depth says:

- between a comment, decorator or attribute and what it belongs to;
- between the head of a definition and the first line in it (a docstring, say), and before the line
  that closes it;
- inside a head, as between the parameters of a function.

Such a place is taken where a definition fits alone but not with its company (a *joint*), or else where
no place between nodes is left. Below the nodes are lines, and inside a line that is too long, as in
minified code, its nodes.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from cleanbreak.core.code.lines import Lines, line_starts
from cleanbreak.core.code.names import Node, leads_to_definition, name_of
from cleanbreak.core.code.units import Unit, closes, units
from cleanbreak.core.document import Section, Span
from cleanbreak.core.packing.by_structure import Places, Use
from cleanbreak.core.text.graphemes import is_boundary

# Nodes nested deeper are not looked into: there, lines are no worse.
_DEEPEST = 80
# Code points before a place inside a line that decide whether a character is whole.
_LONGEST_CLUSTER = 1000

# Nodes that are a definition and what stands before it.
_WRAPPERS = frozenset(
    {"ambient_declaration", "decorated_definition", "export_statement", "template_declaration"}
)
_LEAVES = ("comment", "heredoc", "string", "text")

# The keys of levels, cleanest first; a node's depth comes second.
_BY_DEPTH, _LATE, _LINES, _INSIDE_LINES = range(4)
# Joints, behind the nodes of their depth: beside a definition and what stands above it, and between.
_BESIDE, _BELOW = 1, 2


class Outline(NamedTuple):
    """What the syntax tree of a text says about cutting it."""

    sections: tuple[Section, ...]
    """The definitions, of kind ``heading``, outer before inner; with what stands above them."""
    structure: list[Places]
    """The places to cut, cleanest level first."""
    node_starts: frozenset[int]
    """Those among them at which a node starts."""


def outline(text: str, language: Any, limit: int) -> Outline:
    """The definitions and the places to cut of `text`, in a language of tree-sitter.

    Nodes of at most half of `limit` bytes are not looked into: they are kept whole. (A larger one
    may fit alone, but not with what begins and ends its lines.)

    Raises:
        TextInvalidError: if the text holds a lone surrogate.
    """
    from tree_sitter import Parser

    lines = Lines(text, limit)
    tree = Parser(language).parse(lines.utf8)
    walk = _Walk(lines, limit)
    walk.visit(tree.root_node)
    return walk.outline()


class _Place(NamedTuple):
    """A node that is looked into."""

    node: Node
    depth: int = 0
    nesting: int = 0
    """The number of definitions around what lies in it."""
    in_head: bool = False
    """Whether it lies in the head of a definition or statement."""
    lead: int | None = 0
    """Where the section starts of a definition on its first line; ``None`` if it is one itself."""


class _Walk:
    """Collects sections and places to cut while it looks into the nodes of a tree."""

    __slots__ = ("_kept_whole", "_levels", "_lines", "_sections")

    def __init__(self, lines: Lines, limit: int) -> None:
        self._lines = lines
        self._kept_whole = limit // 2
        self._sections: list[Section] = []
        self._levels: dict[tuple[int, int, int], list[int]] = defaultdict(list)

    def outline(self) -> Outline:
        """What was collected."""
        self._sections.sort(key=lambda section: (section.span.start, -section.span.end))
        levels = {key: sorted(set(offsets)) for key, offsets in self._levels.items()}
        node_starts = frozenset().union(*levels.values())
        levels[_LINES, 0, 0] = line_starts(self._lines.text)
        structure = [
            Places(levels[key], _use(key), "line" if key[0] == _LINES else "block")
            for key in sorted(levels)
            if levels[key]
        ]
        return Outline(tuple(self._sections), structure, node_starts)

    def visit(self, root: Node) -> None:
        """Look into a node and the nodes in it, as far down as they are large."""
        places = [_Place(root)]
        while places:
            places.extend(self._inside(places.pop()))

    def _inside(self, place: _Place) -> Iterator[_Place]:
        """Note what lies in a node, and give the nodes in it that are to be looked into."""
        parent = _Parent.of(place.node, self._lines)
        before: Node | None = None  # the named node before
        for number, unit in enumerate(units(place.node, self._lines)):
            if unit.line is None:
                self._note_inside_line(unit.node, before, place.depth)
            elif number:
                key = parent.level(unit.node, before, place.depth)
                self._note(unit.line, (_LATE, place.depth, 0) if place.in_head else key)
            if unit.own_line is not None:
                key = parent.joint(unit.node, place.depth, _BELOW)
                self._note(unit.own_line, (_LATE, place.depth, 0) if place.in_head else key)
            if inner := self._enter(unit, place, parent):
                yield inner
            if unit.node.is_named:
                before = unit.node

    def _note(self, line: int, level: tuple[int, int, int]) -> None:
        self._levels[level].append(self._lines.starts[line])

    def _note_inside_line(self, node: Node, before: Node | None, depth: int) -> None:
        """Note a node that something stands before, if its line is too long."""
        lines = self._lines
        if before is None or not node.is_named or not lines.is_long(lines.line_of(node.start_byte)):
            return
        offset = lines.code_point(node.start_byte)
        if is_boundary(lines.text, offset, max(0, offset - _LONGEST_CLUSTER)):
            self._levels[_INSIDE_LINES, depth, 0].append(offset)

    def _enter(self, unit: Unit, place: _Place, parent: "_Parent") -> _Place | None:
        """Note a definition, and give the node if it is to be looked into."""
        node = unit.node
        start = place.lead
        if start is None or not parent.leads(node):
            start = self._start(unit)
        name = name_of(node)
        if name is not None:
            span = Span(start, self._lines.code_point(node.end_byte))
            self._sections.append(Section("heading", name, place.nesting + 1, span))
        if node.end_byte - node.start_byte <= self._kept_whole or not _has_inside(
            node, place.depth
        ):
            return None
        return _Place(
            node,
            place.depth + 1,
            place.nesting + (name is not None),
            place.in_head or parent.is_in_head(node),
            start if name is None else None,
        )

    def _start(self, unit: Unit) -> int:
        if unit.line is None:
            return self._lines.code_point(unit.node.start_byte)
        return self._lines.start_with_blank_lines(unit.line)


class _Parent(NamedTuple):
    """What a node says about the places between the nodes in it."""

    node: Node
    lines: Lines
    body: Node | None
    first_line: int
    opens_with_token: bool
    """Whether a bracket or keyword starts it, and not one of the nodes that it lists."""

    @classmethod
    def of(cls, node: Node, lines: Lines) -> "_Parent":
        body = node.child_by_field_name("body") or node.child_by_field_name("consequence")
        first = node.child(0) if node.child_count else None
        opens_with_token = first is not None and not first.is_named
        return cls(node, lines, body, lines.line_of(node.start_byte), opens_with_token)

    def is_in_head(self, node: Node) -> bool:
        """Whether a node stands before the body."""
        return self.body is not None and node.start_byte < self.body.start_byte

    def leads(self, node: Node) -> bool:
        """Whether the section of a definition starts where this node does."""
        return self.node.type in _WRAPPERS or self.lines.line_of(node.start_byte) == self.first_line

    def level(self, node: Node, before: Node | None, depth: int) -> tuple[int, int, int]:
        """The level of the place before a node that begins a line."""
        if node == self.body:
            return self.joint(node, depth)
        if self.is_in_head(node) or self.node.type in _WRAPPERS or node.type in {",", ";"}:
            return _LATE, depth, 0
        if closes(node):
            is_joint = before is not None and leads_to_definition(before)
            return (_BY_DEPTH, depth, _BESIDE) if is_joint else (_LATE, depth, 0)
        return self.joint(node, depth) if self._is_first(before) else (_BY_DEPTH, depth, 0)

    def joint(self, node: Node, depth: int, kind: int = _BESIDE) -> tuple[int, int, int]:
        """The level of a place between a node and what it belongs to."""
        if not leads_to_definition(node, first=True):
            return _LATE, depth, 0
        # A body that starts with its first statement has the depth of its parent's name and
        # brackets; its other statements are one deeper.
        return _BY_DEPTH, depth + (node == self.body), kind

    def _is_first(self, before: Node | None) -> bool:
        """Whether only a head stands before: a name, a bracket, a condition on the first line."""
        return before is None or (
            self.opens_with_token and self.lines.line_of(before.start_byte) == self.first_line
        )


def _use(key: tuple[int, int, int]) -> Use:
    """When the places of a level are taken."""
    group, _, joint = key
    if joint:
        return "for a whole unit"
    return "always" if group == _BY_DEPTH else "while little is begun"


def _has_inside(node: Node, depth: int) -> bool:
    kind: str = node.type
    return node.child_count > 0 and depth < _DEEPEST and not any(leaf in kind for leaf in _LEAVES)
