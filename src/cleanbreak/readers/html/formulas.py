"""MathML in one line: signs between the children of an element, brackets where they are compound.

The forms are those of UnicodeMath (Unicode Technical Note 28): ``(a+b)/2``, ``x_1^2``, ``√(a+b)``.
"""

JOINS = {
    "mfrac": ("", "/"),
    "msup": ("", "^"),
    "msub": ("", "_"),
    "msubsup": ("", "_", "^"),
    "munder": ("", "_"),
    "mover": ("", "^"),
    "munderover": ("", "_", "^"),
}
"""What to write before each child, so that 1/2 does not read 12."""

# A sign over or under a letter, such as a bar, stands directly behind it.
_ACCENTED = ("munder", "mover")
_ROOTS = {"2": "√", "3": "∛", "4": "∜"}


def join(parent: str, number: int, tag: str) -> str:
    """What to write before child `number` (from 0), of that tag, of an element."""
    joins = JOINS.get(parent)
    if joins is None or (parent in _ACCENTED and tag == "mo"):
        return ""
    return joins[number] if number < len(joins) else " "


def bracketed(pieces: list[str]) -> str:
    """A formula as one operand: in brackets if it is made of several pieces."""
    text = "".join(pieces)
    if len(pieces) < 2 and not text.startswith(tuple(_ROOTS.values())):
        return text
    return text if _is_bracketed(text) else f"({text})"


def root(pieces: list[str], index: str = "") -> str:
    """The root of a formula, the square root if there is no index."""
    sign = _ROOTS.get(index or "2")
    return sign + bracketed(pieces) if sign else f"√({index}&{''.join(pieces)})"


def _is_bracketed(text: str) -> bool:
    """Whether the first bracket of a formula is closed by its last character."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for character in text[:-1]:
        depth += (character == "(") - (character == ")")
        if not depth:
            return False
    return True
