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

# Files that are over the limit still. Take a name out when its file is short enough.
STILL_LONG = {"worlds/world.py", "readers/html/text.py", "core/sentences/rules.py"}

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

# Folders and files whose English is plain already. Widen this list; never shorten it.
PLAIN_SOURCES = [
    "core/markdown",
    "core/measures/estimate.py",
    "core/vectors",
    "errors.py",
    "vaults",
]
PLAIN_PAGES = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "README.md",
    "docs/README.md",
    "docs/benchmarks.md",
    "docs/design/001-one-assembler.md",
    "docs/design/002-chunk-is-a-struct.md",
    "docs/design/003-looking-back.md",
    "docs/design/004-errors-and-exit-codes.md",
    "docs/design/005-outer-rings-load-later.md",
    "docs/design/000-layout.md",
    "docs/design/010-sentences.md",
    "docs/design/011-hard-wrapped-text.md",
    "docs/design/031-encodings-by-proof.md",
    "docs/design/032-text-of-an-epub.md",
    "docs/design/050-files-are-the-record.md",
    "docs/design/051-a-count-and-a-chain.md",
    "docs/design/052-reingest-builds-beside-and-swaps.md",
    "docs/design/053-what-stops-a-batch.md",
    "docs/design/060-index.md",
    "docs/design/070-markdown-structure.md",
    "docs/design/080-tokens.md",
    "docs/design/dependencies.md",
    "docs/design/laws.md",
    "docs/glossary.md",
    "docs/index-format.md",
    "docs/readers.md",
    "docs/search.md",
    "docs/vaults.md",
    "docs/world-format.md",
    "docs/worlds.md",
]


def files_of(places: list[str]) -> list[Path]:
    """The files of a list of folders and files of the package."""
    found = []
    for place in places:
        path = PACKAGE / place
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return found


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


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
    if path.name != "__init__.py" and name_of(path) not in STILL_LONG:
        assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


def test_the_core_has_few_modules_at_its_top():
    """Everything else has a folder named after its subject."""
    modules = [path.name for path in (PACKAGE / "core").glob("*.py")]
    assert 0 < len(modules) <= MOST_CORE_MODULES


@pytest.mark.parametrize("path", files_of(PLAIN_SOURCES), ids=name_of)
def test_private_names_are_explained_by_comments(path):
    """Tools show no string under a private constant, and editors colour it as data."""
    assert list(literals_under_private_names(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize("path", files_of(PLAIN_SOURCES), ids=name_of)
def test_sources_have_plain_english(path):
    """No banned word; `BANNED` names a plain one for each."""
    assert _BANNED.findall(path.read_text("utf-8")) == []


@pytest.mark.parametrize("page", PLAIN_PAGES)
def test_pages_have_plain_english(page):
    """No banned word; `BANNED` names a plain one for each."""
    assert _BANNED.findall((PROJECT / page).read_text("utf-8")) == []


def test_the_checks_find_what_they_look_for():
    """A check that finds nothing anywhere proves nothing."""
    module = '_A = 1\n"""Of A."""\nB = 2\n"""Of B."""\nclass C:\n    _d: int = 3\n    """Of d."""\n'
    assert list(literals_under_private_names(ast.parse(module))) == [2, 7]
    assert _BANNED.findall("It goes on and tells whatever it is told.") == [
        "goes on",
        "tells",
        "whatever",
        "told",
    ]
