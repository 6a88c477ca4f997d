"""What a server keeps in memory for a while, by ids that nobody can guess."""

import secrets
from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

from cleanbreak.errors import NotHeldError

T = TypeVar("T")


class Kept(Generic[T]):
    """Values by id. When there is no room, those that were not asked for longest are dropped.

    `most` is the number of values and `room` the sum of their sizes. The newest value is always
    kept. Safe to use from several threads.
    """

    def __init__(self, what: str, *, most: int, room: int) -> None:
        self._what = what
        self._most, self._room = most, room
        self._values: OrderedDict[str, tuple[T, int]] = OrderedDict()
        self._lock = Lock()

    def add(self, value: T, size: int) -> str:
        """Keep a value of a size; its new id."""
        key = secrets.token_hex(8)
        with self._lock:
            self._values[key] = (value, size)
            while len(self._values) > 1 and (
                len(self._values) > self._most or self._used() > self._room
            ):
                self._values.popitem(last=False)
        return key

    def get(self, key: str) -> T:
        """The value with this id.

        Raises:
            NotHeldError: if there is none.
        """
        with self._lock:
            if key not in self._values:
                raise NotHeldError(f"This {self._what} is not held any more; send it again.")
            self._values.move_to_end(key)
            return self._values[key][0]

    def items(self) -> list[tuple[str, T]]:
        """All ids and values, the one that was asked for last at the end."""
        with self._lock:
            return [(key, value) for key, (value, _) in self._values.items()]

    def _used(self) -> int:
        return sum(size for _, size in self._values.values())
