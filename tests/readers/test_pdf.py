"""The PDF reader: text, pages, chapters, errors and warnings, from files made for each rule."""

import pickle
import threading

import pytest

import cleanbreak as cb
from cleanbreak.core.document import Document
from cleanbreak.errors import (
    SourceEmptyError,
    SourceEncryptedError,
    SourceLimitError,
    SourceMalformedError,
)
from cleanbreak.readers.limits import Limits
from cleanbreak.readers.pdf import read_pdf
from pdf_maker import column, drawn, pdf, stream

LEFT = [
    "The ferry left at dawn with six",
    "goats aboard and no captain, and",
    "the oldest goat stood at the wheel",
]
RIGHT = [
    "On the far bank a boy counted the",
    "waves and wrote each number down",
    "in a book that had been wet twice",
]
PICTURE = b"q 400 0 0 400 90 200 cm BI /W 1 /H 1 /BPC 8 /CS /G /F /AHx ID 7f> EI Q"


def read(*contents: bytes, **options: bytes) -> Document:
    return read_pdf(pdf(contents, **options), "a.pdf")


def lines(*texts: str) -> bytes:
    return drawn(column(texts))


def words(document: Document) -> str:
    return " ".join(document.text.split())


def codes(document: Document) -> list[tuple[str, int, str | None]]:
    return [(warning.code, warning.count, warning.place) for warning in document.warnings]


def page_texts(document: Document) -> list[str]:
    return [document.text[slice(*s.span)] for s in document.sections if s.kind == "page"]


def to_unicode(code: bytes, target: bytes) -> dict[str, object]:
    """A font that maps one of its codes to a target, both in hexadecimal digits."""
    content = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def "
        b"/CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange "
        b"1 beginbfrange <20> <7D> <0020> endbfrange "
        b"1 beginbfchar <" + code + b"> <" + target + b"> endbfchar endcmap end end"
    )
    return {"font": b"/ToUnicode 5 0 R", "extra": {5: stream(content)}}


def test_pages_partition_the_text():
    """Each page is a section, numbered in order, and together they are the text."""
    document = read(*(lines(f"Page {n}") for n in range(5)))
    pages = [s for s in document.sections if s.kind == "page"]
    assert [page.title for page in pages] == ["1", "2", "3", "4", "5"]
    assert "".join(page_texts(document)) == document.text


def test_labels_are_the_titles_of_pages():
    labels = b"/PageLabels << /Nums [0 << /S /r >> 2 << /P (A-) /S /D /St 7 >>] >>"
    document = read(*(lines(f"Page {n}") for n in range(4)), catalog=labels)
    assert [s.title for s in document.sections] == ["i", "ii", "A-7", "A-8"]


@pytest.mark.parametrize(
    "tree",
    [
        b"50 0 R",
        b"<< /Kids [50 0 R] >>",
        b"<< /Nums [0 99 0 R] >>",
        b"<< /Nums [0 << /S /r /St 9999999 >>] >>",
        b"<< /Nums [0 << /S /A /St -5 >>] >>",
    ],
)
def test_labels_that_loop_or_are_nonsense_do_no_harm(tree):
    """PDFium crashes on a tree that leads back into itself."""
    document = read(
        lines("One"), catalog=b"/PageLabels " + tree, extra={50: b"<< /Kids [50 0 R] >>"}
    )
    assert document.text == "One"
    assert len(document.sections[0].title) <= 1000


def test_the_source_is_told():
    data = pdf([lines("One")])
    source = read_pdf(data, "a.pdf").source
    assert source is not None
    assert (source.name, source.media_type, source.size) == ("a.pdf", "application/pdf", len(data))


def test_title_author_and_language_are_the_documents():
    info = {6: b"<< /Title (On Goats) /Author (F. Erry) >>"}
    data = pdf([lines("One")], catalog=b"/Lang (en-GB)", extra=info, trailer=b"/Info 6 0 R")
    metadata = read_pdf(data, "a.pdf").metadata
    assert (metadata.title, metadata.authors, metadata.language) == (
        "On Goats",
        ("F. Erry",),
        "en-GB",
    )


def test_columns_drawn_row_by_row_are_read_one_after_the_other():
    rows = [at for pair in zip(column(LEFT), column(RIGHT, x=320), strict=True) for at in pair]
    assert words(read(drawn(rows))) == " ".join(LEFT + RIGHT)


def test_a_title_over_columns_comes_first_and_a_note_under_them_last():
    rows = [at for pair in zip(column(LEFT), column(RIGHT, x=320), strict=True) for at in pair]
    title = (72, 800, "A long title that runs over both of the columns of this page")
    note = (72, 640, "A note that runs under both of the columns of this page")
    document = read(drawn([note, *rows, title]))
    assert words(document) == " ".join([title[2], *LEFT, *RIGHT, note[2]])


def test_rows_of_a_table_stay_whole():
    rows = [("Goat", "6"), ("Captain", "0"), ("Boy", "1"), ("Ferry", "1")]
    cells = [
        (x, 700 - 15 * number, cell)
        for number, row in enumerate(rows)
        for x, cell in zip((72, 200), row, strict=True)
    ]
    assert read(drawn(cells)).text.split("\n") == ["Goat 6", "Captain 0", "Boy 1", "Ferry 1"]


def test_lines_drawn_out_of_order_are_read_from_the_top():
    one, two, three = column(["line ONE", "line TWO", "line THREE"])
    assert words(read(drawn([three, one, two]))) == "line ONE line TWO line THREE"


def test_a_turned_page_is_read_as_an_upright_one():
    assert words(read(lines(*LEFT), page=b"/Rotate 90")) == " ".join(LEFT)


def test_letters_drawn_twice_for_boldness_are_there_once():
    twice = [(72 + shift, 760, "Chapter One") for shift in (0, 0.3, 0.6)]
    assert read(drawn(twice)).text == "Chapter One"


def test_a_wide_gap_is_a_space_and_kerning_is_none():
    content = b"BT /F1 11 Tf 72 700 Td [(fi) 20 (rst) -1500 (sec) -15 (ond)] TJ ET"
    assert read(content).text == "first second"


def test_words_broken_at_line_ends_are_joined_and_hyphens_kept():
    document = read(
        lines("They asked for more infor-", "mation on the long-", "term plan and so on.")
    )
    assert document.text == "They asked for more information on the long-term plan and so on."


def test_a_word_broken_at_the_turn_of_a_page_belongs_to_the_first_page():
    document = read(lines("They asked for more infor-"), lines("mation and waited."))
    assert page_texts(document) == ["They asked for more information ", "and waited."]


def test_a_sentence_goes_on_over_the_turn_of_a_page():
    document = read(lines("The goats went"), lines("home again."), lines("They slept."))
    assert document.text == "The goats went home again.\n\nThey slept."


def test_hyphens_that_a_font_calls_soft_are_hyphens():
    """Drawn ones inside a line, that is; at a line's end they break a word."""
    document = read(lines("part SS~2541 of the light~", "house"), **to_unicode(b"7E", b"00AD"))
    assert document.text == "part SS-2541 of the lighthouse"


def test_ligatures_are_taken_apart():
    document = read(lines("the ~rst"), **to_unicode(b"7E", b"FB01"))
    assert document.text == "the first"


@pytest.mark.parametrize("target", [b"0000", b"0001", b"D835", b"FFFE", b"FDD0", b"0085", b"000A"])
def test_glyphs_without_a_character_are_counted(target):
    """What breaks stores never reaches the text, and a warning counts what was lost."""
    document = read(lines("a ~ b ~ c"), **to_unicode(b"7E", target))
    assert words(document) in ("a � b � c", "a b c")
    if "�" in document.text:
        assert codes(document) == [("GLYPH_UNMAPPED", 2, "page 1")]


def test_characters_beyond_the_basic_plane_keep_their_lines_boxes():
    """They take two places in PDFium's list, so that all after them is shifted."""
    rows = column([text.replace(" ", " ~ ", 1) for text in LEFT])
    rows = [at for pair in zip(rows, column(RIGHT, x=320), strict=True) for at in pair]
    document = read(drawn(rows), **to_unicode(b"7E", b"D835DF0E"))
    assert words(document) == " ".join([*(text.replace(" ", " 𝜎 ", 1) for text in LEFT), *RIGHT])


def test_running_heads_and_feet_are_told_and_set_apart():
    pages = [
        drawn(
            [(72, 810, "THE GOAT LOG"), (290, 30, str(n)), *column([f"Body {n} goes on and", "on"])]
        )
        for n in range(1, 6)
    ]
    document = read_pdf(pdf(pages), "a.pdf", furniture="keep")
    assert codes(document) == [("RUNNING_HEAD", 5, "pages 1-5"), ("RUNNING_FOOT", 5, "pages 1-5")]
    assert page_texts(document)[1] == "[THE GOAT LOG]\n\nBody 2 goes on and on\n\n[2]\n\n"


def test_running_heads_are_left_out():
    """The text then continues on the next page as if they had not been there."""
    pages = [
        drawn([(72, 810, "THE GOAT LOG"), *column([f"{n} went on", "and on"])]) for n in "abcde"
    ]
    document = read(*pages)
    assert (
        document.text
        == "a went on and on b went on and on c went on and on d went on and on e went on and on"
    )
    assert [warning.code for warning in document.warnings] == ["RUNNING_HEAD"]


def outline(*entries: bytes) -> dict[str, object]:
    """Entries under each other in an outline."""
    objects = {200: b"<< /Type /Outlines /First 201 0 R >>"}
    for number, entry in enumerate(entries, 201):
        following = b"/Next %d 0 R" % (number + 1) if number < 200 + len(entries) else b""
        objects[number] = b"<< %s %s >>" % (entry, following)
    return {"catalog": b"/Outlines 200 0 R", "extra": objects}


def chapters(document: Document) -> list[tuple[int, str, str]]:
    return [
        (s.level, s.title, document.text[slice(*s.span)].strip())
        for s in document.sections
        if s.kind == "chapter"
    ]


def test_the_outline_makes_chapters():
    made = outline(
        b"/Title (One) /Dest [10 0 R /Fit] /First 210 0 R",
        b"/Title <FEFF00C9> /Dest [14 0 R /XYZ null null null]",
    )
    made["extra"][210] = b"<< /Title (One.a) /Dest [12 0 R /FitH 900] >>"
    document = read(lines("First."), lines("Second."), lines("Third."), **made)
    assert chapters(document) == [
        (1, "One", "First.\n\nSecond."),
        (2, "One.a", "Second."),
        (1, "É", "Third."),
    ]


def test_a_chapter_starts_at_the_line_that_its_entry_points_at():
    texts = drawn([(72, 700, "Before."), (72, 500, "Heading"), (72, 400, "After.")])
    document = read(texts, **outline(b"/Title (T) /Dest [10 0 R /XYZ 72 515 0]"))
    assert chapters(document) == [(1, "T", "Heading\n\nAfter.")]


def test_entries_that_point_nowhere_are_counted_and_left_out():
    made = outline(
        b"/Title (No)", b"/Title (Yes) /Dest [10 0 R /Fit]", b"/Title (Far) /Dest [99 0 R /Fit]"
    )
    document = read(lines("One."), **made)
    assert chapters(document) == [(1, "Yes", "One.")]
    assert codes(document) == [("CHAPTER_TARGET_MISSING", 2, None)]


def test_an_outline_that_loops_ends():
    made = outline(b"/Title (A) /Dest [10 0 R /Fit] /First 201 0 R", b"/Title (B) /Next 201 0 R")
    made["extra"][202] = b"<< /Title (B) /Dest [10 0 R /Fit] /Next 201 0 R >>"
    assert [title for _, title, _ in chapters(read(lines("One."), **made))] == ["A", "B"]


def test_a_page_of_pictures_is_told():
    document = read(lines("One"), PICTURE, b"", lines("Four"))
    assert codes(document) == [("PAGE_WITHOUT_TEXT", 1, "page 2")]
    assert page_texts(document) == ["One\n\n", "", "", "Four"]


def test_a_scanned_file_needs_ocr():
    with pytest.raises(SourceEmptyError, match="scanned; needs OCR"):
        read(PICTURE)


def test_a_file_of_blank_pages_is_empty():
    with pytest.raises(SourceEmptyError, match="blank pages"):
        read(b"", b"")


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-", b"%PDF-1.7\n1 0 obj\n", b"<html>no</html>", b"\0" * 5000]
)
def test_what_is_no_pdf_is_refused(data):
    with pytest.raises(SourceMalformedError):
        read_pdf(data, "a.pdf")


def test_more_text_than_allowed_is_refused():
    with pytest.raises(SourceLimitError) as caught:
        read_pdf(pdf([lines("word " * 40)]), "a.pdf", limits=Limits(max_inflated_bytes=100))
    assert caught.value.details["limit"] == "max_inflated_bytes"


def test_pages_that_the_file_only_claims_are_no_sections():
    data = pdf([lines("One")]).replace(b"/Count 1", b"/Count 9")
    document = read_pdf(data, "a.pdf")
    assert len(document.sections) == 1
    assert codes(document) == [("PAGE_MISSING", 8, None)]


# A page that says "Goat", encrypted with the RC4 algorithm of revision 2 under the user
# password "billy"; see ISO 32000-1, 7.6.3.
LOCKED = {
    "trailer": (
        b"/ID [<00112233445566778899AABBCCDDEEFF> <00112233445566778899AABBCCDDEEFF>] /Encrypt << "
        b"/Filter /Standard /V 1 /R 2 /P -4 /O <"
        b"2055C756C72E1AD702608E8196ACAD447AD32D17CFF583235F6DD15FED7DAB67"
        b"> /U <" + b"00" * 32 + b"> >>"
    )
}


def test_a_file_that_needs_a_password_says_so():
    """As it does with a wrong one, and how to give one."""
    data = pdf([lines("Goat")], trailer=LOCKED["trailer"])
    for password in (None, "nanny", "ñ" * 50, "\ud800"):
        with pytest.raises(SourceEncryptedError, match="CLEANBREAK_PDF_PASSWORD"):
            read_pdf(data, "a.pdf", password=password)


def test_threads_read_one_after_another():
    """PDFium crashes when two threads are in it at once."""
    data = pdf([lines(*LEFT)] * 20)
    texts: list[str] = []
    threads = [
        threading.Thread(target=lambda: texts.append(read_pdf(data, "a.pdf").text))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 4
    assert len(set(texts)) == 1


def test_a_document_travels_between_processes():
    document = read(lines("One"))
    assert pickle.loads(pickle.dumps(document)) == document


def test_read_hands_on_what_is_asked_of_a_pdf(tmp_path):
    """`cleanbreak.read` reads it in a child process, with the same options."""
    file = tmp_path / "a.pdf"
    file.write_bytes(
        pdf(
            [drawn([(72, 810, "THE GOAT LOG"), *column([f"{n} went on", "and on"])]) for n in "abc"]
        )
    )
    assert cb.read(file, furniture="keep").text.startswith("[THE GOAT LOG]")
    assert cb.read(file).text.startswith("a went on")
