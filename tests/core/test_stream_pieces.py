"""`stream` of strings that arrive one by one: the chunks of the joined text, and little of it held."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import cleanbreak as cb
from cleanbreak.core.splitters import boundary
from cleanbreak.errors import SettingsError, SplitError, TextInvalidError

PROSE = (
    "He wrote, as ever, of the wind; it rose. “Don't go,” she said. No. 7 was 3.14 miles on. "
    "Dr. Ortiz left at 5 p.m. on Friday (the 3rd) and never came back to the house by the sea.\n\n"
)
WRAPPED = (
    "It was a dark and stormy night; the rain fell in torrents, except at\n"
    "occasional intervals, when it was checked by a violent gust of wind\n"
    "which swept up the streets. The lamps struggled against the darkness.\n\n"
)
SPLITTERS: dict[str, dict[str, Any]] = {
    "boundary": {},
    "sentences": {"max_sentences": 3},
    "tokens": {"max_tokens": 40, "measure": "words", "overlap_tokens": 5},
    "markdown": {"chunk_size": 300},
}
TEXTS = {
    "prose": PROSE * 60,
    "hard-wrapped": WRAPPED * 60,
    "CR LF": PROSE.replace("\n", "\r\n") * 60,
    "no break": "x" * 9_000,
    "Chinese": "他说：“好。”然后走了，没有回头。" * 600,
    "blank runs": ("One. Two three.\n" + " \n" * 3000) * 3,
    "one blank run": "One." + "\n" * 20_000 + "Two.",
    "marks on a letter": "a" + "\u0301" * 9_000 + " b." + " c" * 2000,
    "family": "\U0001f469\u200d\U0001f467" * 2_500,
    "zero width spaces": ("ab.\u200b" + "\u200b" * 700) * 20,
}


@pytest.fixture
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that texts of some thousand characters are cut in many windows."""
    monkeypatch.setattr(boundary, "_READ", 500)
    monkeypatch.setattr(boundary, "SAMPLED", 1000)


def pieces(text: str, longest: int = 600) -> Iterator[str]:
    """The text in pieces of any length, some of them empty."""
    rng, at = random.Random(len(text)), 0
    while at < len(text):
        length = rng.choice((0, 1, 80, longest))
        yield text[at : at + length]
        at += length


def assert_same(streamed: list[cb.Chunk], text: str, splitter: cb.Splitter) -> None:
    """Equal in every field, the ids among them."""
    split = splitter.split(text)
    assert streamed == split
    assert [chunk.id for chunk in streamed[:3]] == [chunk.id for chunk in split[:3]]


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("settings", [(1000, 200, 100), (60, 50, 90), (7, 3, 0)])
def test_pieces_are_cut_as_the_joined_text(
    kind: str, settings: tuple[int, int, int], small_windows: None
) -> None:
    """Also where a chunk needs text from far before it, or a blank run has no end."""
    text = TEXTS[kind]
    splitter = cb.BoundarySplitter(*settings)
    assert_same(list(splitter.stream(pieces(text))), text, splitter)


@pytest.mark.parametrize("by", SPLITTERS)
@pytest.mark.parametrize("text", ["", " \n", PROSE, WRAPPED * 3, "# A\n\nb\n\n# C\n\nd"])
def test_every_splitter_takes_pieces(by: str, text: str) -> None:
    """Those that need the whole text wait for it."""
    splitter = cb.make_splitter(by, **SPLITTERS[by])
    assert_same(list(splitter.stream(pieces(text, 7))), text, splitter)


def test_own_separators_are_found_in_pieces(small_windows: None) -> None:
    """A separator may arrive in two of them."""
    splitter = cb.BoundarySplitter(500, 400, 0, separators=["\n%%%\n", ". "])
    text = (PROSE * 3 + "\n%%%\n") * 30
    assert_same(list(splitter.stream(pieces(text, 9))), text, splitter)


def test_the_boundary_splitter_holds_a_bounded_window() -> None:
    """What has come and is not yet in a chunk stays below a fixed size, however long the text."""
    came = 0

    def arriving() -> Iterator[str]:
        nonlocal came
        for _ in range(2_500):
            came += len(PROSE)
            yield PROSE

    held = max(came - chunk.end for chunk in cb.BoundarySplitter().stream(arriving()))
    assert came > 440_000 > 3 * held


def test_an_id_is_known_when_the_stream_has_ended() -> None:
    """Before that it is refused, as the text that it depends on is not known."""
    stream = cb.BoundarySplitter().stream(pieces(PROSE * 600))
    first = next(stream)
    with pytest.raises(SplitError, match="still to come"):
        _ = first.id
    assert len(list(stream)) > 100
    assert first.id == cb.split(PROSE * 600)[0].id


@pytest.mark.parametrize("wrong", [b"bytes", bytearray(b"bytes"), {"a": "b"}, 7, None])
def test_what_is_no_text_is_refused(wrong: object) -> None:
    """Bytes have an encoding, and this is not the place to guess it."""
    with pytest.raises(SettingsError, match="source"):
        list(cb.BoundarySplitter().stream(wrong))  # type: ignore[arg-type]


@pytest.mark.parametrize("by", SPLITTERS)
def test_a_piece_that_is_no_string_is_refused(by: str) -> None:
    """By type, without its content."""
    with pytest.raises(SettingsError, match="bytes"):
        list(cb.make_splitter(by, **SPLITTERS[by]).stream(["a", b"secret"]))  # type: ignore[list-item]


def test_split_takes_no_list_of_texts() -> None:
    """It may be meant as many texts, for which there is `split_many`."""
    with pytest.raises(SettingsError, match="list"):
        cb.BoundarySplitter().split(["a", "b"])  # type: ignore[arg-type]


def test_a_lone_surrogate_in_a_piece_is_named_by_its_place() -> None:
    """In the text, not in the piece."""
    with pytest.raises(TextInvalidError, match="offset 5,"):
        list(cb.BoundarySplitter().stream(["abc", "de\ud800"]))
