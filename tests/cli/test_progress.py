"""Progress bars: on a terminal, and nothing elsewhere."""

import io

import pytest
from rich.console import Console

from cleanbreak.cli import console
from cleanbreak.cli.progress import note_progress, run_progress
from cleanbreak.worlds import RunProgress


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Standard error as a terminal, and what is written to it."""
    written = io.StringIO()
    monkeypatch.setattr(console, "err", Console(file=written, force_terminal=True, width=120))
    return written


def test_a_run_shows_its_books_and_chunks(terminal: io.StringIO) -> None:
    """Brackets in a file's name are not markup."""
    with run_progress() as report:
        assert report
        report(RunProgress(1, "[b]sea[/b].txt", 3, 7, 0, 2))
        report(RunProgress(2, "a name that is far too long for one line.txt", 1, 4, 1, 2))
    assert "[b]sea[/b].txt" in terminal.getvalue()
    assert "a name that is far too long f…" in terminal.getvalue()
    assert "1/2" in terminal.getvalue()


def test_notes_are_counted(terminal: io.StringIO) -> None:
    """Unless each is shown anyway."""
    with note_progress(None) as count:
        assert count
        count(None)  # type: ignore[arg-type]
        count(None)  # type: ignore[arg-type]
    with note_progress(print) as shown:
        assert shown is print


def test_a_pipe_sees_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "err", Console(file=io.StringIO(), force_terminal=False))
    with run_progress() as report, note_progress(None) as count:
        assert (report, count) == (None, None)


@pytest.mark.parametrize(
    ("stage", "shown"),
    [("plan", "checking files"), ("verify", "verifying books"), ("fulltext", "indexing books")],
)
def test_work_that_goes_through_files_or_books_is_named(
    stage: str, shown: str, terminal: io.StringIO
) -> None:
    """The bar showed nothing while a shelf was checked, verified or indexed."""
    with run_progress() as report:
        assert report
        report(RunProgress(0, "sea.txt", 0, 0, 3, 60, stage))
    assert shown in terminal.getvalue()
    assert "3/60" in terminal.getvalue()
