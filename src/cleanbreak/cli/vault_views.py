"""What the commands on vaults print for a person."""

from cleanbreak.cli import console
from cleanbreak.cli.console import counted
from cleanbreak.vaults import IndexReport, NoteLink, NoteOutcome, TagUse, VaultStats


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
    for problem in report.problems:
        console.err.print(
            f"{problem.path}: {problem.message} ({problem.code})",
            style="red" if problem.is_error else "yellow",
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
    console.print_table("", ("note", "link", "leads to", "or"), rows)


def print_tag_counts(uses: list[TagUse]) -> None:
    """Each tag and how often it is used."""
    rows = ((use.tag, len(use.notes), use.inline) for use in uses)
    console.print_table("", ("tag", "notes", "in text"), rows)


def print_tag_notes(uses: list[TagUse]) -> None:
    """Each tag and the notes that have it."""
    rows = ((use.tag, note) for use in uses for note in use.notes)
    console.print_table("", ("tag", "note"), rows)


def print_paths(paths: list[str]) -> None:
    """One path a line."""
    for path in paths:
        console.out.print(path)


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
