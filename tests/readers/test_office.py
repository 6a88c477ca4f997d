"""HTML, DOCX, ODT and RTF: one story, one text."""

from collections.abc import Callable
from pathlib import Path

import pytest

import cleanbreak as cb
from cleanbreak.errors import (
    SourceEmptyError,
    SourceEncryptedError,
    SourceLimitError,
    SourceMalformedError,
    SourceUnsupportedError,
)
from readers.stories import (
    HTML,
    NUMBERING,
    ODT,
    ODT_STYLES,
    RTF,
    STYLES,
    TEXT,
    archive,
    docx,
    docx_story,
    item,
    odt,
    odt_note,
    odt_story,
    wnote,
    wp,
    wtable,
)  # fmt: skip

Reader = Callable[..., cb.Document]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    def read_bytes(name: str, data: bytes, **limits: int) -> cb.Document:
        file = tmp_path / name
        file.write_bytes(data)
        return cb.read(file, isolate=False, limits=cb.Limits(**limits))

    return read_bytes


def codes(document: cb.Document) -> dict[str, int]:
    return {warning.code: warning.count for warning in document.warnings}


STORIES = {"a.html": HTML.encode(), "a.docx": docx_story(), "a.odt": odt_story(), "a.rtf": RTF}


@pytest.mark.parametrize("name", STORIES)
def test_one_story_is_one_text(name: str, read: Reader) -> None:
    """Equal words in equal order, and equal headings, in whichever format it was saved."""
    document = read(name, STORIES[name])
    assert document.text.split() == TEXT.split()
    headings = [(s.level, s.title) for s in document.sections if s.kind == "heading"]
    assert headings == [(1, "The Keeper of Sand Point"), (2, "The Storm")]
    assert (document.metadata.title, document.metadata.authors) == ("Sand Point", ("Ann Lee",))


@pytest.mark.parametrize("name", ["a.docx", "a.odt"])
def test_paragraphs_and_rows_of_the_story(name: str, read: Reader) -> None:
    """Rows are lines, paragraphs are set apart; what was left out is counted."""
    document = read(name, STORIES[name])
    assert document.text.replace("\n\n2.", "\n2.") == TEXT
    assert codes(document) == {
        "HIDDEN_SKIPPED": 1,
        "NOTE_REFERENCE_SKIPPED": 2,
        "FURNITURE_SKIPPED": 1,
    }


@pytest.mark.parametrize("name", STORIES)
def test_stories_are_read_in_a_child_process(name: str, tmp_path: Path) -> None:
    """They come from anywhere."""
    file = tmp_path / name
    file.write_bytes(STORIES[name])
    assert cb.read(file).text.split() == TEXT.split()


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.rtf"])
def test_content_proves_the_kind(name: str, read: Reader) -> None:
    """A name that says otherwise is a warning."""
    document = read("a.txt", STORIES[name])
    assert document.text.split() == TEXT.split()
    assert "KIND_MISMATCH" in codes(document)


# --- HTML ---


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_web_pages_in_any_encoding(encoding: str, read: Reader) -> None:
    """As declared, if the bytes do not prove another one."""
    markup = '<html><head><meta charset="windows-1252"></head><body><p>Caf\u00e9 \u201cx\u201d</body></html>'
    assert read("a.htm", markup.encode(encoding)).text == "Caf\u00e9 \u201cx\u201d"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<button>Save</button><button>Cancel</button>", "Save Cancel"),
        ("Name<input value='Ann'>of age<input type=number value=42>", "Name Ann of age 42"),
        ("Go<input type=submit value='Send it'>now", "Go Send it now"),
        ("a<input type=hidden value=token><input type=password value=secret>b", "a b"),
        ("a<input type=checkbox value=yes checked>b", "a b"),
        ("<textarea>typed</textarea>words<meter>0.5</meter>", "typed words 0.5"),
    ],
)
def test_controls_of_a_form_are_read_and_not_glued(body: str, text: str, read: Reader) -> None:
    """What was typed into a field was lost, and buttons beside each other made one word."""
    assert read("a.html", f"<p>{body}</p>".encode()).text == text


@pytest.mark.parametrize("end", ["", "<br>"])
def test_words_in_the_head_of_a_page_are_text_for_both_parsers(end: str, read: Reader) -> None:
    """A browser shows them; the fast parser, for well-formed pages, lost them in silence."""
    head = "<head><title>T</title><!-- c --><style>p {}</style>In the head</head>"
    page = f"<html>{head}<body><p>In the body{end}</p></body></html>"
    assert read("a.html", page.encode()).text == "In the head\n\nIn the body"


def test_web_page_without_a_name_of_its_kind(read: Reader) -> None:
    """Its first bytes are enough, where no extension says otherwise."""
    assert read("page", b"<!DOCTYPE html><p>a<p>b").text == "a\n\nb"


def test_web_page_nested_too_deep_is_refused(read: Reader) -> None:
    """Parsing it would take time in the square of its depth."""
    with pytest.raises(SourceLimitError):
        read("a.html", b"<div>" * 100_000)
    with pytest.raises(SourceEmptyError):
        read("a.html", b"<html><body><img src=x></body></html>")


# --- DOCX ---


def word(read: Reader, body: str, **parts: str) -> cb.Document:
    return read("a.docx", docx(body, **parts))


def test_numbers_of_a_docx_list(read: Reader) -> None:
    """Levels, in the letters of the list; bullets are no text."""
    items = [wp(text, properties=item(depth)) for text, depth in zip("abcde", (0, 1, 1, 2, 0), strict=True)]  # fmt: skip
    document = word(read, "".join(items), numbering=NUMBERING)
    assert document.text.split("\n\n") == ["1. a", "1.a) b", "1.b) c", "d", "2. e"]


def test_docx_list_that_starts_again(read: Reader) -> None:
    """A list with a number of its own counts from there."""
    again = '<w:num w:numId="4"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
    body = wp("a", properties=item(0)) + wp("b", properties=item(0, "4"))
    assert word(read, body, numbering=NUMBERING + again).text == "1. a\n\n5. b"


@pytest.mark.parametrize(
    ("control", "shown"),
    [
        ('<w:checkBox><w:default w:val="1"/></w:checkBox>', "☒"),
        ('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>', "☐"),
        ("<w:checkBox/>", "☐"),
        ('<w:ddList><w:result w:val="1"/><w:listEntry w:val="Mole"/><w:listEntry w:val="Pier"/></w:ddList>', "Pier"),
        ('<w:ddList><w:listEntry w:val="Mole"/><w:listEntry w:val="Pier"/></w:ddList>', "Mole"),
        ('<w:ddList><w:result w:val="9"/><w:listEntry w:val="Mole"/></w:ddList>', ""),
        ("<w:textInput/>", ""),
    ],
)  # fmt: skip
def test_docx_fields_of_a_form_that_word_draws_itself(
    control: str, shown: str, read: Reader
) -> None:
    """The choice from a list and the state of a box were lost in silence."""
    field = (
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{control}</w:ffData></w:fldChar></w:r>'
    )
    body = f'<w:p><w:r><w:t xml:space="preserve">Lamp: </w:t></w:r>{field}</w:p>'
    assert word(read, body).text == f"Lamp: {shown}".strip()


def test_docx_row_that_was_deleted(read: Reader) -> None:
    """Tracked changes are accepted, in tables and in text."""
    table = wtable(["a"], ["b"]).replace("<w:tr>", "<w:tr><w:trPr><w:del/></w:trPr>", 1)
    moved = (
        f"<w:moveFrom>{wp('x')}</w:moveFrom><w:p><w:moveTo><w:r><w:t>y</w:t></w:r></w:moveTo></w:p>"
    )
    assert word(read, table + moved).text == "b\n\ny"


def test_docx_drop_capital_belongs_to_its_word(read: Reader) -> None:
    """Word keeps it in a paragraph of its own; nothing but a paragraph can continue it."""
    capital = wp("O", properties='<w:framePr w:dropCap="drop" w:lines="3"/>')
    assert word(read, capital + wp("nce upon a time.") + wp("The end.")).text == (
        "Once upon a time.\n\nThe end."
    )
    assert word(read, capital + wtable(["a"])).text == "O\n\na"
    assert word(read, capital).text == "O"


def test_docx_end_of_paragraph_that_was_deleted(read: Reader) -> None:
    """Two paragraphs became one."""
    deleted = wp("The lamp", properties="<w:rPr><w:del/></w:rPr>")
    assert word(read, deleted + wp("was lit.")).text == "The lamp was lit."


def test_docx_text_that_a_style_hides(read: Reader) -> None:
    """A style of letters or paragraphs; the style based on it may show it again."""
    hidden = "<w:rPr><w:vanish/></w:rPr>"
    styles = (
        f'<w:style w:styleId="gone">{hidden}</w:style>'
        '<w:style w:styleId="back"><w:basedOn w:val="gone"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>'
        '<w:style w:styleId="still"><w:basedOn w:val="gone"/></w:style>'
    )
    run = '<w:r><w:rPr><w:rStyle w:val="gone"/></w:rPr><w:t>no</w:t></w:r>'
    body = wp("a", run) + wp("no", style="still") + wp("b", style="back")
    document = read("a.docx", docx(body, styles=styles))
    assert document.text == "a\n\nb"
    assert codes(document) == {"HIDDEN_SKIPPED": 2}


def test_docx_note_is_written_once_and_after_the_table(read: Reader) -> None:
    """Notes may have notes, even themselves."""
    loop = f'<w:footnote w:id="2">{wp("note", wnote("footnote", 2))}</w:footnote>'
    body = wtable([f"a|{wnote('footnote', 2)}", "b"]) + wp("c")
    assert word(read, body, footnotes=loop).text == "a\tb\n\nnote\n\nc"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>", "(a+b)/2"),
        ("<m:rad><m:deg><m:r><m:t>3</m:t></m:r></m:deg><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad>", "∛x"),
        (("<m:sSup><m:e><m:d><m:e><m:r><m:t>a</m:t></m:r><m:r><m:t>b</m:t></m:r></m:e></m:d></m:e>"
         "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"), "(ab)^2"),
        (('<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i</m:t></m:r></m:sub>'
         "<m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:r><m:t>x</m:t></m:r></m:e></m:nary>"), "∑_i^nx"),
    ],
)  # fmt: skip
def test_formulas_of_docx(formula: str, text: str, read: Reader) -> None:
    """In one line, as those of web pages."""
    assert word(read, f"<w:p><m:oMath>{formula}</m:oMath></w:p>").text == text


def test_pieces_of_a_docx_run(read: Reader) -> None:
    """Breaks, hyphens, fields, symbols, ruby and pictures."""
    run = (
        '<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/>'
        '<w:sym w:char="00E9"/><w:sym w:char="F0E0"/><w:instrText>PAGE</w:instrText></w:r>'
        "<w:r><w:ruby><w:rt><w:r><w:t>no</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>"
        '<w:r><w:commentReference w:id="1"/><w:drawing><wp:docPr descr="A ship at sea"/></w:drawing></w:r>'
    )  # fmt: skip
    document = word(read, wp(run))
    assert document.text == "a\nb c\u2011dé\ufffd漢"
    assert codes(document) == {
        "GLYPH_UNMAPPED": 1, "COMMENT_SKIPPED": 1, "RUBY_SKIPPED": 1, "SOFT_HYPHEN_REMOVED": 1, "PICTURE_SKIPPED": 1,
    }  # fmt: skip
    assert [(s.kind, s.title) for s in document.sections] == [("figure", "A ship at sea")]


def test_docx_styles_that_are_based_on_each_other_in_a_ring(read: Reader) -> None:
    """The search for a heading ends."""
    ring = STYLES + "".join(
        f'<w:style w:styleId="{a}"><w:name w:val="x"/><w:basedOn w:val="{b}"/></w:style>'
        for a, b in ("XY", "YX")
    )
    assert word(read, wp("a", style="X"), styles=ring).text == "a"


def test_docx_entities_are_not_expanded(read: Reader) -> None:
    """Neither those of other files nor those that multiply."""
    doctype = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY b "bb">]>'
    data = docx(wp("a&e;b"))
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as old:
        files = {name: old.read(name).decode() for name in old.namelist()}
    files["word/document.xml"] = files["word/document.xml"].replace("?>", f"?>{doctype}", 1)
    assert "root:" not in read("a.docx", archive(files)).text


@pytest.mark.parametrize("name", ["a.docx", "a.odt"])
def test_bombs_and_ruins_are_errors(name: str, read: Reader) -> None:
    """Limits are those of EPUB; what is not whole is refused."""
    bomb = {"a.docx": docx(wp("a" * 300_000)), "a.odt": odt(f"<text:p>{'a' * 300_000}</text:p>")}[
        name
    ]
    with pytest.raises(SourceLimitError):
        read(name, bomb, max_inflated_bytes=100_000)
    with pytest.raises(SourceMalformedError):
        read(name, STORIES[name][:-40])
    with pytest.raises(SourceMalformedError):
        read(name, archive({"x": "y"}))
    with pytest.raises(SourceEncryptedError):
        read(name, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))


# --- ODT ---


def test_odt_that_is_locked_is_refused(read: Reader) -> None:
    """Its manifest says so."""
    locked = (
        "<m:manifest xmlns:m='x'><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>"
    )
    with pytest.raises(SourceEncryptedError):
        read("a.odt", archive({"META-INF/manifest.xml": locked, "content.xml": "x"}, ODT))


def test_lists_and_notes_of_odt(read: Reader) -> None:
    """A list in a list, one that continues, and a note within them that is no item."""

    def items(*texts: str, more: str = "") -> str:
        inner = "".join(
            f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in texts
        )
        return f'<text:list text:style-name="L1"{more}>{inner}</text:list>'

    body = (
        items("a", f"b{odt_note('note')}")
        + items("c")
        + items("d", more=' text:continue-numbering="true"')
    )
    document = read("a.odt", odt(body, ODT_STYLES))
    assert document.text.split("\n\n") == ["1. a", "2. b", "note", "1. c", "2. d"]


def test_pieces_of_an_odt_paragraph(read: Reader) -> None:
    """Breaks, comments, ruby, pictures and what is between them."""
    body = (
        "<text:p>a<text:line-break/>b<office:annotation><text:p>no</text:p></office:annotation>c"
        "<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>no</text:ruby-text></text:ruby>"
        "<text:a>d<text:span>e</text:span></text:a> <draw:frame><draw:image/><svg:desc>A ship</svg:desc></draw:frame>f</text:p>"
    )
    document = read("a.odt", odt(body))
    assert document.text == "a\nbc漢de f"
    assert codes(document) == {"COMMENT_SKIPPED": 1, "RUBY_SKIPPED": 1, "PICTURE_SKIPPED": 1}


def test_formula_that_is_embedded_in_odt(read: Reader) -> None:
    """In the frame, or in a file of its own; one that is missing is a picture."""
    formula = "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>"
    frames = (
        f"<draw:frame><draw:object>{formula}</draw:object></draw:frame>",
        '<draw:frame><draw:object href="./Object 1"/></draw:frame>',
        '<draw:frame><draw:object href="./Object 2"/></draw:frame>',
    )
    body = f"<text:p>{' and '.join(frames)} end</text:p>"
    document = read("a.odt", odt(body, files={"Object 1/content.xml": formula}))
    assert document.text == "(a+b)/2 and (a+b)/2 and end"
    assert codes(document) == {"PICTURE_SKIPPED": 1}


# --- RTF ---


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"a\par b\line c", "a\n\nb\nc"),
        (rb"\u8212-x\u-3913?", "—x\uf0b7"),
        (rb"\uc2\u233\'c3\'a9t\uc0\u233 t", "étét"),
        (rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}} after", "link after"),
        (rb"{\*\unknown no{\b no}}yes\~no\_break", "yes\u00a0no\u2011break"),
        (rb"a{\bin5 }}}{{}b", "ab"),
        (rb"\'e9{\f5\'e9}", "éй"),
        (b"one\r\n two\\\nthree", "one two\n\nthree"),
        (rb"x}} y", "x y"),
        (
            rb"{\b\*\cs7 a star that follows words}{\*\cs7 or a style} hides nothing",
            "a star that follows wordsor a style hides nothing",
        ),
    ],
)
def test_rtf_control_words(body: bytes, text: str, read: Reader) -> None:
    """Characters by code page, by Unicode and by name; groups that are no text."""
    head = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f5\fcharset204 Cyr;}}"
    assert read("a.rtf", head + body + b"}").text == text


@pytest.mark.parametrize("padding", [b"\0", b"\r\n\0", b"\x1a", b"\0\0\0", b"\xef8$DM"])
def test_what_pads_an_rtf_file_is_no_text(padding: bytes, read: Reader) -> None:
    """Windows ends what it copies with NUL; it became a paragraph of U+FFFD."""
    document = read("a.rtf", rb"{\rtf1 The lamp.\par}" + padding)
    assert (document.text, document.warnings) == ("The lamp.", ())


def test_rtf_font_that_names_its_code_page(read: Reader) -> None:
    r"""Of `\cpg` and `\fcharset` the first says more."""
    table = rb"{\fonttbl{\f0\fnil\fcharset128\cpg65001 Arial;}}"
    document = read("a.rtf", rb"{\rtf1\ansi" + table + rb"\f0 \'e4\'b8\'ad\'e5\'9c\'8b\par}")
    assert document.text == "中國"


def test_rtf_bytes_that_fit_no_encoding_are_counted(read: Reader) -> None:
    document = read("a.rtf", rb"{\rtf1\ansi\ansicpg950 Copyright \'a9 2004\par}")
    assert document.text == "Copyright \ufffd 2004"
    assert codes(document) == {"TEXT_DAMAGED": 1}


def test_rtf_that_is_cut_short_is_told(read: Reader) -> None:
    """What there is of it is read."""
    document = read("a.rtf", RTF[:-60])
    assert "The Storm" in document.text
    assert codes(document)["FILE_TRUNCATED"] == 1


def test_rtf_of_many_open_groups_ends(read: Reader) -> None:
    """It needs no recursion, and does not go on for ever."""
    document = read("a.rtf", rb"{\rtf1 a" + b"{" * 50_000)
    assert document.text == "a"


# --- what is not read ---


@pytest.mark.parametrize(
    ("name", "data", "advice"),
    [
        ("a.mobi", bytes(60) + b"BOOKMOBI" + bytes(99), "ebook-convert"),
        ("a.azw3", b"anything", "ebook-convert"),
        ("a.kfx", b"CONT\x02\0" + bytes(99), "ebook-convert"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "LibreOffice"),
        ("a.xlsx", archive({"[Content_Types].xml": "x", "xl/workbook.xml": "x"}), "convert it"),
    ],
)
def test_kinds_that_are_not_read_name_a_way(name: str, data: bytes, advice: str, read: Reader) -> None:  # fmt: skip
    """The error says which converter helps."""
    with pytest.raises(SourceUnsupportedError, match=advice):
        read(name, data)
