"""Lines as editors count them."""


def count_newlines(text: str) -> int:
    """How many lines `text` ends: by LF, CR LF or CR."""
    count = text.count("\n")
    return count + text.count("\r") - text.count("\r\n") if "\r" in text else count
