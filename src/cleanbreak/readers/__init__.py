"""Readers: files into exact text with pages, chapters and warnings.

Importing this package loads no parser; each one is loaded when a file first needs it.
"""

from cleanbreak.readers.detect import EXTENSIONS, Kind, detect
from cleanbreak.readers.limits import DEFAULT_LIMITS, Limits
from cleanbreak.readers.own import has_own_reader, register_reader
from cleanbreak.readers.reading import FORMATS, FURNITURE, PASSWORD_VARIABLE, check_options, read

__all__ = [
    "DEFAULT_LIMITS",
    "EXTENSIONS",
    "FORMATS",
    "FURNITURE",
    "PASSWORD_VARIABLE",
    "Kind",
    "Limits",
    "check_options",
    "detect",
    "has_own_reader",
    "read",
    "register_reader",
]
