"""Where a user's settings and downloads lie on this system."""

import os
from pathlib import Path

from platformdirs import user_cache_path, user_config_path, user_data_path

HOME_VARIABLE = "CLEANBREAK_HOME"
"""An environment variable with a folder for all; portable installs and tests set it."""


def config_folder() -> Path:
    """The folder for what a user wrote: keys, additions to the catalogue."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) / "config" if home else user_config_path("cleanbreak", appauthor=False)


def cache_folder() -> Path:
    """The folder for what can be made again: models that were fetched."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) / "cache" if home else user_cache_path("cleanbreak", appauthor=False)


def data_folder() -> Path:
    """The folder for what the program makes for a user and keeps: vectors that lie in no world."""
    home = os.environ.get(HOME_VARIABLE)
    return Path(home) / "data" if home else user_data_path("cleanbreak", appauthor=False)
