"""The commands on vaults: the index, and lists of notes, links, tags and problems."""

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from cleanbreak.cli import console, vault_views
from cleanbreak.cli.options import Database, Json, VaultFolder, number_option, splitter_options
from cleanbreak.cli.progress import note_progress
from cleanbreak.vaults import GRAPH_FORMATS, IndexReport, Vault

_NOTE = "A note's path, name or alias."

Note = Annotated[str, typer.Argument(help=_NOTE, show_default=False)]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", help="Pattern of notes to leave out; may be repeated."),
]


@splitter_options("chunk_size", "overlap", "measure", "merge_small", by="markdown")
def index(
    vault: VaultFolder,
    *,
    splitter: dict[str, Any],
    db: Database = None,
    force: Annotated[
        bool, typer.Option("--force", help="Cut every note again, also those that did not change.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every chunk that is cut.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep running, and index each note when it is saved.")
    ] = False,
    include: Annotated[
        list[str] | None,
        typer.Option(
            "--include",
            help="Pattern of the files that are notes; may be repeated.",
            show_default="*.md and *.markdown",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude",
            help="Pattern of files and folders to leave out, as in .gitignore; may be repeated.",
        ),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            "--encoding", help="Encoding of notes that are not UTF-8, if the detected one is wrong."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what changed since the last run; write nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Index a folder of notes, or bring its index up to date.

    Options are kept for later runs, until others are given (`--exclude ""` leaves out nothing) or the
    setting is changed in `.cleanbreak/config.toml` in the folder.

    Example: `cleanbreak index ~/notes --exclude Templates/ --verbose`
    """
    if "overlap" in splitter:
        splitter["overlap_size"] = splitter.pop("overlap")
    if dry_run:
        with Vault.open(vault, db=db) as indexed:
            console.show(indexed.changes(), vault_views.print_changes, as_json=as_json)
        return
    on_note = vault_views.print_note if verbose and not as_json else None
    with note_progress(on_note) as counting:
        place = Vault.index(
            vault,
            db=db,
            force=force,
            include=include or None,
            exclude=_patterns(exclude),
            encoding=encoding,
            on_note=counting,
            **splitter,
        )
    with place:
        report = place.report or IndexReport()
        vault_views.show_report(report, as_json=as_json)
        if watch:
            for later in place.watch(on_note=on_note):
                vault_views.show_report(later, as_json=as_json)
    if any(problem.is_error for problem in report.problems):
        raise typer.Exit(1)


def _patterns(typed: list[str] | None) -> list[str] | None:
    """The patterns that were typed; an empty one alone takes back those of earlier runs."""
    return [pattern for pattern in typed if pattern] if typed else None


def stats(vault: VaultFolder, db: Database = None, as_json: Json = False) -> None:
    """Count the notes, links, tags and chunks of a vault.

    Example: `cleanbreak stats ~/notes`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.stats(), vault_views.print_stats, as_json=as_json)


def notes(vault: VaultFolder, db: Database = None, as_json: Json = False) -> None:
    """Show the paths of all notes.

    Example: `cleanbreak notes ~/notes`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.notes(), vault_views.print_paths, as_json=as_json)


def links(
    vault: VaultFolder,
    note: Annotated[
        str | None, typer.Argument(help=f"{_NOTE} Without one: all notes.", show_default=False)
    ] = None,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Show the links in a note, or in all notes, and what they lead to.

    Example: `cleanbreak links ~/notes Home`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.links(note), vault_views.print_links, as_json=as_json)


def backlinks(
    vault: VaultFolder,
    note: Note,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Show the links in other notes that lead to a note.

    Example: `cleanbreak backlinks ~/notes "Deep Work"`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.backlinks(note), vault_views.print_links, as_json=as_json)


def unresolved(vault: VaultFolder, db: Database = None, as_json: Json = False) -> None:
    """Show the links that lead to no note or file of the vault.

    Example: `cleanbreak unresolved ~/notes`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.unresolved(), vault_views.print_links, as_json=as_json)


def tags(
    vault: VaultFolder,
    name: Annotated[
        str | None,
        typer.Argument(
            help="A tag: show it and the tags below it, with their notes.", show_default=False
        ),
    ] = None,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Show the tags of a vault, or the notes that have one.

    Example: `cleanbreak tags ~/notes reading`
    """
    render = vault_views.print_tag_counts if name is None else vault_views.print_tag_notes
    with Vault.open(vault, db=db) as place:
        console.show(place.tags(name), render, as_json=as_json)


def orphans(
    vault: VaultFolder, exclude: Exclude = None, db: Database = None, as_json: Json = False
) -> None:
    """Show the notes without links to or from other notes.

    Example: `cleanbreak orphans ~/notes --exclude Templates/`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.orphans(exclude=exclude or ()), vault_views.print_paths, as_json=as_json)


def dead_ends(
    vault: VaultFolder, exclude: Exclude = None, db: Database = None, as_json: Json = False
) -> None:
    """Show the notes that link to no other note.

    Example: `cleanbreak dead-ends ~/notes --exclude Daily/`
    """
    with Vault.open(vault, db=db) as place:
        console.show(
            place.dead_ends(exclude=exclude or ()), vault_views.print_paths, as_json=as_json
        )


def related(
    vault: VaultFolder,
    note: Note,
    limit: Annotated[int, number_option("--limit", "-n", help="Maximum number of notes.")] = 10,
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Show the notes that have links, linking notes or tags in common with a note.

    Example: `cleanbreak related ~/notes "Deep Work" --limit 5`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.related(note, limit), vault_views.print_related, as_json=as_json)


def mentions(vault: VaultFolder, note: Note, db: Database = None, as_json: Json = False) -> None:
    """Show where other notes name a note, or an alias of it, without a link.

    Example: `cleanbreak mentions ~/notes "Deep Work"`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.mentions(note), vault_views.print_mentions, as_json=as_json)


def problems(vault: VaultFolder, db: Database = None, as_json: Json = False) -> None:
    """Show what is wrong with files of a vault: errors, and the warnings of all runs.

    Example: `cleanbreak problems ~/notes`
    """
    with Vault.open(vault, db=db) as place:
        console.show(place.problems(), vault_views.print_problems, as_json=as_json)


def graph(
    vault: VaultFolder,
    form: Annotated[
        str, typer.Option("--format", help=f"Format: {', '.join(GRAPH_FORMATS)}.")
    ] = "json",
    db: Database = None,
    as_json: Json = False,
) -> None:
    """Print the notes and the links between them, for programs that draw graphs.

    Example: `cleanbreak graph ~/notes --format dot | dot -Tsvg -o notes.svg`
    """
    with Vault.open(vault, db=db) as place:
        console.in_utf8(sys.stdout).write(place.graph("json" if as_json else form))


COMMANDS: tuple[Callable[..., None], ...] = (
    index,
    stats,
    notes,
    links,
    backlinks,
    unresolved,
    mentions,
    related,
    tags,
    orphans,
    dead_ends,
    problems,
    graph,
)
