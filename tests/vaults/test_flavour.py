"""Vaults of Dendron and Logseq, known by their own configuration."""

import pytest

from cleanbreak import Vault
from notes import write_notes


def _links(folder):
    with Vault.index(folder) as vault:
        return [(link.target, link.fragment, link.path) for link in vault.links()]


def test_dendron_writes_the_text_of_a_link_before_its_target(tmp_path):
    """And may name a vault; without its configuration the same notes are Obsidian's."""
    text = (
        "[[The server|dev.design]] [[dev.design#h]] [[x|dendron://v/dev.design]] ![[dev.design]]\n"
    )
    write_notes(tmp_path, {"a.md": text, "notes/dev.design.md": "x\n"})
    assert next(path for _, _, path in _links(tmp_path)) is None
    write_notes(tmp_path, {"dendron.yml": "version: 5\n"})
    path = "notes/dev.design.md"
    assert _links(tmp_path) == [
        ("dev.design", None, path),
        ("dev.design", "h", path),
        ("dev.design", None, path),
        ("dev.design", None, path),
    ]


def test_logseq_names_a_page_by_its_file_title_or_alias(tmp_path):
    """``___`` and ``%2F`` are slashes; properties stand at the start of the page."""
    notes = {
        "logseq/config.edn": "{}",
        "pages/a.md": "- [[b/c]] [[d/e]] [[A Title]] [[other]]\n",
        "pages/b___c.md": "- x\n",
        "pages/d%2Fe.md": "- x\n",
        "pages/f.md": "title:: A Title\nalias:: [[other]], more\n\n- not:: a property\n",
    }
    found = [path for _, _, path in _links(write_notes(tmp_path, notes))]
    assert found[:4] == ["pages/b___c.md", "pages/d%2Fe.md", "pages/f.md", "pages/f.md"]


def test_logseq_tags_are_properties_and_bracketed_names(tmp_path):
    """``tags::`` and ``#[[two words]]``."""
    notes = {"logseq/config.edn": "{}", "a.md": "tags:: x, [[y z]], #w\n\n- #[[two words]] #one\n"}
    with Vault.index(write_notes(tmp_path, notes)) as vault:
        assert [use.tag for use in vault.tags()] == ["one", "two words", "w", "x", "y z"]


@pytest.mark.parametrize("settings", ["hugo.toml", "config.yaml"])
def test_hugo_and_dendron_have_a_root_inside_the_folder(tmp_path, settings):
    """A link that starts with a slash is looked for there; Obsidian's starts at the vault only."""
    files = {
        "content/a.md": "![p](/pics/p.png) [b](/b.md)",
        "content/b.md": "x",
        "static/pics/p.png": "x",
    }
    folder = write_notes(tmp_path, files)
    with Vault.index(folder) as vault:
        assert [link.path for link in vault.links("a")] == [None, None]
    write_notes(folder, {settings: ""})
    with Vault.index(folder) as vault:
        assert [link.path for link in vault.links("a")] == ["static/pics/p.png", "content/b.md"]


def test_dendron_names_a_block_without_a_number_sign(tmp_path):
    """As well as with one."""
    files = {"dendron.yml": "", "a.md": "[[b^x1]] [[t|b#^x2]]", "b.md": "x"}
    with Vault.index(write_notes(tmp_path, files)) as vault:
        assert [(link.path, link.fragment) for link in vault.links("a")] == [
            ("b.md", "^x1"),
            ("b.md", "^x2"),
        ]


def test_logseq_names_a_page_in_the_place_of_an_address(tmp_path):
    """A block there is known by its id alone, so it is no link to a file."""
    files = {
        "logseq/config.edn": "{}",
        "a.md": "- [text]([[b c]]) [text](((60a7-9e59)))",
        "b c.md": "-",
    }
    with Vault.index(write_notes(tmp_path, files)) as vault:
        assert [(link.target, link.path) for link in vault.links("a")] == [("b c", "b c.md")]


@pytest.mark.parametrize(
    ("settings", "note"),
    [
        (".foam/templates/x.md", "garden/plan/index.md"),
        (".foam/templates/x.md", "garden/plan/README.md"),
        ("hugo.toml", "content/posts/plan/index.md"),
        ("hugo.toml", "content/posts/plan/_index.md"),
    ],
)
def test_a_folder_of_foam_or_hugo_means_the_note_in_it(tmp_path, settings, note):
    """Also if the note comes later than the link; elsewhere such a link leads nowhere."""
    text = '[[plan]] [x]({{< relref "plan" >}})\n'
    write_notes(tmp_path / "a", {"a.md": text, note: "x\n"})
    assert [path for _, _, path in _links(tmp_path / "a")] == [None, None]
    vault = write_notes(tmp_path / "b", {settings: "", "a.md": text})
    assert [path for _, _, path in _links(vault)] == [None, None]
    write_notes(vault, {note: "x\n"})
    assert [path for _, _, path in _links(vault)] == [note, note]


def test_a_note_comes_before_a_folder_of_its_name(tmp_path):
    """The folder is the last that a link can mean."""
    notes = {".foam/x.md": "", "a.md": "[[plan]]\n", "plan/index.md": "x\n", "z/plan.md": "x\n"}
    assert _links(write_notes(tmp_path, notes)) == [("plan", None, "z/plan.md")]


def test_foam_is_known_by_its_extension(tmp_path):
    """As it is recommended in the settings of the editor."""
    extensions = '{"recommendations": ["foam.foam-vscode"]}'
    notes = {".vscode/extensions.json": extensions, "a.md": "[[p]]\n", "p/index.md": "x\n"}
    assert _links(write_notes(tmp_path, notes)) == [("p", None, "p/index.md")]
