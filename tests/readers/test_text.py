"""Plain text: exact characters, or the error that says why not."""

import errno
import os
from pathlib import Path
from typing import NoReturn

import pytest

import cleanbreak as cb
from cleanbreak.errors import (
    SettingsError,
    SourceEmptyError,
    SourceLimitError,
    SourceMissingError,
    SourceUndecodableError,
    SourceUnreadableError,
    SourceUnsupportedError,
)

TEXT = "One line.\r\nAnother — “quoted”.\rA third.\n"


def written(folder: Path, data: bytes, name: str = "book.txt") -> Path:
    file = folder / name
    file.write_bytes(data)
    return file


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_read_exactly(tmp_path: Path, encoding: str) -> None:
    """The text is that of the file, newlines untouched and without the byte order mark."""
    document = cb.read(written(tmp_path, TEXT.encode(encoding)))
    assert document.text == TEXT
    assert document.source is not None
    assert (encoding, 1.0) == (document.source.encoding, document.source.encoding_confidence)


def test_source_names_the_file_and_not_its_folder(tmp_path: Path) -> None:
    """The folder a book lies in is private."""
    document = cb.read(str(written(tmp_path, b"text")))
    assert document.source is not None
    assert (
        document.source.name,
        document.source.media_type,
        document.source.size,
    ) == ("book.txt", "text/plain", 4)


def test_missing_file(tmp_path: Path) -> None:
    """The error names the file and not the folder."""
    with pytest.raises(SourceMissingError) as caught:
        cb.read(tmp_path / "none.txt")
    assert caught.value.details == {"name": "none.txt"}
    assert str(tmp_path) not in str(caught.value)


def test_folder_is_unreadable(tmp_path: Path) -> None:
    """A folder is not a file."""
    with pytest.raises(SourceUnreadableError):
        cb.read(tmp_path)


def test_file_without_permission_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No permission is another error than no file, and the message does not name the folder."""

    def refuse(path: Path, *_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    file = written(tmp_path, b"text")
    monkeypatch.setattr(Path, "open", refuse)  # as root, permissions would not refuse
    with pytest.raises(SourceUnreadableError) as caught:
        cb.read(file)
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("path", ["a\0b.txt", "x" * 5000 + ".txt"])
def test_impossible_path_is_unreadable(path: str) -> None:
    """A name that no file can have is an error of ours, not the system's."""
    with pytest.raises(SourceUnreadableError):
        cb.read(path)


def test_unknown_extension_is_unsupported(tmp_path: Path) -> None:
    """A kind that is not read is refused, not guessed at."""
    with pytest.raises(SourceUnsupportedError):
        cb.read(written(tmp_path, b"text", "book.djvu"))


@pytest.mark.parametrize("data", [b"", b" \n\t\x0c\xc2\xa0", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_blank_file_is_empty(tmp_path: Path, data: bytes) -> None:
    """White space alone, or a lone byte order mark, is no text."""
    with pytest.raises(SourceEmptyError):
        cb.read(written(tmp_path, data))


def test_wrong_encoding_is_undecodable(tmp_path: Path) -> None:
    """An encoding asked for is used strictly; the error has the offset of the byte."""
    with pytest.raises(SourceUndecodableError) as caught:
        cb.read(written(tmp_path, b"abc\xffdef"), encoding="utf-8")
    assert caught.value.details["byte_offset"] == 3


@pytest.mark.parametrize("encoding", ["no-such", "hex", "a\0b"])
def test_unknown_encoding_is_refused(tmp_path: Path, encoding: str) -> None:
    """What is not a text encoding of Python's is a wrong setting."""
    with pytest.raises(SettingsError):
        cb.read(written(tmp_path, b"text"), encoding=encoding)


def test_file_over_the_limit(tmp_path: Path) -> None:
    """The size is checked before the bytes are read."""
    with pytest.raises(SourceLimitError) as caught:
        cb.read(written(tmp_path, b"text"), limits=cb.Limits(max_bytes=3))
    assert (caught.value.details["limit"], caught.value.details["allowed"]) == ("max_bytes", 3)


@pytest.mark.parametrize("value", [0, -1, True, 1.5, float("nan"), 1 << 50])
def test_limits_are_validated(value: object) -> None:
    """A limit is a whole number from 1."""
    with pytest.raises(SettingsError):
        cb.Limits(max_bytes=value)


def test_controls_are_replaced_one_for_one_and_counted(tmp_path: Path) -> None:
    """Offsets stay those of the decoded file."""
    document = cb.read(written(tmp_path, b"a\x00b\x0bc\x1b[0m\x7f \x0c\t\r\n"))
    assert document.text == "a\ufffdb c\ufffd[0m\ufffd \x0c\t\r\n"
    assert [(w.code, w.count) for w in document.warnings] == [("CONTROL_REPLACED", 4)]


def test_noncharacters_are_replaced_in_text_beyond_ascii(tmp_path: Path) -> None:
    """The slower path for text beyond ASCII replaces the same and more."""
    document = cb.read(written(tmp_path, "é\0\ufffe\uffff\x80\x85\u2028".encode()))
    assert document.text == "é\ufffd\ufffd\ufffd\ufffd\x85\u2028"
    assert document.warnings[0].count == 4


def test_encoding_without_evidence_is_said_loudly(tmp_path: Path) -> None:
    """Two accents fit a dozen encodings; nobody may take the guess for knowledge."""
    document = cb.read(written(tmp_path, "Größe\n".encode("cp1252")))
    assert [warning.code for warning in document.warnings] == ["ENCODING_UNSURE"]


def test_bytes_of_another_encoding_are_counted(tmp_path: Path) -> None:
    """A UTF-8 file with pasted quotation marks is read, and the warning counts them."""
    document = cb.read(written(tmp_path, "Où est la clé ? ".encode() * 5 + b"\x93L\xe0\x94"))
    assert document.text.endswith("“Là”")
    assert [(one.code, one.count) for one in document.warnings] == [("ENCODING_MIXED", 3)]
