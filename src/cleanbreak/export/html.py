"""Chunks as one HTML file that needs nothing else: the text as a column, each cut a mark."""

import base64
import hashlib
import html
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import msgspec

from cleanbreak.core.chunk import Chunk
from cleanbreak.errors import SettingsError
from cleanbreak.export.row import ExportRow, export_row

# The modules of the local page that draw cuts, each after those that it imports; and the one
# that starts them in a file of its own.
_MODULES = ("dom.js", "levels.js", "column.js", "figures.js", "file.js")
_STYLE = "cuts.css"
# In one script nothing is imported; each module writes an import on a line of its own.
_IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)

GENERATOR = '<meta name="generator" content="cleanbreak">'
"""What shows that a file is a page of ours; it stands near the start."""

_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{generator}
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div class="with-aside">
<main><h1 dir="auto">{title}</h1><noscript>The cuts are drawn by the script of this file.</noscript><cb-column></cb-column></main>
<aside aria-label="Figures"></aside>
</div>
<script type="application/json" id="chunks">{rows}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def to_html(chunks: Iterable[Chunk], title: str | None = None) -> str:
    """Chunks as one self-contained HTML page: the text, every cut with its level, figures.

    Guaranteed: nothing is loaded from elsewhere, and a policy inside the page lets the browser load
    and run nothing but what the page holds. Text is data of the page, never markup. Write it as UTF-8.

    >>> import cleanbreak as cb
    >>> page = to_html(cb.split("A storm came. The lamp held.", chunk_size=15), "Storm")
    >>> page.startswith("<!doctype html>"), "<title>Storm</title>" in page
    (True, True)

    Args:
        chunks: chunks of one document, in order.
        title: the page's title. [default: the source's file name]
    """
    return _page([export_row(chunk) for chunk in chunks], title)


@contextmanager
def write_html(path: Path) -> Iterator[Callable[[ExportRow], None]]:
    """Write the page of rows to a new file at `path`. All rows are held until the end.

    Raises:
        SettingsError: at the first row of a second document; a page shows one.
    """
    rows: list[ExportRow] = []

    def write(row: ExportRow) -> None:
        if rows and row.chunk_number <= rows[-1].chunk_number:
            raise SettingsError("format", "html", "another one for several files; a page shows one")
        rows.append(row)

    yield write
    path.write_bytes(_page(rows).encode())


def _page(rows: list[ExportRow], title: str | None = None) -> str:
    name = title or next((row.source_filename for row in rows if row.source_filename), None)
    style = _resource(_STYLE)
    script = "".join(_IMPORT.sub("", _resource(module)) for module in _MODULES)
    return _PAGE.format(
        generator=GENERATOR,
        policy=f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}",
        title=html.escape(name or "Cuts"),
        style=style,
        # "<" starts a tag also inside a script; as an escape it is the same JSON.
        rows=msgspec.json.encode(rows).decode().replace("<", r"\u003c"),
        script=script,
    )


def _resource(name: str) -> str:
    text = (files("cleanbreak.export") / "page" / name).read_text("utf-8")
    return text.replace("\r\n", "\n")


def _digest(text: str) -> str:
    """What a policy calls a script or style by: https://www.w3.org/TR/CSP3/#hash-source."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
