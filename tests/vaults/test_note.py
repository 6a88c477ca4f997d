"""What is kept of a note: its links, tags, aliases and title."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.vaults.note import read_note
from notes import write_notes
from strategies import texts


@pytest.fixture
def note(tmp_path):
    def read(text):
        write_notes(tmp_path, {"x/My note.md": text})
        return read_note(tmp_path, "x/My note.md")

    return read


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[Note]]", [("wikilink", False, "Note", None)]),
        ("[[Note|alias]]", [("wikilink", False, "Note", None)]),
        ("[[a/Note#Heading]]", [("wikilink", False, "a/Note", "Heading")]),
        ("[[Note#^block]]", [("wikilink", False, "Note", "^block")]),
        ("[[#Here]]", [("wikilink", False, "", "Here")]),
        ("![[Note]]", [("wikilink", True, "Note", None)]),
        ("![[cat.png|100]]", [("wikilink", True, "cat.png", None)]),
        ("| a |\n|-|\n| [[Note\\|alias]] |\n", [("wikilink", False, "Note", None)]),
        ("[x](a%20b.md#p%20q)", [("markdown", False, "a b.md", "p q")]),
        ("[x](<a b.md>)", [("markdown", False, "a b.md", None)]),
        ("[x](../a.md 'title')", [("markdown", False, "../a.md", None)]),
        ("[x](#part)", [("markdown", False, "", "part")]),
        ("![x](cat.png)", [("markdown", True, "cat.png", None)]),
        ("[x][ref]\n\n[ref]: a.md\n", [("markdown", False, "a.md", None)]),
        ("# [[Note]]\n", [("wikilink", False, "Note", None)]),
        ("- **[[Note]]**, [[Other]]", [("wikilink", False, "Note", None), ("wikilink", False, "Other", None)]),
        ("[[]] [[ ]] [x]() [x](<>)", []),
        ("[x](https://a.example/b.md) <https://a.example> [y](mailto:a@b.example) [z](//a.example)", []),
        ("<me@a.example>", []),
        ("`[[Note]]` and ``[x](a.md)``", []),
        ("```\n[[Note]]\n```\n\n    [[Note]]\n", []),
        ("<!-- [[Note]] -->\n", []),
        ("\\[\\[Note\\]\\]", []),
        ("[not a link] (a.md)", []),
    ],
)  # fmt: skip
def test_links(note, text, links):
    """Of every kind, and none in code, comments or to the outside."""
    assert [
        (link.kind, link.embed, link.target, link.fragment) for link in note(text).links
    ] == links


def test_links_have_their_places(note):
    """Offsets count code points, lines from 1, whatever the newlines are."""
    text = '---\r\nup: "[[Top]]"\r\n---\r\n\r\nÄ [[One]]\r\rand [x](two.md)\n'
    found = note(text).links
    assert [text[link.start : link.end] for link in found] == ["[[Top]]", "[[One]]", "[x](two.md)"]
    assert [(link.kind, link.line) for link in found] == [
        ("property", 2), ("wikilink", 5), ("markdown", 7),
    ]  # fmt: skip


def test_properties_hold_links_only_in_their_words(note):
    """Without quotes, [[x]] is a list in a list to YAML, and a comment is no property."""
    text = "---\na: '[[One|1]]'\nb: [\"[[Two]]\", '[[Two]]']\nc: [[Three]]\n# [[Four]]\n---\n"
    assert [link.target for link in note(text).links] == ["One", "Two", "Two"]
    text = "---\na: [[One]]\nb: 'see [[One]]'\nc:\n- [[One]]\n---\n"
    assert [link.line for link in note(text).links] == [3]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        (
            "[y](Why?.md) [z](a.md?v=1.0) ![p](cat.png?raw=true) [s](Is%20it?)",
            ["Why?.md", "a.md", "cat.png", "Is it?"],
        ),
        ("[[a\nb]] [[a|x\ny]] [[c]]", ["c"]),
        ("$[[a]]$ $$\n[[b]]\n$$ [[c]]", ["c"]),
    ],
)
def test_what_is_a_link(note, text, targets):
    """A question mark may belong to a name; no link stands in math or over a line break."""
    assert [link.target for link in note(text).links] == targets


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#tag", ["tag"]),
        ("a #one, (#two) *#three* ==#four== x=#no", ["one", "three", "four"]),
        ("#a/b #a/b/", ["a/b", "a/b"]),
        ("#日記 #café #todo✅ #x_y-z", ["日記", "café", "todo✅", "x_y-z"]),
        ("#2024 #1-2 #2024/05 #y1984", ["1-2", "2024/05", "y1984"]),
        (
            "#🇫🇷 #a/👍🏽 #1️⃣ #a→b #€uro #col·lecció",
            ["🇫🇷", "a/👍🏽", "1️⃣", "a→b", "€uro", "col·lecció"],
        ),
        ('#a\'b "#q" #x—y', ["a", "x"]),
        ("$#x #y$ and $$\n#z\n$$ costs $5 #real", ["real"]),
        ("| #cell |\n|-|\n| #row |\n", ["cell", "row"]),
        ("- #item\n> #quote\n", ["item", "quote"]),
        ("a#b ##c #", []),
        ("https://a.example/#frag and https://a.example/x?y#z", []),
        ("&#39;x&#x41;", []),
        ("\\#escaped", []),
        ("# Heading #head\n", ["head"]),
        ("`#code`\n\n```\n#code\n```\n\n    #code\n", []),
        ("[#text](a.md) [[Note#part]] [x](#part)", []),
        ("<span>#ok</span>", ["ok"]),
        ("<div>\n#html\n</div>\n", []),
    ],
)
def test_inline_tags(note, text, tags):
    """Where a person would call it a tag."""
    assert [tag.tag for tag in note(text).tags] == tags


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: [books, a/b]", ["books", "a/b"]),
        ("tags:\n  - '#books'\n  - to read", ["books"]),
        ("tags: books, notes", ["books", "notes"]),
        ("tags: books notes", ["books", "notes"]),
        ("tag: books", ["books"]),
        ("Tags: books", ["books"]),
        ("tags: 2024", []),
        ("tags: [2024, '2024', true, null, {a: b}, [c]]", []),
        ("tags:", []),
        ("other: [books]", []),
    ],
)
def test_front_matter_tags(note, front, tags):
    """A list, or a string; what is no word is passed over."""
    assert [tag.tag for tag in note(f"---\n{front}\n---\ntext").tags] == tags


def test_tags_have_their_lines_and_a_note_has_each_once(note):
    """Front matter counts as line 1; spelling is that of the first."""
    found = note("---\ntags: [Sea]\n---\n\n#sea\n\n#boat #Boat\n")
    assert [(tag.inline, tag.line) for tag in found.tags] == [
        (False, 1),
        (True, 5),
        (True, 7),
        (True, 7),
    ]
    assert found.tag_names == ("Sea", "boat")


@pytest.mark.parametrize(
    ("front", "title", "aliases"),
    [
        ("title: Storms\naliases: [Gale, ' Squall ', '']", "Storms", ("Gale", "Squall")),
        ("aliases: Gale, Squall", "My note", ("Gale", "Squall")),
        ("alias: Gale", "My note", ("Gale",)),
        ("title: 7\naliases: 7", "My note", ()),
    ],
)
def test_title_and_aliases(note, front, title, aliases):
    """The file's name is the title unless the front matter has one."""
    found = note(f"---\n{front}\n---\n")
    assert (found.title, found.aliases) == (title, aliases)


@pytest.mark.parametrize(
    ("front", "title", "aliases", "tags"),
    [
        ("title: A: B\ntags: [x]", "A: B", (), ["x"]),
        ("tags: [x]\ntitle: {{title}}\naliases:\n  - N", "My note", ("N",), ["x"]),
        ('a: "open\ntags: x', "My note", (), ["x"]),
        ("tags:\n\t- a\nalias: N", "My note", ("N",), []),
        ("tags: [x]\n  - broken\nalias: N", "My note", ("N",), []),
    ],
)
def test_one_broken_line_of_front_matter_costs_only_itself(note, front, title, aliases, tags):
    """The other properties count; the line is a warning."""
    found = note(f"---\n{front}\n---\n")
    assert (found.title, found.aliases) == (title, aliases)
    assert [tag.tag for tag in found.tags] == tags
    assert [problem.code for problem in found.problems] == ["FRONT_MATTER_INVALID"]


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ('[x]({{< relref "b.md" >}})', [("b.md", None)]),
        ('[x]({{< ref "b.md#part" >}}) and [y]({{% relref c %}})', [("b.md", "part"), ("c", None)]),
        ('[x]({{<relref path="a b" lang="en">}})', [("a b", None)]),
        ('[x]({{< relref `b` >}}), [*y*]({{< ref "c" >}})', [("b", None), ("c", None)]),
        ('`[x]({{< relref "b.md" >}})`', []),
        ('```\n[x]({{< relref "b.md" >}})\n```', []),
        ('[x]({{< figure "b.md" >}}) {{< relref "b.md" >}}', []),
    ],
)
def test_links_of_hugo(note, text, links):
    """The shortcodes ref and relref in the place of an address."""
    assert [(link.target, link.fragment) for link in note(text).links] == links


def test_a_link_behind_a_number_sign_is_a_tag_too(note):
    """As Logseq writes a tag of several words."""
    found = note("- #[[text editor]]\nx#[[no]] [[no]] #todo `#[[no]]`\n")
    assert [(tag.tag, tag.line) for tag in found.tags] == [("text editor", 1), ("todo", 2)]


def test_broken_front_matter_is_told_and_the_note_goes_on(note):
    """Its text is searched all the same, and its links count."""
    found = note("---\ntags: [a\n---\n\n[[Note]] #b\n")
    assert [problem.code for problem in found.problems] == ["FRONT_MATTER_INVALID"]
    assert [link.target for link in found.links] == ["Note"]
    assert [tag.tag for tag in found.tags] == ["b"]


@pytest.mark.parametrize("text", ["\ufeff# A\n", "a\0b\x01", "", " \n", "\r\n\r"])
def test_text_is_the_file_to_the_last_character(note, text):
    """Byte order mark, controls and all, so that offsets are those of the file."""
    assert note(text).text == text


def test_other_encodings_are_read_and_told(note):
    """A note in Latin-1 is no reason to stop."""
    found = note("Grüße aus Köln, schöne Straße, für Übung".encode("latin-1"))
    assert found.text.startswith("Grüße")
    assert [problem.code for problem in found.problems] == ["ENCODING_GUESSED"]
    assert not found.problems[0].is_error


@given(texts, st.sampled_from(["", "---\ntags: [a]\nx: '[[b]]'\n---\n"]))
def test_any_text_has_links_and_tags_where_they_are_said_to_be(tmp_path_factory, text, front):
    """Offsets stay inside, in order; lines grow with them."""
    folder = tmp_path_factory.mktemp("vault")
    write_notes(folder, {"a.md": front + text})
    found = read_note(folder, "a.md")
    starts = [link.start for link in found.links]
    assert starts == sorted(starts)
    assert all(0 <= link.start < link.end <= len(front + text) for link in found.links)
    lines = [link.line for link in found.links]
    assert lines == sorted(lines)
