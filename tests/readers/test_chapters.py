"""Chapters of plain text: headings with a run of numbers and text of their own, and nothing else."""

from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.readers.chapters import chapters
from cleanbreak.readers.numerals import number

PROSE = "The keeper climbed the stairs and lit the lamp, as he did every night. " * 20


def titles(text: str) -> list[tuple[int, str]]:
    """Levels and titles, after a check that each section starts with its heading's line."""
    found = chapters(text, 0, len(text))
    for one in found:
        assert one.span.start == 0 or text[one.span.start - 1] == "\n"
        assert one.span.end > one.span.start
    return [(one.level, one.title) for one in found]


def book(*headings: str, blank: str = "\n\n") -> str:
    return "".join(f"{heading}{blank}{PROSE}{blank}" for heading in headings)


@pytest.mark.parametrize(
    "headings",
    [
        ("CHAPTER I", "CHAPTER II", "CHAPTER III"),
        ("Chapter 1. Loomings", "Chapter 2. The Bag", "Chapter 3. The Inn"),
        ("Chapter One", "Chapter Two", "Chapter Three"),
        ("Chapter 1 The Storm", "Chapter 2 Night in the Woods", "Chapter 3 Who knows?"),
        ("CHAPTER I - The Lamp", "CHAPTER II - The Sea", "CHAPTER III - The End"),
        ("CHAP. II.", "CHAP. III.", "CHAP. IV."),
        ("Erstes Kapitel", "Zweites Kapitel", "Drittes Kapitel"),
        ("Kapitel 1", "Kapitel 2", "Kapitel 3"),
        ("Chapitre premier", "Chapitre II", "Chapitre III"),
        ("Capítulo primero. Que trata del mar", "Capítulo II. Que trata del viento", "Capítulo III"),
        ("ГЛАВА ПЕРВАЯ", "ГЛАВА ВТОРАЯ", "ГЛАВА ТРЕТЬЯ"),
        ("Глава 1", "Глава 2", "Глава 3"),
        ("第一章　嵐", "第二章　灯台", "第三章　朝"),
        ("第1回", "第2回", "第3回"),
        ("I.", "II.", "III."),
        ("XXI", "XXII", "XXIII"),
        ("1", "2", "3"),
        ("一", "二", "三"),
        ("I. The keeper leaves.", "II. The storm.", "III. Morning."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("blank", ["\n\n", "\r\n\r\n\r\n"])
def test_headings_with_a_run_of_numbers_are_chapters(headings: tuple[str, ...], blank: str) -> None:
    """Words of several languages, or numbers alone."""
    assert titles(book(*headings, blank=blank)) == [
        (1, " ".join(heading.split())) for heading in headings
    ]


def test_parts_hold_chapters_that_start_again() -> None:
    """Numbers start again in each part; a preface and an epilogue stand around."""
    text = book("PREFACE") + "PART ONE\n\n" + book("CHAPTER I", "CHAPTER II")
    text += "PART TWO\n\n" + book("CHAPTER I", "EPILOGUE")
    assert titles(text) == [
        (1, "PREFACE"),
        (1, "PART ONE"),
        (2, "CHAPTER I"),
        (2, "CHAPTER II"),
        (1, "PART TWO"),
        (2, "CHAPTER I"),
        (1, "EPILOGUE"),
    ]


def test_table_of_contents_is_no_list_of_chapters() -> None:
    """Its entries have no text between; the last one has what comes before the book."""
    entries = [f"CHAPTER {n}. The Storm" for n in range(1, 6)]
    text = "CONTENTS\n\n" + "\n\n".join(entries) + "\n\n" + PROSE + "\n\n" + book(*entries)
    found = chapters(text, 0, len(text))
    assert [one.title for one in found] == entries
    assert found[0].span.start == text.index(entries[0], text.index(PROSE))


def test_contents_with_summaries_are_no_chapters() -> None:
    """The numbers come again, with far more text."""
    summaries = "".join(f"Chapter {n}\n\n{'In which the lamp burns. ' * 4}\n\n" for n in (1, 2, 3))
    text = summaries + book("Chapter 1", "Chapter 2", "Chapter 3")
    assert [one.span.start >= len(summaries) for one in chapters(text, 0, len(text))] == [True] * 3


def test_title_below_the_number_belongs_to_the_heading() -> None:
    """A short paragraph without a full stop, or one in capitals."""
    text = book(
        "CHAPTER I\n\nIn Chancery", "CHAPTER II\n\nHOW THE KEEPER LEFT,\nAND WHY.", "CHAPTER III"
    )
    assert [title for _, title in titles(text)] == [
        "CHAPTER I. In Chancery",
        "CHAPTER II. HOW THE KEEPER LEFT, AND WHY.",
        "CHAPTER III",
    ]


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        book("CHAPTER I"),
        book("CHAPTER I", "CHAPTER IX"),
        book("Part of the crew", "Book in hand", "Chapter and verse"),
        book("Part two of the crew was ashore.", "Part three of it slept."),
        "".join(f"{n}.\n\nFour short lines\nof a stanza\n\n" for n in range(1, 30)),
        "".join(f"{n}. Pour the water.\n\n" for n in range(1, 30)),
        book("1.", "2.", "3.", "Von den drei Bösen", "1.", "2.", "3."),
        "I said so.\n\n" + book("I"),
    ],
)
def test_what_only_resembles_chapters_is_none(text: str) -> None:
    """A false chapter is worse than none."""
    assert titles(text) == []


def test_number_glued_to_the_text_above_is_found() -> None:
    """Many texts have a blank line only below the heading."""
    text = "\n".join(f"ГЛАВА {word}\n\n{PROSE}" for word in ("ПЕРВАЯ", "ВТОРАЯ", "ТРЕТЬЯ"))
    assert [title for _, title in titles(text)] == ["ГЛАВА ПЕРВАЯ", "ГЛАВА ВТОРАЯ", "ГЛАВА ТРЕТЬЯ"]


def test_headings_marked_up_by_aozora() -> None:
    """Japanese books of Aozora Bunko say which lines are headings, and of which level."""
    text = "".join(
        f"［＃５字下げ］{name}［＃「{name}」は{size}見出し］\n\n灯台守は毎晩階段をのぼった。\n\n"
        for name, size in (("上", "大"), ("一", "中"), ("二", "中"))
    )
    assert titles(text) == [(1, "上"), (2, "一"), (2, "二")]


@pytest.mark.parametrize(
    ("word", "value"),
    [("iv", None), ("IV", 4), ("IIII", None), ("XCIX", 99), ("CXXXV", 135), ("廿", None), ("二十三", 23),
     ("百五", 105), ("二〇", 20), ("forty-two", 42), ("Twenty-first", 21), ("troisième", 3), ("1805", None)],
)  # fmt: skip
def test_numbers_of_headings(word: str, value: int | None) -> None:
    """Figures have three digits at most: a year is no chapter."""
    assert number(word) == value


def test_long_runs_of_blank_lines_take_linear_time() -> None:
    """White space alone must not be searched again from each of its lines."""
    text = "\n" * 300_000 + '"' + " \n" * 300_000 + "." + "\n I" * 1000
    assert titles(text) == []


def test_form_feeds_end_pages(tmp_path: Path) -> None:
    """Pages partition the text; a form feed at the end starts no other page."""
    file = tmp_path / "book.txt"
    file.write_bytes(b"First page.\n\x0cSecond page.\n\x0cThird.\n\x0c")
    document = cb.read(file)
    assert [
        (one.title, document.text[one.span.start : one.span.end]) for one in document.sections
    ] == [
        ("1", "First page.\n\f"),
        ("2", "Second page.\n\f"),
        ("3", "Third.\n\f"),
    ]
    assert cb.split(document, by="boundary", chunk_size=13, max_lookback=0)[1].pages == ("2",)


LICENSED = (
    "The Project Gutenberg EBook of The Lamp\n\nCHAPTER I\n\n"
    "*** START OF THIS PROJECT GUTENBERG EBOOK THE LAMP ***\n\n"
    f"{book('CHAPTER I', 'CHAPTER II')}"
    "End of the Project Gutenberg EBook of The Lamp\n\n"
    "*** END OF THIS PROJECT GUTENBERG EBOOK THE LAMP ***\n\nYou may copy it.\n"
)


def test_licence_of_gutenberg_is_no_part_of_the_book(tmp_path: Path) -> None:
    """It is a section of its own kind, before and after, and the last chapter ends where it starts."""
    file = tmp_path / "lamp.txt"
    file.write_text(LICENSED, encoding="utf-8", newline="")
    document = cb.read(file)
    assert document.text == LICENSED
    before, after = (one.span for one in document.sections if one.kind == "licence")
    first, second = (one.span for one in document.sections if one.kind == "chapter")
    assert LICENSED[: before.end].endswith("THE LAMP ***\n")
    assert LICENSED[first.start :].startswith("CHAPTER I\n\nThe keeper")
    assert second.end == after.start == LICENSED.index("End of the Project")


@pytest.mark.parametrize("by", ["boundary", "sentences", "markdown"])
def test_no_chunk_holds_both_licence_and_book(tmp_path: Path, by: str) -> None:
    """So that search can leave it out; pages, chapters and the citation name only the book."""
    file = tmp_path / "lamp.txt"
    file.write_text(LICENSED, encoding="utf-8", newline="")
    limit = {"max_sentences": 9} if by == "sentences" else {"chunk_size": 400}
    chunks = cb.split(cb.read(file), by=by, **limit)
    assert "".join(chunk.text for chunk in chunks) == LICENSED
    kinds = [{section.kind for section in chunk.sections} for chunk in chunks]
    assert kinds[0] == kinds[-1] == {"licence"}
    assert {"licence", "chapter"} not in kinds
    assert chunks[0].chapters == ()
    assert next(chunk for chunk in chunks if chunk.chapters).citation.startswith(
        'lamp.txt, "CHAPTER I", '
    )


def test_prose_about_gutenberg_has_no_licence(tmp_path: Path) -> None:
    """Only its marks count, not its name."""
    file = tmp_path / "note.txt"
    file.write_text(
        "Project Gutenberg has many books.\nEnd of the Project Gutenberg talk.\n", "utf-8"
    )
    assert cb.read(file).sections == ()


def test_preface_before_a_missing_first_chapter_is_no_chapter() -> None:
    """It would hold the text of the first chapter too."""
    assert titles(book("PREFACE", "CHAP. II.", "CHAP. III.", "CHAP. IV.")) == [
        (1, "CHAP. II."),
        (1, "CHAP. III."),
        (1, "CHAP. IV."),
    ]


def test_text_without_blank_lines_has_its_headings_on_lines() -> None:
    """As where each paragraph is one line; the few blank lines may stand around a poem."""
    chapter = "\n".join([PROSE] * 60)
    text = f"A Tale\nPART I\nCHAPTER I - The Lamp\n{chapter}\nCHAPTER II - The Storm\n{chapter}\n"
    text += f"PART II\nCHAPTER I\n{chapter}\n\nA poem\n\nCHAPTER II\n{chapter}"
    assert titles(text) == [
        (1, "PART I"),
        (2, "CHAPTER I - The Lamp"),
        (2, "CHAPTER II - The Storm"),
        (1, "PART II"),
        (2, "CHAPTER I"),
        (2, "CHAPTER II"),
    ]


def test_prose_that_starts_with_a_keyword_is_no_heading_in_text_without_blank_lines() -> None:
    lines = [PROSE, "Chapter two of the log was lost.", PROSE, "Part one, he said, is done.", PROSE]
    assert titles("\n".join(lines * 30)) == []


def test_acts_of_a_play_inside_a_chapter_are_no_parts() -> None:
    play = book("ACT I", "ACT II", "ACT III")
    text = book("CHAPTER I", "CHAPTER II") + play + book("CHAPTER III", "CHAPTER IV")
    assert [title for _, title in titles(text)] == [
        "CHAPTER I",
        "CHAPTER II",
        "CHAPTER III",
        "CHAPTER IV",
    ]


def test_part_whose_first_chapter_has_a_name_has_chapters_from_the_second_on() -> None:
    text = "BOOK ONE\n\n" + book("CHAPTER I", "CHAPTER II", "CHAPTER III")
    text += "BOOK TWO\n\n" + book("INITIAL CHAPTER", "CHAPTER II", "CHAPTER III", "CHAPTER IV")
    assert [title for level, title in titles(text) if level == 2] == [
        "CHAPTER I",
        "CHAPTER II",
        "CHAPTER III",
        "CHAPTER II",
        "CHAPTER III",
        "CHAPTER IV",
    ]


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("Dreizehntes", 13),
        ("Zwanzigstes", 20),
        ("EINUNDZWANZIGSTES", 21),
        ("Sechsunddreißigstes", 36),
        ("thirteenth", 13),
        ("Thirty-first", 31),
        ("Dix-septième", 17),
        ("ТРИНАДЦАТАЯ", 13),
        ("Veertiende", 14),
        ("Eenentwintigste", 21),
    ],
)
def test_ordinal_numbers_beyond_twelve(word: str, value: int) -> None:
    assert number(word) == value
