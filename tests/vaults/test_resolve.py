"""Links mean what Obsidian takes them to mean."""

import pytest

from cleanbreak.vaults.names import names_of
from cleanbreak.vaults.resolve import Resolver


def resolver_of(notes, aliases=(), attachments=()):
    """A resolver of a vault that is nowhere but here."""
    rows = [
        row
        for path in notes
        for row in names_of(path, is_note=True, aliases=[a for a, of in aliases if of == path])
    ]
    rows += [row for path in attachments for row in names_of(path, is_note=False)]
    rows.sort(key=lambda row: row.path)
    return Resolver(lambda name: [row for row in rows if row.name == name])


NOTES = [
    "Home.md",
    "a/Deep Work.md",
    "a/b/Deep Work.md",
    "c/Plan.md",
    "d/longer/Plan.md",
    "c/Cafe\u0301.md",
    "dev.process.md",
    "Doc.markdown",
]
FILES = ["pics/cat.png", "Plan.pdf"]


@pytest.fixture(scope="module")
def resolver():
    return resolver_of(
        NOTES, [("The Plan", "c/Plan.md"), ("both", "Home.md"), ("Both", "c/Plan.md")], FILES
    )


@pytest.mark.parametrize(
    ("target", "source", "paths"),
    [
        ("Home", "c/Plan.md", ["Home.md"]),
        ("home.md", "c/Plan.md", ["Home.md"]),
        ("HOME", "", ["Home.md"]),
        ("Doc", "", ["Doc.markdown"]),
        ("dev.process", "", ["dev.process.md"]),
        ("Caf\u00e9", "", ["c/Cafe\u0301.md"]),
        ("b/Deep Work", "", ["a/b/Deep Work.md"]),
        ("Deep Work", "", ["a/Deep Work.md", "a/b/Deep Work.md"]),
        ("Deep Work", "a/b/x.md", ["a/b/Deep Work.md", "a/Deep Work.md"]),
        ("Plan", "", ["c/Plan.md", "d/longer/Plan.md"]),
        ("Plan", "d/longer/x.md", ["d/longer/Plan.md", "c/Plan.md"]),
        ("the plan", "", ["c/Plan.md"]),
        ("both", "", ["Home.md", "c/Plan.md"]),
        ("./Plan", "c/x.md", ["c/Plan.md"]),
        ("../Home", "c/x.md", ["Home.md"]),
        ("../../../Home", "c/x.md", []),
        ("/c/Plan", "a/x.md", ["c/Plan.md"]),
        ("cat.png", "", ["pics/cat.png"]),
        ("Plan.pdf", "", ["Plan.pdf"]),
        ("Work", "", []),
        ("x/Home", "", []),
        ("Nowhere", "", []),
        ("", "c/Plan.md", ["c/Plan.md"]),
    ],
)
def test_wikilinks(resolver, target, source, paths):
    """By path, by the end of a path, by alias; the nearest first, then the shortest."""
    assert list(resolver.resolve(target, source)) == paths


def test_the_shortest_path_wins_over_the_alphabet():
    """Of several notes of one name elsewhere in the vault, the shortest path is meant."""
    resolver = resolver_of(["a/long/Plan.md", "b/Plan.md", "c/Plan.md"])
    assert resolver.resolve("Plan") == ("b/Plan.md", "c/Plan.md", "a/long/Plan.md")


def test_the_shortest_path_wins_among_notes_of_one_alias():
    """An alias of two notes means the one with the shorter path."""
    resolver = resolver_of(
        ["a/long/One.md", "b/Two.md"], [("it", "a/long/One.md"), ("it", "b/Two.md")]
    )
    assert resolver.resolve("it") == ("b/Two.md", "a/long/One.md")


def test_markdown_links_are_relative_first(resolver):
    """As every other reader of Markdown takes them; then as wikilinks."""
    beside = resolver_of(["Plan.md", "c/Plan.md", "c/x.md", "a/y.md"])
    assert beside.resolve("Plan.md", "c/x.md", relative=True) == ("c/Plan.md",)
    assert beside.resolve("Plan.md", "c/x.md") == ("Plan.md",)
    assert beside.resolve("y.md", "c/x.md", relative=True) == ("a/y.md",)
    assert beside.resolve("../a/y.md", "c/x.md", relative=True) == ("a/y.md",)


def test_a_file_without_suffix_never_beats_a_note():
    """Obsidian adds ``.md`` to a name without a dot; the file is meant if there is no note."""
    resolver = resolver_of(
        ["IT/Dockerfile.md", "x.md"], [("cname", "x.md")], ["Dockerfile", "CNAME", "LICENSE"]
    )
    assert resolver.resolve("Dockerfile") == ("IT/Dockerfile.md",)
    assert resolver.resolve("Dockerfile", relative=True) == ("IT/Dockerfile.md",)
    assert resolver.resolve("cname") == ("x.md",)
    assert resolver.resolve("LICENSE") == ("LICENSE",)


def test_a_path_that_is_written_like_the_target_comes_first():
    """Two notes whose names differ in case only are both candidates."""
    resolver = resolver_of(["Case.md", "case.md", "x/Note.md", "x/note.md"])
    assert resolver.resolve("case") == ("case.md", "Case.md")
    assert resolver.resolve("Case.md") == ("Case.md", "case.md")
    assert resolver.resolve("note") == ("x/note.md", "x/Note.md")
    assert resolver.resolve("x/Note") == ("x/Note.md", "x/note.md")


def test_case_is_folded_as_obsidian_folds_it():
    """To lower case: ``ß`` is not ``ss``, in names as in aliases."""
    resolver = resolver_of(["straße.md", "\u00c9cole.md"], [("Größe", "straße.md")])
    assert resolver.resolve("STRASSE") == ()
    assert resolver.resolve("GROSSE") == ()
    assert resolver.resolve("STRAßE") == ("straße.md",)
    assert resolver.resolve("\u00e9COLE") == ("\u00c9cole.md",)


@pytest.mark.parametrize("space", ["\u00a0", "\u202f"])
def test_no_break_spaces_are_spaces(space):
    """In links as in names."""
    resolver = resolver_of(["C Pointers.md", f"Deep{space}Work.md"])
    assert resolver.resolve(f"C{space}Pointers") == ("C Pointers.md",)
    assert resolver.resolve("deep work") == (f"Deep{space}Work.md",)
