"""Any other markup, read by an HTML parser, which accepts it all."""

from typing import TYPE_CHECKING, Any

from cleanbreak.readers.html.walker import Walker

if TYPE_CHECKING:
    from collections.abc import Iterator


def feed_html(html: bytes, walker: Walker) -> None:
    """Feed a chapter to `walker`, without recursion: markup may be nested to any depth."""
    from selectolax.lexbor import LexborHTMLParser

    root = LexborHTMLParser(html).root
    if root is None:
        return
    open_: list[Iterator[Any]] = [iter((root,))]
    while open_:
        for node in open_[-1]:
            if node.is_text_node:
                walker.text(node.text_content)
            elif (tag := node.tag) != "-comment":
                walker.start(tag, node.attributes)
                open_.append(node.iter(include_text=True))
                break
        else:
            open_.pop()
            if open_:
                walker.end()
