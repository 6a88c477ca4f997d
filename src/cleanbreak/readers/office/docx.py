"""DOCX files into documents: WordprocessingML (ECMA-376, part 1) with what its text needs."""

from collections.abc import Iterator
from typing import Any

from cleanbreak.core.document import Document, Metadata
from cleanbreak.errors import SourceMalformedError
from cleanbreak.readers.archive import Archive, resolve
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.html.document import document_of
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits
from cleanbreak.readers.messages import Warnings
from cleanbreak.readers.office.docx_body import Body
from cleanbreak.readers.office.docx_parts import read_numbering, read_styles
from cleanbreak.readers.xml import attribute, descendants, first, local, parse, words

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_DEFAULT = "word/document.xml"


def read_docx(file: SourceFile, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """The document of a DOCX file: its text as printed last, with tracked changes accepted.

    Headings are sections. Footnotes, endnotes and text boxes stand after the paragraph in which
    they are anchored.

    Raises:
        SourceMalformedError: if it is not a whole DOCX file.
        SourceEmptyError: if it has no text.
        SourceLimitError: if it exceeds a limit.
    """
    archive = Archive(file, limits, "DOCX")
    warnings = Warnings()
    warnings.add("ENTRY_REPEATED", None, archive.repeated)
    path = _main_part(archive)
    root = parse(archive, path)
    body = None if root is None else first(root, "body")
    if body is None:
        raise SourceMalformedError(
            f"{file.name!r} is not a whole DOCX file: its text is missing or damaged.",
            name=file.name,
        )
    parts = dict(_related(archive, path))
    story = Body(
        warnings,
        read_styles(parse(archive, parts.get("styles", ""))),
        read_numbering(parse(archive, parts.get("numbering", ""))),
        {
            kind: _notes(parse(archive, parts.get(f"{kind}s", "")))
            for kind in ("footnote", "endnote")
        },
    )
    story.write(body)
    warnings.add("FURNITURE_SKIPPED", None, _furniture(archive, path))
    return document_of(file, MEDIA_TYPE, story.chapter(), _metadata(archive), warnings)


def _main_part(archive: Archive) -> str:
    return dict(_related(archive, "")).get("officeDocument", _DEFAULT)


def _related(archive: Archive, path: str) -> Iterator[tuple[str, str]]:
    """The kinds and paths of the parts that belong to the part at `path`."""
    folder, _, name = path.rpartition("/")
    root = parse(archive, f"{folder}/_rels/{name}.rels".lstrip("/"))
    for relation in () if root is None else descendants(root, "Relationship"):
        target = resolve(path, relation.get("Target", ""))
        if target is not None and relation.get("TargetMode") != "External":
            yield relation.get("Type", "").rpartition("/")[2], target.path


def _notes(root: Any) -> dict[str, Any]:
    """The notes by their number, without the lines that separate them from the text."""
    notes = () if root is None else root
    return {
        attribute(note, "id"): note
        for note in notes
        if local(note) and attribute(note, "type") in ("", "normal")
    }


def _furniture(archive: Archive, path: str) -> int:
    """How many heads and feet of pages have text."""
    found = 0
    for kind, part in _related(archive, path):
        if kind in ("header", "footer"):
            root = parse(archive, part)
            found += root is not None and any(
                (t.text or "").strip() for t in descendants(root, "t")
            )
    return found


def _metadata(archive: Archive) -> Metadata:
    root = parse(archive, dict(_related(archive, "")).get("core-properties", "docProps/core.xml"))
    found = {} if root is None else {local(element): words(element) for element in root}
    return Metadata(
        title=found.get("title") or None,
        authors=tuple(filter(None, [found.get("creator")])),
        language=found.get("language") or None,
    )
