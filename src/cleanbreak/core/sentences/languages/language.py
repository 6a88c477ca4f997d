"""What the sentence rules need to know of a language: its abbreviations and its small words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# The kinds of abbreviations, by what a full stop after one means.
TITLE = "title"  # never ends a sentence: stands before a name or inside a sentence (Dr., e.g.)
MAYBE = "maybe"  # ends one if a word follows that starts one (Inc., p.m., U.S.)
FINAL = "final"  # ends one if a capital follows: closes a list (etc.)
NUMBERED = "numbered"  # never ends one before a number; else it is a common word (no. 7, fig. 3)

Kind = str


@dataclass(frozen=True, slots=True)
class Language:
    """One language's data, in lower case.

    ``abbreviations`` maps a word without its last full stop to its kind; `kind_of` looks it up.
    ``small_words`` are the frequent function words: they distinguish languages, and one with a
    capital after an abbreviation proves a new sentence ("in the U.S. The …").
    """

    code: str
    abbreviations: Mapping[str, Kind]
    small_words: frozenset[str]
    ordinals: bool = False
    """Whether a number with a full stop is an ordinal (German "3. Oktober")."""
    extra_marks: str = ""
    """Marks that end sentences in this language and not in others (the Greek semicolon)."""
    full_stops: bool = True
    """Whether "." ends sentences at all: in Armenian it is a kind of colon."""
    newlines_end: bool = False
    """Whether a single newline ends a sentence, as no mark does (Thai, Lao)."""
    endings: tuple[str, ...] = ()
    """Abbreviations that end longer words (German "Hauptstr.")."""
    verb_endings: tuple[str, ...] = ()
    """Endings of verbs that close a sentence by themselves (Korean "-습니다")."""
    letters: str = ""
    """Letters that only few languages write; they help to detect the language of a text."""
    spaced_closers: str = ""
    """Quotes that close a quotation also after a space, as they open none („… “ in Lithuanian)."""
    names: str = ""
    """Small letters that name a thing ("call it x. Then") and abbreviate nothing."""

    def kind_of(self, word: str) -> Kind | None:
        """The kind of abbreviation a word is. A capital in the lists demands one in the text."""
        kind = self.abbreviations.get(word)
        if kind is None and not word.islower():
            kind = self.abbreviations.get(word.lower())
        return kind


@dataclass(frozen=True, slots=True)
class Words:
    """The raw lists of one language, as a contributor writes them: words with spaces between."""

    small: str = ""
    title: str = ""
    maybe: str = ""
    final: str = ""
    numbered: str = ""
    ordinals: bool = False
    extra_marks: str = ""
    full_stops: bool = True
    newlines_end: bool = False
    endings: str = ""
    verb_endings: str = ""
    letters: str = ""
    spaced_closers: str = ""
    names: str = ""


def build(code: str, words: Words, universal: Words) -> Language:
    """Make a language of its own lists over the universal ones; its own win."""
    abbreviations: dict[str, Kind] = {}
    for source in (universal, words):
        for kind, listed in (
            (MAYBE, source.maybe),
            (FINAL, source.final),
            (NUMBERED, source.numbered),
            (TITLE, source.title),
        ):
            abbreviations.update(dict.fromkeys(_words(listed), kind))
    return Language(
        code,
        abbreviations,
        frozenset(_words(words.small)),
        words.ordinals,
        words.extra_marks,
        words.full_stops,
        words.newlines_end,
        tuple(_words(words.endings)),
        tuple(_words(words.verb_endings)),
        words.letters,
        words.spaced_closers,
        words.names,
    )


def _words(listed: str) -> Iterable[str]:
    return listed.split()
