"""Vaults of Dendron and Logseq, known by their own configuration."""

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
