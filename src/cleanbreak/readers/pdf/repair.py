"""Damaged cross-reference data: how it is found, and a new trailer where PDFium needs one."""

import re
from collections.abc import Sequence

_START = re.compile(rb"startxref\s+(\d{1,12})\s*%%EOF")
_TABLE_ENTRY = re.compile(rb"(\d{10}) (\d{5}) ([nf])")
_SECTION = re.compile(rb"\s*(\d{1,10})\s+(\d{1,10})\s*\r?\n?")
_OBJECT = re.compile(rb"(\d{1,10})\s+(\d{1,5})\s+obj\b")
_CATALOG = re.compile(rb"/Type\s*/Catalog\b")
_PAGE = re.compile(rb"/Type\s*/Page\b")

# Bytes of an object that are searched for its type.
_HEAD = 4096
# Entries of a table that are checked. An edit that makes offsets wrong shifts all that follow it.
_CHECKED_ENTRIES = 64


def has_sound_xref(data: bytes) -> bool:
    """Whether the last cross-reference section is at its offset and its entries point at objects.

    If not, PDFium rebuilds the section without saying so.
    """
    starts = _START.findall(data, max(0, len(data) - 2048))
    if not starts:
        return False
    # Offsets count from the header, also if other bytes precede it (ISO 32000-2, annex C).
    base = max(0, data.find(b"%PDF-", 0, 1024))
    place = base + int(starts[-1])
    head = data[place : place + 20].lstrip()
    if head.startswith(b"xref"):
        return _table_points_at_objects(data, place, base)
    return _OBJECT.match(head) is not None


def _table_points_at_objects(data: bytes, place: int, base: int) -> bool:
    section = _SECTION.match(data, data.index(b"xref", place) + 4)
    if section is None:
        return False
    number = int(section[1])
    count = min(int(section[2]), _CHECKED_ENTRIES)
    position = section.end()
    for index in range(count):
        entry = _TABLE_ENTRY.match(data, position)
        if entry is None:
            return False
        found = _OBJECT.match(data, base + int(entry[1])) if entry[3] == b"n" else None
        if entry[3] == b"n" and (found is None or int(found[1]) != number + index):
            return False
        position += 20
    return True


def with_trailer(data: bytes) -> bytes | None:
    """The file with a new trailer that names its catalog; None if it has no catalog and no page.

    A truncated file has lost its trailer, and mostly its catalog too, as most programs write it
    last. Then a catalog is added that lists the remaining pages, in the order of the file.
    """
    if b"%PDF-" not in data[:1024]:
        return None
    objects = list(_OBJECT.finditer(data))
    if not objects:
        return None
    catalogs = _of_type(_CATALOG, objects, data)
    if catalogs:
        return data + b"\ntrailer\n<< /Root %s >>\n%%%%EOF\n" % catalogs[-1]
    pages = _of_type(_PAGE, objects, data)
    if not pages:
        return None
    top = max(int(found[1]) for found in objects) + 1
    return data + (
        b"\nendstream\nendobj\n%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n"
        b"%d 0 obj\n<< /Type /Pages /Count %d /Kids [%s] >>\nendobj\n"
        b"trailer\n<< /Root %d 0 R >>\n%%%%EOF\n"
    ) % (top, top + 1, top + 1, len(pages), b" ".join(pages), top)


def _of_type(
    kind: re.Pattern[bytes], objects: Sequence[re.Match[bytes]], data: bytes
) -> list[bytes]:
    """References to the objects whose dictionary has that type, in the order of the file."""
    ends = [*(found.start() for found in objects[1:]), len(data)]
    return [
        b"%s %s R" % found.groups()
        for found, end in zip(objects, ends, strict=True)
        if kind.search(data[found.end() : min(end, found.end() + _HEAD)].partition(b"stream")[0])
    ]
