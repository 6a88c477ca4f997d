"""Patterns, as people know them from `.gitignore`."""

import pytest

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
