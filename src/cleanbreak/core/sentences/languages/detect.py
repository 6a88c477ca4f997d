"""Which language a text is in: a vote of its small words over a bounded sample. No model."""

import re
from collections import Counter
from itertools import chain

from cleanbreak.core.sentences.languages.language import Language
from cleanbreak.core.sentences.languages.table import LANGUAGES, UNKNOWN
from cleanbreak.errors import SettingsError

_SAMPLES = 4
_SAMPLE_LENGTH = 1000
_FEW_VOTES = 3
_words = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f\u0900-\u0dff\u200c]+[^\W\d_]*)*").findall
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*")


def _codes_by(attribute: str) -> dict[str, list[str]]:
    """Each small word, or each letter that few languages write, with the languages that have it."""
    codes: dict[str, list[str]] = {}
    for language in LANGUAGES.values():
        for item in getattr(language, attribute):
            codes.setdefault(item, []).append(language.code)
    return codes


_BY_WORD = _codes_by("small_words")
_BY_LETTER = _codes_by("letters")
_rare_letters = re.compile(f"[{''.join(_BY_LETTER)}]").findall


def detect_language(text: str, start: int = 0, end: int | None = None) -> str:
    """The ISO code of the language a text seems to be in, or ``"und"``.

    Looks at four samples of 1,000 characters, evenly spread, and counts small words and
    rare letters; the language with the most wins, and a draw of few votes is no answer. The cost does not
    grow with the text.

    >>> detect_language("Der Hund schläft und die Katze ist nicht da.")
    'de'
    """
    end = len(text) if end is None else end
    votes: Counter[str] = Counter()
    for at in _sample_starts(start, end):
        sample = text[at : min(end, at + _SAMPLE_LENGTH)].lower()
        # One update a sample: one a word took half the time of cutting a short note.
        words = (_BY_WORD[word] for word in _words(sample) if word in _BY_WORD)
        letters = (_BY_LETTER[letter] for letter in _rare_letters(sample))
        votes.update(chain.from_iterable(chain(words, letters)))
    first, second = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    if first[1] == second[1] < _FEW_VOTES:
        return UNKNOWN.code
    # Closer draws are between sisters such as Danish and Norwegian; the table's order decides.
    return max(LANGUAGES, key=votes.__getitem__)


def _sample_starts(start: int, end: int) -> list[int]:
    if end - start <= _SAMPLES * _SAMPLE_LENGTH:
        return list(range(start, end, _SAMPLE_LENGTH))
    step = (end - start - _SAMPLE_LENGTH) // (_SAMPLES - 1)
    return [start + number * step for number in range(_SAMPLES)]


def language_of(text: str, language: object, start: int = 0, end: int | None = None) -> Language:
    """The language named by an ISO code, or guessed where `language` is ``"auto"``.

    A region is ignored ("pt-BR" is "pt"); a code without lists here means the universal rules.

    Raises:
        SettingsError: if `language` is neither "auto" nor written like an ISO code.
    """
    code = check_language(language)
    if code == "auto":
        code = detect_language(text, start, end)
    return LANGUAGES.get(code, UNKNOWN)


def check_language(language: object) -> str:
    """Return the code without its region, in lower case, or ``"auto"``; else `SettingsError`."""
    if language == "auto":
        return "auto"
    if not isinstance(language, str) or not _CODE.fullmatch(language):
        raise SettingsError("language", language, '"auto" or an ISO 639 code such as "en"')
    return language.replace("_", "-").partition("-")[0].lower()
