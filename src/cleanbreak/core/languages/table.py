"""The languages, built once from their lists."""

from cleanbreak.core.languages.language import Words, build
from cleanbreak.core.languages.lists import UNIVERSAL, WORDS

UNKNOWN = build("und", Words(), UNIVERSAL)
"""The universal rules: for a text whose language is unknown, or has no lists here."""

LANGUAGES = {code: build(code, words, UNIVERSAL) for code, words in WORDS.items()}
