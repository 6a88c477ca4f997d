"""EPUB files into documents: one text in reading order, with chapters, pages and warnings."""

from collections import defaultdict
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

from cleanbreak.core.document import Document, Metadata, Section, Source
from cleanbreak.errors import SourceMalformedError
from cleanbreak.readers.archive import Archive, Damaged, Target
from cleanbreak.readers.controls import clean
from cleanbreak.readers.epub.navigation import Entry, read_navigation
from cleanbreak.readers.epub.package import Item, SpineItem, read_package, refuse_encrypted
from cleanbreak.readers.epub.sheets import Sheets
from cleanbreak.readers.file import SourceFile, empty
from cleanbreak.readers.html.chapter import Chapter
from cleanbreak.readers.html.document import figures, warn_left_out
from cleanbreak.readers.html.frame import TooDeep
from cleanbreak.readers.html.markup import prepare
from cleanbreak.readers.html.text import read_chapter
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits
from cleanbreak.readers.messages import Warnings
from cleanbreak.readers.sections import Place, nested, pages, title_at

_BETWEEN_CHAPTERS = "\n\n"
# Warnings that show that a book without text has lost it, and is not merely empty.
_LOST = ("SPINE_ITEM_DAMAGED", "SPINE_ITEM_MISSING", "RESOURCE_REMOTE")


def read_epub(file: SourceFile, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """The document of an EPUB.

    Its chapters are those of the table of contents, or its headings if there is none; its pages
    are those of the printed book, if they are marked. ``metadata.properties["spine"]`` lists the
    files in reading order with the spans of their text, empty for files without text.

    Raises:
        SourceMalformedError: if it is not a complete EPUB.
        SourceEncryptedError: if it is under DRM or locked with a password.
        SourceEmptyError: if no chapter has text.
        SourceLimitError: if it exceeds a limit.
    """
    return _Book(file, limits).document()


class _Book:
    """Reads the spine once, and on the way finds the places that the table of contents names."""

    def __init__(self, file: SourceFile, limits: Limits) -> None:
        self._file = file
        self._archive = Archive(file, limits, "EPUB")
        self._sheets = Sheets(self._archive)
        self._package = read_package(self._archive, file.name)
        refuse_encrypted(self._archive, self._package, file.name)
        self._navigation = read_navigation(self._archive, self._package)
        self._wanted = self._wanted_anchors()
        self._warnings = Warnings()
        self._warnings.add("ENTRY_REPEATED", None, self._archive.repeated)
        self._parts: list[str] = []
        self._length = 0
        self._spine: list[dict[str, Any]] = []
        self._starts: dict[str, int] = {}  # of the entries read
        self._anchors: dict[tuple[str, str], int] = {}
        self._pages: list[Place] = []
        self._headings: list[tuple[int, int]] = []
        self._figures: list[Section] = []

    def document(self) -> Document:
        """The whole book."""
        for spine_item in self._package.spine:
            self._read(spine_item)
        text = "".join(self._parts)
        if not text:
            raise self._without_text()
        metadata = self._package.metadata
        return Document(
            text,
            sections=tuple(self._sections(text)),
            metadata=Metadata(
                metadata.title,
                metadata.authors,
                metadata.language,
                MappingProxyType({"spine": self._spine}),
            ),
            source=Source(
                name=self._file.name,
                media_type="application/epub+zip",
                sha256=self._file.sha256,
                size=len(self._file.data),
            ),
            warnings=self._warnings.all(),
        )

    # --- reading ---

    def _read(self, spine_item: SpineItem) -> None:
        """Add the text of one item of the spine, or a warning that says why it has none."""
        item = spine_item.item and self._package.document_of(spine_item.item)
        entry = self._entry(spine_item, item)
        chapter = self._chapter(entry, item) if entry and item else None
        start = self._length
        if chapter is not None and chapter.text:
            if start:
                self._parts.append(_BETWEEN_CHAPTERS)
                start += len(_BETWEEN_CHAPTERS)
            self._parts.append(chapter.text)
            self._length = start + len(chapter.text)
        if entry and chapter is not None:
            self._note_places(entry, chapter, start)
        href = spine_item.item.href if spine_item.item else spine_item.idref
        self._spine.append({"href": href, "start": start, "end": self._length})

    def _entry(self, spine_item: SpineItem, item: Item | None) -> str | None:
        """The name of the archive's entry to read; ``None``, with a warning, if there is none."""
        warn = self._warnings.add
        if spine_item.item is None:
            return warn("SPINE_ITEM_MISSING", spine_item.idref)
        if item is None:
            return warn("SPINE_ITEM_UNSUPPORTED", spine_item.item.href)
        if item.target is None:
            return warn("RESOURCE_REMOTE", item.id)
        if item.target.leaks:
            warn("HREF_UNSAFE", item.id)
        entry = self._archive.find(item.target.path)
        if entry is None:
            return warn("SPINE_ITEM_MISSING", item.id)
        if entry in self._starts:
            return warn("SPINE_ITEM_REPEATED", entry)
        if entry not in (item.target.path, unquote(item.target.path)):
            warn("HREF_CASE_MISMATCH", entry)
        return entry

    def _chapter(self, entry: str, item: Item) -> Chapter | None:
        warn = self._warnings.add
        try:
            markup = prepare(self._archive.read(entry))
            chapter = read_chapter(
                markup,
                self._wanted[entry],
                is_nav="nav" in item.properties,
                language=self._package.metadata.language or "",
                styles=self._sheets.of(entry, markup.utf8),
            )
        except (Damaged, TooDeep):
            return warn("SPINE_ITEM_DAMAGED", entry)
        if markup.guessed:
            warn("ENCODING_GUESSED", f"{entry} ({markup.guessed})")
        warn("TEXT_DAMAGED", entry, markup.misfits)
        warn("ENTITY_UNRESOLVED", entry, markup.unresolved)
        text, controls = clean(chapter.text)
        if not text.strip():
            text = ""
            warn("SPINE_ITEM_WITHOUT_TEXT", entry)
        warn("CONTROL_REPLACED", entry, controls)
        warn_left_out(self._warnings, chapter.left_out)
        return chapter._replace(text=text)

    def _without_text(self) -> Exception:
        """The error for a book without text: that it is damaged, or else that it is empty."""
        if any(code in self._warnings for code in _LOST):
            return SourceMalformedError(
                f"{self._file.name!r} has no chapter that can be read; download it again.",
                name=self._file.name,
            )
        return empty(self._file.name)

    # --- places ---

    def _wanted_anchors(self) -> defaultdict[str, set[str]]:
        wanted: defaultdict[str, set[str]] = defaultdict(set)
        for entry in (*self._navigation.chapters, *self._navigation.pages):
            if entry.target and entry.target.fragment:
                name = self._archive.find(entry.target.path)
                if name is not None:
                    wanted[name].add(entry.target.fragment)
        return wanted

    def _note_places(self, entry: str, chapter: Chapter, start: int) -> None:
        self._starts[entry] = start
        for anchor, offset in chapter.anchors.items():
            self._anchors[entry, anchor] = start + offset
        self._pages += [Place(1, page.label, start + page.offset) for page in chapter.pages]
        self._headings += [(heading.level, start + heading.offset) for heading in chapter.headings]
        self._figures += figures(chapter, start)

    def _located(self, entries: tuple[Entry, ...]) -> Iterator[Place]:
        for entry in entries:
            offset = self._offset(entry.target) if entry.target else None
            if offset is None:
                self._warnings.add("CHAPTER_TARGET_MISSING")
            else:
                yield Place(entry.level, entry.title, offset)

    def _offset(self, target: Target) -> int | None:
        """The offset of `target` in the text; the start of its file if the anchor is missing."""
        name = self._archive.find(target.path)
        start = self._starts.get(name) if name is not None else None
        if start is None or not target.fragment:
            return start
        offset = self._anchors.get((name or "", target.fragment))
        if offset is None:
            self._warnings.add("CHAPTER_TARGET_MISSING")
        return start if offset is None else offset

    def _sections(self, text: str) -> Iterator[Section]:
        length = len(text)
        yield from pages(list(self._located(self._navigation.pages)) or self._pages, length)
        chapters = list(self._located(self._navigation.chapters))
        if chapters:
            yield from nested("chapter", chapters, length)
        else:
            places = (Place(level, title_at(text, at), at) for level, at in self._headings)
            yield from nested("heading", places, length)
        yield from self._figures
