"""The tools that read: text from any place of a book or note, and what there is to read."""

from cleanbreak.core.checks import whole_number
from cleanbreak.errors import SettingsError
from cleanbreak.mcp.answers import BookAnswer, BooksAnswer, ChapterAnswer, PassageAnswer
from cleanbreak.mcp.shelf import Shelf
from cleanbreak.vaults import Vault
from cleanbreak.worlds import World

MOST_CHARACTERS = 20_000
"""Of one answer: some 5,000 tokens. The answer says where the text continues."""
MOST_BOOKS = 200


def read_passage(
    shelf: Shelf, place: str, source: str, start: int, end: int | None
) -> PassageAnswer:
    """Text of a book or note from `start`, at most `MOST_CHARACTERS` of it.

    Raises:
        SettingsError: for offsets behind the text, or no such place.
        StateConflictError, SourceMissingError: if there is no such book or note.
    """
    whole_number("start", start, minimum=0)
    if end is not None:
        whole_number("end", end, minimum=start)
    if shelf.is_world(place):
        return _of_book(shelf.world(place), book_number(source), start, end)
    return _of_note(shelf.vault(place), source, start, end)


def list_books(shelf: Shelf, place: str | None, offset: int) -> BooksAnswer:
    """Books of worlds and notes of vaults, at most `MOST_BOOKS`, from the number `offset` on."""
    whole_number("offset", offset, minimum=0)
    every = [book for name, each in shelf.chosen(place) for book in _books(name, each)]
    end = offset + MOST_BOOKS
    return BooksAnswer(every[offset:end], next_offset=end if end < len(every) else None)


def list_chapters(shelf: Shelf, place: str, source: str) -> list[ChapterAnswer]:
    """The chapters of a book, in order."""
    chapters: dict[tuple[int, int, str], ChapterAnswer] = {}
    for chunk in shelf.world(place).chunks(book_number(source)):
        for section in chunk.sections:
            start, end = section.character_start_offset, section.character_end_offset
            if section.kind == "chapter":
                chapter = ChapterAnswer(section.title, section.level, start, end)
                chapters[start, end, section.title] = chapter
    return list(chapters.values())


def read_chunk(shelf: Shelf, place: str, source: str, number: int) -> str:
    """The text of one chunk of a book.

    Raises:
        SettingsError: if the book has no chunk of that number.
    """
    for chunk in shelf.world(place).chunks(book_number(source)):
        if chunk.chunk_number == number:
            return chunk.chunk_text
    raise SettingsError("number", number, "the number of a chunk of the book")


def book_number(source: str) -> int:
    """The number of a book as an assistant gives it.

    Raises:
        SettingsError: if it is no number.
    """
    if not source.isdecimal():
        raise SettingsError("source", source, "the number of a book, as list_books gives it")
    return int(source)


def _of_book(world: World, book: int, start: int, end: int | None) -> PassageAnswer:
    length = max((chunk.character_end_offset for chunk in world.chunks(book)), default=0)
    stop, next_start = _extent(start, end, length)
    excerpt = world.excerpt(book, start, stop)
    return PassageAnswer(excerpt.citation, start, stop, excerpt.passage, next_start)


def _of_note(vault: Vault, note: str, start: int, end: int | None) -> PassageAnswer:
    whole = vault.excerpt(note)
    stop, next_start = _extent(start, end, whole.end)
    cited = vault.excerpt(note, start, stop)
    return PassageAnswer(cited.citation, start, stop, whole.text[start:stop], next_start)


def _extent(start: int, end: int | None, length: int) -> tuple[int, int | None]:
    """Where the answer ends, and where what was asked for continues."""
    if start >= length:
        raise SettingsError("start", start, f"less than {length}, the length of the text")
    asked = length if end is None else min(end, length)
    stop = min(asked, start + MOST_CHARACTERS)
    return stop, stop if stop < asked else None


def _books(place: str, held: World | Vault) -> list[BookAnswer]:
    if isinstance(held, Vault):
        return [_book(place, note, note, ()) for note in held.notes()]
    return [
        _book(place, str(book.number), book.title or book.source_path, book.authors)
        for book in held.books()
    ]


def _book(place: str, source: str, title: str, authors: tuple[str, ...]) -> BookAnswer:
    return BookAnswer(place, source, title, list(authors))
