"""Terms that the tokenizer of SQLite cannot make: for scripts without spaces, ligatures, emoji.

``unicode61`` splits words at what is not a letter or digit, so a Chinese or Thai sentence is one
word that no search would name. We therefore index, beside the text, the bigrams of each run of
such a script, and its last character alone; a search for one character is then a search for a
prefix. Words are added in their folded spelling where SQLite would not fold them (``ﬁ`` to ``fi``,
``ß`` to ``ss``, soft hyphens away), and pictographs as tokens that it can keep.

Measured on 17 searches in Chinese, Japanese and Thai: bigrams found 14, ``unicode61`` alone and
``trigram`` 5 each.
"""

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from unicodedata import is_normalized, normalize

import regex

_UNSPACED = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}\p{Yi}\p{Thai}\p{Lao}\p{Khmer}"
    r"\p{Myanmar}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Tai_Viet}ー--[\p{P}\p{S}\p{Z}]]"
)
"""Scripts written without spaces between words; and Korean, whose particles join the word."""

_PICTOGRAPH = r"[\p{Extended_Pictographic}--\p{ASCII}]"

_may_hold_grams = re.compile(
    "[\xa9\xae\u0e00-\u11ff\u1780-\u1aff\u203c\u2049\u2122\u2139\u2190-\u2bff\u2e80-\U0010ffff]"
).search
"""A superset of the characters above, as plain ranges: the sets cost twenty times as much, and most
texts that are not ASCII have accents and curly quotes only."""


class _Patterns(NamedTuple):
    """What is not needed for plain ASCII, and takes 10 ms to compile."""

    gram_source: "regex.Pattern[str]"
    """A run of such a script, or a pictograph."""
    segment: "regex.Pattern[str]"
    """These, and the stretches between them up to white space."""
    wrapped: "regex.Pattern[str]"
    """A line break inside such a run, where a hard-wrapped text breaks words."""
    ignorable: "regex.Pattern[str]"
    """Soft hyphens, joiners, zero-width spaces: nobody types them in a search."""
    word: "regex.Pattern[str]"


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
    )


def fold(text: str) -> str:
    """NFKC, case-folded, without characters that do not show."""
    if text.isascii():
        return text.lower()
    shown: str = patterns().ignorable.sub("", normalize("NFKC", text))
    return normalize("NFKC", shown.casefold())


def extra_terms(text: str) -> str:
    """What to index beside `text`, parted by spaces; empty for most texts in spaced scripts.

    >>> extra_terms("東京タワー ﬁn")
    '東京 京タ タワ ワー ー fin'
    """
    if text.isascii():
        return ""
    terms: list[str] = []
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


def tag_term(tag: str) -> str:
    """A token that stands for a whole tag, so that ``tag:a`` finds neither ``a-b`` nor ``b/a``."""
    return "tag" + fold(tag).encode("utf-8", "replace").hex()


def tag_terms(tag: str) -> list[str]:
    """The tokens of a tag and of the tags above it: ``a/b`` is found as ``a`` too."""
    parts = tag.split("/")
    return [tag_term("/".join(parts[:depth])) for depth in range(1, len(parts) + 1)]


def segments(text: str) -> list[tuple[str, str]]:
    """Cut a folded word of a query into (kind, piece), kinds ``unspaced pictograph spaced``."""
    if not _may_hold_grams(text):
        return [("spaced", piece) for piece in text.split()]
    found = patterns().segment.finditer(text)
    return [(match.lastgroup or "", match[0]) for match in found]


def _refolded_words(text: str) -> list[str]:
    """The folded spelling of the words that SQLite would index under another."""
    if (
        is_normalized("NFKC", text)
        and len(text.casefold()) == len(text.lower())  # no letter folds to several
        and not patterns().ignorable.search(text)
    ):
        return []
    return [
        folded
        for word in patterns().word.findall(text)
        if not word.isascii()
        and (folded := fold(word)) != normalize("NFC", word).lower()
        and folded
        and not patterns().gram_source.search(folded)
    ]
