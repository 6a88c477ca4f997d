"""The table of contents of an EPUB: a tree of titles, each pointing into a chapter."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from cleanbreak.readers.archive import Archive, Damaged, Target, resolve
from cleanbreak.readers.epub.package import Package
from cleanbreak.readers.html.markup import as_html, prepare, too_deep
from cleanbreak.readers.xml import local, parse

# The deepest level of an entry; deeper ones get this level.
_MAX_DEPTH = 32


class Entry(NamedTuple):
    """An entry of the table of contents. The target is ``None`` if it is not in the archive."""

    level: int
    title: str
    target: Target | None


class Navigation(NamedTuple):
    """The chapters, and the pages of the printed book if they are listed."""

    chapters: tuple[Entry, ...] = ()
    pages: tuple[Entry, ...] = ()


def read_navigation(archive: Archive, package: Package) -> Navigation:
    """From EPUB 3's navigation document, and from EPUB 2's NCX what that does not have."""
    nav, ncx = package.nav, package.ncx
    new = _read_nav(archive, nav.target.path) if nav and nav.target else Navigation()
    if new.chapters and new.pages:
        return new
    old = _read_ncx(archive, ncx.target.path) if ncx and ncx.target else Navigation()
    return Navigation(new.chapters or old.chapters, new.pages or old.pages)


def _read_nav(archive: Archive, path: str) -> Navigation:
    from selectolax.lexbor import LexborHTMLParser

    entry = archive.find(path)
    if entry is None:
        return Navigation()
    try:
        markup = prepare(archive.read(entry))
    except Damaged:
        return Navigation()
    if too_deep(markup.utf8):
        return Navigation()
    tree = LexborHTMLParser(as_html(markup.utf8))
    tocs = tree.css('nav[epub\\:type~="toc"], nav[role~="doc-toc"]') or tree.css("nav")
    pages = tree.css('nav[epub\\:type~="page-list"], nav[role~="doc-pagelist"]')
    return Navigation(
        tuple(_nav_entries(tocs[0], path)) if tocs else (),
        tuple(_nav_entries(pages[0], path)) if pages else (),
    )


def _nav_entries(nav: Any, path: str) -> Iterator[Entry]:
    """The entries in document order; the level is the number of lists around an entry."""
    for item in nav.css("li"):
        label = next((child for child in item.iter() if child.tag in ("a", "span")), None)
        if label is None:
            continue
        link = label if label.tag == "a" else item.css_first("a[href]")
        href = link.attributes.get("href") if link is not None else None
        title = " ".join(label.text(deep=True).split())
        yield Entry(_list_depth(item), title, resolve(path, href) if href else None)


def _list_depth(item: Any) -> int:
    depth, node = 0, item.parent
    while node is not None and node.tag != "nav" and depth < _MAX_DEPTH:
        depth += node.tag in ("ol", "ul")
        node = node.parent
    return max(1, depth)


def _read_ncx(archive: Archive, path: str) -> Navigation:
    root = parse(archive, path)
    if root is None:
        return Navigation()
    return Navigation(
        tuple(_ncx_entries(root, "navPoint", path)), tuple(_ncx_entries(root, "pageTarget", path))
    )


def _ncx_entries(root: Any, name: str, path: str) -> Iterator[Entry]:
    for point in root.iter():
        if local(point) != name:
            continue
        label = next((child for child in point if local(child) == "navLabel"), None)
        content = next((child for child in point if local(child) == "content"), None)
        title = "" if label is None else " ".join("".join(label.itertext()).split())
        src = "" if content is None else content.get("src", "")
        level = 1 + sum(local(outer) == name for outer in point.iterancestors())
        yield Entry(min(level, _MAX_DEPTH), title, resolve(path, src) if src else None)
