"""EPUB: what a browser writes besides the text, and what only looks like text."""

import warnings

import pytest

import cleanbreak as cb
from cleanbreak.readers.epub import read_epub
from cleanbreak.readers.file import SourceFile
from cleanbreak.readers.html.notes import is_mark
from readers.epubs import book, page

MATH = "http://www.w3.org/1998/Math/MathML"


def read(body: str, *, head: str = "", files: dict[str, str | bytes] | None = None) -> cb.Document:
    data = book({"a.xhtml": page(body, head=head)}, files=files)
    return read_epub(SourceFile("book.epub", data))


def codes(document: cb.Document) -> dict[str, int]:
    return {warning.code: warning.count for warning in document.warnings}


def figures(document: cb.Document) -> list[tuple[str, str]]:
    return [
        (section.title, document.text[section.span.start : section.span.end])
        for section in document.sections
        if section.kind == "figure"
    ]


@pytest.mark.parametrize("words", ["the note", "Ann", "see below", "Note 3", "he", "mix"])
def test_words_of_a_note_reference_are_text(words: str) -> None:
    """Of any length: a sentence without them is another one."""
    reference = f'<a epub:type="noteref" href="#n">{words}</a>'
    document = read(f"<p>Read {reference} today.</p>")
    assert document.text == f"Read {words} today."
    assert codes(document) == {}


@pytest.mark.parametrize(
    "mark", ["1", "[12]", "(a)", "†", "**", "iv", "XII", "12a", "bb", "¹²", "註3", "1, 2", "↩"]
)
def test_marks_of_a_note_reference_are_left_out(mark: str) -> None:
    """Numbers, letters and signs."""
    assert is_mark(mark)
    document = read(f'<p>word<a role="doc-noteref" href="#n">{mark}</a>, next</p>')
    assert document.text == "word, next"
    assert codes(document) == {"NOTE_REFERENCE_SKIPPED": 1}


def test_anchor_in_a_mark_that_is_left_out_moves_to_the_next_words() -> None:
    """A table of contents may name it."""
    body = '<p>one <a id="x" epub:type="noteref" href="#n">1</a>two</p>'
    data = book({"a.xhtml": page(body)}, nav='<ol><li><a href="a.xhtml#x">X</a></li></ol>')
    document = read_epub(SourceFile("book.epub", data))
    assert document.text == "one two"
    assert document.sections[0].span.start == 4


@pytest.mark.parametrize(
    ("namespace", "text"), [(MATH, "before x after"), ("http://chem.example/", "before y after")]
)
def test_a_switch_is_read_once(namespace: str, text: str) -> None:
    """The first case that is understood, else the default."""
    body = (
        f'<p>before <epub:switch><epub:case required-namespace="{namespace}"><math><mi>x</mi></math>'
        "</epub:case><epub:default>y</epub:default></epub:switch> after</p>"
    )
    assert read(body).text == text


@pytest.mark.parametrize(
    "hidden",
    ['<span hidden="">no</span>', '<b style="color: red; display:none">no</b>',
     '<div style="visibility: hidden"><p>no</p></div>', '<i class="a gone">no</i>'],
)  # fmt: skip
def test_hidden_elements_are_left_out_and_counted(hidden: str) -> None:
    """By attribute, style or the class of a style sheet."""
    document = read(
        f'<p id="x">a {hidden}b</p>',
        head='<link rel="stylesheet" href="s.css"/>',
        files={"OPS/s.css": ".gone, .shown { display: none } .shown { display: block }"},
    )
    assert " ".join(document.text.split()) == "a b"
    assert codes(document) == {"HIDDEN_SKIPPED": 1}


def test_notes_that_open_on_a_touch_are_read() -> None:
    """They are hidden from the page, not from the reader."""
    document = read('<p>a</p><aside epub:type="footnote" hidden="hidden"><p>note</p></aside>')
    assert document.text == "a\n\nnote"
    assert codes(document) == {}


def test_hidden_page_break_is_a_page() -> None:
    """The mark is never shown."""
    document = read('<p>a <span epub:type="pagebreak" hidden="" title="7"/>b</p>')
    assert [(s.title, tuple(s.span)) for s in document.sections] == [("", (0, 2)), ("7", (2, 3))]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('<p><img src="w.png" alt="W"/>hen the tide</p>', "When the tide"),
        ('<p><img src="w.png" alt="[W]"/>hen the tide</p>', "When the tide"),
        ('<p>It is <img alt="E = mc^2"/> at rest.</p>', "It is E = mc^2 at rest."),
        ('<p>So</p><p><img class="math" alt="the sum of x"/></p>', "So\n\nthe sum of x"),
        (r'<p><img alt="\frac{a}{b}"/></p>', r"\frac{a}{b}"),
        ('<h1><img alt="Chapter One"/></h1><p>x</p>', "Chapter One\n\nx"),
        ('<p>turn <img alt="left"/> here</p>', "turn left here"),
    ],
)
def test_pictures_that_are_words_are_text(body: str, text: str) -> None:
    """Drop capitals, formulas, titles and pieces of a sentence."""
    document = read(body)
    assert document.text == text
    assert codes(document) == {}


def test_other_pictures_are_counted_and_figures() -> None:
    """With their caption, or what the book gives in their place; decoration is neither."""
    body = (
        '<p>a</p><figure><img alt="A ship"/><figcaption>The <i>Anna</i></figcaption></figure>'
        '<p><img alt="A lighthouse in a storm"/></p><p>b</p><p><img src="x"/><img alt=""/></p>'
    )
    document = read(body)
    assert document.text == "a\n\nThe Anna\n\nb"
    assert figures(document) == [("The Anna", "The Anna"), ("A lighthouse in a storm", "")]
    assert codes(document) == {"PICTURE_SKIPPED": 3}


def test_short_description_in_a_figure_is_no_word_of_the_text() -> None:
    """As a drop capital or a piece of a sentence would be; a formula is text there too."""
    body = (
        '<p>a</p><figure><img alt="Map"/><figcaption>The bay</figcaption></figure>'
        '<figure><p>Words and <img alt="a lamp"/></p></figure><figure><img alt="E = mc^2"/></figure>'
    )
    document = read(body)
    assert document.text == "a\n\nThe bay\n\nWords and\n\nE = mc^2"
    assert figures(document) == [("The bay", "The bay"), ("a lamp", "Words and")]


def test_figures_are_no_pages_and_no_chapters() -> None:
    """A citation names neither, and a record holds the figure."""
    body = '<h1>T</h1><figure><img alt="A ship"/><figcaption>Anna</figcaption></figure><p>x</p>'
    document = read(body)
    [chunk] = cb.split(document)
    assert [section.kind for section in chunk.sections] == ["figure"]
    assert (chunk.pages, chunk.chapters) == ((), ())
    assert [section.title for section in chunk.record().sections] == ["Anna"]
    assert "Anna" not in chunk.citation


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>She said <q>no <q>never</q></q>.</p>", "She said “no ‘never’”."),
        ("<p><q>“no”</q> <q></q></p>", "“no”"),
        ("<p><q>two </q>words</p>", "“two” words"),
        ("<div><q>one</q><p><q><i>a</i></q></p></div>", "“one”\n\n“a”"),
    ],
)  # fmt: skip
def test_quotation_marks_that_a_browser_adds(body: str, text: str) -> None:
    """But not twice."""
    assert read(body).text == text


def test_quotation_marks_of_the_language_and_of_the_style_sheet() -> None:
    """A style sheet may take them away."""
    german = page("<p><q>nein</q></p>").replace("<html", '<html xml:lang="de-AT"')
    assert read_epub(SourceFile("b.epub", book({"a.xhtml": german}))).text == "„nein“"
    head = '<style>q:before, q:after { content: "" }</style>'
    assert read("<p><q>no</q></p>", head=head).text == "no"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<ol><li>a</li><li><p>b</p></li></ol>", "1. a\n\n2. b"),
        ('<ol start="5" type="i"><li>a</li><li value="9">b</li><li>c</li></ol>', "v. a\nix. b\nx. c"),
        ('<ol type="A" start="26"><li>a</li><li>b</li></ol>', "Z. a\nAA. b"),
        ('<ol reversed="" start="2"><li>a</li><li>b</li></ol>', "2. a\n1. b"),
        ("<ol><li>1. a</li><li>2) b</li></ol>", "1. a\n2) b"),
        ('<ol style="list-style: none"><li>a</li></ol>', "a"),
        ("<ol><li></li><li>b<ul><li>c</li></ul></li></ol>", "2. b\n\nc"),
        ("<ol><li><ol><li>a</li></ol></li></ol>", "1. 1. a"),
    ],
)  # fmt: skip
def test_numbers_of_lists(body: str, text: str) -> None:
    """Text refers to them: as step 5."""
    assert read(body).text == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>10<sup>6</sup> and 10<sup>−3</sup></p>", "10^6 and 10^−3"),
        ("<p>x<sup>2</sup>, 21<sup>st</sup>, H<sub>2</sub>O</p>", "x^2, 21st, H2O"),
        ("<p>1010<sub>2</sub></p>", "1010_2"),
        ("<p>5 km<sup>2</sup>, m<sup>-1</sup>, (a+b)<sup>2</sup></p>", "5 km^2, m^-1, (a+b)^2"),
        ("<p><i>x</i><sup>2</sup> but m<i>a</i>x<sup>2</sup></p>", "x^2 but max [2]"),
        (
            "<p>He said<sup>2</sup> this.<sup>3</sup> M<sup>lle</sup></p>",
            "He said [2] this.[3] Mlle",
        ),
        ("<p>1<sup>1</sup>/<sub>2</sub> cups</p>", "1 1/2 cups"),
        ('<p>in 1914<sup><a href="#n">14</a></sup>.</p>', "in 1914."),
        ('<p>in 1914<a href="#n"><sup>14</sup></a>.</p>', "in 1914."),
        ('<p>see <a href="#n">the 4<sup>th</sup> part</a></p>', "see the 4th part"),
    ],
)
def test_raised_numbers_are_not_glued_to_numbers(body: str, text: str) -> None:
    """A power keeps its sign, a note mark goes."""
    assert read(body).text == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a+b)/2"),
        ("<msqrt><mn>2</mn></msqrt>", "√2"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "√(a+b)"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "∛x"),
        ("<mroot><mi>x</mi><mi>n</mi></mroot>", "√(n&x)"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x_1^2"),
        ("<msup><mfenced><mi>a</mi><mi>b</mi></mfenced><mn>2</mn></msup>", "(a,b)^2"),
        ("<mfrac><mfrac><mi>a</mi><mi>b</mi></mfrac><mi>c</mi></mfrac>", "(a/b)/c"),
        ("\n <mi>x</mi>\n <mo>=</mo>\n <mn>1</mn>\n", "x=1"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x¯"),
    ],
)
def test_formulas_in_one_line(formula: str, text: str) -> None:
    """With brackets where two dimensions become one."""
    assert read(f"<p>is <math>{formula}</math> so</p>").text == f"is {text} so"


def test_formula_without_elements_has_its_alternative() -> None:
    """Which is all there is of it."""
    assert read('<p>is <math alttext="x^2"/></p>').text == "is x^2"


def test_entry_that_is_there_twice_is_told() -> None:
    """Readers disagree on which one counts; ours reads the last."""
    import io
    import zipfile

    first = book({"a.xhtml": page("<p>one</p>")})
    out = io.BytesIO(first)
    with warnings.catch_warnings(), zipfile.ZipFile(out, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("OPS/a.xhtml", page("<p>two</p>"))
    document = read_epub(SourceFile("book.epub", out.getvalue()))
    assert document.text == "two"
    assert codes(document) == {"ENTRY_REPEATED": 1}


def test_layout_cell_in_a_row_moves_no_place() -> None:
    """Whether a cell is one is known at its end only; the anchors in it stay with their words."""
    body = '<table><tr><td><p>a</p><p id="x">b</p><p>c</p></td></tr></table>'
    data = book({"a.xhtml": page(body)}, nav='<ol><li><a href="a.xhtml#x">X</a></li></ol>')
    document = read_epub(SourceFile("book.epub", data))
    assert document.text[document.sections[0].span.start :] == "b\n\nc"


def test_figure_that_is_a_page_break_keeps_both_names() -> None:
    """An element may be marked and have a rule of its own."""
    body = (
        '<p>a</p><figure epub:type="pagebreak" title="3"><img alt="A ship at sea"/>'
        "<figcaption>no</figcaption></figure><p>b</p>"
    )
    document = read(body)
    assert document.text == "a\n\nb"
    found = [(s.kind, s.title, tuple(s.span)) for s in document.sections]
    assert found == [("page", "", (0, 3)), ("page", "3", (3, 4)), ("figure", "no", (3, 3))]
