"""The warnings of readers: a sentence for each code, collected over a file. See docs/readers.md."""

from cleanbreak.core.document import SourceWarning

MESSAGES = {
    "CHAPTER_TARGET_MISSING": "Entries of the table of contents point at places that are not there.",
    "COMMENT_SKIPPED": "Comments beside the text, which are not part of it, were left out.",
    "CONTROL_REPLACED": "Control characters were replaced, as they break stores and terminals.",
    "EMBEDDED_SKIPPED": "Documents that are embedded in this one were not read.",
    "ENCODING_GUESSED": "The encoding of chapters was guessed; check that letters look right.",
    "ENTITY_UNRESOLVED": "Entities that chapters declare outside themselves were left out.",
    "ENTRY_REPEATED": "The archive has several files of one name; the last of each was read.",
    "FILE_TRUNCATED": "The file ends before its text does; what there is was read.",
    "FURNITURE_SKIPPED": "Heads and feet that are printed on every page were left out.",
    "GLYPH_LOST": "Letters of fonts that are not in the file could not be read, so text is missing.",
    "GLYPH_UNMAPPED": "Glyphs have no known character; U+FFFD stands for them.",
    "HIDDEN_SKIPPED": "Elements that are hidden from readers were left out.",
    "HREF_CASE_MISMATCH": "Chapters were found under names that differ in case or composition.",
    "HREF_UNSAFE": "Names of files point outside the book; nothing outside it was read.",
    "NOTE_REFERENCE_SKIPPED": "Marks that refer to notes were left out of the text; the notes are in it.",
    "PAGE_MISSING": "The file counts pages at its end that it does not have.",
    "PAGE_UNREADABLE": "Pages are damaged beyond reading.",
    "PAGE_WITHOUT_TEXT": "Pages have no text; if they are scanned, they need OCR.",
    "PDF_REPAIRED": "The file is damaged; what is left of it was read.",
    "PICTURE_SKIPPED": "Pictures are no text; those with a caption or a description are sections.",
    "RESOURCE_REMOTE": "Chapters lie outside the book and were not fetched.",
    "RUBY_SKIPPED": "Readings printed beside words (ruby) were left out.",
    "RUNNING_FOOT": "Running feet were left out, or stand in square brackets if so asked.",
    "RUNNING_HEAD": "Running heads were left out, or stand in square brackets if so asked.",
    "SOFT_HYPHEN_REMOVED": "Soft hyphens were removed, as they are no part of the words.",
    "SPINE_ITEM_DAMAGED": "Chapters are damaged and could not be read.",
    "SPINE_ITEM_MISSING": "Chapters that the reading order names are not in the book.",
    "SPINE_ITEM_REPEATED": "Chapters that the reading order names again were read once.",
    "SPINE_ITEM_UNSUPPORTED": "Items of the reading order are of a kind that has no text.",
    "SPINE_ITEM_WITHOUT_TEXT": "Items of the reading order hold no text, such as covers and pictures.",
    "TEXT_DAMAGED": "Bytes that fit no encoding were replaced by U+FFFD.",
    "TEXT_OUTSIDE_PAGE": "Words outside the visible page were left out.",
}
_PLACES_SHOWN = 5


class Warnings:
    """Collects what happened while a file is read: counted by code, with the first few places."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._places: dict[str, list[str]] = {}

    def add(self, code: str, place: str | None = None, count: int = 1) -> None:
        """Record that `code` happened `count` times, at `place`; a count of 0 is ignored."""
        if not count:
            return
        self._counts[code] = self._counts.get(code, 0) + count
        if place is not None:
            self._places.setdefault(code, []).append(place)

    def __contains__(self, code: str) -> bool:
        return code in self._counts

    def all(self) -> tuple[SourceWarning, ...]:
        """One warning for each code, in the order in which they first happened."""
        return tuple(
            SourceWarning(code, MESSAGES[code], count, self._place(code))
            for code, count in self._counts.items()
        )

    def _place(self, code: str) -> str | None:
        places = list(dict.fromkeys(self._places.get(code, ())))
        shown = ", ".join(places[:_PLACES_SHOWN])
        more = len(places) - _PLACES_SHOWN
        return f"{shown} and {more:,} more" if more > 0 else shown or None
