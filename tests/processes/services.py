"""What children of these tests do. In a module of its own, as a child imports it."""

import os
import pickle
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def echo(requests: Iterator[Any]) -> Iterator[Any]:
    yield from requests


def square_each(requests: Iterator[list[int]]) -> Iterator[int]:
    for numbers in requests:
        for number in numbers:
            yield number * number


def exit_with(requests: Iterator[int]) -> Iterator[None]:
    """Answer 0 and die of anything else."""
    for status in requests:
        if status:
            os._exit(status)
        yield None


def die_within_an_answer(requests: Iterator[Any]) -> Iterator[None]:
    next(requests)
    half = pickle.dumps("x" * 100)[:50]
    for descriptor in range(3, 16):  # wherever the answers go
        try:
            os.write(descriptor, half)
        except OSError:
            continue
    os._exit(7)
    yield


def sleep(requests: Iterator[float]) -> Iterator[None]:
    for seconds in requests:
        time.sleep(seconds)
        yield None


def print_and_read(requests: Iterator[Any]) -> Iterator[tuple[Any, str]]:
    """Use the standard streams in every way that a library might."""
    for request in requests:
        print("printed")
        sys.stdout.flush()
        os.write(1, b"written")
        yield request, sys.stdin.read()


def fail(requests: Iterator[Any]) -> Iterator[None]:
    next(requests)
    raise LookupError("in the child")
    yield


def report_to_a_file(requests: Iterator[tuple[str, float]]) -> Iterator[None]:
    """Write the number of the process to a file, then be busy."""
    for file, seconds in requests:
        Path(file).write_text(str(os.getpid()), encoding="utf-8")
        time.sleep(seconds)
        yield None
