"""Which elements break the text, how strongly, and which have no text of their own.

HTML, and the elements that DTBook, MathML and SVG have besides.
"""

from cleanbreak.readers.html.writer import LINE, PARAGRAPH

# What a browser shows with space around it.
_PARAGRAPHS = (
    "address article aside blockquote body center details dialog dl fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre section summary table ul "
    # DTBook
    "level level1 level2 level3 level4 level5 level6 frontmatter bodymatter rearmatter doctitle "
    "docauthor note sidebar poem linegroup"
)
# What merely starts on a new line.
_LINES = (
    "caption dd div dt legend li optgroup option tbody tfoot thead tr "
    # DTBook, MathML and SVG
    "line mtr text"
)

BREAKS = dict.fromkeys(_PARAGRAPHS.split(), PARAGRAPH) | dict.fromkeys(_LINES.split(), LINE)
"""The break around an element."""

DIVISION = "div"
ROWS = frozenset(("tr", "mtr"))
CELLS = frozenset(("td", "th", "mtd"))
CONTROLS = frozenset(("button", "meter", "output", "progress", "select", "textarea"))
"""Controls of a form that have words."""
NOT_SHOWN = frozenset(
    ("checkbox", "color", "file", "hidden", "image", "password", "radio", "range")
)
"""Kinds of `input` whose value is no text of the page."""
HEADINGS = {f"h{level}": level for level in range(1, 7)}

FORMULAS = frozenset((
    "math", "mrow", "mfrac", "msup", "msub", "msubsup", "munder", "mover", "munderover", "msqrt",
    "mroot", "mfenced", "mstyle", "mpadded", "menclose", "mi", "mn", "mo", "mtext", "ms",
))  # fmt: skip
"""The elements of MathML that have a rule."""

SKIPPED = frozenset((
    "head", "script", "style", "template", "noscript", "iframe", "audio", "video",
    "rt", "rp", "rtc",  # the readings of ruby
    "annotation", "annotation-xml",  # MathML
    "title", "desc", "metadata",  # SVG
    "mphantom",
))  # fmt: skip
"""The elements that have no text of the chapter in them."""
