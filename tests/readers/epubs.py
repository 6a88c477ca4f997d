"""Small EPUBs for tests, well made or as badly as a test asks."""

import io
import zipfile
from collections.abc import Mapping, Sequence

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/>'
    "</rootfiles></container>"
)
NAMESPACES = (
    'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
    'xmlns:svg="http://www.w3.org/2000/svg"'
)
XHTML = "application/xhtml+xml"


def page(body: str, *, head: str = "<title>t</title>", before: str = "") -> str:
    """A chapter with `body` in it."""
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n{before}'
        f"<html {NAMESPACES}><head>{head}</head><body>{body}</body></html>"
    )


def package(
    items: Sequence[tuple[str, str, str]],
    spine: Sequence[str],
    *,
    metadata: str = "<dc:title>A Book</dc:title>",
    extra: str = "",
    spine_attributes: str = "",
) -> str:
    """A package document: `items` are (id, href, media type and more attributes)."""
    manifest = "".join(f'<item id="{i}" href="{h}" media-type="{m}"/>' for i, h, m in items)
    refs = "".join(f'<itemref idref="{idref}"/>' for idref in spine)
    return (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata}</metadata>'
        f"<manifest>{manifest}{extra}</manifest><spine{spine_attributes}>{refs}</spine></package>"
    )


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """An archive of `files`, the mimetype first."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def book(
    chapters: Mapping[str, str | bytes],
    *,
    files: Mapping[str, str | bytes] | None = None,
    nav: str = "",
) -> bytes:
    """An EPUB of `chapters` (href to content) in order, with a table of contents if given."""
    items = [(f"c{number}", href, XHTML) for number, href in enumerate(chapters)]
    extra = (
        f'<item id="nav" href="nav.xhtml" media-type="{XHTML}" properties="nav"/>' if nav else ""
    )
    contents: dict[str, str | bytes] = {
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package(items, [item[0] for item in items], extra=extra),
        **{f"OPS/{href}": content for href, content in chapters.items()},
        **(files or {}),
    }
    if nav:
        contents["OPS/nav.xhtml"] = page(f'<nav epub:type="toc">{nav}</nav>')
    return zipped(contents)
