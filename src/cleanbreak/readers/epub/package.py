"""The package of an EPUB: its metadata, its files, and the order in which they are read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from cleanbreak.core.document import Metadata
from cleanbreak.errors import SourceEncryptedError, SourceMalformedError
from cleanbreak.readers.archive import Archive, Target, resolve
from cleanbreak.readers.xml import descendants, first, local, parse

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PACKAGE_TYPE = "application/oebps-package+xml"
# Algorithms that only obfuscate fonts (OCF 3.3, 4.4; and Adobe's older one).
_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")

_DOCUMENT_TYPES = frozenset((
    "application/xhtml+xml",
    "image/svg+xml",
    "text/html",
    "application/x-dtbook+xml",
    "text/x-oeb1-document",
))  # fmt: skip
_DOCUMENT_ENDINGS = (".xhtml", ".html", ".htm", ".xht")
_TOC_TYPE = "application/x-dtbncx+xml"


@dataclass(frozen=True, slots=True)
class Item:
    """A file that the manifest lists. ``target`` is ``None`` if it is outside the archive."""

    id: str
    href: str
    target: Target | None
    media_type: str
    properties: tuple[str, ...]
    fallback: str

    @property
    def readable(self) -> bool:
        """Whether it is of a kind that has text."""
        return self.media_type in _DOCUMENT_TYPES or (
            self.href.lower().endswith(_DOCUMENT_ENDINGS)
            and not self.media_type.startswith(("image/", "audio/", "video/"))
        )


class SpineItem(NamedTuple):
    """An entry of the reading order. ``item`` is ``None`` if the manifest does not have it."""

    idref: str
    item: Item | None


@dataclass(frozen=True, slots=True)
class Package:
    """The content of the package document."""

    metadata: Metadata
    items: dict[str, Item]
    spine: tuple[SpineItem, ...]
    toc_id: str

    @property
    def nav(self) -> Item | None:
        """The navigation document of EPUB 3."""
        return next((item for item in self.items.values() if "nav" in item.properties), None)

    @property
    def ncx(self) -> Item | None:
        """The table of contents of EPUB 2."""
        if self.toc_id in self.items:
            return self.items[self.toc_id]
        return next((i for i in self.items.values() if i.media_type == _TOC_TYPE), None)

    def document_of(self, item: Item) -> Item | None:
        """The item or the first of its fallbacks that can be read; a cycle ends the search."""
        seen: set[str] = set()
        current: Item | None = item
        while current is not None and current.id not in seen:
            if current.readable:
                return current
            seen.add(current.id)
            current = self.items.get(current.fallback)
        return None


def read_package(archive: Archive, name: str) -> Package:
    """The first package that the container names.

    Raises:
        SourceMalformedError: if there is no container, no package in it, or no reading order in
            the package. The order of the manifest means nothing (EPUB 3.3 on `manifest`).
    """
    path = _package_path(archive, name)
    root = parse(archive, path)
    if root is None or not len(root):
        raise _malformed(name, "its package document is missing or damaged")
    items = {item.id: item for item in _items(root, path)}
    spine = first(root, "spine")
    refs = [] if spine is None else [child for child in spine if local(child) == "itemref"]
    if not refs:
        raise _malformed(name, "its package document names no chapter to read")
    idrefs = [ref.get("idref", "") for ref in refs]
    return Package(
        metadata=_metadata(root),
        items=items,
        spine=tuple(SpineItem(idref, items.get(idref)) for idref in idrefs),
        toc_id=spine.get("toc", ""),
    )


def refuse_encrypted(archive: Archive, package: Package, name: str) -> None:
    """Raise if a chapter is encrypted; encrypted fonts and pictures do not matter.

    Raises:
        SourceEncryptedError: for DRM.
    """
    root = parse(archive, _ENCRYPTION)
    if root is None:
        return
    encrypted = set()
    for data in descendants(root, "EncryptedData"):
        method = next(descendants(data, "EncryptionMethod"), None)
        if method is not None and method.get("Algorithm") in _OBFUSCATION:
            continue
        for reference in descendants(data, "CipherReference"):
            target = resolve("", reference.get("URI", ""))
            encrypted.add(archive.find(target.path) if target else None)
    for _, item in package.spine:
        if (
            item is not None
            and item.target
            and archive.find(item.target.path) in encrypted - {None}
        ):
            raise SourceEncryptedError(
                f"{name!r} is under DRM: its chapters are encrypted. Get a copy without DRM.",
                name=name,
            )


def _package_path(archive: Archive, name: str) -> str:
    container = parse(archive, _CONTAINER)
    if container is None:
        raise _malformed(name, "it has no readable META-INF/container.xml")
    rootfiles = list(descendants(container, "rootfile"))
    # The first one is the default rendition (OCF 3.3, 4.2.6.3.1.1).
    rootfiles.sort(key=lambda rootfile: rootfile.get("media-type") != _PACKAGE_TYPE)
    target = resolve("", rootfiles[0].get("full-path", "")) if rootfiles else None
    if target is None:
        raise _malformed(name, "its container names no package document")
    return target.path


def _items(root: Any, path: str) -> Iterator[Item]:
    manifest = first(root, "manifest")
    for element in () if manifest is None else manifest:
        if local(element) == "item":
            href = element.get("href", "")
            yield Item(
                id=element.get("id", ""),
                href=href,
                target=resolve(path, href) if href else None,
                media_type=element.get("media-type", "").partition(";")[0].strip().lower(),
                properties=tuple(element.get("properties", "").split()),
                fallback=element.get("fallback", ""),
            )


def _metadata(root: Any) -> Metadata:
    found: dict[str, list[str]] = {"title": [], "creator": [], "language": []}
    metadata = first(root, "metadata")
    for element in () if metadata is None else metadata.iter():
        words = " ".join("".join(element.itertext()).split()) if local(element) else ""
        # OEBPS 1.2 writes dc:Title.
        if words and local(element).lower() in found:
            found[local(element).lower()].append(words)
    return Metadata(
        title=next(iter(found["title"]), None),
        authors=tuple(dict.fromkeys(found["creator"])),
        language=next(iter(found["language"]), None),
    )


def _malformed(name: str, why: str) -> SourceMalformedError:
    return SourceMalformedError(f"{name!r} is not a whole EPUB: {why}.", name=name)
