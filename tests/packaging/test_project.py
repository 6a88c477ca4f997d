"""What pyproject.toml and constraints.txt say is true."""

import ast
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cleanbreak.core.code.languages import GRAMMARS

PROJECT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
PINNED = {
    canonicalize_name(name): version
    for name, version in re.findall(
        r"^([\w.-]+)==(\S+)$", (PROJECT / "constraints.txt").read_text("utf-8"), re.MULTILINE
    )
}
EXTRAS = SETTINGS["project"]["optional-dependencies"]
NEEDED = SETTINGS["project"]["dependencies"]
OPTIONAL = [need for name, needs in EXTRAS.items() if name != "all" for need in needs]


def imported() -> set[str]:
    """The top-level names of every module that the sources import."""
    found = set()
    for path in (PROJECT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    # Grammars are imported by name.
    return found | {grammar.module for grammar in GRAMMARS.values()}


def test_every_dependency_is_imported():
    """A dependency that no module imports is dropped."""
    modules = metadata.packages_distributions()
    used = {
        canonicalize_name(distribution)
        for name in imported() - set(sys.stdlib_module_names)
        for distribution in modules.get(name, [])
    }
    needs = {canonicalize_name(Requirement(need).name) for need in [*NEEDED, *OPTIONAL]}
    assert needs <= used


def test_every_requirement_is_pinned_to_a_version_that_it_allows():
    """Everyone tests with the same versions."""
    needs = [*NEEDED, *OPTIONAL, *SETTINGS["dependency-groups"]["dev"]]
    for requirement in map(Requirement, needs):
        assert PINNED[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_the_extra_all_holds_every_other_extra_that_needs_no_server():
    (everything,) = map(Requirement, EXTRAS["all"])
    assert everything.extras == EXTRAS.keys() - {"all", "qdrant", "ray"}


def test_the_classifiers_start_at_the_python_that_is_required():
    """No version in between is left out."""
    minors = [
        int(found[1])
        for classifier in SETTINGS["project"]["classifiers"]
        if (found := re.fullmatch(r"Programming Language :: Python :: 3\.(\d+)", classifier))
    ]
    assert SETTINGS["project"]["requires-python"] == f">=3.{minors[0]}"
    assert minors == list(range(minors[0], minors[0] + len(minors)))


def test_folders_with_lint_rules_of_their_own_exist():
    """A rule for a folder that is gone is dropped."""
    for pattern in SETTINGS["tool"]["ruff"]["lint"]["per-file-ignores"]:
        assert (PROJECT / pattern.removesuffix("/**")).exists(), pattern


def test_files_of_the_source_distribution_exist():
    """A misspelt path would be left out silently."""
    for path in SETTINGS["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]:
        assert (PROJECT / path.lstrip("/")).exists(), path
