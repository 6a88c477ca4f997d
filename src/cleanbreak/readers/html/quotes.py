"""Quotation marks that a browser puts around `q`."""

_ENGLISH = ("“", "”", "‘", "’")
# Outer and inner marks by language, after the quotes that CLDR lists.
_QUOTES = {
    "bg": ("„", "“", "‘", "’"),
    "cs": ("„", "“", "‚", "‘"),
    "da": ("”", "”", "’", "’"),
    "de": ("„", "“", "‚", "‘"),
    "el": ("«", "»", "“", "”"),
    "es": ("«", "»", "“", "”"),
    "fi": ("”", "”", "’", "’"),
    "fr": ("«\u00a0", "\u00a0»", "“", "”"),
    "hu": ("„", "”", "»", "«"),
    "it": ("«", "»", "“", "”"),
    "ja": ("「", "」", "『", "』"),
    "no": ("«", "»", "‘", "’"),
    "pl": ("„", "”", "«", "»"),
    "pt": ("“", "”", "‘", "’"),
    "ru": ("«", "»", "„", "“"),
    "sv": ("”", "”", "’", "’"),
    "uk": ("«", "»", "„", "“"),
}
_OPENING = tuple("\"'“‘«„‚»›‹”’「『")


def quotation_marks(language: str, depth: int) -> tuple[str, str]:
    """The opening and closing marks of a quotation within `depth` others."""
    marks = _QUOTES.get(language.partition("-")[0].lower(), _ENGLISH)
    return (marks[2], marks[3]) if depth % 2 else (marks[0], marks[1])


def opens_no_quotation(words: str) -> bool:
    """Whether words do not already start with a quotation mark."""
    return not words.startswith(_OPENING)
