"""The commands on worlds: ingest, resume, reingest, remove, verify, status, reindex."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from cleanbreak.cli import console
from cleanbreak.cli.progress import run_progress
from cleanbreak.cli.reading import Password, use_password
from cleanbreak.cli.recipe import (
    ChunkSize,
    Language,
    MaxLookback,
    MaxSentences,
    MaxTokens,
    Measure,
    OverlapSize,
    Oversize,
    SoftWraps,
    changed_splitter,
)
from cleanbreak.worlds import Plan, RunReport, Status, VerifyReport, World, stoppable

WorldFolder = Annotated[Path, typer.Argument(help="The folder of the world.", show_default=False)]
By = Annotated[
    str | None, typer.Option("--by", help="boundary (of a new world), sentences, markdown, tokens.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
TrustFiles = Annotated[
    bool,
    typer.Option("--trust-files", help="Believe chunk files by name and size, without reading."),
]


def ingest(
    world: WorldFolder,
    files: Annotated[
        list[Path], typer.Argument(help="Books, or folders of books.", show_default=False)
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="Of a new world; else its folder's name.")
    ] = None,
    by: By = None,
    chunk_size: ChunkSize = None,
    max_lookback: MaxLookback = None,
    overlap_size: OverlapSize = None,
    max_sentences: MaxSentences = None,
    max_tokens: MaxTokens = None,
    measure: Measure = None,
    language: Language = None,
    soft_wraps: SoftWraps = None,
    oversize: Oversize = None,
    encoding: Annotated[
        str | None,
        typer.Option("--encoding", help="Of new text files, where the one found is wrong."),
    ] = None,
    password: Password = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done; write nothing.")
    ] = False,
    trust_files: TrustFiles = False,
    as_json: Json = False,
) -> None:
    """Add books to a world: create it, append to it, or resume what was interrupted.

    The settings are locked by the first ingest; leave them out afterwards.

    Example: `cleanbreak ingest shelf moby-dick.txt emma.epub --chunk-size 800`
    """
    use_password(password)
    place = (
        World.open(world, measure=measure) if World.exists(world) else World.draft(world, name=name)
    )
    settings = changed_splitter(
        place.settings if place.settings_locked else None,
        by,
        overlap=overlap_size,
        chunk_size=chunk_size,
        max_lookback=max_lookback,
        max_sentences=max_sentences,
        max_tokens=max_tokens,
        measure=measure,
        language=language,
        soft_wraps=soft_wraps,
        oversize=oversize,
    )
    if dry_run:
        _show_plan(place.plan(files, settings=settings, encoding=encoding), as_json=as_json)
        return
    _run(
        lambda **how: place.ingest(
            files, settings=settings, encoding=encoding, trust_files=trust_files, **how
        ),
        as_json=as_json,
    )


def resume(
    world: WorldFolder,
    trust_files: TrustFiles = False,
    measure: Measure = None,
    password: Password = None,
    as_json: Json = False,
) -> None:
    """Go on with an interrupted run, and mend what the files do not prove.

    Example: `cleanbreak resume shelf`
    """
    use_password(password)
    place = World.open(world, measure=measure)
    _run(lambda **how: place.resume(trust_files=trust_files, **how), as_json=as_json)


def reingest(
    world: WorldFolder,
    replace: Annotated[
        list[Path] | None,
        typer.Argument(help="Files that replace the stored sources of the same names."),
    ] = None,
    book: Annotated[
        list[int] | None, typer.Option("--book", help="Only this book; may be given again.")
    ] = None,
    by: By = None,
    chunk_size: ChunkSize = None,
    max_lookback: MaxLookback = None,
    overlap_size: OverlapSize = None,
    max_sentences: MaxSentences = None,
    max_tokens: MaxTokens = None,
    measure: Measure = None,
    language: Language = None,
    soft_wraps: SoftWraps = None,
    oversize: Oversize = None,
    password: Password = None,
    as_json: Json = False,
) -> None:
    """Rebuild books from their stored sources, also with new settings or replaced sources.

    What was there stays searchable until the new chunks are complete.

    Example: `cleanbreak reingest shelf --chunk-size 500`
    """
    use_password(password)
    place = World.open(world, measure=measure)
    settings = changed_splitter(
        place.settings,
        by,
        overlap=overlap_size,
        chunk_size=chunk_size,
        max_lookback=max_lookback,
        max_sentences=max_sentences,
        max_tokens=max_tokens,
        measure=measure,
        language=language,
        soft_wraps=soft_wraps,
        oversize=oversize,
    )
    books = book or None
    _run(
        lambda **how: place.reingest(books, settings=settings, replace=replace or (), **how),
        as_json=as_json,
    )


def remove(
    world: WorldFolder,
    book: Annotated[int, typer.Argument(help="The number of the book.", show_default=False)],
    sources: Annotated[
        bool, typer.Option("--sources", help="Remove the stored source and its backup too.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Remove a book's chunks from a world; its stored source is kept unless asked.

    Example: `cleanbreak remove shelf 3`
    """
    World.open(world).remove(book, sources=sources)
    if as_json:
        console.print_json({"removed": book, "sources": sources})
    else:
        console.out.print(f"book {book} removed" + (" with its source" if sources else ""))


def verify(
    world: WorldFolder,
    repair: Annotated[
        bool, typer.Option("--repair", help="Make anew from the sources what is lost.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check every file of a world against its records; safe at any time.

    Example: `cleanbreak verify shelf --repair`
    """
    report = World.open(world).verify(repair=repair)
    if as_json:
        console.print_json(report.as_dict())
    else:
        _show_verification(report)
    if not report.ok:
        raise typer.Exit(1)


def status(world: WorldFolder, as_json: Json = False) -> None:
    """Show the books of a world, how far each is, and what it takes on the disk.

    Example: `cleanbreak status shelf`
    """
    found = World.open(world).status()
    if as_json:
        console.print_json(found.as_dict())
    else:
        _show_status(found)


def reindex(world: WorldFolder, as_json: Json = False) -> None:
    """Make the search index anew from the chunk files.

    Example: `cleanbreak reindex shelf`
    """
    books = World.open(world).reindex()
    if as_json:
        console.print_json({"books": books})
    else:
        console.out.print(f"{_count(books, 'book')} indexed")


COMMANDS: tuple[Callable[..., None], ...] = (
    ingest,
    resume,
    reingest,
    remove,
    verify,
    status,
    reindex,
)


def _run(work: Callable[..., RunReport], *, as_json: bool) -> None:
    """Do a run with a progress bar, stoppable by Ctrl-C, and show what it did."""
    with stoppable() as stop, run_progress() as on_progress:
        report = work(stop=stop, on_progress=on_progress)
    if as_json:
        console.print_json(report.as_dict())
    else:
        _show_run(report)
    if report.failures:
        raise typer.Exit(1)


def _show_run(report: RunReport) -> None:
    if not report.books and not report.failures:
        console.out.print("nothing to do: every book is complete")
    for book in report.books:
        console.out.print(
            f"book {book.book_number}: {book.source_filename}, {_count(book.total_chunks, 'chunk')} "
            f"({book.chunks_written:,} written)",
        )
        for warning in book.warnings:
            console.print_warning(book.source_filename, warning)
    for failure in report.failures:
        error = failure.error
        console.err.print(f"error: {error.message} ({error.code})", style="red")
        if failure.book_number is not None:
            console.err.print(
                f"book {failure.book_number} is kept and tried again by the next run; if it cannot "
                f"be mended: cleanbreak remove WORLD {failure.book_number} --sources"
            )


def _show_plan(plan: Plan, *, as_json: bool) -> None:
    if as_json:
        console.print_json(plan.as_dict())
    else:
        rows = (
            (
                source.name,
                source.action,
                source.book_number,
                source.size,
                source.error.message if source.error else _remark(source.same_content_as),
            )
            for source in plan.sources
        )
        console.print_table("", ("source", "action", "book", "bytes", "remark"), rows)
    if plan.of("conflict") or plan.of("refused"):
        raise typer.Exit(1)


def _remark(same_content_as: str | None) -> str:
    return f"same content as {same_content_as}" if same_content_as else ""


def _show_verification(report: VerifyReport) -> None:
    for problem in report.repaired:
        console.out.print(f"repaired: {problem.message} ({_place(problem)})")
    for problem in report.problems:
        console.out.print(f"{problem.code}: {problem.message} ({_place(problem)})")
    verdict = "all is well" if report.ok else _count(len(report.problems), "problem")
    console.out.print(f"{_holds(report.books, report.chunks)} checked: {verdict}")


def _place(problem: Any) -> str:
    if problem.book_number is None:
        return "world"
    if problem.chunk_number is None:
        return f"book {problem.book_number}"
    return f"book {problem.book_number}, chunk {problem.chunk_number}"


def _show_status(found: Status) -> None:
    rows = (
        (
            book.book_number,
            book.source_filename,
            book.state,
            _of(book.completed_chunks, book.total_chunks),
            len(book.warnings) or "",
            _size(book.size),
        )
        for book in found.books
    )
    console.print_table(found.name, ("book", "source", "state", "chunks", "warnings", "size"), rows)
    run = "being written" if found.being_written else found.run.state if found.run else "none yet"
    stages = ", ".join(f"{name} {state}" for name, state in found.stages.items())
    console.out.print(
        f"{_holds(len(found.books), found.chunks)}, {_size(found.size)}; last run: {run}; "
        f"stages: {stages}",
    )


def _holds(books: int, chunks: int) -> str:
    return f"{_count(books, 'book')}, {_count(chunks, 'chunk')}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


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
