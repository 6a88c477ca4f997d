"""Text that PDFium gives in UTF-16, by the getters of titles, labels, names and values."""

from ctypes import cast, create_string_buffer
from typing import Any

from cleanbreak.readers.controls import clean

# Characters of a title, label or name; more is cut off. A long one on each of many pages would use up
# the memory.
_LONGEST_TITLE = 1000


def wide_text(getter: Any, *arguments: Any, longest: int = _LONGEST_TITLE) -> str:
    """The result of one of PDFium's getters, cleaned, without outer white space.

    Args:
        getter: takes the arguments, a buffer and its size, and gives the size of the text.
        arguments: those before the buffer.
        longest: characters; more is cut off.
    """
    size = getter(*arguments, None, 0)
    if size <= 2:
        return ""
    buffer = create_string_buffer(size)
    # The getters differ in how they declare the buffer.
    getter(*arguments, cast(buffer, getter.argtypes[-2]), size)
    units = buffer.raw[: min(size - 2, 2 * longest)]
    text, _ = clean(units.decode("utf-16-le", "replace"))
    return text.strip()
