"""Canvases: what their cards say is found, what they show is linked."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.vaults import Vault
from cleanbreak.vaults.canvas import CanvasError, read_canvas
from notes import write_notes

BOARD = {
    "nodes": [
        {
            "id": "2",
            "type": "text",
            "text": "see [[Plan|it]] okapi `[[code]]` #tag",
            "x": 0,
            "y": 9,
        },
        {"id": "1", "type": "file", "file": "a/Plan.md", "subpath": "#Monday", "x": 0, "y": 0},
        {"id": "3", "type": "link", "url": "https://example.com/ibex", "x": 0, "y": 20},
        {"id": "4", "type": "group", "label": "lemurs", "x": 0, "y": 30},
        {"id": "5", "type": "file", "file": "pics/cat.png", "x": 0, "y": 40},
    ],
    "edges": [{"id": "e", "fromNode": "1", "toNode": "2", "label": "leads to"}],
}


@pytest.fixture
def vault(tmp_path):
    files = {"Board.canvas": json.dumps(BOARD), "a/Plan.md": "# Plan\n", "pics/cat.png": b"x"}
    with Vault.index(write_notes(tmp_path, files)) as vault:
        yield vault


@pytest.mark.parametrize("words", ["okapi", "ibex", "lemurs", '"leads to"', "title:board"])
def test_what_cards_say_is_found(vault, words):
    """And cited by the path of the canvas."""
    (hit,) = vault.search(words)
    assert hit.citation.startswith("Board.canvas, characters ")


def test_cards_link_to_notes(vault):
    """By a file card, and by a link in a text card; code is none."""
    assert [(link.source, link.kind, link.fragment) for link in vault.backlinks("Plan")] == [
        ("Board.canvas", "canvas", "Monday"),
        ("Board.canvas", "wikilink", None),
    ]
    assert [link.path for link in vault.links("Board.canvas")] == [
        "a/Plan.md",
        "a/Plan.md",
        "pics/cat.png",
    ]
    assert vault.orphans() == []


def test_a_canvas_is_no_note_and_its_tags_are_none(vault):
    """The path of a file that is a card is no text of the canvas."""
    assert vault.notes() == ["a/Plan.md"]
    assert (vault.stats().notes, vault.tags()) == (1, [])
    assert [hit.source_key for hit in vault.search("cat")] == []


def test_links_to_a_canvas_need_its_suffix(tmp_path):
    """As in Obsidian; it is an attachment."""
    files = {"Board.canvas": "{}", "a.md": "[[Board.canvas]] [[Board]]"}
    with Vault.index(write_notes(tmp_path, files)) as vault:
        assert [link.path for link in vault.links("a")] == ["Board.canvas", None]
        assert vault.stats().attachment_links == 1


@pytest.mark.parametrize("content", ["", " \n", "{}", '{"nodes": [], "edges": []}', '{"nodes": 7}'])
def test_a_canvas_without_cards_is_one(tmp_path, content):
    """It is found by its name."""
    with Vault.index(write_notes(tmp_path, {"Board.canvas": content, "a.md": "x"})) as vault:
        assert vault.problems() == []
        assert [hit.source_key for hit in vault.search("board")] == ["Board.canvas"]


@pytest.mark.parametrize("content", ["{", "[]", b"\xff\xfe", "7"])
def test_a_file_that_is_no_canvas_is_a_problem_of_its_own(tmp_path, content):
    """The rest is indexed."""
    with Vault.index(write_notes(tmp_path, {"Board.canvas": content, "a.md": "x"})) as vault:
        assert [problem.code for problem in vault.problems()] == ["SOURCE_MALFORMED"]
        assert vault.notes() == ["a.md"]


_VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.sampled_from(["text", "file", "a.md"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["nodes", "edges", "type", "text", "file", "x"]), inner)
    ),
    max_leaves=12,
)


@given(_VALUES)
def test_any_json_is_a_canvas_or_none(value):
    """Cards stand where they are said to stand."""
    try:
        canvas = read_canvas(json.dumps(value).encode())
    except CanvasError:
        assert not isinstance(value, dict)
    else:
        assert all(canvas.text[card.span.start : card.span.end].strip() for card in canvas.cards)
