"""XML files of an archive, read by `lxml` with everything off that reaches beyond the file."""

from collections.abc import Iterator
from typing import Any

from cleanbreak.readers.archive import Archive, Damaged
from cleanbreak.readers.html.markup import xml


def parse(archive: Archive, path: str) -> Any:
    """The root element of an XML file in the archive; ``None`` if it is missing or unreadable."""
    entry = archive.find(path)
    if entry is None:
        return None
    try:
        return parsed(archive.read(entry))
    except Damaged:
        return None


def parsed(data: bytes) -> Any:
    """The root element of an XML document; ``None`` if it is unreadable."""
    from lxml import etree

    # Damaged packages are common: the parser recovers what is there. It expands no entity, fetches
    # nothing, and keeps libxml2's limits of size and depth.
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        return etree.fromstring(xml(data), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def local(element: Any) -> str:
    """An element's name without its namespace; empty for comments and entities."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def descendants(root: Any, name: str) -> Iterator[Any]:
    """The elements below `root` with that local name, in any namespace."""
    return (element for element in root.iter() if local(element) == name)


def first(root: Any, name: str) -> Any:
    """The first element below `root` with that local name, or ``None``; also if there is no root."""
    return None if root is None else next(descendants(root, name), None)


def child(element: Any, name: str) -> Any:
    """The first child with that local name, or ``None``."""
    return next((inner for inner in element if local(inner) == name), None)


def attribute(element: Any, name: str) -> str:
    """The value of an attribute by its local name; empty if there is none."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(value)
    return ""


def words(element: Any) -> str:
    """All text in an element, white space collapsed."""
    return " ".join("".join(element.itertext()).split())
