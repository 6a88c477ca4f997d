"""ODT files into documents: OpenDocument text (ODF 1.3, part 3)."""

import re
from typing import Any

from cleanbreak.core.document import Document, Metadata
from cleanbreak.errors import SourceEncryptedError, SourceMalformedError
from cleanbreak.readers.archive import Archive
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.html.document import document_of
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits
from cleanbreak.readers.messages import Warnings
from cleanbreak.readers.office.numbering import Level
from cleanbreak.readers.office.odt_body import Body, Styles
from cleanbreak.readers.xml import attribute, child, descendants, first, local, parse, words

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"
_FURNITURE = frozenset(("header", "footer", "header-first", "footer-first", "header-left", "footer-left"))  # fmt: skip
_RAISED = re.compile(r"(super|-?\d+)", re.IGNORECASE)


def read_odt(file: SourceFile, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """The document of an ODT file: its text as printed last, with tracked changes accepted.

    Headings are sections. Notes and text boxes stand after the paragraph in which they are anchored.

    Raises:
        SourceMalformedError: if it is not a whole ODT file.
        SourceEncryptedError: if it is locked with a password.
        SourceEmptyError: if it has no text.
        SourceLimitError: if it exceeds a limit.
    """
    archive = Archive(file, limits, "ODT")
    _refuse_encrypted(archive, file.name)
    warnings = Warnings()
    warnings.add("ENTRY_REPEATED", None, archive.repeated)
    root = parse(archive, "content.xml")
    body = None if root is None else first(root, "body")
    text = None if body is None else child(body, "text")
    if text is None:
        raise SourceMalformedError(
            f"{file.name!r} is not a whole ODT file: its text is missing or damaged.",
            name=file.name,
        )
    shared = parse(archive, "styles.xml")

    def embedded(href: str) -> Any:
        return parse(archive, f"{href.removeprefix('./')}/content.xml")

    story = Body(warnings, _styles(shared, root), embedded)
    story.write(text)
    warnings.add("FURNITURE_SKIPPED", None, _furniture(shared))
    return document_of(file, MEDIA_TYPE, story.chapter(), _metadata(archive), warnings)


def _refuse_encrypted(archive: Archive, name: str) -> None:
    root = parse(archive, "META-INF/manifest.xml")
    if root is not None and first(root, "encryption-data") is not None:
        raise SourceEncryptedError(
            f"{name!r} is locked with a password; save it without one.", name=name
        )


def _styles(*roots: Any) -> Styles:
    """The styles of all parts of the file that change what is text."""
    styles = Styles(set(), set(), set(), {})
    for root in roots:
        for element in () if root is None else root.iter():
            name = local(element)
            if name == "style":
                _add_style(styles, element)
            elif name == "list-style":
                styles.lists[attribute(element, "name")] = {
                    int(attribute(level, "level") or 1) - 1: _level(level)
                    for level in element
                    if attribute(level, "level").isdigit()
                }
    return styles


def _add_style(styles: Styles, element: Any) -> None:
    properties = child(element, "text-properties")
    if properties is None:
        return
    name = attribute(element, "name")
    position = attribute(properties, "text-position").split()
    if position and (raised := _RAISED.match(position[0])) and position[0] not in ("0", "0%"):
        (styles.lowered if raised[0].startswith("-") else styles.raised).add(name)
    elif position and position[0] == "sub":
        styles.lowered.add(name)
    if attribute(properties, "display") == "none":
        styles.hidden.add(name)


def _level(element: Any) -> Level:
    if local(element) != "list-level-style-number":
        return Level("bullet", "")
    depth = int(attribute(element, "level"))
    shown = attribute(element, "display-levels")
    first_shown = max(1, depth + 1 - (int(shown) if shown.isdigit() else 1))
    numbers = ".".join(f"%{index}" for index in range(first_shown, depth + 1))
    kind = attribute(element, "num-format")
    start = attribute(element, "start-value")
    pattern = f"{attribute(element, 'num-prefix')}{numbers}{attribute(element, 'num-suffix')}"
    return Level(kind, pattern if kind else "", int(start) if start.isdigit() else 1)


def _furniture(root: Any) -> int:
    """How many heads and feet of pages have text."""
    if root is None:
        return 0
    return sum(bool(words(e)) for name in _FURNITURE for e in descendants(root, name))


def _metadata(archive: Archive) -> Metadata:
    root = parse(archive, "meta.xml")
    found = {} if root is None else {local(e): words(e) for e in root.iter() if local(e)}
    author = found.get("initial-creator") or found.get("creator")
    return Metadata(
        title=found.get("title") or None,
        authors=(author,) if author else (),
        language=found.get("language") or None,
    )
