"""Terms that the tokenizer of SQLite cannot make: for scripts without spaces, ligatures, emoji.

``unicode61`` splits words at what is not a letter or digit, so a Chinese or Thai sentence is one
word that no search would name. We therefore index, beside the text, the bigrams of each run of
such a script, and its last character alone; a search for one character is then a search for a
prefix. Words are added in their folded spelling where SQLite would not fold them (``ﬁ`` to ``fi``,
``ß`` to ``ss``, ``ё`` to ``е``, soft hyphens and Hebrew points away), and pictographs as tokens that
it can keep.

Measured on 17 searches in Chinese, Japanese and Thai: bigrams found 14, ``unicode61`` alone and
``trigram`` 5 each.
"""

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from unicodedata import is_normalized, normalize

import regex

from cleanbreak.stores.fulltext.signs import signed_words

# Scripts written without spaces between words; and Korean, whose particles join the word.
_UNSPACED = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}\p{Yi}\p{Thai}\p{Lao}\p{Khmer}"
    r"\p{Myanmar}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Tai_Viet}ー--[\p{P}\p{S}\p{Z}]]"
)

_PICTOGRAPH = r"[\p{Extended_Pictographic}--\p{ASCII}]"

# A superset of the characters above, as plain ranges: the sets cost twenty times as much, and most
# texts that are not ASCII have accents and curly quotes only.
_may_hold_grams = re.compile(
    "[\xa9\xae\u0e00-\u11ff\u1780-\u1aff\u203c\u2049\u2122\u2139\u2190-\u2bff\u2e80-\U0010ffff]"
).search

# Curly quotes, dashes and other signs of which no word consists: all that most English books have
# beyond ASCII. Signs that SQLite or Unicode takes for letters or numbers are not among them.
_beyond_ascii_and_signs = re.compile(
    "[^\0-\x7f\xa0-\xa9\xab\xac\xae-\xb1\xb4\xb6-\xb8\xbb\xbf\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]"
).search

_may_be_respelt = re.compile(
    "[\u00d8\u00f8\u0110\u0111\u0126\u0127\u0131\u0141\u0142"  # letters with a stroke; dotless i
    "\u0386-\u0390\u03aa-\u03b0\u03ca-\u03ce\u1f00-\u1fff"  # Greek with accents
    "\u0400\u0401\u0407\u040d\u0450\u0451\u0457\u045d"  # Cyrillic with accents or two dots
    "\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]"  # points and vowel signs
).search
# Marks that writers of Greek, Russian, Hebrew and Arabic often leave out. SQLite removes accents from
# Latin letters only. The breve of ``й`` is not one of them: that is another letter than ``и``.
_OPTIONAL_MARKS = re.compile(
    "[\u0300\u0301\u0308\u0313\u0314\u0342\u0345"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]"
)

_ACCENTS = re.compile("[\u0300-\u036f]")

# Letters that Unicode does not decompose, yet people type without the stroke.
_STROKES = str.maketrans("łøđħı", "lodhi")


class _Patterns(NamedTuple):
    """Patterns that plain ASCII does not need; they take 10 ms to compile."""

    gram_source: "regex.Pattern[str]"
    """A run of such a script, or a pictograph."""
    segment: "regex.Pattern[str]"
    """These, and the text between them up to white space."""
    wrapped: "regex.Pattern[str]"
    """A line break inside such a run, where a hard-wrapped text breaks words."""
    ignorable: "regex.Pattern[str]"
    """Soft hyphens, joiners, zero-width spaces: nobody types them in a search."""
    word: "regex.Pattern[str]"
    term: "regex.Pattern[str]"
    """What the index takes for one word of a folded text."""


@cache
def patterns() -> _Patterns:
    """The patterns, compiled when they are first needed."""
    source = rf"(?P<unspaced>{_UNSPACED}+)|(?P<pictograph>{_PICTOGRAPH})"
    spaced = rf"(?P<spaced>\S+?(?={_UNSPACED}|{_PICTOGRAPH}|\s|$))"
    return _Patterns(
        gram_source=regex.compile(source, regex.V1),
        segment=regex.compile(f"{source}|{spaced}", regex.V1),
        wrapped=regex.compile(rf"(?<={_UNSPACED})\r?\n(?={_UNSPACED})", regex.V1),
        ignorable=regex.compile(r"[\p{Default_Ignorable_Code_Point}--\p{M}]+", regex.V1),
        word=regex.compile(r"[\p{L}\p{N}\p{M}\p{Cf}]+"),
        term=regex.compile(r"[\p{L}\p{N}\p{M}\p{Co}]+"),
    )


def fold(text: str) -> str:
    """NFKC, case-folded, without characters that do not show."""
    if text.isascii():
        return text.lower()
    shown: str = patterns().ignorable.sub("", normalize("NFKC", text))
    return normalize("NFKC", shown.casefold())


def respell(text: str) -> str:
    """Folded, and without accents that SQLite would keep.

    >>> respell("Ёлка"), respell("ἄνθρωπος"), respell("Łódź")
    ('елка', 'ανθρωποσ', 'lodz')
    """
    folded = fold(text)
    if not _may_be_respelt(text):
        return folded
    return normalize("NFC", _OPTIONAL_MARKS.sub("", normalize("NFD", folded))).translate(_STROKES)


def without_accents(folded: str) -> str:
    """A folded text without the accents that SQLite takes away."""
    if folded.isascii():
        return folded
    return normalize("NFC", _ACCENTS.sub("", normalize("NFD", folded)))


def extra_terms(text: str) -> str:
    """What to index beside `text`, joined by spaces; empty for most texts in spaced scripts.

    >>> extra_terms("東京タワー ﬁn"), extra_terms("Learn C#")
    ('東京 京タ タワ ワー ー fin', 'sign6323')
    """
    terms = list(map(sign_term, signed_words(text)))
    if text.isascii():
        return " ".join(terms)
    if _may_hold_grams(text):
        for match in patterns().gram_source.finditer(patterns().wrapped.sub("", fold(text))):
            terms += grams(match[0]) if match["unspaced"] else (pictograph_term(match[0]),)
    terms += _refolded_words(text)
    return " ".join(terms)


def with_extra_terms(text: str) -> str:
    """A short text, such as a title, followed by its extra terms."""
    extra = extra_terms(text)
    return f"{text} {extra}" if extra else text


def grams(run: str) -> list[str]:
    """The bigrams of a run, and its last character alone."""
    return [*map("".join, pairwise(run)), run[-1]]


def pictograph_term(sign: str) -> str:
    """A token for an emoji or dingbat, which the tokenizer would drop."""
    return f"u{ord(sign):x}"


def sign_term(word: str) -> str:
    """A token for a word with its signs; see `cleanbreak.stores.fulltext.signs`."""
    return "sign" + _hexadecimal(fold(word))


def tag_term(tag: str) -> str:
    """A token that stands for a whole tag, so that ``tag:a`` finds neither ``a-b`` nor ``b/a``."""
    return "tag" + _hexadecimal(fold(tag))


def tag_terms(tag: str) -> list[str]:
    """The tokens of a tag and of the tags above it: ``a/b`` is found as ``a`` too."""
    parts = tag.split("/")
    return [tag_term("/".join(parts[:depth])) for depth in range(1, len(parts) + 1)]


def name_terms(kind: str, name: str) -> list[str]:
    """The tokens of a name, so that ``file:a`` finds neither a folder nor an author ``a``.

    >>> name_terms("author", "Jane Doe")
    ['author6a616e65', 'author646f65']
    """
    words: list[str] = []
    for word in re.findall(r"\w+", fold(name)):
        words += grams(word)[:-1] or [word] if _may_hold_grams(word) else [word]
    return [kind + _hexadecimal(word) for word in words]


def label_term(kind: str, label: str) -> str:
    """A token for a whole label: that of a page, or the number of a book."""
    return kind + _hexadecimal(fold(label))


def is_made(term: str) -> bool:
    """Whether a term of the index is no word of a text, but a token made here.

    >>> is_made("tag736561"), is_made("u1f642"), is_made("tagged"), is_made("file")
    (True, True, False, False)
    """
    return _made(term) is not None


_made = re.compile(
    r"(?:tag|file|sign|author|book|chapter|page)(?=[a-f]*\d)(?:[0-9a-f]{2})+\Z|u[0-9a-f]{4,5}\Z"
).match


def _hexadecimal(text: str) -> str:
    return text.encode("utf-8", "replace").hex()


def segments(text: str) -> list[tuple[str, str]]:
    """Cut a folded word of a query into (kind, piece), kinds ``unspaced pictograph spaced``."""
    if not _may_hold_grams(text):
        return [("spaced", piece) for piece in text.split()]
    found = patterns().segment.finditer(text)
    return [(match.lastgroup or "", match[0]) for match in found]


def _refolded_words(text: str) -> list[str]:
    """The folded spelling of the words that SQLite would index under another."""
    if not _beyond_ascii_and_signs(text):
        return []
    if (
        is_normalized("NFKC", text)
        and len(text.casefold()) == len(text.lower())  # no letter folds to several
        and not patterns().ignorable.search(text)
        and not _may_be_respelt(text)
    ):
        return []
    return [
        folded
        for word in patterns().word.findall(text)
        if not word.isascii()
        and (folded := respell(word)) != normalize("NFC", word).lower()
        and folded
        and not patterns().gram_source.search(folded)
    ]
