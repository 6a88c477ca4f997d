"""The verdict on a plain place: one mark after a word. It decides nine of ten places in English."""

from cleanbreak.core.sentences.languages import TITLE, Language
from cleanbreak.core.sentences.place import WORD_LENGTH
from cleanbreak.core.text.characters import UNSPACED_MARKS, is_small

UNSPACED = frozenset(UNSPACED_MARKS)

# Words that end in an exclamation mark: Yahoo! is a company.
EXCLAIMING_NAMES = frozenset(["yahoo", "jeopardy", "joomla", "yum", "wham", "oklahoma"])

# The last letter of the scripts in which one letter is no word.
ALPHABETS = "\u2e7f"

# Words of no more letters may be abbreviations that are also words, or units.
SHORT = 3

# A sentence of no more characters may be a number that counts an item: XVIII.
LONGEST_ROMAN = 5

OPENING_QUOTES = frozenset('"“‘')


def plain_verdict(text: str, start: int, mark: int, cut: int, language: Language) -> bool | None:
    """Whether a single mark without closers ends a sentence; ``None`` where the rules must say.

    The rules (`ends_sentence`) would say the same, and take ten times as long.
    """
    sign = text[mark]
    if sign in UNSPACED:
        return True if sign != "．" else None
    if cut == mark + 1:
        return None
    low = mark - WORD_LENGTH
    word = text[max(start, low) : mark + 1].rsplit(None, 1)[-1][:-1]
    if not word.isalpha():
        return None
    after = text[cut]
    capital_follows = after.isupper() or (
        after in OPENING_QUOTES and text[cut + 1 : cut + 2].isupper()
    )
    if sign == ".":
        if len(word) == 1:
            if word > ALPHABETS:
                return None
            initials = is_small(after) or text.startswith(".", cut + 1)
            return False if initials else None  # J. R. R. Tolkien, т. е.
        is_lower = word.islower()
        kind = language.abbreviations.get(word) if is_lower else language.kind_of(word)
        if kind is None:
            length = len(word)
            if length <= SHORT and text[mark - length - 2 : mark - length - 1] == ".":
                return None  # p. ex.
            whole = (is_lower or word[1:].islower()) and mark - start > LONGEST_ROMAN
            return True if whole and capital_follows and language.full_stops else None
        return False if kind == TITLE and (len(word) > SHORT or word[0].isupper()) else None
    if capital_follows and sign in "?!" and word.lower() not in EXCLAIMING_NAMES:
        return True
    return None
