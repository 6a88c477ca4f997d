"""A real browser on the page of a real server; every request that leaves the machine fails the test."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import cleanbreak as cb

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
SAMPLES = Path(__file__).parents[2] / "samples"


# Not for the session: the driver runs an event loop in this thread, which tests of others start too.
@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """The system's Chromium."""
    if CHROMIUM is None:
        assert "CI" not in os.environ, "CI has to install chromium"
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A world with a book, and a vault with four notes."""
    cb.World.create(tmp_path / "shelf").ingest([SAMPLES / "the-keeper-of-sand-point.epub"])
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Lamp.md").write_text("# Lamp\n\nIt burns [[Oil]]. #light\n", encoding="utf-8")
    (notes / "Oil.md").write_text("# Oil\n\nFrom whales, once. [[Nowhere]]\n", encoding="utf-8")
    (notes / "Home.md").write_text("# Home\n\n- [[Lamp]]\n- [[Oil]]\n", encoding="utf-8")
    cb.Vault.index(notes).close()
    return tmp_path / "shelf", notes


@pytest.fixture
def server(places: tuple[Path, Path], tmp_path: Path) -> Iterator[str]:
    """The address of the page, with its token."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cleanbreak", "serve", *map(str, places), "--no-open", "--json"],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "CLEANBREAK_HOME": str(tmp_path / "home")},
    )
    assert process.stdout is not None
    said = ""
    while not said.rstrip().endswith("}"):
        line = process.stdout.readline()
        assert line, process.wait()
        said += line
    opened = json.loads(said)
    yield f"{opened['url']}?token={Path(opened['token_file']).read_text().strip()}"
    process.terminate()
    process.wait(10)


@pytest.fixture
def page(browser, server) -> Iterator[object]:
    """A tab at the page; it must reach nothing but the server, and log no error."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    tab = context.new_page()
    tab.set_default_timeout(15_000)
    left: list[str] = []
    errors: list[str] = []

    def watch(request) -> None:
        if urlsplit(request.url).hostname not in ("127.0.0.1", None, ""):
            left.append(request.url)

    tab.on("request", watch)
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", lambda said: said.type == "error" and errors.append(said.text))
    tab.on("dialog", lambda dialog: dialog.accept())
    tab.goto(server)
    yield tab
    context.close()
    assert not left
    assert not [error for error in errors if not re.search(r"status of 4\d\d", error)]
