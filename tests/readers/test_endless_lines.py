"""Texts in old encodings without a single line end: a book on one line."""

from pathlib import Path

import pytest

import cleanbreak as cb

SENTENCE = {
    "cp1251": "Лодка пришла в порт, и никто её не ждал. ",
    "cp1253": "Πού πήγε το πλοίο; Κανείς δεν ξέρει τίποτα. ",
    "shift_jis": "船は来なかった。誰も信じなかった。",
}


@pytest.mark.parametrize("encoding", SENTENCE)
def test_the_encoding_of_one_endless_line_is_found(encoding: str, tmp_path: Path) -> None:
    """The part that is looked at has no line end to be cut at."""
    text = SENTENCE[encoding] * 3000
    path = tmp_path / "book.txt"
    path.write_bytes(text.encode(encoding))
    document = cb.read(path)
    assert document.text == text
    assert document.source is not None
    assert document.text.encode(document.source.encoding) == path.read_bytes()
