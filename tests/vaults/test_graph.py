"""What links and tags say together: related notes, mentions, dead ends, the graph."""

import json
from xml.etree import ElementTree as ET

import pytest

from cleanbreak.errors import SettingsError, SourceMissingError
from cleanbreak.vaults import Mention, Vault
from cleanbreak.vaults.graph import graph_text
from notes import write_notes

ODD = "odd & 'name'.md"
NOTES = {
    "Tea.md": "---\naliases: [Chai]\n---\n[[Water]] #drink #hot\n",
    "Coffee.md": "[[Water]] #drink #hot\n\nNot tea, [[Tea]], [tea](Tea.md), `tea`.\n\nChai\tis TEA.\n",
    "Water.md": "#drink\n",
    "Lone.md": "teacher #drink\n",
    "Daily/1.md": "nothing\n",
    ODD: "[[Tea]]\n",
}


@pytest.fixture
def vault(tmp_path):
    with Vault.index(write_notes(tmp_path / "vault", NOTES)) as vault:
        yield vault


def test_related_notes_share_links_and_rare_tags(vault):
    """The most in common first; nothing in common, not listed."""
    found = vault.related("Chai")
    assert found[0].path == "Coffee.md"
    assert sorted(one.path for one in found[1:]) == ["Lone.md", "Water.md", ODD]
    assert found[0].shared == ("Water.md",)
    assert found[0].tags == ("drink", "hot")
    assert found[0].linked
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert "Daily/1.md" not in [one.path for one in found]
    assert vault.related("Tea", limit=1) == found[:1]
    assert vault.related("Daily/1") == []


def test_mentions_are_names_and_aliases_as_whole_words_outside_links(vault):
    """With the line and the place of each."""
    text = NOTES["Coffee.md"]
    found = vault.mentions("Tea")
    assert [(one.source, one.line, one.text) for one in found] == [
        ("Coffee.md", 3, "tea"),
        ("Coffee.md", 3, "tea"),
        ("Coffee.md", 5, "Chai"),
        ("Coffee.md", 5, "TEA"),
    ]
    assert all(text[one.start : one.end] == one.text for one in found)
    assert isinstance(found[0], Mention)


def test_mentions_of_a_name_of_several_words_and_without_spaces(tmp_path):
    """White space counts as one space; Chinese names stand inside sentences."""
    notes = {
        "Deep Work.md": "",
        "a.md": "deep\nwork, deep  work, deepwork",
        "東京.md": "",
        "b.md": "昨日東京へ行った",
    }
    with Vault.index(write_notes(tmp_path, notes)) as vault:
        assert [one.text for one in vault.mentions("Deep Work")] == ["deep\nwork", "deep  work"]
        assert [one.source for one in vault.mentions("東京")] == ["b.md"]


def test_dead_ends_and_orphans_without_some_folders(vault):
    """A pattern leaves out daily notes and templates."""
    assert vault.dead_ends() == ["Daily/1.md", "Lone.md", "Water.md"]
    assert vault.dead_ends(exclude=["Daily/"]) == ["Lone.md", "Water.md"]
    assert vault.orphans(exclude=["Daily/", "Lone*"]) == []


def test_the_graph_in_each_format(vault):
    """Nodes are all notes, edges the pairs that are linked, names as they are."""
    edges = {("Tea.md", "Water.md"), ("Coffee.md", "Water.md"), ("Coffee.md", "Tea.md")}
    edges.add((ODD, "Tea.md"))
    found = json.loads(vault.graph())
    assert {node["id"] for node in found["nodes"]} == set(NOTES)
    assert {(edge["source"], edge["target"]) for edge in found["edges"]} == edges
    space = "{http://graphml.graphdrawing.org/xmlns}"
    tree = ET.fromstring(vault.graph("graphml"))
    assert {node.get("id") for node in tree.iter(f"{space}node")} == set(NOTES)
    assert {(edge.get("source"), edge.get("target")) for edge in tree.iter(f"{space}edge")} == edges
    assert '  "Coffee.md" -> "Tea.md";' in vault.graph("dot").splitlines()
    assert '  "a\\"b\\\\c";' in graph_text(['a"b\\c'], [], "dot").splitlines()
    with pytest.raises(SettingsError):
        vault.graph("png")


def test_an_unknown_note_is_an_error(vault):
    """Of each question that names one."""
    for ask in (vault.related, vault.mentions):
        with pytest.raises(SourceMissingError):
            ask("Nowhere")
