"""Lines of plain text that may be headings of chapters: what one line says, without its surroundings."""

import re
from typing import NamedTuple

from cleanbreak.readers.numerals import number, plain

ROMAN, FIGURES, CHINESE = 6, 7, 8
"""The ranks of numbers that stand alone or before a title, by how they are written."""

BARE = ROMAN
"""The first of these ranks."""

MATTER = 0
"""The rank of a preface, an epilogue and the like, which are not counted."""

# The words that announce a numbered section, without accents, by rank: volumes above books above
# parts above chapters above scenes.
_RANKS = (
    "volume vol tome tomo band том",
    "book livre buch libro liber livro книга boek ksiega",
    "part partie teil theil parte pars часть deel czesc act acte akt actus atto акт действие",
    (
        "chapter chap chapitre kapitel capitulo capitolo caput cap глава hoofdstuk rozdzial kapitola luku"
        " fejezet kapittel κεφαλαιο letter lettre canto chant stave"
    ),
    "scene szene scena scaena escena сцена явление tooneel",
)
_RANK = {word: rank for rank, words in enumerate(_RANKS, 1) for word in words.split()}
_CHINESE_RANK = {"部": 3, "卷": 2, "巻": 2, "編": 3, "篇": 3, "章": 4, "回": 4, "話": 4, "话": 4}
_FRONT = frozenset(
    [
        "preface",
        "prologue",
        "introduction",
        "foreword",
        "prolog",
        "vorwort",
        "einleitung",
        "prologo",
        "prefacio",
        "prefazione",
        "introduccion",
        "пролог",
        "предисловие",
        "введение",
        "voorwoord",
        "序",
        "序章",
        "前言",
    ]
)
_BACK = frozenset(
    [
        "epilogue",
        "afterword",
        "conclusion",
        "epilog",
        "nachwort",
        "schluss",
        "epilogo",
        "эпилог",
        "послесловие",
        "заключение",
        "nawoord",
        "終章",
        "后记",
        "後記",
        "尾声",
    ]
)

_WORD = r"[^\W\d_]+"
_NUMBER = rf"\d+|{_WORD}(?:-{_WORD})?"
_KEYWORD_FIRST = re.compile(rf"({_WORD})\.?[ \t]+(?:the )?({_NUMBER})(?![^\W_])(.*)", re.IGNORECASE)
# With "and last" between, also in other languages.
_NUMBER_FIRST = re.compile(
    rf"({_NUMBER})\.?[ \t]+(?:(?:and|und|et|y|e|en|и) {_WORD} )?({_WORD})(?![^\W_])(.*)"
)
_CHINESE = re.compile(r"第([0-9０-９〇零一二三四五六七八九十百]+)([部卷巻編篇章回話话])(.*)")
_CHINESE_STOPS = "\u3000 ：:、"
_ALONE = re.compile(r"([IVXLC]+|\d{1,3}|[〇零一二三四五六七八九十百]+)[.)．、]?")
_BEFORE_TITLE = re.compile(r"([IVXLC]+|\d{1,3})\.[ \t]+(?=[^\W\d_a-z])(.*)")
_DASHES = "-–—:"
_MARKS = " \t\r_*=#"


class Heading(NamedTuple):
    """What a line says. ``title`` is the line; ``rest`` what follows the number."""

    rank: int
    number: int
    title: str
    rest: str = ""
    is_front: bool = False


def may_start(word: str) -> bool:
    """Whether a heading may have this first word: a quick test for the many lines that are none."""
    if word[0].islower():
        return False
    low = plain(word)
    return (
        low in _RANK or low in _FRONT or low in _BACK or word[0] == "第" or number(word) is not None
    )


def heading(line: str) -> Heading | None:
    """The heading that `line` is, if nothing around it speaks against it.

    >>> heading("CHAPTER XII. The Storm")
    Heading(rank=4, number=12, title='CHAPTER XII. The Storm', rest='The Storm', is_front=False)
    >>> heading("Chapter and verse") is None
    True
    """
    line = line.strip(_MARKS)
    if not line or line[0].islower():
        return None
    return _chinese(line) or _named(line) or _bare(line) or _matter(line)


def _chinese(line: str) -> Heading | None:
    found = _CHINESE.match(line)
    value = number(found[1]) if found else None
    if found is None or value is None:
        return None
    return Heading(_CHINESE_RANK[found[2]], value, line, found[3].lstrip(_CHINESE_STOPS))


def _named(line: str) -> Heading | None:
    """``Chapter 3. The Storm`` or ``Drittes Kapitel``."""
    found = _KEYWORD_FIRST.match(line)
    if found and (rank := _RANK.get(plain(found[1]))) and (value := number(_case(found[2]))):
        rest = found[3]
        # "Part two of the crew" is prose: after the number comes a stop or nothing.
        is_title = _is_set_off(rest) or _is_unfinished_title(rest)
        return Heading(rank, value, line, _trim(rest)) if is_title else None
    found = _NUMBER_FIRST.match(line)
    if found is None or (value := number(_case(found[1]))) is None:
        return None
    name, rest = plain(found[2]), found[3]
    if name in _FRONT or name in _BACK:
        return Heading(MATTER, 1, line, _trim(rest), name in _FRONT) if _is_set_off(rest) else None
    rank = _RANK.get(name)
    if rank and (_is_set_off(rest) or not rest.rstrip().endswith((".", ",", ";", ":", "!", "?"))):
        return Heading(rank, value, line, _trim(rest))
    return None


def _case(word: str) -> str:
    """Roman numerals are also written small after a keyword: ``Chapter iv``."""
    return word.upper() if set(word) <= set("ivxlc") else word


def _is_set_off(rest: str) -> bool:
    words = rest.strip()
    if not words or words[0] in _DASHES:
        return True
    return not (rest[0].isalnum() or rest[0] in ",'’ \t") or rest.isupper()


def _is_unfinished_title(rest: str) -> bool:
    """Whether words after a number are a title, as in ``Chapter 3 The Storm``: no sentence ends."""
    words = rest.strip()
    return rest[0] in " \t" and words[0].isupper() and not words.endswith((".", ",", ";", ":", "-"))


def _trim(rest: str) -> str:
    return rest.strip(" \t.:—–-)]")


def _bare(line: str) -> Heading | None:
    found = _ALONE.fullmatch(line)
    if found and (value := number(found[1])):
        return Heading(_style(found[1]), value, line)
    found = _BEFORE_TITLE.fullmatch(line)
    if found and (value := number(found[1])):
        return Heading(_style(found[1]), value, line, found[2])
    return None


def _style(number: str) -> int:
    return FIGURES if number.isdecimal() else ROMAN if number.isascii() else CHINESE


def _matter(line: str) -> Heading | None:
    name = plain(line.rstrip(".:"))
    if name in _FRONT or name in _BACK:
        return Heading(MATTER, 1, line, "", name in _FRONT)
    return None
