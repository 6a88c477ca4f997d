"""The notes of a vault and the links between them, for programs that draw or measure graphs."""

import json
from collections.abc import Callable, Iterable
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from cleanbreak.core.checks import one_of
from cleanbreak.readers.controls import clean

Edges = list[tuple[str, str]]


class LinkGraph(NamedTuple):
    """Notes and canvases by path, and the pairs of which the first links to the second."""

    nodes: list[str]
    edges: Edges


def graph_text(nodes: Iterable[str], edges: Edges, form: str) -> str:
    """The graph in a format: ``json``, ``graphml`` or ``dot``.

    Raises:
        SettingsError: if the format is another.
    """
    one_of("form", form, FORMATS)
    ends = {end for edge in edges for end in edge}
    return FORMATS[form](LinkGraph(sorted({*nodes, *ends}), edges))


def _json(graph: LinkGraph) -> str:
    nodes = [{"id": path} for path in graph.nodes]
    edges = [{"source": source, "target": target} for source, target in graph.edges]
    return json.dumps({"nodes": nodes, "edges": edges}, ensure_ascii=False, indent=2) + "\n"


def _dot(graph: LinkGraph) -> str:
    lines = [f"  {_quoted(path)};" for path in graph.nodes]
    lines += [f"  {_quoted(source)} -> {_quoted(target)};" for source, target in graph.edges]
    return "\n".join(["digraph vault {", *lines, "}", ""])


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _graphml(graph: LinkGraph) -> str:
    # Control characters, which a file name may hold, are not allowed in XML.
    nodes = [
        f'    <node id={quoteattr(clean(path)[0])}><data key="path">{escape(clean(path)[0])}</data></node>'
        for path in graph.nodes
    ]
    edges = [
        f"    <edge source={quoteattr(clean(source)[0])} target={quoteattr(clean(target)[0])}/>"
        for source, target in graph.edges
    ]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
            '  <key id="path" for="node" attr.name="path" attr.type="string"/>',
            '  <graph id="vault" edgedefault="directed">',
            *nodes,
            *edges,
            "  </graph>",
            "</graphml>",
            "",
        ]
    )


FORMATS: dict[str, Callable[[LinkGraph], str]] = {"json": _json, "graphml": _graphml, "dot": _dot}
"""The formats of `graph_text`."""
