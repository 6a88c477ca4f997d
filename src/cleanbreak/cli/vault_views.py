"""What the commands on vaults print for a person."""

from collections.abc import Iterable, Sequence
from typing import Any

from cleanbreak.cli import console
from cleanbreak.cli.console import counted
from cleanbreak.vaults import (
    Changes,
    IndexReport,
    Mention,
    NoteLink,
    NoteOutcome,
    Problem,
    RelatedNote,
    TagUse,
    VaultStats,
)

_NOTHING = "Nothing found."


def print_note(outcome: NoteOutcome) -> None:
    """A note that was indexed, and each of its chunks."""
    size = sum(chunk.byte_length for chunk in outcome.chunks)
    console.out.print(
        f"{outcome.outcome} {outcome.path}: {counted(len(outcome.chunks), 'chunk')}, "
        f"{size:,} bytes",
    )
    for chunk in outcome.chunks:
        console.out.print(
            f"  {chunk.chunk_number}: {chunk.byte_length:,} bytes, "
            f"{chunk.token_count:,} tokens, {chunk.heading_path or '(before the first heading)'}",
        )


def show_report(report: IndexReport, *, as_json: bool) -> None:
    """What a run of the index did; problems go to standard error in both forms."""
    console.show(report, _print_report, as_json=as_json)
    if report.options and not as_json:
        console.err.print(f"with {_as_options(report.options)}")
    for problem in report.problems:
        console.err.print(
            f"{problem.path}: {problem.message} ({problem.code})",
            style="red" if problem.is_error else "yellow",
        )


def _as_options(settings: dict[str, Any]) -> str:
    """Settings as they are typed; they hold until others are given."""
    names = {"overlap_size": "overlap"}
    return ", ".join(
        f"--{names.get(name, name).replace('_', '-')} {one}"
        for name, value in settings.items()
        for one in (value if isinstance(value, tuple) else (value,))
    )


def print_stats(found: VaultStats) -> None:
    """The counts of a vault."""
    links = (
        f"{found.wikilinks:,} wikilinks, {found.markdown_links:,} Markdown links; "
        f"{found.unresolved:,} unresolved, {found.ambiguous:,} ambiguous"
    )
    tags = (
        f"in text; with front matter {found.distinct_tags:,} distinct, "
        f"{found.note_tags:,} pairs of note and tag"
    )
    chunks = (
        f"{found.chunks_with_heading:,} under a heading; {found.average_chunk_bytes:,} bytes on "
        f"average, {found.smallest_chunk_bytes:,} to {found.largest_chunk_bytes:,}"
    )
    rows = (
        ("Notes", f"{found.notes:,}", f"{found.orphans:,} without links to or from others"),
        ("Links", f"{found.links:,}", links),
        ("Tags", f"{found.tags:,}", tags),
        ("Chunks", f"{found.chunks:,}", chunks),
        ("Tokens", f"{found.tokens:,}", ""),
    )
    console.print_table("", ("", "", ""), rows)


def print_links(found: list[NoteLink]) -> None:
    """Links: where each stands, what is written, and what it leads to."""
    rows = (
        (
            f"{link.source}:{link.line}",
            link.target + (f"#{link.fragment}" if link.fragment else ""),
            link.path or "(not found)",
            ", ".join(link.candidates[1:]),
        )
        for link in found
    )
    _print_rows(("note", "link", "leads to", "or"), rows)


def print_related(found: list[RelatedNote]) -> None:
    """Notes and what they have in common with the one asked for."""
    rows = (
        (
            one.path,
            f"{one.score:.2f}",
            ", ".join(one.shared),
            ", ".join(f"#{tag}" for tag in one.tags),
        )
        for one in found
    )
    _print_rows(("note", "score", "links in common", "tags in common"), rows)


def print_mentions(found: list[Mention]) -> None:
    """Where a note is named without a link, and how."""
    _print_rows(("note", "words"), ((f"{one.source}:{one.line}", one.text) for one in found))


def print_problems(found: list[Problem]) -> None:
    """Errors and warnings: the file, what is wrong, the code."""
    rows = (
        (one.path, "error" if one.is_error else "warning", one.message, one.code) for one in found
    )
    _print_rows(("file", "", "problem", "code"), rows)


def print_changes(found: Changes) -> None:
    """What the next run of the index would do."""
    for kind, paths in zip(found._fields, found, strict=True):
        for path in paths:
            console.out.print(f"{kind} {path}")
    if not found:
        console.err.print("Nothing changed.")


def print_tag_counts(uses: list[TagUse]) -> None:
    """Each tag and how often it is used."""
    rows = ((use.tag, len(use.notes), use.inline) for use in uses)
    _print_rows(("tag", "notes", "in text"), rows)


def print_tag_notes(uses: list[TagUse]) -> None:
    """Each tag and the notes that have it."""
    rows = ((use.tag, note) for use in uses for note in use.notes)
    _print_rows(("tag", "note"), rows)


def print_paths(paths: list[str]) -> None:
    """One path a line."""
    for path in paths:
        console.out.print(path)
    if not paths:
        console.err.print(_NOTHING)


def _print_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table, or a line that says that there is nothing; that line is no result."""
    listed = list(rows)
    if listed:
        console.print_table("", columns, listed)
    else:
        console.err.print(_NOTHING)


def _print_report(report: IndexReport) -> None:
    counts = {
        "new": len(report.new),
        "changed": len(report.changed),
        "renamed": len(report.renamed),
        "removed": len(report.removed),
        "unchanged": report.unchanged,
    }
    notes = ", ".join(f"{number:,} {word}" for word, number in counts.items() if number)
    console.out.print(f"notes: {notes or 'none'}; {counted(report.chunks, 'chunk')} cut")
