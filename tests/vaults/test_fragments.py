"""Links to headings and blocks: found, shown, and reported where they lead nowhere."""

import pytest

import cleanbreak as cb
from cleanbreak.errors import SourceMissingError, StateConflictError
from notes import write_notes

PLAN = """# Plan

## First steps, soon

The storm comes. ^b1

### C & C++

More. <a id="old-name"></a>

## Äpfel {#fruit}

- one
- two ^list
"""


def _warned(tmp_path, links):
    notes = {"Plan.md": PLAN, "a.md": f"# Own\n\n{links}\n", "cat.png": b"\x89PNG"}
    with cb.Vault.index(write_notes(tmp_path, notes)) as vault:
        return [(p.path, p.code, p.message) for p in vault.problems()]


@pytest.mark.parametrize(
    "link",
    [
        "[[Plan#First steps, soon]]",
        "[[plan#first STEPS soon]]",
        "[[Plan#Plan#First steps soon]]",
        "[x](Plan.md#first-steps-soon)",
        "[x](Plan.md#first-steps-soon-1)",
        "[x](Plan.md#First%20steps,%20soon)",
        "[x](Plan.md#old-name)",
        "[x](Plan.md#fruit)",
        "[[Plan#^b1]]",
        "[[Plan#^LIST]]",
        "[[Plan#C & C++]]",
        "[[#Own]]",
        "![[cat.png#height=20]]",
        "[[Nowhere#x]]",
        "`[[Plan#gone]]`",
    ],
)
def test_a_part_that_is_there_is_no_problem(tmp_path, link):
    """Signs and letter case make no difference; other files have no parts that we know."""
    assert _warned(tmp_path, link) == []


@pytest.mark.parametrize(
    ("link", "what"),
    [
        ("[[Plan#Last steps]]", "heading 'Last steps', which 'Plan.md'"),
        ("[[Plan#Plan#Gone]]", "heading 'Plan#Gone', which 'Plan.md'"),
        ("[x](Plan.md#last-steps)", "heading 'last-steps', which 'Plan.md'"),
        ("[[Plan#^b2]]", "block '^b2', which 'Plan.md'"),
        ("![[Plan#^b2]]", "block '^b2', which 'Plan.md'"),
        ("[[#Gone]]", "heading 'Gone', which this note"),
    ],
)
def test_a_part_that_is_not_there_is_a_warning(tmp_path, link, what):
    """The warning names the line of the link, the part, and the note."""
    message = f"Line 3 links to the {what} does not have."
    assert _warned(tmp_path, link) == [("a.md", "FRAGMENT_MISSING", message)]


def test_a_note_is_read_in_part_and_whole(tmp_path):
    """By its name, a heading or block of it, and offsets as those of a hit."""
    with cb.Vault.index(write_notes(tmp_path, {"x/Plan.md": PLAN})) as vault:
        assert vault.excerpt("plan").text == PLAN
        part = vault.excerpt("Plan#C & C++")
        assert PLAN[part.start : part.end].startswith("### C & C++\n\nMore.")
        assert part.citation.startswith(
            "x/Plan.md, # Plan > ## First steps, soon > ### C & C++, line 7"
        )
        block = vault.excerpt("Plan#^list")
        assert PLAN[block.start : block.end] == "- two ^list"
        (hit,) = vault.search("storm")
        read = vault.excerpt(hit.source_key, hit.start, hit.end, around=1)
        assert read.text[hit.start - read.first : hit.end - read.first] == hit.text
        assert len(read.text) > len(hit.text)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (("nope",), SourceMissingError),
        (("Plan#nope",), SourceMissingError),
        (("Plan#^nope",), SourceMissingError),
        (("Plan", 0, 10_000), StateConflictError),
        (("Plan", 9, 3), StateConflictError),
    ],
)
def test_what_is_not_there_cannot_be_read(tmp_path, asked, error):
    """Each is an error that says what is not there."""
    notes = write_notes(tmp_path, {"Plan.md": PLAN})
    with cb.Vault.index(notes) as vault, pytest.raises(error):
        vault.excerpt(*asked)


def test_an_empty_note_has_an_empty_excerpt(tmp_path):
    """It is found by its name, so it can be shown."""
    write_notes(tmp_path, {"Empty.md": ""})
    with cb.Vault.index(tmp_path) as vault:
        excerpt = vault.excerpt("Empty")
    assert (excerpt.path, excerpt.text, excerpt.end) == ("Empty.md", "", 0)
