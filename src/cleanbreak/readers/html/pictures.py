"""Pictures: which of them are words, by what they say stands for them."""

import re
from collections.abc import Mapping

# A letter or two, in quotation marks or brackets if so drawn.
_DROP_CAPITAL = re.compile(r"[\"'“‘«„\[{(]{0,2}[^\W\d_]{1,3}['’.\]})]{0,2}")
_BRACKETS = "[]{}() "
_FORMULA_CLASS = re.compile(r"\b(?:math|formula|equation|latex|tex|eqn?)", re.IGNORECASE)
_FORMULA_SIGN = re.compile(r"[=^\\_{}<>+±×÷·√∑∏∫∂∞≈≠≤≥→⇒∈∪∩∀∃|/\u0391-\u03c9]|\d")
_COMMAND = re.compile(r"\\[A-Za-z]+|\b(?:sin|cos|tan|log|lim|exp|sqrt|frac|max|min|det|mod)\b")
_WORD = re.compile(r"[^\W\d_]{3,}")
# What is said of a picture, and not by it.
_DESCRIPTION = re.compile(
    r"(?:an? )?(?:illustration|image|picture|photo|figure|icon|logo|cover|drawing|graphic|ornament|"
    r"decorat|divider|map|img|untitled)|\[?illustration|.*\.(?:png|jpe?g|gif|svg|webp)$",
    re.IGNORECASE,
)
_LONGEST_INLINE = 40
_LONGEST_HEADING = 120
_LONGEST_FORMULA = 400


def stands_for_words(
    alt: str,
    attributes: Mapping[str, str | None],
    *,
    in_heading: bool,
    in_figure: bool,
    after_words: bool,
) -> bool:
    """Whether `alt` is what the picture says: a drop capital, a formula, a piece of a sentence.

    A picture amid words is a piece of their sentence if its text is short; one that stands alone is
    so if it is in a heading, or is a letter or a formula. One with the role ``img`` says that it is
    described, and so does one in a figure, unless it is a formula.
    """
    if not alt or _DESCRIPTION.match(alt):
        return False
    if in_figure:
        return _is_formula(alt, attributes)
    if in_heading and len(alt) <= _LONGEST_HEADING:
        return True
    if after_words and attributes.get("role") != "img" and len(alt) <= _LONGEST_INLINE:
        return True
    return _DROP_CAPITAL.fullmatch(alt) is not None or _is_formula(alt, attributes)


def as_words(alt: str) -> str:
    """The words of a picture; a drop capital in brackets, as ``[W]``, is its letter."""
    return alt.strip(_BRACKETS) if _DROP_CAPITAL.fullmatch(alt) else alt


def _is_formula(alt: str, attributes: Mapping[str, str | None]) -> bool:
    named = f"{attributes.get('class') or ''} {attributes.get('role') or ''}"
    if len(alt) > _LONGEST_FORMULA:
        return False
    if _FORMULA_CLASS.search(named):
        return True
    return bool(_FORMULA_SIGN.search(alt)) and not _WORD.search(_COMMAND.sub("", alt))
