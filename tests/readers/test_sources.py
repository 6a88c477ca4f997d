"""Bytes, file objects, any plain text by its suffix, and readers of one's own."""

import io
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.errors import (
    SettingsError,
    SourceEmptyError,
    SourceLimitError,
    SourceMalformedError,
    SourceMissingError,
    SourceUnreadableError,
    SourceUnsupportedError,
)
from cleanbreak.readers.listing import expand
from cleanbreak.worlds.sources import identify

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("the-keeper*.*")), ids=lambda p: p.suffix)
def test_bytes_and_file_objects_read_as_the_file_does(sample: Path) -> None:
    """A PDF or an EPUB crosses to its child process as bytes."""
    wanted = cb.read(sample)
    data = sample.read_bytes()
    assert cb.read(data, name=sample.name) == wanted
    assert cb.read(bytearray(data), sample.name) == wanted
    assert cb.read(io.BytesIO(data), name=f"uploads/{sample.name}") == wanted
    with sample.open("rb") as stream:
        assert cb.read(stream, name=sample.name) == wanted


@pytest.mark.parametrize("source", [b"text", io.BytesIO(b"text")])
@pytest.mark.parametrize("name", [None, "", "/"])
def test_bytes_need_a_name(source: bytes, name: str | None) -> None:
    """The kind is decided by it too, and errors name it."""
    with pytest.raises(SettingsError, match="name"):
        cb.read(source, name)


@pytest.mark.parametrize("source", [None, 3, ["a.txt"]])
def test_other_sources_are_refused(source: object) -> None:
    """The error says what can be read."""
    with pytest.raises(SettingsError, match="bytes"):
        cb.read(source, name="a.txt")  # type: ignore[arg-type]


def test_file_object_of_text_is_refused() -> None:
    """Its characters were decoded already, by a guess that nobody can check."""
    with pytest.raises(SettingsError, match="binary"):
        cb.read(io.StringIO("text"), name="a.txt")  # type: ignore[arg-type]


class Broken(io.BytesIO):
    def read(self, *_: object) -> bytes:
        raise OSError("/home/ann/secret.txt is locked")


def test_failing_file_object_is_unreadable() -> None:
    """Its error is ours, and does not quote its message."""
    with pytest.raises(SourceUnreadableError) as caught:
        cb.read(Broken(), name="a.txt")
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_bytes_have_the_limits_of_files() -> None:
    """Of a file object no more is read than the limit allows."""
    stream = io.BytesIO(b"x" * 100)
    with pytest.raises(SourceLimitError):
        cb.read(stream, name="a.txt", limits=cb.Limits(max_bytes=10))
    assert stream.tell() == 11
    with pytest.raises(SourceEmptyError):
        cb.read(b"", name="a.txt")


def test_name_can_replace_that_of_a_path(tmp_path: Path) -> None:
    """Uploads are often stored under a number."""
    (tmp_path / "4711").write_bytes(b"# Goats\n")
    document = cb.read(tmp_path / "4711", name="goats.md")
    assert (document.source.name, document.sections[0].title) == ("goats.md", "Goats")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "suffix", [".rst", ".tex", ".log", ".csv", ".org", ".adoc", ".srt", ".py", ".RS"]
)
def test_plain_text_is_read_by_its_suffix(suffix: str) -> None:
    """All of it, and without chapters: a list of steps is none."""
    text = "".join(f"{number}.\n\n{'Pour the water. ' * 80}\n\n" for number in (1, 2, 3))
    document = cb.read(text.encode(), name=f"notes{suffix}")
    assert (document.text, document.sections) == (text, ())


def test_unknown_suffix_says_how_to_read_it_as_text() -> None:
    """Nobody should have to rename a file."""
    with pytest.raises(SourceUnsupportedError, match='as_format="text"'):
        cb.read(b"text", name="a.weird")
    assert cb.read(b"# Goats", name="a.weird", as_format="text").sections == ()
    assert cb.read(b"# Goats", name="a.weird", as_format="markdown").sections[0].title == "Goats"
    assert cb.read(b"<p>Goats", name="a.weird", as_format="html").text == "Goats"
    with pytest.raises(SettingsError, match="markdown"):
        cb.read(b"text", name="a.weird", as_format="markdwon")


def test_folders_are_searched_for_books_and_not_for_code(tmp_path: Path) -> None:
    """Source code and logs are read if they are named."""
    for name in ("a.rst", "b.py", "c.log", "d.txt"):
        (tmp_path / name).write_text("text")
    assert [file.name for file in expand([tmp_path, tmp_path / "b.py"])] == [
        "a.rst",
        "d.txt",
        "b.py",
    ]


@pytest.fixture
def registered() -> Iterator[str]:
    yield ".lamp"
    cb.register_reader(".lamp", None)


def test_own_reader_makes_a_document(registered: str, tmp_path: Path) -> None:
    """Of a string or of a `Document` with sections; chunks cite its chapters."""

    def scenes(data: bytes, name: str) -> cb.Document:
        text = data.decode()
        middle = text.index("Scene two")
        chapters = (
            cb.Section("chapter", "One", 1, cb.Span(0, middle)),
            cb.Section("chapter", "Two", 1, cb.Span(middle, len(text))),
        )
        return cb.Document(text, chapters)

    cb.register_reader(registered.upper(), scenes)
    file = tmp_path / "play.Lamp"
    file.write_bytes(b"Scene one. Dark.\nScene two. Light.\n")
    document = cb.read(file)
    assert document.source is not None
    assert document.source.size == 35
    last = cb.split(document, chunk_size=18)[-1]
    assert last.citation == 'play.Lamp, "Two", characters 17-35'
    assert expand([tmp_path]) == [file]


def test_errors_of_an_own_reader_do_not_quote_the_source(registered: str) -> None:
    """A foreign exception may hold the text of the file."""

    def fails(data: bytes, name: str) -> str:
        raise ValueError(f"bad line: {data!r}")

    cb.register_reader(registered, fails)
    with pytest.raises(SourceMalformedError, match="ValueError") as caught:
        cb.read(b"secret words", name="a.lamp")
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("made", [None, b"bytes", 3])
def test_own_reader_must_give_text(registered: str, made: object) -> None:
    """Anything else is an error that says what came."""
    cb.register_reader(registered, lambda data, name: made)  # type: ignore[arg-type,return-value]
    with pytest.raises(SourceMalformedError, match=type(made).__name__):
        cb.read(b"x", name="a.lamp")


def test_own_reader_of_nothing_is_empty(registered: str) -> None:
    """As for every other kind."""
    cb.register_reader(registered, lambda data, name: " \n")
    with pytest.raises(SourceEmptyError):
        cb.read(b"x", name="a.lamp")


def test_missing_file_of_an_own_reader_is_missing(registered: str, tmp_path: Path) -> None:
    """The file is opened by us, not by the function."""
    cb.register_reader(registered, lambda data, name: "text")
    with pytest.raises(SourceMissingError):
        cb.read(tmp_path / "none.lamp")


@pytest.mark.parametrize("suffix", ["xyz", "", ".", ".a/b", ".a b", 3])
def test_suffix_must_be_one(suffix: object) -> None:
    """With its dot, and nothing that no file name has."""
    with pytest.raises(SettingsError, match="suffix"):
        cb.register_reader(suffix, lambda data, name: "")  # type: ignore[arg-type]


def test_reader_must_be_a_function() -> None:
    """It is refused when it is registered, not when a file is read."""
    with pytest.raises(SettingsError, match="reader"):
        cb.register_reader(".xyz", "reader")  # type: ignore[arg-type]


def test_path_that_is_cut_as_text_warns(tmp_path: Path) -> None:
    """The first thing that everybody types; the warning names the way out and not the path."""
    file = tmp_path / "book.txt"
    file.write_text("One. Two.")
    with pytest.warns(UserWarning, match=r"cleanbreak\.read") as caught:
        assert cb.split(str(file), chunk_size=1000)[0].text == str(file)
    assert caught[0].filename == __file__
    assert str(tmp_path) not in str(caught[0].message)
    with pytest.warns(UserWarning, match=r"cleanbreak\.read"):
        list(cb.split_many([str(file)], cb.BoundarySplitter(100), workers=0))


@pytest.mark.parametrize("text", ["No such file.txt", "One. Two.", "a\0b.txt", "x" * 300 + ".txt"])
def test_texts_that_are_no_paths_do_not_warn(text: str) -> None:
    """A sentence ends with a full stop too."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cb.split(text, chunk_size=1000)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("s3://bucket/book.txt", "address of the network"),
        ("https://example.org/book.txt", "address of the network"),
        ("books/*.txt", "pattern"),
        ("books/ch[12].txt", "pattern"),
        ("books/book.txt", "check its name and folder"),
    ],
)
def test_what_is_no_file_is_called_what_it_is(path, says):
    """An address of a bucket or page, and a pattern in quotes, are common slips."""
    with pytest.raises(SourceMissingError, match=says):
        cb.read(path)
    with pytest.raises(SourceMissingError, match=says):
        identify(Path(path))
