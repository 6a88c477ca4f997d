"""What the commands on worlds print for a person."""

from collections import Counter

from cleanbreak.cli import console
from cleanbreak.cli.console import counted
from cleanbreak.errors import RunInterruptedError
from cleanbreak.readers.listing import say_skipped
from cleanbreak.worlds import Plan, Problem, RunReport, Status, VerifyReport


def print_run(report: RunReport) -> None:
    """What a run did for each book, and what failed."""
    if not (report.books or report.failures or report.unavailable_stages):
        console.out.print("nothing to do: every book is complete")
    for book in report.books:
        console.out.print(
            f"{_done(book.book_number, book.source_path, book.total_chunks)} "
            f"({book.chunks_written:,} written)"
        )
        for warning in book.warnings:
            console.print_warning(book.source_path, warning)
    for warning in report.warnings:
        console.err.print(f"warning: {warning.message} ({warning.code})")
    for path, other in report.same.items():
        console.err.print(f"{path}: not added, as its content is that of {other}")
    _print_skipped(report.skipped)
    for stage in report.unavailable_stages:
        console.err.print(
            f"The stage {stage} did not run, as this program does not have it; the run stays paused "
            "until the world is opened with it."
        )
    for failure in report.failures:
        error, number = failure.error, failure.book_number
        console.err.print(f"error: {error.message} ({error.code})", style="red")
        if number is not None:
            console.err.print(
                f"Book {number} stays in the world and the next run tries it again. To give it up: "
                f"cleanbreak remove WORLD {number} --sources"
            )


def print_plan(plan: Plan) -> None:
    """What an ingest would do with each source."""
    rows = (
        (
            source.source_path,
            source.action,
            source.book_number,
            source.size,
            source.error.message if source.error else _same(source.same_content_as),
        )
        for source in plan.sources
    )
    console.print_table("", ("source", "action", "book", "bytes", "remark"), rows)
    _print_skipped(plan.skipped)


def print_verification(report: VerifyReport) -> None:
    """What was checked, repaired, and found to be wrong."""
    for problem in report.repaired:
        console.out.print(f"repaired: {problem.message} ({_place(problem)})")
    for problem in report.problems:
        console.out.print(f"{problem.code}: {problem.message} ({_place(problem)})")
    verdict = "no problems" if report.ok else counted(len(report.problems), "problem")
    console.out.print(f"{_holds(report.books, report.chunks)} checked: {verdict}")


def print_status(found: Status) -> None:
    """The books of a world and their state."""
    rows = (
        (
            book.book_number,
            book.source_path,
            book.state,
            _of(book.completed_chunks, book.total_chunks),
            len(book.warnings) or "",
            _size(book.size),
        )
        for book in found.books
    )
    console.print_table(found.name, ("book", "source", "state", "chunks", "warnings", "size"), rows)
    for refused in found.refused:
        console.out.print(f"not taken: {refused.filename}: {refused.message} ({refused.code})")
    if found.refused:
        console.out.print("To forget what was not taken: cleanbreak status WORLD --dismiss")
    run = "being written" if found.being_written else found.run.state if found.run else "none yet"
    taken = "" if found.on_disk is None else f" ({_size(found.on_disk)} on the disk)"
    stages = ", ".join(f"{name} {state}" for name, state in found.stages.items())
    console.out.print(
        f"{_holds(len(found.books), found.chunks)}, {_size(found.size)}{taken}; last run: {run}; "
        f"stages: {stages}",
    )


def print_interrupted(error: RunInterruptedError, world: str) -> None:
    """How far a run is that was stopped, what failed in it, and what to type to continue it."""
    details = error.details
    for failure in details.get("failures", ()):
        console.err.print(
            f"error: {failure['error']['message']} ({failure['error']['code']})", style="red"
        )
    for book in details.get("books", ()):
        console.out.print(_done(book["book_number"], book["source_path"], book["total_chunks"]))
    if "total_books" in details:
        safe, total = details["safe_books"], counted(details["total_books"], "book")
        how = f"continue with: cleanbreak resume {world}"
        if details["not_stored"]:
            how = "to continue, run the same command again"
        error.message = f"{safe:,} of {total} are safe; {how}"


def _done(number: int, filename: str, chunks: int) -> str:
    return f"book {number}: {filename}, {counted(chunks, 'chunk')}"


def _print_skipped(skipped: dict[str, int]) -> None:
    if skipped:
        console.err.print(f"{say_skipped(Counter(skipped))}.")


def _same(source: str | None) -> str:
    return f"same content as {source}" if source else ""


def _place(problem: Problem) -> str:
    if problem.book_number is None:
        return "world"
    if problem.chunk_number is None:
        return f"book {problem.book_number}"
    return f"book {problem.book_number}, chunk {problem.chunk_number}"


def _holds(books: int, chunks: int) -> str:
    return f"{counted(books, 'book')}, {counted(chunks, 'chunk')}"


def _of(completed: int, total: int | None) -> str:
    if total is None or completed == total:
        return f"{completed:,}"
    return f"{completed:,} of {total:,}"


def _size(count: float) -> str:
    """Bytes as people read them."""
    for unit in ("B", "KB", "MB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "B" else f"{count:,.1f} {unit}"
        count /= 1000
    return f"{count:,.1f} GB"
