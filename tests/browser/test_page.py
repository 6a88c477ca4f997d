"""What a person does on the page, step by step, in a real browser."""

import re
import time
from pathlib import Path

import pytest

pytest.importorskip("axe_playwright_python", reason="axe is not installed")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

SAMPLES = Path(__file__).parents[2] / "samples"


def assert_accessible(page) -> None:
    """No violation that axe knows of."""
    found = Axe().run(page).response["violations"]
    assert not [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found]


def open_view(page, name: str) -> None:
    """Choose a view as a person does."""
    page.get_by_role("link", name=name, exact=True).click()


def test_a_text_is_cut_again_when_a_setting_changes(page):
    """And each cut says why it is there; the address keeps the settings."""
    page.get_by_label("Text to cut").fill("One is here. Two is there.\n\nThree is gone. " * 20)
    chunk_size = page.get_by_label("chunk size")
    chunk_size.fill("100")
    cuts = page.locator("[data-cut]")
    expect(cuts.nth(3)).to_be_visible()
    before = cuts.count()
    chunk_size.fill("50")
    expect(cuts.nth(before)).to_be_attached()
    cuts.nth(1).click()
    expect(page.get_by_role("heading", name=re.compile("^Why chunk 2 ends at"))).to_be_visible()
    expect(page.get_by_text("window", exact=True)).to_be_visible()
    assert "a.chunk_size=50" in page.url
    assert_accessible(page)


def test_a_book_is_dropped_and_its_pages_stand_in_the_margin(page):
    """With its warnings and the figures of all chunks."""
    page.locator("input[type=file]").set_input_files(SAMPLES / "the-keeper-of-sand-point.pdf")
    expect(page.get_by_role("heading", name="The Keeper of Sand Point")).to_be_visible()
    expect(page.locator(".margin").filter(has_text="II. The Lamp").first).to_be_attached()
    expect(page.get_by_role("img", name=re.compile("chunks: "))).to_be_visible()
    page.get_by_role("button", name="Copy as Python").click()
    assert "cb.read('the-keeper-of-sand-point.pdf')" in page.evaluate(
        "navigator.clipboard.readText()"
    )


def test_two_recipes_are_compared(page):
    """Cuts that the other one does not have are marked, and counted."""
    page.get_by_label("Text to cut").fill("One is here. Two is there. Three is gone. " * 30)
    page.get_by_label("Compare two recipes").check()
    expect(page.get_by_role("group", name="Recipe B")).to_be_visible()
    page.get_by_role("group", name="Recipe B").get_by_label("chunk size").fill("70")
    expect(page.locator(".cut.differs").first).to_be_attached()
    expect(page.get_by_text("Cuts of A that B does not have")).to_be_visible()
    assert_accessible(page)


def test_a_passage_is_found_and_read_on(page):
    """From the box to the page of the book, and to the next hit."""
    open_view(page, "Search")
    page.get_by_label("Search", exact=True).fill("lamp")
    page.get_by_role("button", name="Search").click()
    first = page.locator(".results li").first
    expect(first.locator("mark").first).to_be_visible()
    assert_accessible(page)
    first.get_by_role("link").click()
    expect(page.locator(".hit mark").first).to_be_visible()
    expect(page.get_by_text(re.compile("Hit \\d+ of"))).to_be_visible()
    page.get_by_role("button", name="Copy citation").click()
    assert "characters" in page.evaluate("navigator.clipboard.readText()")
    shown = page.locator(".passage").count()
    page.get_by_role("button", name="Read on").click()
    expect(page.locator(".passage").nth(shown)).to_be_attached()
    assert_accessible(page)


def test_a_book_is_added_verified_and_removed(page, tmp_path):
    """On the shelf, with what was done said in words."""
    book = tmp_path / "storm.txt"
    book.write_text("A storm came. The mast broke.\n" * 50, encoding="utf-8")
    open_view(page, "Shelf")
    expect(page.get_by_role("heading", name="Shelf")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="shelf", exact=True).click()
    page.locator("input[type=file]").set_input_files(book)
    expect(page.get_by_role("main").get_by_text("ingest: done")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="storm.txt")
    expect(row).to_contain_text("complete")
    page.get_by_role("button", name="Verify").click()
    expect(page.get_by_role("main").get_by_text("verify: done")).to_be_visible()
    assert_accessible(page)
    row.get_by_role("button", name="Remove").click()
    expect(row.filter(has_text="complete")).to_have_count(0)


def test_an_ingest_is_stopped_and_resumed(page, tmp_path):
    """Nothing that was stored is lost, and the book is complete in the end."""
    book = tmp_path / "long.txt"
    book.write_text("A storm came, and nobody said a word. The mast broke.\n" * 60_000, "utf-8")
    open_view(page, "Shelf")
    page.get_by_role("link", name="shelf", exact=True).click()
    page.locator("input[type=file]").set_input_files(book)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("main").get_by_text("The run was stopped")).to_be_visible(
        timeout=30_000
    )
    row = page.get_by_role("row").filter(has_text="long.txt")
    expect(row.filter(has_text="complete")).to_have_count(0)
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("main").get_by_text("resume: done")).to_be_visible(timeout=60_000)
    expect(row).to_contain_text("complete")


def test_notes_show_links_tags_and_a_graph(page):
    """A note, what links to it, and a link to nothing."""
    open_view(page, "Shelf")
    page.get_by_role("link", name="notes", exact=True).click()
    page.get_by_role("link", name="Lamp.md").click()
    expect(page.get_by_role("link", name="Home.md").first).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="unresolved").click()
    expect(page.get_by_text("Nowhere")).to_be_visible()
    page.get_by_role("link", name="tags").click()
    expect(page.get_by_text("#light")).to_be_visible()
    page.get_by_role("link", name="graph").click()
    expect(page.get_by_text("3 notes, 3 links")).to_be_visible()
    assert_accessible(page)


def test_the_address_is_the_state(page):
    """A second tab at the same address shows the same."""
    open_view(page, "Search")
    page.get_by_label("Search", exact=True).fill("lamp")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".results li").first).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".results li").first).to_be_visible()
    assert other.get_by_label("Search", exact=True).input_value() == "lamp"


def test_everything_is_reached_by_the_keyboard(page):
    """Without a mouse: to a cut, and why it is there."""
    page.get_by_label("Text to cut").fill("One is here. Two is there. " * 100)
    cut = page.locator("[data-cut]").first
    expect(cut).to_be_attached()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.hasAttribute('data-cut')"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("^Why chunk 1 ends"))).to_be_visible()


def test_text_of_a_book_is_never_markup(page):
    """Nor in a search result."""
    page.get_by_label("Text to cut").fill("<img src=x onerror=alert(1)> <b>bold</b> " * 10)
    expect(page.locator(".chunk .text").first).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator(".chunk img").count() == 0


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_is_cut_off_on_a_narrow_screen(page, width):
    """No view scrolls sideways."""
    page.set_viewport_size({"width": width, "height": 800})
    for name in ("Cuts", "Search", "Shelf"):
        open_view(page, name)
        page.wait_for_load_state("networkidle")
        wide = page.evaluate(
            """() => [...document.querySelectorAll("main *")]
                .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
                .map((one) => one.outerHTML.slice(0, 80))"""
        )
        assert not wide, name


def test_speed_is_measured(page, tmp_path):
    """Printed, not asserted: another machine is another machine."""
    started = time.perf_counter()
    page.reload()
    expect(page.get_by_role("heading", name="Cuts")).to_be_visible()
    print(f"first view {1000 * (time.perf_counter() - started):.0f} ms")
    book = tmp_path / "long.txt"
    book.write_text(
        "It was a fine day, and nobody said a word about the storm.\n" * 85_000, "utf-8"
    )
    started = time.perf_counter()
    page.locator("input[type=file]").set_input_files(book)
    expect(page.get_by_role("heading", name="long.txt")).to_be_visible()
    print(f"5 MB read and cut {1000 * (time.perf_counter() - started):.0f} ms")
    started = time.perf_counter()
    page.get_by_label("chunk size").fill("800")
    expect(page.locator("#status")).to_contain_text(re.compile("[67],\\d\\d\\d chunks"))
    print(f"5 MB cut again {1000 * (time.perf_counter() - started):.0f} ms")
    frames = page.evaluate(
        """() => new Promise((done) => {
            let count = 0; const start = performance.now();
            const step = () => { scrollBy(0, 60); count += 1;
              performance.now() - start > 2000 ? done(count / 2) : requestAnimationFrame(step); };
            step(); })"""
    )
    print(f"{frames:.0f} frames a second while scrolling")
    assert page.locator("[data-cut]").count() >= 40
