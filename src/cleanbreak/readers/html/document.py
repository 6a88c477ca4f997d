"""A document of one text with headings and figures, from what was read of markup."""

from collections.abc import Iterator

from cleanbreak.core.document import Document, Metadata, Section, Source, Span
from cleanbreak.readers.controls import clean
from cleanbreak.readers.file import SourceFile, empty
from cleanbreak.readers.html.chapter import Chapter, Counts
from cleanbreak.readers.messages import Warnings
from cleanbreak.readers.sections import Place, nested, pages, title_at


def document_of(
    file: SourceFile, media_type: str, chapter: Chapter, metadata: Metadata, warnings: Warnings
) -> Document:
    """The document of a file that is one chapter.

    Raises:
        SourceEmptyError: if it has no text.
    """
    text, controls = clean(chapter.text)
    if not text.strip():
        raise empty(file.name)
    warnings.add("CONTROL_REPLACED", None, controls)
    warn_left_out(warnings, chapter.left_out)
    return Document(
        text,
        sections=tuple(_sections(chapter, text)),
        metadata=metadata,
        source=Source(
            name=file.name, media_type=media_type, sha256=file.sha256, size=len(file.data)
        ),
        warnings=warnings.all(),
    )


def warn_left_out(warnings: Warnings, counts: Counts) -> None:
    """Add a warning for each kind of thing that was left out."""
    warnings.add("NOTE_REFERENCE_SKIPPED", None, counts.note_references)
    warnings.add("RUBY_SKIPPED", None, counts.rubies)
    warnings.add("SOFT_HYPHEN_REMOVED", None, counts.soft_hyphens)
    warnings.add("PICTURE_SKIPPED", None, counts.pictures)
    warnings.add("HIDDEN_SKIPPED", None, counts.hidden)


def figures(chapter: Chapter, start: int = 0) -> list[Section]:
    """The figures of a chapter that starts at `start`."""
    return [
        Section("figure", figure.title, 1, Span(start + figure.start, start + figure.end))
        for figure in chapter.figures
    ]


def _sections(chapter: Chapter, text: str) -> Iterator[Section]:
    yield from pages([Place(1, page.label, page.offset) for page in chapter.pages], len(text))
    headings = (Place(level, title_at(text, at), at) for level, at in chapter.headings)
    yield from nested("heading", headings, len(text))
    yield from figures(chapter)
