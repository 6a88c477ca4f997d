"""Settings of a vault: defaults, ``.cleanbreak/config.toml``, earlier arguments, the caller's arguments."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from cleanbreak.core.checks import known_setting
from cleanbreak.core.splitters import Splitter, build_splitter
from cleanbreak.errors import SettingsError
from cleanbreak.readers.encoding import check_encoding
from cleanbreak.vaults.globs import Globs

FOLDER = ".cleanbreak"
"""The folder inside a vault that holds its settings and, by default, its index."""

# Hidden files and folders: settings, versions of a file that a synchroniser keeps, macOS metadata.
# And the old versions of pages that Logseq keeps, and the packages of a website's build.
_LEFT_OUT = (".*", "/logseq/bak/", "node_modules/")
_SPLITTER = ("chunk_size", "overlap_size", "measure", "merge_small")


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultConfig:
    """How a vault is indexed.

    ``include`` holds patterns for notes, ``exclude`` patterns for files and folders to leave out,
    with the syntax of a ``.gitignore``. ``encoding`` is that of notes that are not UTF-8; ``auto``
    finds it. The other settings are those of `MarkdownSplitter`. ``in_file`` is what
    ``.cleanbreak/config.toml`` said when the settings were made.
    """

    include: tuple[str, ...] = ("*.md", "*.markdown")
    exclude: tuple[str, ...] = ()
    chunk_size: int = 1000
    overlap_size: int = 100
    measure: str = "characters"
    merge_small: int = 0
    encoding: str = "auto"
    in_file: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def options(self) -> dict[str, Any]:
        """The settings that arguments of this or an earlier run made other than the file says."""
        by_file = _changed(VaultConfig(), self.in_file)
        return {
            name: value
            for name in _NAMES
            if (value := getattr(self, name)) != getattr(by_file, name)
        }

    @property
    def notes(self) -> Globs:
        """The patterns for notes. Letter case makes no difference: ``NOTE.MD`` is a note."""
        return Globs(self.include, "include", ignore_case=True)

    @property
    def left_out(self) -> Globs:
        """The patterns for files and folders that are left out.

        A negated pattern takes in again what is left out by default, such as ``!.github/``.
        """
        return Globs((*_LEFT_OUT, *self.exclude, f"{FOLDER}/"), "exclude")

    def splitter(self) -> Splitter:
        """The splitter that cuts the notes."""
        given = {name: getattr(self, name) for name in _SPLITTER}
        # Every heading opens a chunk, as specified for vaults: it is found by its own words.
        return build_splitter("markdown", {**given, "join_headings": False})


_NAMES = tuple(one.name for one in fields(VaultConfig) if one.name != "in_file")


def load_config(
    vault: Path, overrides: Mapping[str, Any], last: VaultConfig | None = None
) -> VaultConfig:
    """The settings of the vault in that folder. An override of ``None`` counts as not given.

    What an argument of an earlier run set is kept, as notes that it left out would else come back.
    `last` are the settings of the last run; of a setting that was changed in the file since, the file
    holds.

    Raises:
        SettingsError: if the TOML is not valid, or a setting is unknown or not allowed.
    """
    in_file = _read(vault / FOLDER / "config.toml")
    config = _changed(VaultConfig(), in_file)
    if last:
        before = _changed(VaultConfig(), last.in_file)
        kept = {
            name: value
            for name, value in last.options.items()
            if getattr(config, name) == getattr(before, name)
        }
        config = _changed(config, kept)
    given = {name: value for name, value in overrides.items() if value is not None}
    config = replace(_changed(config, given), in_file=in_file)
    config.splitter()
    return config


def config_of(stored: str) -> VaultConfig:
    """The settings that an index was made with, from the JSON kept in it; see `VaultConfig`.

    Raises:
        SettingsError: if they are none.
    """
    try:
        found = json.loads(stored)
    except ValueError:
        found = {"settings": stored}
    in_file = found.pop("in_file", {})
    return replace(_changed(VaultConfig(), found), in_file=in_file)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(
            path.name, type(error).__name__, f"a TOML file in {FOLDER} that can be read"
        ) from None


def _changed(config: VaultConfig, given: Mapping[str, Any]) -> VaultConfig:
    for name in given:
        known_setting("a vault", name, given[name], _NAMES)
    values = dict(given)
    for name in ("include", "exclude"):
        if name in values:
            patterns = values[name]
            if isinstance(patterns, str) or not isinstance(patterns, list | tuple):
                raise SettingsError(name, patterns, "a list of patterns")
            Globs(patterns, name)
            values[name] = tuple(patterns)
    if values.get("encoding", "auto") != "auto":
        check_encoding(values["encoding"])
    return replace(config, **values)
