"""Definitions: the nodes of a syntax tree that have a name which encloses what lies in them."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

# A node of tree-sitter, whose library is loaded only where code is cut.
Node = Any

# Code points of a title; broken code may have a name that is long.
_LONGEST = 120

# Nodes around a definition: ``export``, decorators, a body.
_WRAPPED = 4
# Nodes that list what is in a body.
_LISTS = frozenset({"block", "body_statement", "statement_block", "statement_list"})

_ARGUMENTS = re.compile(r"[<\[].*", re.DOTALL)


def _field(field: str) -> Callable[[Node], Node | None]:
    """The name of a node is in a field."""
    return lambda node: node.child_by_field_name(field)


def _declared(node: Node) -> Node | None:
    """The name of a C function, inside the declarators of its pointers, references and parameters."""
    is_function = False
    while (inner := _declarator(node)) is not None:
        node = inner
        is_function = is_function or node.type == "function_declarator"
    return node if is_function else None


def _declarator(node: Node) -> Node | None:
    if node.type == "reference_declarator":
        return node.named_child(0) if node.named_child_count else None
    return node.child_by_field_name("declarator")


def _with_body(node: Node) -> Node | None:
    """The name of what is declared here, and not only named."""
    return node.child_by_field_name("name") if node.child_by_field_name("body") else None


def _typedef(node: Node) -> Node | None:
    """The name of a type of C that has none of its own."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.child_by_field_name("body") is None or _with_body(kind):
        return None
    return node.child_by_field_name("declarator")


_FUNCTIONS = ("arrow_function", "function_expression", "generator_function", "class")


def _assigned(name: str, value: str) -> Callable[[Node], Node | None]:
    """The name that a function or class without one is assigned to."""

    def find(node: Node) -> Node | None:
        given = node.child_by_field_name(value)
        return node.child_by_field_name(name) if given and given.type in _FUNCTIONS else None

    return find


_NAMED = """
    abstract_class_declaration abstract_method_signature annotation_type_declaration class
    class_declaration class_definition compact_constructor_declaration constructor_declaration
    delegate_declaration destructor_declaration enum_declaration enum_item event_declaration
    function_declaration function_item function_signature function_signature_item
    generator_function_declaration interface_declaration internal_module
    local_function_statement macro_definition method method_definition method_declaration
    mod_item module namespace_declaration property_declaration record_declaration
    singleton_method struct_declaration struct_item trait_declaration trait_item
    type_alias_declaration type_spec union_item
"""
# A reference to a type, or what holds for the rest of a file, has no body.
_NAMED_WITH_BODY = """
    class_specifier enum_specifier namespace_definition struct_specifier union_specifier
"""

_NAME_OF: Mapping[str, Callable[[Node], Node | None]] = MappingProxyType(
    {
        **dict.fromkeys(_NAMED.split(), _field("name")),
        **dict.fromkeys(_NAMED_WITH_BODY.split(), _with_body),
        "function_definition": lambda node: node.child_by_field_name("name") or _declared(node),
        "impl_item": _field("type"),
        "variable_declarator": _assigned("name", "value"),
        "pair": _assigned("key", "value"),
        "assignment_expression": _assigned("left", "right"),
        "public_field_definition": _assigned("name", "value"),
        "field_definition": _assigned("property", "value"),
        "type_definition": _typedef,
    }
)


def name_of(node: Node) -> str | None:
    """The name of a definition; ``None`` if the node is none.

    A method of Go has its receiver's type before it, as in ``Stack.Push``; a block of Rust that
    implements a type has the name of the type, without its arguments.
    """
    find = _NAME_OF.get(node.type)
    found = find(node) if find else None
    if found is None or not node.is_named:
        return None
    name = _text(found)
    if node.type == "impl_item":
        name = _ARGUMENTS.sub("", name)
    elif node.type == "method_declaration" and (receiver := node.child_by_field_name("receiver")):
        kind = _ARGUMENTS.sub("", _text(receiver).strip("()").rpartition(" ")[2].lstrip("*"))
        name = f"{kind}.{name}"
    return name[:_LONGEST] or None


def leads_to_definition(node: Node, *, first: bool = False) -> bool:
    """Whether a node is a definition, or a statement or body that ends with one, or starts if `first`."""
    for _ in range(_WRAPPED):
        if name_of(node) is not None:
            return True
        inner = node.named_child_count
        if not inner:
            return False
        node = node.named_child(0 if first and node.type in _LISTS else inner - 1)
    return False


def _text(node: Node) -> str:
    return " ".join(node.text.decode("utf-8", "replace").split())
