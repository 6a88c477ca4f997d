"""Law 7: the same text and settings give the same chunks and ids, anywhere."""

import os
import pickle
import subprocess
import sys

import msgspec
import pytest

from cleanbreak import BoundarySplitter, Recipe, SentenceSplitter, TokenSplitter, split
from cleanbreak.core.splitters import splitter_for

TEXT = "One. Two. Three. \U0001f1eb\U0001f1f7 Four.\n\nFive." * 5


def test_equal_text_and_recipe_give_equal_chunks():
    assert split(TEXT, chunk_size=20) == split(TEXT, chunk_size=20)


def test_another_setting_gives_other_ids():
    ids = {chunk.id for chunk in split(TEXT, chunk_size=20)}
    assert ids.isdisjoint(chunk.id for chunk in split(TEXT, chunk_size=20, overlap_size=1))


def test_equal_text_at_two_places_has_two_ids():
    chunks = BoundarySplitter(2, 0, 0).split("abababab")
    assert len({chunk.id for chunk in chunks}) == len(chunks)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_ids_are_the_same_in_another_process_under_any_hash_seed(hash_seed):
    code = f"import cleanbreak as cb; print(*[c.id for c in cb.split({TEXT!r}, chunk_size=20)])"
    there = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONUTF8": "1"},
    )
    assert there.stdout.split() == [chunk.id for chunk in split(TEXT, chunk_size=20)]


def test_a_known_id():
    """Stored worlds hold ids: a change here is a change of format."""
    assert (
        split("One. Two.", chunk_size=5, soft_wraps="never")[0].id
        == "a87b40ec9386072d577ea57838da85b6"
    )


@pytest.mark.parametrize(
    ("splitter", "known"),
    [
        (
            BoundarySplitter(5, soft_wraps="never", find_split_point=lambda text, size, back: 3),
            "759591701f91c532e2225b4217792f8d",
        ),
        (
            SentenceSplitter(2, segmenter=lambda text: [(0, len(text))]),
            "3ea392411004d389a6335d46ab23ecfb",
        ),
        (TokenSplitter(5, len), "6dbeee5e7f94239c9a857f5293305185"),
    ],
)
def test_a_known_id_under_a_function_without_a_name(splitter, known):
    """The functions are not part of it, only that there is one."""
    assert splitter.split("abcdef")[0].id == known


def test_a_pickled_chunk_keeps_its_id_and_leaves_the_text_behind():
    chunk = split(TEXT, chunk_size=20)[1]
    pickled = pickle.dumps(chunk)
    assert pickle.loads(pickled) == chunk
    assert pickle.loads(pickled).id == chunk.id
    assert b"Five" not in pickled


def test_a_recipe_rebuilds_its_splitter():
    recipe = BoundarySplitter(20, 5, 3).recipe
    stored = msgspec.json.decode(msgspec.json.encode(recipe.as_dict()))
    again = splitter_for(Recipe.from_dict(stored))
    assert again.recipe == recipe
    assert again.split(TEXT) == BoundarySplitter(20, 5, 3).split(TEXT)


def test_a_logged_chunk_does_not_spill_its_text():
    chunk = split("secret", chunk_size=3)[1]
    assert "ret" not in repr(chunk) + str(chunk)
