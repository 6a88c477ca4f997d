"""The fields of a record as the columns of an SQL table, derived from the record's type."""

from collections.abc import Callable, Collection, Iterable
from operator import attrgetter
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect


class Columns:
    """Columns of the same names and order as the fields of a record.

    Whole numbers and booleans are INTEGER, strings TEXT, everything else TEXT that holds JSON. A
    column may be NULL where its field may be ``None``.

    >>> class Place(msgspec.Struct):
    ...     name: str
    ...     level: int | None
    ...     lines: tuple[int, ...]
    >>> columns = Columns(Place)
    >>> columns.definitions
    'name TEXT NOT NULL, level INTEGER, lines TEXT NOT NULL'
    >>> columns.values(Place("Storm", 2, (7, 9)))
    ['Storm', 2, '[7,9]']

    Args:
        record: a struct with at least two fields left.
        without: fields that have no column.
    """

    def __init__(self, record: type[msgspec.Struct], *, without: Collection[str] = ()) -> None:
        kinds = {name: kind for name, kind in field_kinds(record).items() if name not in without}
        self.names = tuple(kinds)
        self.definitions = ", ".join(f"{name} {_sql_type(kind)}" for name, kind in kinds.items())
        """What stands between the parentheses of CREATE TABLE."""
        self._get = attrgetter(*self.names)
        hints = get_type_hints(record)
        self._loaders: dict[str, Callable[[Any], Any]] = {}
        self._json: list[int] = []
        for place, (name, kind) in enumerate(kinds.items()):
            if isinstance(without_none(kind), inspect.BoolType):
                self._loaders[name] = _as_bool
            elif _is_json(kind):
                self._loaders[name] = msgspec.json.Decoder(hints[name]).decode
                self._json.append(place)

    def values(self, record: msgspec.Struct) -> list[object]:
        """What to insert for a record, in the order of `names`."""
        values = list(self._get(record))
        for place in self._json:
            values[place] = msgspec.json.encode(values[place]).decode()
        return values

    def fields(self, values: Iterable[Any]) -> dict[str, Any]:
        """The fields of the record that `values` came from, by name."""
        fields = dict(zip(self.names, values, strict=True))
        for name, load in self._loaders.items():
            fields[name] = load(fields[name])
        return fields


def field_kinds(record: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    """The types of a record's fields, as `msgspec.inspect` describes them, by name."""
    kind = inspect.type_info(record)
    return {field.name: field.type for field in kind.fields}  # type: ignore[attr-defined]


def without_none(kind: inspect.Type) -> inspect.Type:
    """The type less ``None``."""
    if isinstance(kind, inspect.UnionType):
        (kind,) = (one for one in kind.types if not isinstance(one, inspect.NoneType))
    return kind


def _as_bool(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _is_json(kind: inspect.Type) -> bool:
    plain = (inspect.IntType, inspect.BoolType, inspect.StrType, inspect.LiteralType)
    return not isinstance(without_none(kind), plain)


def _sql_type(kind: inspect.Type) -> str:
    number = isinstance(without_none(kind), (inspect.IntType, inspect.BoolType))
    may_be_null = without_none(kind) is not kind
    return ("INTEGER" if number else "TEXT") + ("" if may_be_null else " NOT NULL")
