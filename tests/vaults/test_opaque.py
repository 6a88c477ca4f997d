"""Data of pictures and drawings is stored with its note, and no search looks in it."""

import base64

import pytest

from cleanbreak.vaults import Vault
from cleanbreak.vaults.opaque import opaque_spans
from notes import write_notes

DRAWING = """---

excalidraw-plugin: parsed
tags: [excalidraw]

---
# Text Elements
okapi ^a1

# Drawing
{fence}
{{"type":"excalidraw","quagga":1}}
{end}
%%
"""


@pytest.mark.parametrize(
    ("fence", "end"), [("```json", "```"), ("```compressed-json", "```"), ("", "")]
)
def test_the_json_of_a_drawing_is_not_searched(tmp_path, fence, end):
    """Its text elements are."""
    note = DRAWING.format(fence=fence, end=end)
    files = {"d.excalidraw.md": note, "b.md": "```json\n{'quagga': 2}\n```"}
    with Vault.index(write_notes(tmp_path, files)) as vault:
        assert [hit.source_key for hit in vault.search("okapi")] == ["d.excalidraw.md"]
        assert [hit.source_key for hit in vault.search("quagga")] == ["b.md"]


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_picture_inside_a_note_is_not_searched(tmp_path, wrapped):
    """However long it is, and the words around it are; the chunks are the whole file."""
    data = (base64.encodebytes if wrapped else base64.b64encode)(bytes(range(256)) * 40).decode()
    text = f"# Cat\n\nbefore ![a cat](data:image/png;base64,{data.strip()}) after\n"
    words = data.replace("\n", " ").replace("/", " ").replace("+", " ").split()
    with Vault.index(write_notes(tmp_path, {"a.md": text})) as vault:
        chunks = vault._index.connection.execute(
            "SELECT chunk_text FROM chunks ORDER BY chunk_number"
        ).fetchall()
        assert "".join(chunk for (chunk,) in chunks) == text
        for word in ("before", "after", "cat"):
            assert vault.search(word), word
        assert words
        for word in (words[0], words[len(words) // 2], words[-1]):
            assert not vault.search(f'"{word}"'), word


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("![x](data:image/svg+xml,%3Csvg%3E) y", "![x]() y"),
        ('<img src="data:image/gif;base64,R0lGOD"> y', '<img src=""> y'),
        ("our data: text/plain, and more data:", "our data: text/plain, and more data:"),
        ("data:text/plain;base64,AAAA\nnext line", "\nnext line"),
    ],
)
def test_what_is_data(text, seen):
    """An address of the scheme data, to its end."""
    left = text
    for span in reversed(opaque_spans(text, {})):
        left = left[: span.start] + left[span.end :]
    assert left == seen
