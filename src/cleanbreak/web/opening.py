"""From what a person names to what the page shows."""

from pathlib import Path

from cleanbreak.web.desk import Desk


def new_desk(named: list[Path]) -> Desk:
    """A desk with the files that were named."""
    return Desk(files=tuple(path for path in named if path.is_file()))
