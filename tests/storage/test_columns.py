"""Records as SQL columns: derived from the type, and the same value when read again."""

import sqlite3
from typing import Literal

import msgspec
import pytest

from cleanbreak.storage.columns import Columns


class Part(msgspec.Struct, frozen=True):
    title: str
    level: int


class Thing(msgspec.Struct, frozen=True):
    name: str
    kind: Literal["a", "b"] | None
    size: int
    done: bool
    seen: bool | None
    parts: tuple[Part, ...]
    tags: tuple[str, ...] | None


THINGS = [
    Thing("one", "a", 2**40, True, None, (Part("p", 1), Part("q", 2)), ("x",)),
    Thing("", None, -1, False, False, (), None),
]


def table(columns: Columns) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE things ({columns.definitions})")
    return connection


@pytest.mark.parametrize("thing", THINGS)
def test_a_record_is_read_again_as_it_was(thing):
    """Numbers, strings, booleans, nothing, and values that are kept as JSON."""
    columns = Columns(Thing)
    connection = table(columns)
    connection.execute("INSERT INTO things VALUES (?, ?, ?, ?, ?, ?, ?)", columns.values(thing))
    (row,) = connection.execute("SELECT * FROM things")
    assert Thing(**columns.fields(row)) == thing
    connection.close()


def test_the_names_and_types_are_those_of_the_fields():
    """In their order; only what may be nothing may be NULL."""
    columns = Columns(Thing, without={"name", "tags"})
    assert columns.names == ("kind", "size", "done", "seen", "parts")
    assert columns.definitions == (
        "kind TEXT, size INTEGER NOT NULL, done INTEGER NOT NULL, seen INTEGER, parts TEXT NOT NULL"
    )


def test_a_field_that_is_added_is_a_column():
    """Without another edit."""

    class Longer(Thing, frozen=True):
        later: int = 7

    assert Columns(Longer).names == (*Columns(Thing).names, "later")
