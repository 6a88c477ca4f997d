"""Makes the samples from one text: `python tools/make_samples.py` writes samples/*.{txt,epub,pdf}.

The Markdown file is the source. The same source gives the same bytes, anywhere.
"""

import html
import re
import textwrap
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SAMPLES = Path(__file__).parents[1] / "samples"
NAME = "the-keeper-of-sand-point"
TITLE = "The Keeper of Sand Point"
AUTHOR = "The cleanbreak authors"
LINE = 72
LINES_A_PAGE = 44


class Block(NamedTuple):
    """A heading (`h1` to `h3`), a paragraph (`p`), a verse or quotation (`quote`) or a table."""

    kind: str
    lines: list[str]

    @property
    def text(self) -> str:
        """Its lines as one, without emphasis."""
        return plain(" ".join(self.lines))


def plain(text: str) -> str:
    return text.replace("*", "")


def blocks(markdown: str) -> Iterator[Block]:
    """The blocks of the few kinds of Markdown that the sample uses."""
    body = markdown.split("---\n", 2)[2]
    for part in body.strip().split("\n\n"):
        lines = part.split("\n")
        marks = re.match(r"#+", part)
        if marks:
            yield Block(f"h{len(marks[0])}", [part.lstrip("# ")])
        elif part.startswith("> "):
            yield Block("quote", [line.removeprefix("> ") for line in lines])
        elif part.startswith("|"):
            rows = [line for line in lines if not line.startswith("|-")]
            yield Block("table", rows)
        else:
            yield Block("p", lines)


def cells(row: str) -> list[str]:
    return [plain(cell.strip()) for cell in row.strip("|").split("|")]


def chapters(found: list[Block]) -> list[list[Block]]:
    """The blocks by chapter; what stands before the first is a part of its own."""
    parts: list[list[Block]] = [[]]
    for block in found:
        if block.kind == "h2":
            parts.append([])
        parts[-1].append(block)
    return parts


# --- text ---


def as_text(found: list[Block]) -> str:
    return "\n\n".join("\n".join(wrapped(block)) for block in found) + "\n"


def wrapped(block: Block) -> list[str]:
    if block.kind == "quote":
        return [f"    {plain(line)}" for line in block.lines]
    if block.kind == "table":
        rows = [cells(row) for row in block.lines]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    if block.kind == "p":
        return textwrap.wrap(block.text, LINE, break_on_hyphens=False)
    return [block.text.upper() if block.kind == "h1" else block.text]


# --- EPUB ---

XHTML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en">
<head><title>{title}</title></head>
<body>
{body}
</body>
</html>
"""
CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:cleanbreak:sample:{name}</dc:identifier>
<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:language>en</dc:language>
<meta property="dcterms:modified">2026-01-01T00:00:00Z</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
{items}
</manifest>
<spine>{refs}</spine>
</package>
"""


def write_epub(found: list[Block], path: Path) -> None:
    parts = chapters(found)
    files = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    names = [f"part{number}.xhtml" for number in range(len(parts))]
    for name, part in zip(names, parts, strict=True):
        body = "\n".join(markup(block) for block in part)
        files[name] = XHTML.format(title=part[0].text, body=body)
    entries = "\n".join(
        f'<li><a href="{name}">{part[0].text}</a></li>'
        for name, part in zip(names, parts, strict=True)
    )
    toc = f'<nav epub:type="toc"><ol>\n{entries}\n</ol></nav>'
    files["nav.xhtml"] = XHTML.format(title="Contents", body=toc)
    files["book.opf"] = PACKAGE.format(
        name=NAME,
        title=TITLE,
        author=AUTHOR,
        items="\n".join(
            f'<item id="{name[:-6]}" href="{name}" media-type="application/xhtml+xml"/>'
            for name in names
        ),
        refs="".join(f'<itemref idref="{name[:-6]}"/>' for name in names),
    )
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)


def markup(block: Block) -> str:
    if block.kind == "quote":
        return f"<blockquote><p>{'<br/>'.join(map(inline, block.lines))}</p></blockquote>"
    if block.kind == "table":
        rows = ("".join(f"<td>{inline(cell)}</td>" for cell in cells(row)) for row in block.lines)
        return "<table>" + "".join(f"<tr>{row}</tr>\n" for row in rows) + "</table>"
    return f"<{block.kind}>{inline(' '.join(block.lines))}</{block.kind}>"


def inline(text: str) -> str:
    text = html.escape(text, quote=False)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", text)


# --- PDF ---


class Pdf:
    """As much of PDF 1.7 as text in two standard fonts, page labels and an outline take."""

    def __init__(self) -> None:
        self.objects: list[bytes] = []

    def add(self, body: str | bytes) -> int:
        self.objects.append(body.encode("cp1252") if isinstance(body, str) else body)
        return len(self.objects)

    def write(self, path: Path, root: int, info: int) -> None:
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number, body in enumerate(self.objects, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        trailer = f"trailer\n<< /Size {len(offsets) + 1} /Root {root} 0 R /Info {info} 0 R >>\n"
        out += f"{trailer}startxref\n{start}\n%%EOF\n".encode()
        path.write_bytes(out)


def write_pdf(found: list[Block], path: Path) -> None:
    pages: list[list[str]] = []
    starts: list[tuple[str, int]] = []
    for part in chapters(found):
        starts.append((part[0].text, len(pages)))
        lines = "\n\n".join("\n".join(wrapped(block)) for block in part).split("\n")
        pages += [lines[at : at + LINES_A_PAGE] for at in range(0, len(lines), LINES_A_PAGE)]
    pdf = Pdf()
    catalog, tree, font, info, outline = (pdf.add(b"") for _ in range(5))
    kids = [pdf.add(b"") for _ in pages]
    for kid, lines in zip(kids, pages, strict=True):
        stream = page_stream(lines)
        content = pdf.add(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
        pdf.objects[kid - 1] = (
            f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R "
            f"/Resources << /Font << /F {font} 0 R >> >> >>"
        ).encode()
    items = [pdf.add(b"") for _ in starts]
    for at, (item, (title, page)) in enumerate(zip(items, starts, strict=True)):
        before = f"/Prev {items[at - 1]} 0 R " if at else ""
        after = f"/Next {items[at + 1]} 0 R " if at + 1 < len(items) else ""
        pdf.objects[item - 1] = (
            f"<< /Title ({escaped(title)}) /Parent {outline} 0 R {before}{after}"
            f"/Dest [{kids[page]} 0 R /XYZ 72 800 0] >>"
        ).encode("cp1252")
    labels = "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D >>] >>"
    pdf.objects[catalog - 1] = (
        f"<< /Type /Catalog /Pages {tree} 0 R /Outlines {outline} 0 R {labels} /Lang (en) >>"
    ).encode()
    refs = " ".join(f"{kid} 0 R" for kid in kids)
    pdf.objects[tree - 1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{refs}] >>".encode()
    pdf.objects[font - 1] = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
    )
    pdf.objects[info - 1] = f"<< /Title ({TITLE}) /Author ({AUTHOR}) >>".encode()
    pdf.objects[outline - 1] = (
        f"<< /Type /Outlines /First {items[0]} 0 R /Last {items[-1]} 0 R /Count {len(items)} >>"
    ).encode()
    pdf.write(path, catalog, info)


def page_stream(lines: list[str]) -> bytes:
    shown = "\n".join(f"({escaped(line)}) Tj T*" for line in lines)
    return f"BT /F 10 Tf 15 TL 72 770 Td\n{shown}\nET".encode("cp1252")


def escaped(text: str) -> str:
    return re.sub(r"([()\\])", r"\\\1", text)


def main(folder: Path = SAMPLES) -> None:
    """Write the samples into `folder`."""
    found = list(blocks((SAMPLES / f"{NAME}.md").read_text("utf-8")))
    (folder / f"{NAME}.txt").write_text(as_text(found), "utf-8", newline="\n")
    write_epub(found, folder / f"{NAME}.epub")
    write_pdf(found, folder / f"{NAME}.pdf")


if __name__ == "__main__":
    main()
