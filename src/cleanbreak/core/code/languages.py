"""The programming languages whose grammar can be installed, and how to recognise them by a file name."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from cleanbreak.core.checks import one_of
from cleanbreak.core.document import Document
from cleanbreak.errors import DependencyMissingError


class Grammar(NamedTuple):
    """Where the grammar of a language is, and which files are written in it."""

    module: str
    suffixes: tuple[str, ...]
    function: str = "language"


GRAMMARS: Mapping[str, Grammar] = MappingProxyType(
    {
        "c": Grammar("tree_sitter_c", (".c", ".h")),
        "cpp": Grammar(
            "tree_sitter_cpp", (".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".ipp")
        ),
        "csharp": Grammar("tree_sitter_c_sharp", (".cs",)),
        "go": Grammar("tree_sitter_go", (".go",)),
        "java": Grammar("tree_sitter_java", (".java",)),
        "javascript": Grammar("tree_sitter_javascript", (".js", ".jsx", ".mjs", ".cjs")),
        "php": Grammar("tree_sitter_php", (".php",), "language_php"),
        "python": Grammar("tree_sitter_python", (".py", ".pyi", ".pyw")),
        "ruby": Grammar("tree_sitter_ruby", (".rb", ".rake", ".gemspec")),
        "rust": Grammar("tree_sitter_rust", (".rs",)),
        "tsx": Grammar("tree_sitter_typescript", (".tsx",), "language_tsx"),
        "typescript": Grammar(
            "tree_sitter_typescript", (".ts", ".mts", ".cts"), "language_typescript"
        ),
    }
)
"""The grammars by the name of their language."""

LANGUAGE_OF: Mapping[str, str] = MappingProxyType(
    {suffix: name for name, grammar in GRAMMARS.items() for suffix in grammar.suffixes}
)
"""The language of each file suffix, in lower case. ``.h`` may be C++ as well."""

# What a header of C cannot hold.
_CPP_ONLY = re.compile(r"^\s*(?:class|namespace|template|using|public:|private:)\b", re.MULTILINE)


def check_code_language(value: object) -> str:
    """Return `value` if it is a language that has a grammar which is installed, or ``"auto"``.

    Raises:
        SettingsError: for another name, with those that there are.
        DependencyMissingError: if tree-sitter or the grammar is not installed.
    """
    language = one_of("language", value, ("auto", *GRAMMARS))
    _import("tree_sitter")
    if language != "auto":
        load_language(language)
    return language


def language_of(document: Document) -> str | None:
    """The language of a document by the suffix of its file; ``None`` if it has no grammar, or no file.

    >>> from cleanbreak.core.document import Source
    >>> language_of(Document("def f(): ...", source=Source("tools.py", "text/plain", "0")))
    'python'
    """
    if document.source is None:
        return None
    suffix = "." + document.source.name.rpartition(".")[2].lower()
    language = LANGUAGE_OF.get(suffix)
    if suffix == ".h" and _CPP_ONLY.search(document.text):
        return "cpp"
    return language


@cache
def load_language(name: str) -> Any:
    """The language of that name as tree-sitter takes it, loaded once in a process.

    Raises:
        DependencyMissingError: if tree-sitter or the grammar is not installed.
    """
    grammar = GRAMMARS[name]
    language = getattr(_import(grammar.module), grammar.function)
    return _import("tree_sitter").Language(language())


def _import(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        package = module.replace("_", "-")
        raise DependencyMissingError(
            f"Cutting code needs the package {package}; pip install 'cleanbreak[code]'.",
            package=package,
            extra="code",
        ) from None
