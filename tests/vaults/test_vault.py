"""`Vault` as a person asks it."""

import pytest

import cleanbreak as cb
from cleanbreak.errors import (
    IndexMissingError,
    SettingsError,
    SourceMissingError,
    StoreError,
    VaultLockedError,
)
from cleanbreak.stores.fulltext import Index
from notes import write_notes

NOTES = {
    "Home.md": "# Home\n\nSee [[Deep Work#Rules|work]], [[Plan]] and [[Nowhere]].\n\n![[cat.png]]\n",
    "a/Deep Work.md": "---\naliases: [Focus]\ntags: [Work/deep, reading]\n---\n# Deep Work\n\nSee [[#Rules]] #reading\n\n## Rules\n\nOne thing at a time.\n",
    "a/Plan.md": "# Plan\n\n[home](../Home.md), [web](https://a.example)\n",
    "b/Plan.md": "# Plan B\n\nAlone. #Reading #work\n",
    "cat.png": b"\x89PNG",
}  # fmt: skip


@pytest.fixture(scope="module")
def vault(tmp_path_factory):
    folder = write_notes(tmp_path_factory.mktemp("vault"), NOTES)
    with cb.Vault.index(folder) as vault:
        yield vault


def test_links_of_a_note(vault):
    """What is written, where, and what it means; ambiguity is told."""
    links = vault.links("home")
    assert [(link.target, link.fragment, link.path) for link in links] == [
        ("Deep Work", "Rules", "a/Deep Work.md"),
        ("Plan", None, "a/Plan.md"),
        ("Nowhere", None, None),
        ("cat.png", None, "cat.png"),
    ]
    assert [link.candidates for link in links] == [(), ("a/Plan.md", "b/Plan.md"), (), ()]
    assert [link.line for link in links] == [3, 3, 3, 5]


def test_links_of_all_notes(vault):
    """In the order of notes."""
    assert [link.source for link in vault.links()] == ["Home.md"] * 4 + [
        "a/Deep Work.md",
        "a/Plan.md",
    ]


@pytest.mark.parametrize("name", ["a/Deep Work.md", "Deep Work", "deep work.md", "focus"])
def test_a_note_is_named_by_path_name_or_alias(vault, name):
    """As in a link; links to itself are no backlinks."""
    assert [link.source for link in vault.backlinks(name)] == ["Home.md"]


def test_backlinks_count_markdown_links(vault):
    """Relative to their note."""
    assert [(link.source, link.kind) for link in vault.backlinks("Home")] == [
        ("a/Plan.md", "markdown")
    ]


def test_unresolved_and_orphans(vault):
    """What leads nowhere, and where nothing leads."""
    assert [link.target for link in vault.unresolved()] == ["Nowhere"]
    assert vault.orphans() == ["b/Plan.md"]


def test_tags(vault):
    """With their notes; spelt as first met; nested tags are found by those above them."""
    assert [(use.tag, use.notes, use.inline) for use in vault.tags()] == [
        ("reading", ("a/Deep Work.md", "b/Plan.md"), 2),
        ("work", ("b/Plan.md",), 1),
        ("Work/deep", ("a/Deep Work.md",), 0),
    ]
    assert [use.tag for use in vault.tags("#WORK")] == ["work", "Work/deep"]
    assert vault.tags("deep") == vault.tags("read") == []


def test_stats(vault):
    """Links to files that are no notes are counted apart, links out of the vault not at all."""
    stats = vault.stats()
    assert (stats.notes, stats.links, stats.wikilinks, stats.markdown_links) == (4, 5, 4, 1)
    assert (stats.attachment_links, stats.unresolved, stats.ambiguous, stats.orphans) == (
        1,
        1,
        1,
        1,
    )
    assert (stats.tags, stats.distinct_tags, stats.note_tags) == (3, 3, 4)
    assert (stats.chunks, stats.chunks_with_heading) == (6, 5)
    assert stats.as_dict()["smallest_chunk_bytes"] == stats.smallest_chunk_bytes > 0


def test_search(vault):
    """Hits have the note, the heading path, the line and the marks."""
    (hit,) = vault.search("thing")
    assert hit.citation.startswith("a/Deep Work.md, # Deep Work > ## Rules, line 11, characters ")
    assert hit.snippet.marked("[", "]").endswith("One [thing] at a time.\n")
    assert {hit.source_key for hit in vault.search("tag:reading -path:b")} == {"a/Deep Work.md"}
    assert {hit.source_key for hit in vault.search("focus")} == {"a/Deep Work.md"}
    assert len(vault.search("rules", context=1)[0].context) == 1


def test_what_is_not_there_is_told(vault, tmp_path):
    """By codes."""
    with pytest.raises(SourceMissingError):
        vault.links("Nowhere")
    with pytest.raises(SourceMissingError):
        vault.backlinks("")
    with pytest.raises(IndexMissingError):
        cb.Vault.open(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SettingsError):
        vault.search("x", limit=0)


def test_a_vault_opened_for_reading_is_not_written(tmp_path):
    """Whoever wants that indexes."""
    write_notes(tmp_path, NOTES)
    cb.Vault.index(tmp_path).close()
    with cb.Vault.open(tmp_path) as vault:
        write_notes(tmp_path, {"New.md": ""})
        with pytest.raises(StoreError):
            vault.update()


def test_an_index_kept_elsewhere_leaves_the_vault_as_it_is(tmp_path):
    """Not even a folder is made in it."""
    folder = write_notes(tmp_path / "vault", NOTES)
    before = sorted(folder.rglob("*"))
    with cb.Vault.index(folder, db=tmp_path / "new" / "notes.db") as vault:
        assert len(vault.notes()) == 4
    assert sorted(folder.rglob("*")) == before
    with cb.Vault.open(folder, db=tmp_path / "new" / "notes.db") as vault:
        assert vault.search("alone")


def test_nothing_but_names_reaches_errors_and_logs(tmp_path, caplog):
    """Neither texts nor folders."""
    caplog.set_level("DEBUG")
    folder = write_notes(tmp_path / "secret-folder", {"a.md": b"\xff\x00secret words\x01" * 99})
    with cb.Vault.index(folder) as vault:
        told = caplog.text + repr(vault.report.problems)
    assert vault.report.problems
    assert "secret" not in told


def test_names_are_resolved_as_the_index_stands(tmp_path):
    """The names are kept between calls, until this or another vault object writes the index."""
    write_notes(tmp_path, {"a.md": "[[b]]\n", "x/b.md": "x\n", "cat.png": "x"})
    with cb.Vault.index(tmp_path) as vault, cb.Vault.open(tmp_path) as reader:
        assert [link.source for link in reader.backlinks("b")] == ["a.md"]
        write_notes(tmp_path, {"b.md": "[[a]]\n"})
        vault.update()
        for one in (vault, reader):
            assert [link.path for link in one.links("B")] == ["a.md"]
        with pytest.raises(SourceMissingError):
            vault.links("cat.png")


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_a_blank_note_is_found_by_its_name(tmp_path, text):
    """Stubs are common; they count for no chunk."""
    write_notes(tmp_path, {"Just A Title.md": text, "b.md": "x\n"})
    with cb.Vault.index(tmp_path) as vault:
        (hit,) = vault.search("just title")
        assert hit.citation.startswith("Just A Title.md")
        assert hit.text == hit.snippet.text == ""
        assert [hit.source_key for hit in vault.search("title:just")] == ["Just A Title.md"]
        assert (vault.stats().notes, vault.stats().chunks) == (2, 1)


def test_a_note_that_has_every_word_comes_alone(tmp_path):
    """Though no chunk of it has them all, and other notes have one word often."""
    notes = {f"n{number}.md": "zebra zebra\n" for number in range(5)}
    notes["both.md"] = "# A\n\nzebra\n\n# B\n\nquagga\n\n# C\n\nokapi\n"
    with cb.Vault.index(write_notes(tmp_path, notes)) as vault:
        assert {hit.source_key for hit in vault.search("zebra quagga")} == {"both.md"}
        assert vault.search("zebra quagga -okapi") == []
        assert len(vault.search("zebra unicorn")) == 6


def test_an_index_whose_first_run_was_killed_is_no_empty_vault(tmp_path, monkeypatch):
    """It is missing; and a vault without notes is empty, not missing."""
    write_notes(tmp_path, {"a.md": "docker\n"})

    def killed(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(cb.Vault, "update", killed)
    with pytest.raises(KeyboardInterrupt):
        cb.Vault.index(tmp_path)
    with pytest.raises(IndexMissingError, match="first run has not ended"):
        cb.Vault.open(tmp_path)
    monkeypatch.undo()
    cb.Vault.index(tmp_path).close()
    with cb.Vault.open(tmp_path) as vault:
        assert len(vault.search("docker")) == 1
    empty = tmp_path / "empty"
    empty.mkdir()
    cb.Vault.index(empty).close()
    with cb.Vault.open(empty) as vault:
        assert vault.search("docker") == []


@pytest.mark.parametrize("at", [4096, 8192, 20_000, 60_000])
def test_force_heals_an_index_that_is_damaged_in_any_page(tmp_path, at):
    """Also where the damage shows only when the page is written."""
    notes = {f"{number}.md": f"word{number} [[{number + 1}]]\n" * 50 for number in range(40)}
    with cb.Vault.index(write_notes(tmp_path, notes)):
        pass
    path = tmp_path / ".cleanbreak/index.sqlite"
    data = bytearray(path.read_bytes())
    assert len(data) > at
    data[at : at + 20_000] = b"\xa5" * len(data[at : at + 20_000])
    path.write_bytes(data)
    with cb.Vault.index(tmp_path, force=True) as vault:
        assert vault.stats().notes == 40
        assert len(vault.search("word7")) == 1


def test_git_leaves_the_index_out(tmp_path):
    """But not the settings; and a file of the user stays."""
    ignore = tmp_path / ".cleanbreak/.gitignore"
    cb.Vault.index(write_notes(tmp_path, {"a.md": "x\n"})).close()
    assert ignore.read_text() == "*\n!config.toml\n"
    ignore.write_text("mine")
    cb.Vault.index(tmp_path).close()
    assert ignore.read_text() == "mine"


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ("zebra -quagga", ["n.md"]),
        ("zebra NOT quagga", ["n.md"]),
        ('zebra -"quagga there"', ["n.md"]),
        ("zebra -quag*", ["n.md"]),
        ("zebra -tag:sea", ["a.md"]),
        ("zebra -okapi", ["a.md", "n.md"]),
        ("(zebra -quagga) OR there", ["a.md", "n.md"]),
    ],
)
def test_an_unwanted_word_may_stand_nowhere_in_the_note(tmp_path, query, keys):
    """Neither in the chunk that was found nor in another one."""
    notes = {"a.md": "# A\n\nzebra\n\n# B\n\nquagga there\n", "n.md": "zebra #sea\n"}
    with cb.Vault.index(write_notes(tmp_path, notes)) as vault:
        assert sorted({hit.source_key for hit in vault.search(query)}) == keys


def test_an_author_in_the_front_matter_is_a_field(tmp_path):
    """A name, a list of names, or a link to the note of a person."""
    notes = {
        "a.md": "---\nauthor: Herman Melville\n---\nOn whales.\n",
        "b.md": '---\nauthors: ["[[Jane Austen]]", Ann Other]\n---\nOn whales.\n',
        "c.md": "Melville wrote on whales.\n",
    }
    with cb.Vault.index(write_notes(tmp_path, notes)) as vault:
        for query, found in (("author:melville", ["a.md"]), ('author:"jane aus"', ["b.md"])):
            assert [hit.source_key for hit in vault.search(f"{query} whales")] == found


def test_a_locked_vault_is_named(tmp_path):
    """The error says which vault another run is indexing."""
    folder = write_notes(tmp_path / "garden", {"a.md": "x\n"})
    with cb.Vault.index(folder) as vault:
        write_notes(folder, {"b.md": "y\n"})
        writer = Index.open(folder / ".cleanbreak/index.sqlite")
        vault._index.wait_for_writers(0)
        with writer, writer.transaction(), pytest.raises(VaultLockedError) as caught:
            vault.update()
    assert (caught.value.code, caught.value.details["name"]) == ("VAULT_LOCKED", "garden")
    assert "garden" in caught.value.message
