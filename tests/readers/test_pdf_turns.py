"""Page turns of PDFs: a sentence continues, and what stood between comes after its paragraph."""

import pytest

from cleanbreak.core.document import Document
from cleanbreak.readers.pdf import read_pdf
from pdf_maker import Placed, column, drawn, pdf

KEEPER = [
    "The keeper of the light had written every night",
    "for nine years in the book on the table, and in",
    "all that time no visitor had asked to read it or",
    "had wanted to know what the sea did at night, so",
]
FULL = "that when one came she was not at all sure where"
ENDING = ["it began. She lit the lamp."]


def read(*pages: bytes, furniture: str = "drop") -> Document:
    return read_pdf(pdf(pages), "a.pdf", furniture=furniture)


def page(*texts: str, small: list[Placed] | None = None) -> bytes:
    return drawn(column(texts)) + b"\n" + drawn(small or [], size=8)


def sentence(document: Document) -> str:
    return " ".join(document.text.partition("began.")[0].split())


def test_a_note_at_the_foot_comes_after_the_sentence_above_it():
    note = [(72.0, 60.0, "1 The book is now in the museum of the town.")]
    document = read(page(*KEEPER, FULL, small=note), page(*ENDING))
    assert document.text.endswith(
        "not at all sure where it began. She lit the lamp.\n\n"
        "1 The book is now in the museum of the town."
    )


def test_a_figure_at_the_top_comes_after_the_sentence_below_it():
    labels = [(200.0, 790.0, "North"), (260.0, 760.0, "Pier"), (200.0, 720.0, "Fig. 3.")]
    below = column(["where it all began. She lit the lamp, and she"], y=680)
    text = read(page(*KEEPER, "that when one came she was not sure"), drawn([*labels, *below])).text
    assert "not sure where it all began. She lit the lamp, and she\n\nNorth" in text
    assert text.endswith("Fig. 3.")


def test_a_note_whose_page_ends_a_sentence_stays_on_its_page():
    note = [(72.0, 60.0, "1 In the museum.")]
    document = read(page(*KEEPER, "all was well.", small=note), page("later she left."))
    assert document.text.endswith("all was well.\n\n1 In the museum.\n\nlater she left.")


def book() -> list[bytes]:
    """Pages with two bands of feet and two of heads, whose text is one sentence."""
    pages = []
    for n in range(1, 6):
        edge = [
            (72.0, 820.0, "FREE HARBOUR"),
            (72.0, 795.0, "The Book of Light"),
            (72.0, 60.0, f"{n} HARBOUR PRESS"),
            (72.0, 48.0, "<http://harbour.example/get-it>"),
            (72.0, 20.0, "[4TH PASS PAGES]"),
        ]
        body = [f"and {word} the keeper of {n} lights" for word in ("so", "then", "now", "oft")]
        body += [f"wrote {n} more lines of the log and one", "line of the sea that she had har-"]
        body[0] = f"bour {body[0]}" if n > 1 else body[0]
        pages.append(drawn([*edge, *column(body, y=740)]))
    return pages


def test_heads_and_feet_of_several_bands_are_left_out():
    """Also a word broken between two pages is whole."""
    document = read(*book())
    assert "HARBOUR" not in document.text
    assert "PAGES" not in document.text
    assert document.text.count("that she had harbour and so the keeper") == 4
    assert {w.code: w.count for w in document.warnings} == {"RUNNING_HEAD": 10, "RUNNING_FOOT": 15}


def test_heads_and_feet_that_are_kept_come_after_the_paragraph():
    text = read(*book(), furniture="keep").text
    assert text.count("that she had harbour and so the keeper") == 4
    assert text.count("[[4TH PASS PAGES]]") == 5
    assert text.index("[1 HARBOUR PRESS]") > text.index("of 5 lights")


def test_a_head_that_numbers_its_page_needs_no_repetition():
    """As the title of a chapter of one page, between heads that repeat."""
    titles = ["ON GOATS", "THE LOG", "THE LOG", "THE LOG", "THE LOG", "ON FERRIES"]
    lines = [f"{word} line of this page says more" for word in ("one", "two", "six", "ten")]
    pages = [
        drawn([(72, 810, f"{title} {n}"), *column([f"{line} {n}." for line in lines], y=700)])
        for n, title in enumerate(titles, 12)
    ]
    document = read(*pages)
    assert {w.code: w.count for w in document.warnings} == {"RUNNING_HEAD": 6}
    assert "FERRIES" not in document.text


def test_a_page_that_repeats_keeps_its_text():
    """More bands than one are believed only if most of the page is text."""
    pages = [drawn([(72, 810 - 60 * row, f"Row {row}") for row in range(4)]) for _ in range(5)]
    assert read(*pages).text.count("Row 1") == 5


@pytest.mark.parametrize(
    ("last", "first", "joined"),
    [
        ("that when one came he asked her for it and Mr.", "lamp", False),
        ("that when one came he said: “Is it here today?”", "asked the keeper of it.", True),
        ("that when one came (it was a cold winter by now)", "she was not sure of it.", True),
        ("that when one came she asked for three things;", "the lamp was one of them.", True),
        ("that when one came she asked for three things:", "a) the lamp that they had", False),
        (
            "that when one came she had gone away to look for",
            "Ellen Strand, who had the book and now mended",
            True,
        ),
        ("that when one came she had gone", "Ellen Strand had the book and the lamp, and", False),
        ("that when one came she had all of it in her house", "Chapter Two", False),
    ],
)
def test_whether_a_page_turn_ends_a_paragraph(last, first, joined):
    following = [first, "kept it on the table near the windows of a room"]
    text = read(page(*KEEPER, last), page(*following)).text
    assert (f"{last} {first}" in text) is joined


def test_a_chapter_starts_at_its_line_on_a_page_that_begins_in_a_sentence():
    catalog = b"/Outlines 200 0 R"
    extra = {
        200: b"<< /Type /Outlines /First 201 0 R >>",
        201: b"<< /Title (Two) /Dest [12 0 R /XYZ 72 715 0] >>",
    }
    second = drawn([*column(ENDING), (72, 700, "TWO"), (72, 660, "More of it.")])
    note = [(72.0, 60.0, "1 The book is now in the museum of the town.")]
    pages = [page(*KEEPER, FULL, small=note), second]
    document = read_pdf(pdf(pages, catalog=catalog, extra=extra), "a.pdf")
    chapter = next(s for s in document.sections if s.kind == "chapter")
    assert document.text[chapter.span.start :].startswith("TWO\n\nMore of it.")
