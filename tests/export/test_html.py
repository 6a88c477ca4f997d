"""Chunks as one HTML file: complete, offline, and text never markup."""

import base64
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.errors import SettingsError, WriteFailedError
from cleanbreak.export.row import RowSource
from cleanbreak.export.sink import open_sink

HOSTILE = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> & 'q' \"q\" "


def rows_of(page: str) -> list[dict[str, object]]:
    found = re.search(
        r'<script type="application/json" id="chunks">(.*?)</script>', page, re.DOTALL
    )
    assert found
    rows: list[dict[str, object]] = json.loads(found[1])
    return rows


def test_the_page_holds_every_chunk() -> None:
    """The rows are those of an export, so the text can be read back from the page."""
    text = "A storm came. The lamp held. 鴉が鳴いた。" * 40
    rows = rows_of(cb.to_html(cb.split(text, chunk_size=90, overlap_size=10)))
    assert len(rows) > 5
    assert "".join(str(row["chunk_text"]) for row in rows) == text


def test_text_and_title_are_never_markup() -> None:
    """Tags of a text stay text, also those that would end the script which holds it."""
    page = cb.to_html(cb.split(HOSTILE * 3, chunk_size=60, overlap_size=10), HOSTILE)
    assert "alert(1)" in page
    assert "<script>alert" not in page
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert "".join(str(row["chunk_text"]) for row in rows_of(page)) == HOSTILE * 3


def test_nothing_is_loaded_from_elsewhere() -> None:
    """The policy of the page allows its own script and style, by their digests, and nothing else."""
    page = cb.to_html(cb.split("A storm came."))
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digests = [
        base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        for part in (script, style)
    ]
    assert (
        f"default-src 'none'; script-src 'sha256-{digests[0]}'; style-src 'sha256-{digests[1]}'"
        in page
    )
    assert re.findall(r"^\s*import ", script, re.MULTILINE) == []
    assert "src=" not in page
    assert "@import" not in style
    assert "url(" not in style


def test_the_modules_of_the_page_are_inlined_whole() -> None:
    """One way to draw cuts: the file runs the modules that the local page loads."""
    page = cb.to_html([])
    for name in ("dom.js", "levels.js", "column.js", "figures.js"):
        source = (files("cleanbreak.export") / "page" / name).read_text("utf-8")
        assert source.splitlines()[-1] in page


def test_a_page_without_chunks_or_a_name_has_a_title() -> None:
    assert "<title>Cuts</title>" in cb.to_html([])


def test_a_page_is_written_as_a_sink_and_replaced_only_if_it_is_ours(tmp_path: Path) -> None:
    """Like every other export."""
    target = tmp_path / "cuts.html"
    for _ in range(2):
        with open_sink(target) as write:
            for chunk in cb.split("A storm came."):
                write(chunk, RowSource("sea.txt", "sea.txt"))
    assert "<title>sea.txt</title>" in target.read_text("utf-8")
    target.write_text("<!doctype html><title>Mine</title>")
    with pytest.raises(WriteFailedError), open_sink(target):
        pass
    assert "Mine" in target.read_text()


def test_a_page_shows_one_document(tmp_path: Path) -> None:
    """The numbers of chunks would be those of two texts."""
    (one,), (two,) = cb.split("One."), cb.split("Two.")
    with open_sink(tmp_path / "one.html") as write:
        write(one)
        with pytest.raises(SettingsError, match="a page shows one"):
            write(two)
