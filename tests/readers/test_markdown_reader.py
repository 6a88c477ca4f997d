"""Markdown files: text as it is, properties within limits, headings as sections."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cleanbreak as cb
from cleanbreak.readers.properties import PropertiesError, parse


def read(folder: Path, text: str) -> cb.Document:
    file = folder / "note.md"
    file.write_bytes(text.encode())
    return cb.read(file)


def test_text_is_that_of_the_file_and_offsets_are_the_files(tmp_path: Path) -> None:
    """Front matter stays, so that a hit can be shown where it lies."""
    text = "---\ntitle: T\nauthor: [A, B]\n---\r\n# One\r\nx\n"
    document = read(tmp_path, text)
    assert text == document.text
    assert [("heading", "One", text.index("# One"))] == [
        (section.kind, section.title, section.span.start) for section in document.sections
    ]
    assert (document.metadata.title, document.metadata.authors) == ("T", ("A", "B"))


def test_invalid_front_matter_is_told_and_stays_text(tmp_path: Path) -> None:
    """A template with braces where a value goes is still a note."""
    document = read(tmp_path, "---\ndate: {{date}}\n---\n# One\n")
    assert [warning.code for warning in document.warnings] == ["FRONT_MATTER_INVALID"]
    assert document.metadata.properties == {}
    assert [section.title for section in document.sections] == ["One"]


@pytest.mark.parametrize(
    ("kind", "body", "properties"),
    [
        ("yaml", "a: 12:30\nb: no\nc: 010\nd: 2024-01-05\n", {"a": "12:30", "b": "no", "c": 10, "d": "2024-01-05"}),
        ("yaml", "a: true\nb: ~\nc:\nd: 1.5\ne: 0x1F\nf: .nan\n", {"a": True, "b": None, "c": None, "d": 1.5, "e": 31, "f": "nan"}),
        ("yaml", "a: &x [1, 2]\nb: *x\n", {"a": [1, 2], "b": [1, 2]}),
        ("yaml", "1: one\n", {"1": "one"}),
        ("yaml", 'a: "x\\0y"\n', {"a": "x\ufffdy"}),
        ("yaml", "# nothing but words\n", {}),
        ("toml", 'a = 1\nd = 2024-01-05\n[b]\nc = ["x"]\n', {"a": 1, "d": "2024-01-05", "b": {"c": ["x"]}}),
    ],
)  # fmt: skip
def test_properties_are_plain_data(kind: str, body: str, properties: dict[str, object]) -> None:
    """YAML 1.2 as editors write it today: times, dates and words stay what was typed."""
    assert properties == parse(kind, body)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("yaml", "a: b: c"),
        ("yaml", "- a\n- b"),
        ("yaml", "a: " + "[" * 100 + "]" * 100),
        ("yaml", "\n".join(["a: &a [1,1,1,1,1,1,1,1,1,1]", *(f"{b}: &{b} [{','.join(['*' + a] * 10)}]" for a, b in zip("abcde", "bcdef", strict=True))])),
        ("yaml", "a: &a [*a]"),
        ("yaml", "a: !!python/object/apply:os.system [ls]"),
        ("yaml", "a: " + "x" * 300_000),
        ("yaml", "a: \x01"),
        ("toml", "a = "),
        ("toml", "a = " + "[" * 5000),
    ],
)  # fmt: skip
def test_hostile_front_matter_is_refused(kind: str, body: str) -> None:
    """Bombs, loops, depth, tags that run code and plain mistakes end alike, and quickly."""
    with pytest.raises(PropertiesError):
        parse(kind, body)


@given(st.sampled_from(["yaml", "toml"]), st.text(max_size=60))
def test_any_front_matter_is_read_or_refused(kind: str, body: str) -> None:
    """Nothing else is raised for any text between the fences."""
    try:
        found = parse(kind, body)
    except PropertiesError:
        return
    assert all(isinstance(key, str) for key in found)
