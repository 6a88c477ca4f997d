"""A writer of tiny PDFs, byte for byte the same on every run."""

from collections.abc import Iterable, Mapping, Sequence

Placed = tuple[float, float, str]
"""Where a string is drawn, in points from the lower left corner, and the string."""


def drawn(strings: Iterable[Placed], *, size: float = 11) -> bytes:
    """A content stream that draws each string in a text object of its own."""
    return b"\n".join(
        b"BT /F1 %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET" % (size, x, y, escaped(text))
        for x, y, text in strings
    )


def column(
    lines: Sequence[str], *, x: float = 72, y: float = 760, leading: float = 15
) -> list[Placed]:
    """Lines under each other."""
    return [(x, y - leading * number, line) for number, line in enumerate(lines)]


def escaped(text: str) -> bytes:
    """As between the brackets of a string, in the font's encoding."""
    raw = text.encode("cp1252")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def pdf(
    contents: Sequence[bytes],
    *,
    catalog: bytes = b"",
    page: bytes = b"",
    font: bytes = b"",
    extra: Mapping[int, bytes] | None = None,
    trailer: bytes = b"",
) -> bytes:
    """A PDF with a page for each content stream.

    Object 1 is the catalog, 2 the page tree, 3 the font; page k (from 0) is object 10 + 2 k and
    its stream the one after. `extra` adds objects by number, which must not clash.
    """
    kids = b" ".join(b"%d 0 R" % (10 + 2 * number) for number in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(contents)),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding %s >>"
        % font,
    }
    for number, content in enumerate(contents):
        objects[10 + 2 * number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> %s >>"
        ) % (11 + 2 * number, page)
        objects[11 + 2 * number] = stream(content)
    objects.update(extra or {})
    return written(objects, trailer=trailer)


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """A stream object's body."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), entries, content)


def written(objects: Mapping[int, bytes], *, trailer: bytes = b"") -> bytes:
    """A file of these objects, object 1 being its catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start = len(out)
    size = max(objects) + 1
    out += b"xref\n0 %d\n" % size
    for number in range(size):
        out += (
            b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
        )
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        size,
        trailer,
        start,
    )
    return bytes(out)
