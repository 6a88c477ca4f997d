"""Make the pictures of docs/page.md: the views of the page on the samples, in the system's Chromium.

    python tools/make_page_pictures.py

It needs playwright and Pillow (of the development tools) and Chromium.
"""

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import cleanbreak as cb

PROJECT = Path(__file__).parents[1]
SAMPLES = PROJECT / "samples"
DOCS = PROJECT / "docs"
_NOTES = {
    "Home": "# Home\n\n- [[Lamp]]\n- [[Oil]]\n- [[Log book]]\n",
    "Lamp": "# Lamp\n\nIt burns [[Oil]], and the [[Log book]] says how much. #light\n",
    "Oil": "# Oil\n\nA pint and three quarters an hour. #light\n",
    "Log book": "# Log book\n\nNights without [[Oil]]: see [[The eleven nights]].\n",
}


def main() -> None:
    """Write ``docs/page-*.png``."""
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        shelf = Path(folder) / "library"
        cb.World.create(shelf).ingest([SAMPLES / "the-keeper-of-sand-point.pdf"])
        notes = Path(folder) / "notes"
        notes.mkdir()
        for name, text in _NOTES.items():
            (notes / f"{name}.md").write_text(text, encoding="utf-8")
        cb.Vault.index(notes).close()
        server = subprocess.Popen(  # noqa: S603 (our own command)
            [
                sys.executable,
                "-m",
                "cleanbreak",
                "serve",
                str(shelf),
                str(notes),
                "--no-open",
                "--json",
            ],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        try:
            browser = driver.chromium.launch(
                executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
                args=["--no-sandbox"],
            )
            page = browser.new_page(viewport={"width": 1100, "height": 720})
            page.goto(_address(server))
            _cuts(page)
            _search(page)
            _notes(page)
            browser.close()
        finally:
            server.terminate()
            server.wait()


def _address(server: subprocess.Popen[str]) -> str:
    said = ""
    while not said.rstrip().endswith("}"):
        said += server.stdout.readline() if server.stdout else "}"
    opened = json.loads(said)
    return f"{opened['url']}?token={Path(opened['token_file']).read_text().strip()}"


def _cuts(page: Page) -> None:
    page.locator("input[type=file]").set_input_files(SAMPLES / "the-keeper-of-sand-point.pdf")
    page.get_by_label("chunk size").fill("500")
    page.locator("[data-cut='4']").click()
    page.get_by_role("heading", name="Why chunk 4").wait_for()
    page.locator("[data-cut='3']").scroll_into_view_if_needed()
    _keep(page, "cuts")


def _search(page: Page) -> None:
    page.get_by_role("link", name="Search").click()
    page.get_by_label("Search", exact=True).fill("who tends the lamp")
    page.get_by_role("button", name="Search").click()
    page.locator(".results li").first.wait_for()
    _keep(page, "search")
    page.locator(".results a").first.click()
    page.locator(".hit mark").first.wait_for()
    _keep(page, "reader")
    page.get_by_role("link", name="Shelf").click()
    page.get_by_role("link", name="library").click()
    page.get_by_role("row").nth(1).wait_for()
    _keep(page, "shelf")


def _notes(page: Page) -> None:
    page.get_by_role("link", name="Shelf").click()
    page.get_by_role("link", name="notes", exact=True).click()
    page.get_by_role("link", name="Lamp.md").click()
    page.get_by_role("heading", name="Related").wait_for()
    _keep(page, "notes")


def _keep(page: Page, name: str) -> None:
    page.wait_for_timeout(300)
    shot = Image.open(io.BytesIO(page.screenshot()))
    # 64 colours are enough for text, and take a third of the bytes.
    shot.convert("RGB").quantize(64).save(DOCS / f"page-{name}.png", optimize=True)


if __name__ == "__main__":
    main()
