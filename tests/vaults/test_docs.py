"""What docs/vaults.md shows is true."""

import re
from pathlib import Path

from cleanbreak.vaults.config import FOLDER, VaultConfig, load_config
from notes import write_notes

PAGE = (Path(__file__).parents[2] / "docs/vaults.md").read_text(encoding="utf-8")


def test_the_settings_shown_are_the_defaults(tmp_path):
    """But for the patterns to exclude, which have none."""
    (settings,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    write_notes(tmp_path, {f"{FOLDER}/config.toml": settings})
    exclude = ("Templates/", "*.excalidraw.md")
    assert load_config(tmp_path, {}) == VaultConfig(exclude=exclude)
