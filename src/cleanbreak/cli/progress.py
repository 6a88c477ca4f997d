"""The progress of a run: on a terminal only, and never on standard output."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

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
from cleanbreak.vaults import OnNote
from cleanbreak.worlds import RunProgress
from cleanbreak.worlds.session import PLAN, VERIFY
from cleanbreak.worlds.stages.stage import EMBEDDINGS, FULLTEXT


class _Rate(ProgressColumn):
    """Chunks a second."""

    def render(self, task: Task) -> Text:
        """The rate, once it is known."""
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")


# What is done with the books, where it is no stage of a run.
_DOING = {
    PLAN: "checking files",
    VERIFY: "verifying books",
    FULLTEXT: "indexing books",
    EMBEDDINGS: "embedding",
}


@contextmanager
def run_progress() -> Iterator[Callable[[RunProgress], None] | None]:
    """A bar over the books and one over the chunks of the current book; none if piped.

    Also for a plan and a verification, which go through files or books.
    """
    if not console.err.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console.err, transient=True) as bars:
        books = bars.add_task("books", total=None)
        chunks = bars.add_task("chunks", total=None)
        current = ""

        def show(progress: RunProgress) -> None:
            nonlocal current
            if progress.filename != current:
                current = progress.filename
                bars.reset(chunks, description=console.one_line(progress.filename, 30))
            doing = _DOING.get(progress.stage, "books")
            bars.update(
                books, description=doing, completed=progress.books_done, total=progress.books
            )
            # Books that are only looked at have no chunks to count.
            bars.update(chunks, visible=progress.total_chunks > 0)
            bars.update(chunks, completed=progress.completed_chunks, total=progress.total_chunks)

        yield show


@contextmanager
def note_progress(on_note: OnNote | None) -> Iterator[OnNote | None]:
    """Count the notes on a terminal, unless `on_note` shows each of them."""
    if on_note or not console.err.is_terminal:
        yield on_note
        return
    with console.err.status("looking for changes") as status:
        counter = count(1)
        yield lambda _: status.update(f"{next(counter):,} notes indexed")
