"""The commands on vaults: index, stats, links, backlinks, unresolved, tags, orphans."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from cleanbreak.cli import console
from cleanbreak.cli.recipe import ChunkSize, Measure, OverlapSize
from cleanbreak.vaults import IndexReport, NoteLink, NoteOutcome, OnNote, Vault

VaultFolder = Annotated[Path, typer.Argument(help="The folder of the notes.", show_default=False)]
NoteName = Annotated[str, typer.Argument(help="A note's path, name or alias.", show_default=False)]
Database = Annotated[
    Path | None, typer.Option("--db", help="The index file; else .cleanbreak/index.sqlite.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def index(
    vault: VaultFolder,
    db: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Cut every note anew.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every chunk that is cut.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and index again whenever a note is saved.")
    ] = False,
    include: Annotated[
        list[str] | None, typer.Option("--include", help="A pattern of notes; else *.md.")
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", help="A pattern, as in .gitignore, to leave out."),
    ] = None,
    chunk_size: ChunkSize = None,
    overlap_size: OverlapSize = None,
    measure: Measure = None,
    merge_small: Annotated[
        int | None, typer.Option("--merge-small", help="Join sections smaller than this (0).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Index a folder of notes, or bring its index up to date.

    Settings that should hold for good belong in .cleanbreak/config.toml in the folder.

    Example: `cleanbreak index ~/notes --exclude Templates/ --verbose`
    """
    on_note = _show_note if verbose and not as_json else None
    with _counting(on_note) as counted:
        place = Vault.index(
            vault,
            db=db,
            force=force,
            include=include or None,
            exclude=exclude or None,
            chunk_size=chunk_size,
            overlap_size=overlap_size,
            measure=measure,
            merge_small=merge_small,
            on_note=counted,
        )
    with place:
        report = place.report or IndexReport()
        _show_report(report, as_json=as_json)
        if watch:
            for later in place.watch(on_note=on_note):
                _show_report(later, as_json=as_json)
    if any(problem.is_error for problem in report.problems):
        raise typer.Exit(1)


def stats(vault: VaultFolder, db: Database = None, as_json: Json = False) -> None:
    """Count the notes, links, tags and chunks of a vault.

    Example: `cleanbreak stats ~/notes`
    """
    with Vault.open(vault, db=db) as place:
        found = place.stats()
    if as_json:
        console.print_json(found.as_dict())
        return
    links_told = (
        f"{found.wikilinks:,} wikilinks, {found.markdown_links:,} Markdown links; "
        f"{found.unresolved:,} unresolved, {found.ambiguous:,} ambiguous"
    )
    tags_told = (
        f"in text; with front matter {found.distinct_tags:,} distinct, "
        f"{found.note_tags:,} pairs of note and tag"
    )
    chunks_told = (
        f"{found.chunks_with_heading:,} under a heading; {found.average_chunk_bytes:,} bytes on "
        f"average, {found.smallest_chunk_bytes:,} to {found.largest_chunk_bytes:,}"
    )
    rows = (
        ("Notes", f"{found.notes:,}", f"{found.orphans:,} without links to or from others"),
        ("Links", f"{found.links:,}", links_told),
        ("Tags", f"{found.tags:,}", tags_told),
        ("Chunks", f"{found.chunks:,}", chunks_told),
        ("Tokens", f"{found.tokens:,}", ""),
    )
    console.print_table("", ("", "", ""), rows)


def links(
    vault: VaultFolder,
    note: Annotated[
        str | None, typer.Argument(help="A note's path, name or alias; else all notes.")
    ] = None,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Show the links in a note, or in all notes, and what they mean.

    Example: `cleanbreak links ~/notes Home`
    """
    with Vault.open(vault, db=db) as place:
        _show_links(place.links(note), as_json=as_json)


def backlinks(
    vault: VaultFolder, note: NoteName, db: Database = None, as_json: Json = False
) -> None:
    """Show the links in other notes that mean a note.

    Example: `cleanbreak backlinks ~/notes "Deep Work"`
    """
    with Vault.open(vault, db=db) as place:
        _show_links(place.backlinks(note), as_json=as_json)


def unresolved(vault: VaultFolder, db: Database = None, as_json: Json = False) -> None:
    """Show the links that mean no note or file of the vault.

    Example: `cleanbreak unresolved ~/notes`
    """
    with Vault.open(vault, db=db) as place:
        _show_links(place.unresolved(), as_json=as_json)


def tags(
    vault: VaultFolder,
    name: Annotated[
        str | None, typer.Argument(help="A tag: it and those below it, with their notes.")
    ] = None,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Show the tags of a vault, or the notes that have one.

    Example: `cleanbreak tags ~/notes reading`
    """
    with Vault.open(vault, db=db) as place:
        uses = place.tags(name)
    if as_json:
        console.print_json([use._asdict() for use in uses])
    elif name is None:
        rows: Iterable[tuple[Any, ...]] = ((use.tag, len(use.notes), use.inline) for use in uses)
        console.print_table("", ("tag", "notes", "in text"), rows)
    else:
        rows = ((use.tag, note) for use in uses for note in use.notes)
        console.print_table("", ("tag", "note"), rows)


def orphans(vault: VaultFolder, db: Database = None, as_json: Json = False) -> None:
    """Show the notes without links to or from other notes.

    Example: `cleanbreak orphans ~/notes`
    """
    with Vault.open(vault, db=db) as place:
        found = place.orphans()
    if as_json:
        console.print_json(found)
    else:
        for path in found:
            console.out.print(path)


COMMANDS: tuple[Callable[..., None], ...] = (
    index,
    stats,
    links,
    backlinks,
    unresolved,
    tags,
    orphans,
)


@contextmanager
def _counting(on_note: OnNote | None) -> Iterator[OnNote | None]:
    """Count the notes on a terminal, unless they are shown anyway."""
    if on_note or not console.err.is_terminal:
        yield on_note
        return
    with console.err.status("looking for changes") as status:
        counter = count(1)
        yield lambda _: status.update(f"{next(counter):,} notes indexed")


def _show_note(outcome: NoteOutcome) -> None:
    chunks = len(outcome.chunks)
    size = sum(chunk.byte_length for chunk in outcome.chunks)
    console.out.print(
        f"{outcome.outcome} {outcome.path}: {chunks:,} chunk{'s' * (chunks != 1)}, {size:,} bytes",
    )
    for chunk in outcome.chunks:
        console.out.print(
            f"  {chunk.chunk_number}: {chunk.byte_length:,} bytes, "
            f"{chunk.token_count:,} tokens, {chunk.heading_path or '(before the first heading)'}",
        )


def _show_report(report: IndexReport, *, as_json: bool) -> None:
    if as_json:
        console.print_json(report.as_dict())
    else:
        counts = {
            "new": len(report.new),
            "changed": len(report.changed),
            "renamed": len(report.renamed),
            "removed": len(report.removed),
            "unchanged": report.unchanged,
        }
        told = ", ".join(f"{notes:,} {word}" for word, notes in counts.items() if notes)
        console.out.print(f"notes: {told or 'none'}; {report.chunks:,} chunks cut")
    for problem in report.problems:
        console.err.print(
            f"{problem.path}: {problem.message} ({problem.code})",
            style="red" if problem.is_error else "yellow",
        )


def _show_links(found: list[NoteLink], *, as_json: bool) -> None:
    if as_json:
        console.print_json([link._asdict() for link in found])
        return
    rows = (
        (
            f"{link.source}:{link.line}",
            link.target + (f"#{link.fragment}" if link.fragment else ""),
            link.path or "(not found)",
            ", ".join(link.candidates[1:]),
        )
        for link in found
    )
    console.print_table("", ("note", "link", "means", "or"), rows)
