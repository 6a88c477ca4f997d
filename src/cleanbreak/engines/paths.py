"""A path that was passed where a text is expected: the first thing that everybody tries."""

import os
import re
import warnings

# Characters; longer texts are not looked at, as a path on most systems has fewer.
_LONGEST = 260
_SUFFIX = re.compile(r"\.\w{1,10}\Z")


def warn_of_path(source: object, stacklevel: int = 3) -> None:
    """Warn if `source` is a string that is the path of an existing file: the path would be cut.

    The warning is a `UserWarning` and does not quote the path.
    """
    if (
        isinstance(source, str)
        and len(source) <= _LONGEST
        and _SUFFIX.search(source)
        and os.path.isfile(source)  # noqa: PTH113 (Path.is_file raises for names that are too long)
    ):
        warnings.warn(
            "The text to cut is the path of a file, so the path is cut and not the file. "
            "To cut the file, pass cleanbreak.read(path).",
            UserWarning,
            stacklevel=stacklevel,
        )
