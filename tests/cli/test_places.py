"""Where output goes: pipes, narrow terminals."""

import io

import pytest

from cleanbreak.cli import console
from cleanbreak.cli.console import _PlainConsole, print_table
from cleanbreak.cli.passages import marked, print_passage

ROWS = [(1, "a very long file name of a book that does not fit.txt", "complete"), (2, "b.txt", "")]
COLUMNS = ("book", "source", "state")


def printed(
    monkeypatch: pytest.MonkeyPatch, width: int, *, terminal: bool, soft: bool = True
) -> io.StringIO:
    stream = io.StringIO()
    monkeypatch.setattr(
        console,
        "out",
        _PlainConsole(
            file=stream,
            width=width,
            force_terminal=terminal,
            color_system=None,
            highlight=False,
            soft_wrap=soft,
        ),
    )
    return stream


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_pipe_gets_one_row_a_line(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However narrow the terminal was that the program started in."""
    stream = printed(monkeypatch, width, terminal=False)
    print_table("", COLUMNS, ROWS)
    lines = stream.getvalue().splitlines()
    assert lines == ["\t".join(map(str, row)).rstrip() for row in ROWS]


@pytest.mark.parametrize("width", [16, 24, 40, 60])
def test_no_word_of_a_table_is_broken_on_a_narrow_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A status broke names every six letters."""
    stream = printed(monkeypatch, width, terminal=True)
    print_table("lib", COLUMNS, ROWS)
    words = stream.getvalue().split()
    assert {word for row in ROWS for cell in row for word in str(cell).split()} <= set(words)


@pytest.mark.parametrize("width", [20, 33])
def test_no_word_of_a_passage_is_broken_on_a_narrow_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the indent is kept on every line."""
    text = "The redheaded league met at noon, and nobody heard them."
    stream = printed(monkeypatch, width, terminal=True)
    print_passage(marked(text, [(4, 13)]))
    lines = stream.getvalue().splitlines()
    assert len(lines) > 1
    assert all(line.startswith("   ") for line in lines)
    assert " ".join(stream.getvalue().split()) == text


def test_a_pipe_gets_the_lines_of_a_passage(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = printed(monkeypatch, 20, terminal=False)
    print_passage(marked("A long line with a storm in it.\n\nNext.", [(19, 24)]), blank_lines=True)
    assert stream.getvalue() == "   A long line with a **storm** in it.\n\n   Next.\n"
