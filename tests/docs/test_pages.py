"""The pages of the documentation: indexed, and linked to what exists."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), PROJECT / "README.md", PROJECT / "CONTRIBUTING.md"])


def links_of(page: Path) -> list[str]:
    """The relative links of a page, without those in code."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    return re.findall(r"\]\((?!https?:)([^)#]+)", text)


def name_of(page: Path) -> str:
    return page.relative_to(PROJECT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_files(page):
    """Relative to their page."""
    for target in links_of(page):
        assert (page.parent / target).exists(), target


def test_every_page_is_in_the_index():
    """docs/README.md lists all pages."""
    index = {(DOCS / target).resolve() for target in links_of(DOCS / "README.md")}
    assert {page for page in DOCS.rglob("*.md") if page.name != "README.md"} == index


def test_the_glossary_has_each_word_once_in_order():
    """Words first, then the units that are part of names."""
    rows = re.findall(r"^\| ([^|]+) \|", (DOCS / "glossary.md").read_text("utf-8"), re.MULTILINE)
    words = [row for row in rows[1:] if not row.startswith("`")]
    assert words == sorted(set(words), key=str.lower)
