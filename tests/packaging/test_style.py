"""The style that CONTRIBUTING.md asks for, as far as a program can check it."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "src" / "cleanbreak"
SOURCES = sorted(PACKAGE.rglob("*.py"))

MOST_LINES = 400
MOST_CORE_MODULES = 8

# Words that a reader with little English does not know or may misread, and plain ones for them.
BANNED = {
    "anew": "again",
    "forsake": "drop",
    "forsakes": "drops",
    "gauge": "counter",
    "goes on": "continues",
    "in doubt": "uncertain",
    "mend": "repair",
    "mended": "repaired",
    "mends": "repairs",
    "parted": "separated",
    "parting": "separating",
    "ruler": "counter",
    "so many": "a number",
    "so much": "a size",
    "stranger's": "foreign",
    "tally": "counter",
    "tell": "say, show, recognise",
    "tells": "says, shows, recognises",
    "told": "shown, recognised",
    "went on": "continued",
    "whatever": "any, all",
}
_BANNED = re.compile(rf"\b(?:{'|'.join(map(re.escape, BANNED))})\b", re.IGNORECASE)

# A quantifier that is possessive on a group. Python 3.11.0 to 3.11.4 does not match these right if
# the group can backtrack (Debian 12 has 3.11.2); an atomic group, `(?>(?:…)*)`, means the same.
_POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+(?!,)")


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE if path.is_relative_to(PACKAGE) else PROJECT).as_posix()


PLAIN_SOURCES = SOURCES
PLAIN_PAGES = [
    PROJECT / "CHANGELOG.md",
    PROJECT / "CONTRIBUTING.md",
    PROJECT / "Makefile",
    PROJECT / "README.md",
    *sorted(PROJECT.glob("docs/**/*.md")),
]


def literals_under_private_names(tree: ast.AST) -> Iterator[int]:
    """The lines of strings that explain a private name and should be comments above it."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for first, second in pairwise(body):
            if is_string(second) and any(name.startswith("_") for name in assigned(first)):
                yield second.lineno


def is_string(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def assigned(node: ast.stmt) -> set[str]:
    """The names and attributes that a statement assigns."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    else:
        return set()
    inner = [name for target in targets for name in ast.walk(target)]
    names = {name.id for name in inner if isinstance(name, ast.Name)}
    return names | {name.attr for name in inner if isinstance(name, ast.Attribute)}


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_a_file_has_at_most_four_hundred_lines(path):
    """But for lists of names in `__init__.py`."""
    if path.name != "__init__.py":
        assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_group_in_a_pattern_is_possessive(path):
    """The oldest Python that is supported matches them wrongly."""
    assert _POSSESSIVE_GROUP.findall(path.read_text("utf-8")) == []


def test_the_core_has_few_modules_at_its_top():
    """Everything else has a folder named after its subject."""
    modules = [path.name for path in (PACKAGE / "core").glob("*.py")]
    assert 0 < len(modules) <= MOST_CORE_MODULES


@pytest.mark.parametrize("path", PLAIN_SOURCES, ids=name_of)
def test_private_names_are_explained_by_comments(path):
    """Tools show no string under a private constant, and editors colour it as data."""
    assert list(literals_under_private_names(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize("path", PLAIN_SOURCES, ids=name_of)
def test_sources_have_plain_english(path):
    """No banned word; `BANNED` names a plain one for each."""
    assert _BANNED.findall(path.read_text("utf-8")) == []


@pytest.mark.parametrize("page", PLAIN_PAGES, ids=name_of)
def test_pages_have_plain_english(page):
    """No banned word; `BANNED` names a plain one for each."""
    assert _BANNED.findall(page.read_text("utf-8")) == []


def test_the_checks_find_what_they_look_for():
    """A check that finds nothing anywhere proves nothing."""
    module = '_A = 1\n"""Of A."""\nB = 2\n"""Of B."""\nclass C:\n    _d: int = 3\n    """Of d."""\n'
    assert list(literals_under_private_names(ast.parse(module))) == [2, 7]
    assert _POSSESSIVE_GROUP.search(r"(?:ab?)*+c")
    assert not _POSSESSIVE_GROUP.search(r"[()*+,]a*+(?>(?:ab?)*)")
    assert _BANNED.findall("It goes on and tells whatever it is told.") == [
        "goes on",
        "tells",
        "whatever",
        "told",
    ]
