"""Reading a source that may take minutes, so that a request to stop is heard meanwhile."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cleanbreak.worlds.reading import Reading

if TYPE_CHECKING:
    from cleanbreak.core.document import Document

# A person who presses Ctrl-C should be heard within two seconds.
_ASKS_EVERY_SECONDS = 0.5


def read_source(path: Path, how: Reading, check_stop: Callable[[], None] | None) -> "Document":
    """Read a file; `check_stop` is called while it is read, and ends the wait by what it raises.

    A reader cannot be ended in the middle of its work. It runs in a thread of its own, which writes
    nothing, and what it gives after a stop is dropped.

    Raises:
        SourceError: as `cleanbreak.read` does.
    """
    if check_stop is None:
        return how.read(path)
    found: list[Document] = []
    failed: list[BaseException] = []
    ended = threading.Event()

    def work() -> None:
        try:
            found.append(how.read(path))
        except BaseException as error:  # noqa: BLE001 (raised again below)
            failed.append(error)
        finally:
            ended.set()

    threading.Thread(target=work, name="cleanbreak-read", daemon=True).start()
    while not ended.wait(_ASKS_EVERY_SECONDS):
        check_stop()
    if failed:
        raise failed[0]
    return found[0]
