"""The cases of text that is hard to cut, which lie beside the project: one test a case.

A case listed in `pending.SPLITTING` does not hold yet; the list is strict, so whoever makes one
hold takes it out.
"""

import json
import pickle
import random
import string
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import cleanbreak as cb
from cleanbreak.errors import IndivisibleTextError, TextInvalidError
from laws import GRAPHEME
from pending import SPLITTING, marks
from tokenizers_for_tests import cl100k

FILE = Path(__file__).parents[2].parent / "shared" / "cases" / "splitting.jsonl"
LINES = FILE.read_text("utf-8").splitlines() if FILE.is_file() else []
CASES = [case for case in map(json.loads, LINES) if case["settings"]["mode"] != "ingest"]
INVISIBLE = "\ufeff\u200b"


def parameters(modes: set[str]) -> list[Any]:
    return [
        pytest.param(case, id=case["id"], marks=marks(SPLITTING, case["id"]))
        for case in CASES
        if case["settings"]["mode"] in modes
    ]


@pytest.mark.usefixtures("shared")
def test_the_cases_are_here() -> None:
    """A file of cases that is found is not found empty, and the pending ones are among them."""
    assert len(CASES) > 150
    assert {case["id"] for case in CASES} >= set(SPLITTING)


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("case", parameters({"sentences", "clauses"}))
def test_sentences_and_clauses(case: dict[str, Any]) -> None:
    text, check = case["input"], case["check"]
    if "props" in check:
        check_chunks(case)
        return
    if expected := check.get("clauses"):
        assert expected == [text[start:end] for start, end in cb.clauses(text)]
        return
    if "clauses" in check:
        check_clause_overlap(text)
        return
    for language in (case["settings"]["lang"], "auto"):
        spans = cb.sentences(text, language)
        assert check["sentences"] == [text[start:end].strip() for start, end in spans], language


def check_clause_overlap(text: str) -> None:
    """With 12 tokens and an overlap of 6: what is repeated are whole clauses, and nothing else."""
    splitter = cb.SentenceSplitter(
        max_tokens=12, overlap_percent=50, measure=counter("cl100k_base")
    )
    chunks = splitter.split(text)
    starts = {start for start, _ in cb.clauses(text)}
    for chunk in chunks[1:]:
        overlap_start = chunk.start - len(chunk.overlap_text)
        assert chunk.overlap_text
        assert text[overlap_start : chunk.start] == chunk.overlap_text
        assert {overlap_start, chunk.start} <= starts
    assert len(chunks) > 1


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("case", parameters({"tokens", "markdown", "boundary"}))
def test_chunks(case: dict[str, Any]) -> None:
    check_chunks(case)


def check_chunks(case: dict[str, Any]) -> None:
    settings, check, source = case["settings"], case["check"], build(case["input"])
    text = source if isinstance(source, str) else source.text
    measure = counter(settings.get("tokenizer", "chars"))
    splitter = make(settings, measure)
    if case["settings"].get("pickled") or "pickled" in case["check"]:
        splitter = pickle.loads(pickle.dumps(splitter))
    try:
        chunks = splitter.split(source)
    except (IndivisibleTextError, TextInvalidError):
        assert "error" in case["expect"]  # one that names the character is an answer
        return
    for name in check.get("props", []):
        assert PROPERTIES[name](text, chunks, settings, cb_measure(measure)), name
    for whole in check.get("intact", []):
        assert any(whole in chunk.text for chunk in chunks), whole
    for marker, path in check.get("paths", {}).items():
        (chunk,) = [chunk for chunk in chunks if marker in chunk.text]
        assert path == [heading.title for heading in chunk.heading_path or ()], marker
    for overlap in check.get("overlaps", []):
        assert overlap in [chunk.overlap_text for chunk in chunks]
    cuts = [chunk.start for chunk in chunks[1:]]
    for inside in check.get("no_cut_inside", []):
        at = text.index(inside)
        assert not any(at < cut < at + len(inside) for cut in cuts), inside
    if "split_only_at" in check:  # line ends
        assert all(text[cut - 1] in "\r\n" for cut in cuts)
    if "min_fill" in check:
        sizes = [cb_measure(measure)(chunk.text) for chunk in chunks[:-1]]
        assert not sizes or sum(sizes) / len(sizes) >= check["min_fill"] * settings["size"]


def make(settings: dict[str, Any], measure: Any) -> Any:
    size, overlap = settings["size"], settings["overlap"]
    if settings["mode"] == "boundary":
        return cb.BoundarySplitter(size, settings.get("max_lookback", size), overlap)
    if settings["mode"] == "markdown":
        return cb.MarkdownSplitter(size, overlap, measure)
    if settings["mode"] == "sentences":
        percent = settings.get("overlap_percent", 0)
        tokens = settings.get("max_tokens", size)
        named = settings.get("measure", measure)
        return cb.SentenceSplitter(max_tokens=tokens, overlap_percent=percent, measure=named)
    return cb.TokenSplitter(size, measure, overlap)


def counter(name: str) -> Any:
    """What the case counts by: a measure's name, or a tokenizer."""
    if name in ("chars", "words"):
        return {"chars": "characters", "words": "words"}[name]
    if name == "utf8 bytes":
        return lambda text: len(text.encode())
    if name == "cl100k_base":
        encoding = cl100k()
        return lambda text: len(encoding.encode(text, disallowed_special=()))
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(FILE.parents[1] / "tokenizers" / f"{name}.json"))


def cb_measure(measure: Any) -> Any:
    from cleanbreak.core.measures.measure import as_measure

    return as_measure(measure)


def build(recipe: str | dict[str, Any]) -> Any:
    if isinstance(recipe, str):
        return recipe
    if "file" in recipe:
        return cb.read(FILE.parents[2] / recipe["file"])
    if recipe["gen"] == "random_base64":
        alphabet = string.ascii_letters + string.digits + "+/"
        return "".join(random.Random(recipe["seed"]).choices(alphabet, k=recipe["chars"]))
    if recipe["gen"] == "concat":
        return "".join(map(build, recipe["parts"]))
    return recipe.get("pre", "") + recipe["unit"] * recipe["times"] + recipe.get("post", "")


# --- the properties, by the names that the cases use ----------------------------------------------


def _lossless(text, chunks, settings, measure):
    if not text.strip() and settings["mode"] != "boundary":
        return chunks == []  # settled in the design: a blank document has none
    return "".join(chunk.text for chunk in chunks) == text


def _covers(text, chunks, settings, measure):
    return all(before.end == after.start for before, after in pairwise(chunks)) and (
        not chunks or (chunks[0].start, chunks[-1].end) == (0, len(text))
    )


def _offsets(text, chunks, settings, measure):
    utf8 = text.encode()
    return all(
        text[c.start : c.end] == c.text == utf8[c.byte_start : c.byte_end].decode() for c in chunks
    )


def _budget(text, chunks, settings, measure):
    return all(measure(chunk.text) <= settings["size"] for chunk in chunks)


def _together(text, chunks, settings, measure):
    limit = settings.get("max_tokens", settings["size"])
    return all(measure(chunk.overlap_text + chunk.text) <= limit for chunk in chunks)


def _nonblank(text, chunks, settings, measure):
    return all(chunk.text.strip() for chunk in chunks)


def _utf8(text, chunks, settings, measure):
    return sum(chunk.text.count("\ufffd") for chunk in chunks) == text.count("\ufffd")


def _graphemes(text, chunks, settings, measure):
    edges = {match.start() for match in GRAPHEME.finditer(text)}
    return all(chunk.start in edges for chunk in chunks)


def _crlf(text, chunks, settings, measure):
    return not any(text[c.start - 1 : c.start + 1] == "\r\n" for c in chunks if c.start)


def _progress(text, chunks, settings, measure):
    return all(before.start < after.start for before, after in pairwise(chunks))


def _overlapped(text, chunks, settings, measure):
    return all(chunk.overlap_text for chunk in chunks[1:])


def _overlap_at_word(text, chunks, settings, measure):
    starts = (chunk.start - len(chunk.overlap_text) for chunk in chunks[1:] if chunk.overlap_text)
    return not any(at and text[at - 1].isalnum() and text[at].isalnum() for at in starts)


def _chapters_apart(text, chunks, settings, measure):
    chapters = [[s for s in c.sections if s.kind == "chapter" and s.level == 1] for c in chunks]
    return all(len(touched) < 2 for touched in chapters)


def _nochunks(text, chunks, settings, measure):
    return not chunks


def _defined(text, chunks, settings, measure):
    return True


PROPERTIES = {
    name[1:]: value for name, value in globals().items() if name.startswith("_") and callable(value)
}
