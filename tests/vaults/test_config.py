"""The settings of a vault: a file in it, and what a caller gives."""

import pytest

from cleanbreak.errors import SettingsError
from cleanbreak.vaults import Vault
from cleanbreak.vaults.config import VaultConfig, load_config
from notes import write_notes


def test_without_a_file_the_defaults_hold(tmp_path):
    """As `MarkdownSplitter` has them."""
    assert load_config(tmp_path, {}) == VaultConfig()
    assert load_config(tmp_path, {"chunk_size": None}) == VaultConfig()


def test_a_caller_overrides_the_file(tmp_path):
    """And the file the defaults."""
    text = 'chunk_size = 300\noverlap_size = 0\nexclude = ["Templates/"]\n'
    write_notes(tmp_path, {".cleanbreak/config.toml": text})
    config = load_config(tmp_path, {"chunk_size": 400})
    assert (config.chunk_size, config.overlap_size, config.exclude) == (400, 0, ("Templates/",))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("chunk_size = 0", "chunk_size"),
        ("chunk_size = true", "chunk_size"),
        ("chunk_size = 1.5", "chunk_size"),
        ("measure = 'cubits'", "measure"),
        ("chunksize = 5", "chunksize"),
        ("exclude = 'a'", "exclude"),
        ("exclude = [1]", "exclude"),
        ("include = ['']", "include"),
        ("not toml", "config.toml"),
        (b"\xff", "config.toml"),
    ],
)
def test_what_is_refused_names_its_field(tmp_path, text, field):
    """Before anything is read or written."""
    write_notes(tmp_path, {".cleanbreak/config.toml": text})
    with pytest.raises(SettingsError) as caught:
        load_config(tmp_path, {})
    assert caught.value.details["field"] == field


def test_a_misspelt_setting_is_refused_with_the_one_that_was_meant(tmp_path):
    """From the file as from a caller."""
    with pytest.raises(
        SettingsError, match="A vault has no setting exclud; it has include, "
    ) as it:
        load_config(tmp_path, {"exclud": ["*.md"]})
    assert str(it.value).endswith("Did you mean exclude?")


def test_arguments_of_an_earlier_run_are_kept(tmp_path):
    """A plain run does not bring back what the run before it was told to leave out."""
    write_notes(tmp_path, {"a.md": "x\n", "draft/b.md": "y\n", "old/c.md": "z\n"})

    def notes(**arguments):
        with Vault.index(tmp_path, **arguments) as vault:
            return vault.notes(), vault.report.options

    everything = ["a.md", "draft/b.md", "old/c.md"]
    without = ["a.md", "old/c.md"]
    kept = {"exclude": ("draft/",)}
    assert notes() == (everything, {})
    assert notes(exclude=["draft/"]) == (without, kept)
    assert notes() == (without, kept)
    assert notes(force=True) == (without, kept)
    assert notes(overlap_size=0) == (without, kept | {"overlap_size": 0})
    assert notes(exclude=[]) == (everything, {"overlap_size": 0})
    assert notes(overlap_size=100) == (everything, {})


def test_a_setting_that_is_changed_in_the_file_holds_over_an_earlier_argument(tmp_path):
    """Who edits the file means it."""
    notes = {"a.md": "x\n", "draft/b.md": "y\n", "old/c.md": "z\n"}
    write_notes(tmp_path, notes | {".cleanbreak/config.toml": "chunk_size = 500\n"})
    Vault.index(tmp_path, exclude=["draft/"], chunk_size=300).close()
    write_notes(tmp_path, {".cleanbreak/config.toml": "chunk_size = 500\nexclude = ['old/']\n"})
    with Vault.index(tmp_path) as vault:
        assert vault.notes() == ["a.md", "draft/b.md"]
        assert vault.report.options == {"chunk_size": 300}
