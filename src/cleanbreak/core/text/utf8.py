"""Text as UTF-8: its length in bytes, and the one kind of string that has none."""

from cleanbreak.errors import TextInvalidError


def utf8_length(text: str, start: int = 0) -> int:
    """The bytes of `text`, which starts at `start` in its document.

    Raises:
        TextInvalidError: if it holds a lone surrogate, with the offset in the document.
    """
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise lone_surrogate(start + error.start) from None


def lone_surrogate(offset: int) -> TextInvalidError:
    """The error for half of a surrogate pair at `offset`."""
    return TextInvalidError(
        f"The text holds half of a surrogate pair at offset {offset}, which is not Unicode text; "
        "decode the source again, or replace it.",
        offset=offset,
    )
