"""Patterns, as people know them from `.gitignore`."""

import pathspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cleanbreak.errors import SettingsError
from cleanbreak.vaults.globs import Globs


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.md", "a.md", True),
        ("*.md", "x/y/a.md", True),
        ("*.md", "a.mdx", False),
        ("a?.md", "ab.md", True),
        ("a?.md", "a/.md", False),
        ("[ab].md", "b.md", True),
        ("[!ab].md", "b.md", False),
        ("[!ab].md", "c.md", True),
        ("x/*.md", "x/a.md", True),
        ("x/*.md", "y/x/a.md", False),
        ("x/*.md", "x/y/a.md", False),
        ("/a.md", "a.md", True),
        ("/a.md", "x/a.md", False),
        ("x/**", "x/y/a.md", True),
        ("**/y/*.md", "y/a.md", True),
        ("**/y/*.md", "x/z/y/a.md", True),
        ("a+(b).md", "a+(b).md", True),
        ("[", "[", True),
        ("A.md", "a.md", False),
        ("x\ny", "x\ny", True),
        ("a**b.md", "axyb.md", True),
        ("x/a**b.md", "x/a/b.md", False),
        ("drafts", "x/drafts/a.md", True),
        ("drafts/", "drafts/y/a.md", True),
        ("a.md  ", "a.md", True),
        (r"a.md\ ", "a.md ", True),
        (r"\!a.md", "!a.md", True),
        (r"\#a.md", "#a.md", True),
        ("#a.md", "#a.md", True),
        (r"a\*.md", "a*.md", True),
        (r"a\*.md", "ab.md", False),
        ("[]].md", "].md", True),
        ("[!]].md", "].md", False),
    ],
)
def test_patterns(pattern, path, fits):
    """What a pattern fits."""
    assert Globs([pattern]).match(path) == fits


def test_a_pattern_with_a_slash_at_its_end_fits_folders_only():
    """`Templates/` leaves a file of that name alone."""
    globs = Globs(["Templates/"])
    assert globs.match("x/Templates", folder=True)
    assert not globs.match("Templates")
    assert globs.match("Templates/Daily.md")


def test_the_last_pattern_that_fits_wins():
    """So an exception follows its rule."""
    globs = Globs(["drafts/*", "!drafts/keep.md"])
    assert globs.match("drafts/a.md")
    assert not globs.match("drafts/keep.md")


@pytest.mark.parametrize("pattern", ["", "/", "!", 7, None])
def test_what_is_no_pattern_is_refused(pattern):
    """When the globs are made, naming the field."""
    with pytest.raises(SettingsError) as caught:
        Globs([pattern], "exclude")
    assert caught.value.details["field"] == "exclude"


NAMES = st.sampled_from(
    ["a", "b", "ab", "a.md", "b.md", "x", "[a]", "a b", "#a", "!a", "A.md", "é"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PIECES = [
    "a",
    "b",
    "*",
    "?",
    "**/",
    "/",
    "/**",
    "[ab]",
    "[a-b]",
    "\\[",
    "\\!",
    "\\#",
    ".md",
    "x",
    " ",
]
PATTERNS = st.tuples(
    st.sampled_from(["", "!", "/"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join),
    st.sampled_from(["", "/"]),
).map("".join)


@given(PATTERNS, PATHS)
def test_a_pattern_means_what_it_means_to_git(pattern, path):
    """Compared with another implementation, but for a doubled slash and a `**` before the end."""
    assume(pattern.strip("!/ "))
    assume("//" not in pattern and not pattern.rstrip().endswith("**/"))
    try:
        reference = pathspec.GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        assume(False)
    assert Globs([pattern]).match(path) == reference.match_file(path)


def test_an_exception_inside_a_folder_counts_for_its_files():
    """`match` takes a path alone; the walk of a vault does not enter a folder that is left out."""
    globs = Globs(["drafts/", "!drafts/keep.md"])
    assert globs.match("drafts", folder=True)
    assert globs.match("drafts/other.md")
    assert not globs.match("drafts/keep.md")
