"""The progress of a run: on a terminal only, and never on standard output."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from cleanbreak.cli import console
from cleanbreak.worlds import Progress as RunProgress
from cleanbreak.worlds.reports import OnProgress


class _Rate(ProgressColumn):
    """Chunks a second."""

    def render(self, task: Task) -> Text:
        """The rate, once it is known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")


@contextmanager
def run_progress() -> Iterator[OnProgress | None]:
    """A bar over the books and one over the chunks of the book at work; nothing if piped."""
    if not console.err.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console.err, transient=True) as bars:
        books = bars.add_task("books", total=None)
        chunks = bars.add_task("chunks", total=None)
        current = 0

        def show(progress: RunProgress) -> None:
            nonlocal current
            if progress.book_number != current:
                current = progress.book_number
                bars.reset(chunks, description=_shortened(progress.filename))
            bars.update(books, completed=progress.books_done, total=progress.books)
            bars.update(chunks, completed=progress.completed_chunks, total=progress.total_chunks)

        yield show


def _shortened(name: str) -> str:
    plain = name.replace("[", "\\[")
    return plain if len(plain) <= 30 else plain[:29] + "…"
