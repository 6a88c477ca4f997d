"""The numbers of chapters: figures, Roman and Chinese numerals, and words of a few languages."""

import re
import unicodedata
from functools import lru_cache

_ROMAN = re.compile(r"(?=[IVXLC])C{0,3}(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_CHINESE = {one: value for value, one in enumerate("〇一二三四五六七八九")} | {"零": 0}
_CHINESE_UNITS = {"十": 10, "百": 100}
_CARDINALS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
# Stems of ordinal numbers, without accents, from the first on; "/" divides those of one number. A
# stem that two languages share has the same number in both.
_STEMS = (
    "first/erst/premier/premi/primer/primeir/prim/eerst/перв",
    "second/zweit/deuxiem/segund/secund/tweed/втор",
    "third/dritt/troisiem/tercer/terceir/terz/terti/derd/трет",
    "fourth/viert/quatriem/cuart/quart/vierd/четверт",
    "fifth/fünft/funft/cinquiem/quint/vijfd/пят",
    "sixth/sechst/sixiem/sext/sest/zesd/шест",
    "seventh/siebent/siebt/septiem/septim/settim/setim/zevend/седьм",
    "eighth/acht/huitiem/octav/ottav/oitav/achtst/восьм",
    "ninth/neunt/neuviem/noven/negend/девят",
    "tenth/zehnt/dixiem/decim/tiend/десят",
    "eleventh/elft/onziem/undecim/одиннадцат",
    "twelfth/zwolft/douziem/duodecim/двенадцат",
    "thirteenth/dreizehnt/treiziem/decimotercer/tredicesim/dertiend/тринадцат",
    "fourteenth/vierzehnt/quatorziem/decimocuart/quattordicesim/veertiend/четырнадцат",
    "fifteenth/funfzehnt/quinziem/decimoquint/quindicesim/vijftiend/пятнадцат",
    "sixteenth/sechzehnt/seiziem/decimosext/sedicesim/zestiend/шестнадцат",
    "seventeenth/siebzehnt/dix-septiem/decimoseptim/diciassettesim/zeventiend/семнадцат",
    "eighteenth/achtzehnt/dix-huitiem/decimoctav/diciottesim/achttiend/восемнадцат",
    "nineteenth/neunzehnt/dix-neuviem/decimonoven/diciannovesim/negentiend/девятнадцат",
    "twentieth/zwanzigst/vingtiem/vigesim/ventesim/twintigst/двадцат",
)
# Languages that write a number below one hundred as one word: the units, "and", and the tens.
_COMPOUNDS = (
    (
        "ein zwei drei vier funf sechs sieben acht neun",
        "und",
        {"zwanzigst": 20, "dreissigst": 30, "vierzigst": 40, "funfzigst": 50, "sechzigst": 60},
    ),
    (
        "een twee drie vier vijf zes zeven acht negen",
        "en",
        {"twintigst": 20, "dertigst": 30, "veertigst": 40, "vijftigst": 50, "zestigst": 60},
    ),
)


def plain(word: str) -> str:
    """The word without accents, in lower case.

    >>> plain("DEUXIÈME")
    'deuxieme'
    """
    if word.isascii():
        return word.lower()
    letters = unicodedata.normalize("NFKD", word.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in letters if not unicodedata.combining(c)))


def _ordinals() -> dict[str, int]:
    stems = {plain(stem): at for at, row in enumerate(_STEMS, 1) for stem in row.split("/")}
    for units, between, tens in _COMPOUNDS:
        for ten, value in tens.items():
            stems[ten] = value
            stems |= {f"{one}{between}{ten}": value + at for at, one in enumerate(units.split(), 1)}
    return stems


_ORDINALS = _ordinals()
_ENDINGS = [
    plain(ending)
    for ending in (
        "",
        *[
            "e",
            "er",
            "es",
            "en",
            "o",
            "a",
            "ere",
            "us",
            "um",
            "ая",
            "ый",
            "ой",
            "ое",
            "ья",
            "ье",
            "ий",
        ],
    )
]


@lru_cache(maxsize=1024)  # the same numbers come in every part
def number(word: str) -> int | None:
    """The number that `word` is; ``None`` if it is none.

    >>> [number(word) for word in ("12", "XL", "十一", "Twenty-one", "ПЕРВАЯ", "storm")]
    [12, 40, 11, 21, 1, None]
    """
    if word.isdecimal():
        return int(word) if len(word) <= _MOST_DIGITS else None
    if _ROMAN.fullmatch(word):
        return _roman(word)
    if word[0] in _CHINESE or word[0] in _CHINESE_UNITS:
        return _chinese(word)
    return _word(plain(word))


_MOST_DIGITS = 3


def _roman(word: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in word]
    return sum(
        -value if value < after else value
        for value, after in zip(values, [*values[1:], 0], strict=True)
    )


def _chinese(word: str) -> int | None:
    total = digit = 0
    for one in word:
        if one in _CHINESE_UNITS:
            total, digit = total + (digit or 1) * _CHINESE_UNITS[one], 0
        elif one in _CHINESE:
            digit = digit * 10 + _CHINESE[one]
        else:
            return None
    return total + digit


def _word(word: str) -> int | None:
    tens, _, unit = word.partition("-")
    if tens in _TENS:
        return _TENS[tens] + (_word(unit) or 0)
    if word in _CARDINALS:
        return _CARDINALS.index(word) + 1
    for ending in _ENDINGS:
        if word.endswith(ending) and (found := _ORDINALS.get(word.removesuffix(ending))):
            return found
    return None
