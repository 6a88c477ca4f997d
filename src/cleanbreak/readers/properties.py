"""Front matter as plain data: YAML 1.2's core schema, or TOML, within small limits.

The core schema and not YAML 1.1, which turns ``12:30`` into 750 and ``no`` into false: today's
editors of notes do not. A date stays the string that the author wrote.
"""

import math
import re
import tomllib
from functools import cache
from itertools import zip_longest
from typing import Any

from cleanbreak.core.markdown.front_matter import FrontMatter
from cleanbreak.readers.controls import clean

MAX_CHARACTERS = 1 << 18
MAX_VALUES = 10_000
"""With aliases expanded: nine aliases on nine levels would make 387 million."""
MAX_DEPTH = 50

# The line of a key at the first level, and a value that is a plain string save that it holds ": ".
_KEY = re.compile(r"^([^\s#\[{\]}\"'&*!|>%@`?,-][^:\r\n]*):(?=[ \t]|$)", re.MULTILINE)
_PLAIN = re.compile(r"[^\s\[{\]}\"'&*!|>%@`,-][^\r\n]*\Z")


class PropertiesError(ValueError):
    """The front matter cannot be read as properties. The message never quotes it."""


def parse(kind: str, body: str) -> dict[str, Any]:
    """The properties in the lines between the fences, as plain data.

    Plain data is what JSON can hold: strings, whole and finite numbers, booleans, null, lists and
    mappings with string keys.

    Raises:
        PropertiesError: if it is not valid, too large, or not a mapping.
    """
    if len(body) > MAX_CHARACTERS:
        raise PropertiesError(f"it has more than {MAX_CHARACTERS:,} characters")
    value = _parse_toml(body) if kind == "toml" else _parse_yaml(body)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise PropertiesError("it is not a mapping of keys to values")
    plain: dict[str, Any] = _Plain().of(value)
    return plain


def of(text: str, front: FrontMatter) -> dict[str, Any]:
    """The properties of a note whose front matter is known."""
    return parse(front.kind, text[front.body.start : front.body.end])


def readable(text: str, front: FrontMatter) -> dict[str, Any]:
    r"""The properties of broken YAML that can be read without the others; of broken TOML, none.

    A property is the line of its key and all lines up to the next key. A value that holds ``: ``
    and needs quotes is taken as it stands.

    >>> from cleanbreak.core.markdown.front_matter import front_matter
    >>> text = "---\ntitle: A: B\ntags: [x]\nlist: [\n---\n"
    >>> readable(text, front_matter(text))
    {'title': 'A: B', 'tags': ['x']}
    """
    found: dict[str, Any] = {}
    if front.kind == "toml" or front.body.end - front.body.start > MAX_CHARACTERS:
        return found
    keys = list(_KEY.finditer(text, *front.body))
    for key, following in zip_longest(keys, keys[1:]):
        end = following.start() if following else front.body.end
        try:
            found.update(parse(front.kind, text[key.start() : end]))
        except PropertiesError:
            value = text[key.end() : end].strip()
            if _PLAIN.match(value):
                found[key[1].strip()] = clean(value)[0]
    return found


def _parse_toml(body: str) -> Any:
    try:
        return tomllib.loads(body.replace("\r\n", "\n").replace("\r", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError):
        raise PropertiesError("it is not valid TOML") from None


def _parse_yaml(body: str) -> Any:
    import yaml

    loader = _yaml_loader()
    try:
        _check_depth(yaml.parse(body, Loader=loader))
        return yaml.load(body, Loader=loader)  # noqa: S506 (a safe loader, made below)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" (line {mark.line + 2} of the file)" if mark else ""
        raise PropertiesError(f"it is not valid YAML{where}") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        if isinstance(error, PropertiesError):
            raise
        raise PropertiesError("it is not valid YAML") from None


def _check_depth(events: Any) -> None:
    """Refuse deep nesting while there are only flat events: building the values would recurse."""
    import yaml

    depth = 0
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise PropertiesError(f"it is nested more than {MAX_DEPTH} deep")


@cache
def _yaml_loader() -> Any:
    """PyYAML's safe loader, in C where it is built, with the core schema's scalars (YAML 1.2.2, 10.3.2)."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (PyYAML copies it on write)

    def resolve(tag: str, pattern: str, first: list[str]) -> None:
        Loader.add_implicit_resolver(
            f"tag:yaml.org,2002:{tag}", re.compile(rf"^(?:{pattern})$"), first
        )

    resolve("null", r"~|null|Null|NULL|", [*"~nN", ""])
    resolve("bool", r"true|True|TRUE|false|False|FALSE", [*"tTfF"])
    resolve("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", [*"-+0123456789"])
    resolve(
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        [*"-+.0123456789"],
    )
    resolve("merge", "<<", ["<"])
    Loader.add_constructor("tag:yaml.org,2002:int", _construct_int)
    return Loader


def _construct_int(loader: Any, node: Any) -> int | str:
    written: str = loader.construct_scalar(node)
    # YAML 1.1 reads 010 as 8; the core schema as 10. A number of 5,000 digits stays a string.
    return int(written, 0 if written[:2] in ("0x", "0o") else 10) if len(written) < 100 else written


class _Plain:
    """Turns the values of a parser into plain data, and counts them, as aliases may multiply them."""

    def __init__(self) -> None:
        self._left = MAX_VALUES

    def of(self, value: Any, depth: int = 0) -> Any:
        self._left -= 1
        if self._left < 0:
            raise PropertiesError(f"it has more than {MAX_VALUES:,} values, aliases expanded")
        if depth > MAX_DEPTH:
            raise PropertiesError(f"it is nested more than {MAX_DEPTH} deep")
        if isinstance(value, dict):
            return {self._words(key): self.of(item, depth + 1) for key, item in value.items()}
        if isinstance(value, list | tuple | set):
            return [self.of(item, depth + 1) for item in value]
        if value is None or isinstance(value, bool | int):
            return value
        if isinstance(value, float) and math.isfinite(value):
            return value
        return self._words(value)

    @staticmethod
    def _words(value: Any) -> str:
        return clean(str(value))[0]
