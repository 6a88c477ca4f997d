"""`CodeSplitter`: the laws over code of every language, whole and broken, and its rules one by one."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cleanbreak as cb
from cleanbreak import Chunk, CodeSplitter, Document, Source
from cleanbreak.core.code import languages
from cleanbreak.core.code.languages import GRAMMARS
from cleanbreak.errors import DependencyMissingError, SettingsError, TextInvalidError
from laws import assert_laws
from strategies import programs, texts

every_language = pytest.mark.parametrize("language", sorted(GRAMMARS))

# A program of each language; the chains are those of the chunks when every definition is cut off.
PROGRAMS = {
    "c": (
        (
            "/* É. */\nstatic int *add(int a)\n{\n  return a;\n}\nstruct point {\n  int x;\n  int y;\n};\n"
            "typedef struct {\n  int z;\n} line;\n"
        ),
        {"# add", "# point", "# line"},
    ),
    "cpp": (
        (
            "namespace geo {\ntemplate <class T>\nclass Point {\n public:\n  int x() const {\n    return 1;\n  }\n"
            "};\nint Point::y() {\n  return 2;\n}\n}\n"
        ),
        {"# geo", "# geo > ## Point", "# geo > ## Point > ### x", "# geo > ## Point::y"},
    ),
    "csharp": (
        (
            "namespace Geo.Flat\n{\n  /// Point.\n  class Point\n  {\n    int X()\n    {\n      return 1;\n    }\n"
            "    Point()\n    {\n      Go();\n    }\n  }\n}\n"
        ),
        {
            "# Geo.Flat", "# Geo.Flat > ## Point", "# Geo.Flat > ## Point > ### X",
            "# Geo.Flat > ## Point > ### Point",
        },
    ),
    "go": (
        "package geo\n\n// Push adds.\nfunc (s *Stack[T]) Push(x T) {\n\ts.add(x)\n}\n\ntype Stack struct {\n\tx int\n}\n",
        {"None", "# Stack.Push", "# Stack"},
    ),
    "java": (
        "package geo;\n@Nice\nclass Point {\n  @Override\n  int x() {\n    return 1;\n  }\n  Point() {\n    go();\n  }\n}\n",
        {"None", "# Point", "# Point > ## x", "# Point > ## Point"},
    ),
    "javascript": (
        (
            "export class Point {\n  x() {\n    return 'é';\n  }\n}\nconst add = (a) => {\n  return a;\n};\n"
            "Point.prototype.z = function () {\n  return 3;\n};\n"
        ),
        {"# Point", "# Point > ## x", "# add", "# Point.prototype.z"},
    ),
    "php": (
        (
            "<?php\n/** É. */\nfinal class Point {\n  #[Nice]\n  public function x(): int {\n    return 1;\n  }\n}\n"
            "function add($a) {\n  return $a;\n}\n"
        ),
        {"None", "# Point", "# Point > ## x", "# add"},
    ),
    "python": (
        ('class Point:\n    """É 👍🏽."""\n\n    @property\n    def x(self):\n        """Doc."""\n        return 1\n\n'
        "async def add(a):\n    return await a\n"),
        {"# Point", "# Point > ## x", "# add"},
    ),
    "ruby": (
        "module Geo\n  class Point < Base\n    def x(a)\n      a + 1\n    end\n\n    def self.y\n      2\n    end\n  end\nend\n",
        {"# Geo", "# Geo > ## Point", "# Geo > ## Point > ### x", "# Geo > ## Point > ### y"},
    ),
    "rust": (
        (
            "/// Point.\n#[derive(Debug)]\npub struct Point {\n    x: i32,\n}\nimpl<T> Show for Point<T> {\n"
            "    fn show(&self) -> u8 {\n        1\n    }\n}\n"
        ),
        {"# Point", "# Point > ## show"},
    ),
    "tsx": (
        "export const App = () => {\n  return <p>é</p>;\n};\nfunction Row(props: Props) {\n  return <b />;\n}\n",
        {"# App", "# Row"},
    ),
    "typescript": (
        (
            "@Nice()\nexport abstract class Point {\n  x(): number {\n    return 1;\n  }\n}\ninterface Shape {\n  at: u;\n"
            "}\nnamespace geo {\n  export function add(a: number) {\n    return a;\n  }\n}\n"
        ),
        {"# Point", "# Point > ## x", "# Shape", "# geo", "# geo > ## add"},
    ),
}  # fmt: skip

STACK = '''"""A stack."""

import os


# A comment of the class.
class Stack:
    """Holds things."""

    def push(self, x):
        """Put one on top."""
        self.items.append(x)

    # The last one.
    @property
    def top(self):
        return self.items[-1]


def main():
    stack = Stack()
    stack.push(1)
    print(stack.top)
'''


def texts_of(chunks: list[Chunk]) -> list[str]:
    return [chunk.text for chunk in chunks]


def paths_of(chunks: list[Chunk]) -> list[str]:
    return [str(chunk.heading_path) for chunk in chunks]


def named(name: str, text: str) -> Document:
    return Document(text, source=Source(name, "text/plain", "0"))


# --- laws ----------------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    text=st.one_of(programs, texts),
    language=st.sampled_from(sorted(GRAMMARS)),
    size=st.integers(1, 60),
    overlap=st.integers(0, 20),
)
def test_laws(text, language, size, overlap):
    """Also for text that is code of no language."""
    chunks = CodeSplitter(size, language, "characters", overlap).split(text)
    assert_laws(text, chunks, limit=size, overlap_limit=overlap, blank_is_content=False)


@settings(deadline=None)
@given(
    data=st.data(),
    language=st.sampled_from(sorted(GRAMMARS)),
    size=st.integers(4, 60),
)
def test_laws_for_code_in_which_something_is_lost_or_put(data, language, size):
    """A file that is being edited; sizes are counted in bytes."""
    program = PROGRAMS[language][0]
    start = data.draw(st.integers(0, len(program)))
    end = data.draw(st.integers(start, min(len(program), start + 20)))
    text = program[:start] + data.draw(programs) + program[end:]
    measure = lambda piece: len(piece.encode())  # noqa: E731
    chunks = CodeSplitter(size, language, measure, oversize="emit").split(text)
    assert_laws(text, chunks, limit=size, measure=measure, blank_is_content=False)


@every_language
def test_offsets_are_those_of_code_points(language):
    """The parser counts bytes."""
    program, _ = PROGRAMS[language]
    plain = CodeSplitter(40, language).split(program.replace("É", "E").replace("é", "e"))
    wide = program.replace("É", "中").replace("é", "中")
    chunks = CodeSplitter(40, language).split(wide)
    assert [chunk.end for chunk in plain] == [chunk.end for chunk in chunks]
    assert paths_of(plain) == paths_of(chunks)


@every_language
def test_many_threads_cut_alike(language):
    program = PROGRAMS[language][0] * 20
    splitter = CodeSplitter(50, language)
    expected = splitter.split(program)
    assert len(expected) > 20
    with ThreadPoolExecutor(4) as pool:
        assert all(found == expected for found in pool.map(splitter.split, [program] * 8))


# --- where it cuts -------------------------------------------------------------------------------


def test_definitions_at_the_top_before_members_before_statements():
    assert texts_of(CodeSplitter(330, "python").split(STACK)) == [
        STACK[: STACK.index("def main")], STACK[STACK.index("def main") :],
    ]  # fmt: skip
    chunks = CodeSplitter(200, "python").split(STACK)
    assert [chunk.text.lstrip().split("\n")[0] for chunk in chunks] == [
        '"""A stack."""', "# The last one.",
    ]  # fmt: skip
    chunks = CodeSplitter(50, "python").split(STACK[STACK.index("def main") :])
    assert texts_of(chunks) == [
        "def main():\n    stack = Stack()\n    stack.push(1)\n", "    print(stack.top)\n",
    ]  # fmt: skip


@every_language
def test_no_definition_is_cut_that_fits(language):
    """By every limit, with the comments and attributes above it."""
    program, _ = PROGRAMS[language]
    tried = 0
    for limit in range(30, len(program)):
        cuts = {chunk.end for chunk in CodeSplitter(limit, language).split(program)}
        for start, end in definitions(program, language):
            if end - start <= limit:
                tried += 1
                assert not any(start < cut < end - 1 for cut in cuts), (limit, program[start:end])
    assert tried > 20


def definitions(program: str, language: str) -> list[tuple[int, int]]:
    """The lines of each definition of several lines, with what belongs to it."""
    document, _ = CodeSplitter(2, language)._cut(Document(program))
    found = []
    for start, end in (section.span for section in document.sections):
        last = program.find("\n", end - 1) + 1 or len(program)
        first = last - len(program[start:last].lstrip("\n"))
        if program.count("\n", first, last) > 1:
            found.append((first, last))
    return found


@every_language
def test_cuts_are_at_the_start_of_lines(language):
    """While each line fits."""
    program, _ = PROGRAMS[language]
    longest = max(map(len, program.splitlines(keepends=True)))
    chunks = CodeSplitter(longest, language).split(program)
    assert len(chunks) > 3
    assert all(chunk.text.endswith("\n") for chunk in chunks)
    assert {chunk.break_level for chunk in chunks[:-1]} <= {"block", "line"}


def test_a_comment_was_cut_from_what_it_belongs_to():
    """Comments, decorators and attributes stay with the definition below, a docstring with its head."""
    chunks = texts_of(CodeSplitter(130, "python").split(STACK))
    assert any("# A comment of the class.\nclass Stack:\n" in text for text in chunks)
    assert any("# The last one.\n    @property\n    def top" in text for text in chunks)
    assert any('class Stack:\n    """Holds things."""' in text for text in chunks)
    assert any('def push(self, x):\n        """Put one' in text for text in chunks)
    rust = "fn a() {\n    1;\n}\n/// Doc.\n/// More.\n#[test]\n\n#[slow]\nfn b() {\n    2;\n}\n"
    assert texts_of(CodeSplitter(60, "rust").split(rust)) == [rust[:18], rust[18:]]


def test_a_comment_behind_a_blank_line_stands_alone():
    code = "a = 1\n# About a.\n\n# About b.\nb = 2\n"
    assert texts_of(CodeSplitter(20, "python").split(code))[-1] == "# About b.\nb = 2\n"
    assert "# About a.\n\n" in "".join(texts_of(CodeSplitter(20, "python").split(code))[:-1])


def test_a_comment_at_the_end_of_a_line_stays_on_it():
    code = "int a; // one\nint b; // two\nint c; // three\n"
    assert texts_of(CodeSplitter(16, "c").split(code)) == code.splitlines(keepends=True)


def test_a_member_that_fits_alone_was_cut_for_the_bracket_behind_it():
    """The head, or the bracket that closes the class, goes to a chunk of its own."""
    member = "  int f() {\n    return 12345;\n  }\n"
    code = f"class A {{\n{member}}}\n"
    assert texts_of(CodeSplitter(len(member), "java").split(code)) == ["class A {\n", member, "}\n"]
    assert texts_of(CodeSplitter(len(member) + 2, "java").split(code)) == [
        "class A {\n", member + "}\n",
    ]  # fmt: skip


def test_a_comment_went_with_the_head_though_its_class_fits():
    """It leaves its definition only where the two do not fit together."""
    code = "namespace A\n{\n  /// Doc.\n  class B\n  {\n    int X;\n    int Y;\n  }\n}\n"
    below = code[code.index("  class") : -2]
    both = code[code.index("  ///") : -2]
    for limit, chunk in ((len(both), both), (len(below), below)):
        assert chunk in texts_of(CodeSplitter(limit, "csharp").split(code))


def test_a_head_is_cut_last():
    """Statements go before the parameters of a function."""
    code = "def f(\n    a,\n    b,\n    c,\n):\n    one(a)\n    two(b)\n    three(c)\n"
    first = texts_of(CodeSplitter(50, "python").split(code))[0]
    assert first.endswith(("    one(a)\n", "    two(b)\n"))


def test_a_definition_over_the_limit_fills_the_chunk_that_is_open():
    code = "import a\n\n\ndef f():\n" + "    step(1)\n" * 10
    assert texts_of(CodeSplitter(60, "python").split(code))[0] == code[:56]


def test_elements_of_an_expression_are_cut_before_lines():
    """Each element stays whole where it fits."""
    rows = "".join(f"    [\n        {n},\n        {n},\n    ],\n" for n in range(10, 20))
    chunks = texts_of(CodeSplitter(90, "python").split(f"table = [\n{rows}]\n"))
    assert len(chunks) > 3
    assert all(text.count("    [\n") == text.count("    ],\n") for text in chunks)


def test_minified_code_was_cut_in_words():
    """Inside a line that is too long the nodes count, too."""
    code = 'function add(first,second){return first+second};call("one two");' * 20
    chunks = CodeSplitter(70, "javascript").split(code)
    assert {chunk.break_level for chunk in chunks[:-1]} == {"block"}
    assert all(chunk.text.startswith(("function", "call", ";")) for chunk in chunks)


def test_levels_below_lines_have_their_names():
    code = "# " + "One two three four. " * 4 + "\n"
    levels = [chunk.break_level for chunk in CodeSplitter(45, "python").split(code)]
    assert levels == ["sentence", "end"]
    levels = [chunk.break_level for chunk in CodeSplitter(10, "python").split("x = '" + "ab" * 9)]
    assert levels[-2:] == ["grapheme", "end"]


def test_a_blank_line_inside_a_string_is_a_paragraph():
    code = 'text = """\n' + "aaaa bbbb\n" * 3 + "\n" + "cccc dddd\n" * 3 + '"""\n'
    assert [c.break_level for c in CodeSplitter(48, "python").split(code)] == ["paragraph", "end"]


# --- names ---------------------------------------------------------------------------------------


@every_language
def test_the_heading_path_is_the_chain_of_names(language):
    """Of the definitions around the start of the chunk, by every limit."""
    program, chains = PROGRAMS[language]
    longest = max(map(len, program.splitlines(keepends=True)))
    found = {
        path
        for limit in range(longest, len(program))
        for path in paths_of(CodeSplitter(limit, language).split(program))
    }
    assert found | {"None"} == chains | {"None"}


def test_a_chunk_that_starts_with_a_comment_has_the_path_of_what_follows():
    chunks = CodeSplitter(110, "python").split(STACK)
    top = next(chunk for chunk in chunks if "def top" in chunk.text)
    assert top.text.startswith("    # The last one.")
    assert str(top.heading_path) == "# Stack > ## top"
    assert top.with_context().startswith("# Stack > ## top\n\n")


@pytest.mark.parametrize(
    ("language", "code", "name"),
    [
        ("cpp", "const Point& Map::at(int i) {\n  return p[i];\n}\n", "Map::at"),
        ("cpp", "bool operator==(const A& a) {\n  return 1;\n}\n", "operator=="),
        ("cpp", "A::~A() {\n  free(x);\n}\n", "A::~A"),
        ("c", "char **names(void) {\n  return 0;\n}\n", "names"),
        ("c", "typedef struct node {\n  int a;\n} node_t;\n", "node"),
        ("go", "func (s Stack) Len() int {\n\treturn 1\n}\n", "Stack.Len"),
        ("go", "func (*Stack) Cap() int {\n\treturn 1\n}\n", "Stack.Cap"),
        ("rust", "impl<T> Stack<T> {\n    const A: u8 = 1;\n}\n", "Stack"),
        ("javascript", "exports.add = (a) => {\n  return a;\n};\n", "exports.add"),
        ("typescript", "class A {\n  add = () => {\n    go();\n  };\n}\n", "A"),
        ("php", "<?php\ntrait Lists {\n  public $a;\n}\n", "Lists"),
        ("ruby", "class Geo::Point\n  A = 1\nend\n", "Geo::Point"),
    ],
)
def test_names_as_they_are_written(language, code, name):
    document, _ = CodeSplitter(2, language)._cut(Document(code))
    assert document.sections[0].title == name


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "struct point p;\nenum kind k;\n"),
        ("php", "<?php\nnamespace A\\B;\necho 1;\n"),
        ("csharp", "namespace A.B;\n"),
        ("cpp", "class A;\n"),
    ],
)
def test_a_name_that_encloses_nothing_is_no_heading(language, code):
    assert CodeSplitter(2, language)._cut(Document(code))[0].sections == ()


def test_a_name_is_one_short_line():
    """Also one that a program wrote."""
    code = f"class {'A' * 500}:\n    x = 1\n"
    (chunk,) = CodeSplitter(1000, "python").split(code)
    assert chunk.heading_path is not None
    assert chunk.heading_path[0].title == "A" * 120


# --- languages -----------------------------------------------------------------------------------


@every_language
def test_the_suffix_of_the_file_decides(language):
    program, _ = PROGRAMS[language]
    longest = max(map(len, program.splitlines(keepends=True)))
    for suffix in GRAMMARS[language].suffixes:
        found = CodeSplitter(longest).split(named(f"a.b{suffix.upper()}", program))
        expected = CodeSplitter(longest, language).split(program)
        assert [c.end for c in found] == [c.end for c in expected]
        assert paths_of(found) == paths_of(expected)


def test_a_header_of_cpp_was_taken_for_c():
    code = "#pragma once\nclass A {\n public:\n  int f();\n};\n"
    assert paths_of(CodeSplitter(20).split(named("a.h", code)))[1] == "# A"


@pytest.mark.parametrize("name", ["notes.txt", "Makefile", "run.sh"])
def test_a_file_without_a_grammar_is_cut_between_paragraphs_and_lines(name):
    text = "One line.\n  Two lines.\n\n  Three.\nFour.\n"
    for source in (named(name, text), text):
        chunks = CodeSplitter(30).split(source)
        assert texts_of(chunks) == [text[:24], text[24:]]
        assert [chunk.break_level for chunk in chunks] == ["paragraph", "end"]
        assert [c.break_level for c in CodeSplitter(16).split(source)][:2] == ["line", "paragraph"]


def test_an_unknown_language_is_refused_with_those_that_there_are():
    with pytest.raises(SettingsError) as caught:
        cb.split("x", by="code", language="pyton")
    assert caught.value.details["allowed"] == ("auto", *GRAMMARS)
    assert str(caught.value).endswith("Did you mean python?")


@pytest.mark.parametrize(
    ("missing", "language"), [("tree_sitter", "auto"), ("tree_sitter_go", "go")]
)
def test_without_the_extra_the_error_says_what_to_install(monkeypatch, missing, language):
    def import_module(name):
        raise ImportError(name)

    languages.load_language.cache_clear()
    monkeypatch.setattr(languages, "import_module", import_module)
    with pytest.raises(DependencyMissingError, match=r"pip install 'cleanbreak\[code\]'") as caught:
        CodeSplitter(100, language)
    assert caught.value.details["extra"] == "code"


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(TextInvalidError) as caught:
        CodeSplitter(100, "python").split("x = 'é\ud800'")
    assert caught.value.details["offset"] == 6


def test_deep_nesting_ends():
    """Hostile code must not exhaust the stack."""
    text = "f(" * 20_000
    assert "".join(texts_of(CodeSplitter(1000, "python").split(text))) == text


def test_whether_a_chunk_is_half_full_does_not_depend_on_an_estimate():
    """A function that counts characters cuts like characters."""
    text = "a\x850."
    cuts = [
        [(chunk.start, chunk.end) for chunk in CodeSplitter(2, "rust", measure).split(text)]
        for measure in ("characters", lambda text: sum(1 for _ in text))
    ]
    assert cuts[0] == cuts[1]
