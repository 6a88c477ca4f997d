"""`combine_chunk_vectors`: one rule, one test."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak import combine_chunk_vectors
from cleanbreak.errors import DimensionMismatchError, SettingsError, VectorError

ONE, TWO = [1.0, 0.0], [0.0, 1.0]


def test_longer_chunks_weigh_more():
    """The default is the mean weighted by what is given as lengths."""
    assert combine_chunk_vectors([ONE, TWO], [300, 100]) == [0.75, 0.25]


def test_without_weights_all_count_alike():
    """The default strategy needs no weights."""
    assert combine_chunk_vectors([ONE, TWO]) == [0.5, 0.5]


def test_the_mean_ignores_weights():
    """Wrong ones, too, as they are not looked at."""
    assert combine_chunk_vectors([ONE, TWO], [-1], strategy="mean") == [0.5, 0.5]


def test_first_only_gives_the_first():
    """Unchanged."""
    assert combine_chunk_vectors([ONE, TWO], strategy="first_only") is ONE


@pytest.mark.parametrize("nothing", [[], (), np.empty((0, 3))])
def test_no_vectors_give_none(nothing):
    """A blank text has no chunks, so no vector."""
    assert combine_chunk_vectors(nothing) is None


def test_a_single_vector_is_given_back():
    """The very same object: nothing is computed."""
    only = np.array([1.0, 2.0], dtype=np.float32)
    assert combine_chunk_vectors([only], [7]) is only


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.float16])
def test_arrays_give_an_array_of_their_type(kind):
    """Same kind out as in."""
    mean = combine_chunk_vectors(np.array([ONE, TWO], dtype=kind), [1, 3])
    assert mean.dtype == kind
    assert mean.tolist() == [0.25, 0.75]


def test_whole_number_arrays_give_floats():
    """A mean of whole numbers need not be one."""
    assert combine_chunk_vectors(np.array([[1], [2]])).tolist() == [1.5]


@pytest.mark.parametrize("strategy", ["length_weighted_mean", "mean", "first_only"])
def test_dimensions_must_agree(strategy):
    """No silent blending of vectors of two models; the culprit is named."""
    with pytest.raises(DimensionMismatchError) as caught:
        combine_chunk_vectors([ONE, TWO, [1.0]], strategy=strategy)
    assert caught.value.details == {"index": 2, "dimension": 1, "expected": 2}


@pytest.mark.parametrize("bad", [[], np.array([]), b"ab", bytearray(b"ab"), "ab"])
def test_an_empty_vector_or_bytes_was_taken_for_a_vector(bad):
    """Each byte counted as a number, and a vector of no numbers as one."""
    with pytest.raises(VectorError, match="Vector 0 "):
        combine_chunk_vectors([bad])


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None, "1", 10**400])
@pytest.mark.parametrize("make", [list, np.array])
def test_what_is_not_finite_is_named(bad, make):
    """One NaN would poison the mean."""
    if make is np.array and not isinstance(bad, float):
        pytest.skip("not a number array")
    with pytest.raises(VectorError, match="Vector 1 "):
        combine_chunk_vectors([make(ONE), make([0.0, bad])])


@pytest.mark.parametrize("weights", [[], [1], [1, 2, 3]])
def test_weights_must_be_one_for_each(weights):
    """Too few or too many are an error, not a guess."""
    with pytest.raises(VectorError, match="weights for 2 vectors"):
        combine_chunk_vectors([ONE, TWO], weights)


@pytest.mark.parametrize("bad", [-1, math.nan, math.inf, None])
def test_a_weight_must_be_a_finite_number_from_0_up(bad):
    """The culprit is named."""
    with pytest.raises(VectorError, match="Weight 1 "):
        combine_chunk_vectors([ONE, TWO], [1, bad])


def test_weights_that_sum_to_nothing_are_refused():
    """There is no mean of nothing."""
    with pytest.raises(VectorError, match="All weights are 0"):
        combine_chunk_vectors([ONE, TWO], [0, 0])


def test_an_unknown_strategy_is_refused():
    """As a setting."""
    with pytest.raises(SettingsError):
        combine_chunk_vectors([ONE], strategy="median")


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0.001, 1e300)), min_size=2, max_size=8))
def test_the_mean_lies_between_and_lists_and_arrays_agree(pairs):
    """Whatever the weights, and the same by either way."""
    numbers, weights = [number for number, _ in pairs], [weight for _, weight in pairs]
    (mean,) = combine_chunk_vectors([[number] for number in numbers], weights)
    slack = 1e-9 * max(map(abs, numbers)) + 1e-300
    assert min(numbers) - slack <= mean <= max(numbers) + slack
    (again,) = combine_chunk_vectors([np.array([number]) for number in numbers], weights)
    assert again == pytest.approx(mean, rel=1e-9, abs=1e-6)


def test_lists_do_not_import_numpy():
    """Who has no numpy needs none."""
    code = (
        "import sys, cleanbreak as cb; cb.combine_chunk_vectors([[1.0], [2.0]], [1, 2]);"
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_nothing_at_all_gives_none() -> None:
    """As no vectors do."""
    assert combine_chunk_vectors(None) is None


@pytest.mark.parametrize("position", [0, 1])
def test_a_vector_that_is_none_is_named(position: int) -> None:
    """An embedder that failed on one chunk is told by its index."""
    vectors: list[list[float] | None] = [[1.0], [1.0]]
    vectors[position] = None
    with pytest.raises(VectorError) as caught:
        combine_chunk_vectors(vectors)
    assert caught.value.details == {"index": position}


class Tensor:
    """As tensors of other libraries are: a dtype that is none of numpy's, and a way to an array."""

    dtype = "torch.float32"

    def __init__(self, numbers: object) -> None:
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)  # type: ignore[arg-type]

    def __array__(self, dtype: object = None, copy: object = None) -> object:
        if self.numbers is None:
            raise RuntimeError("on another device")
        return np.asarray(self.numbers, dtype=np.float32)


def test_tensors_of_other_libraries_were_taken_for_arrays() -> None:
    """They are read as arrays, and so is their mean."""
    mean = combine_chunk_vectors([Tensor([1, 0]), Tensor([0, 1])])
    assert isinstance(mean, np.ndarray)
    assert mean.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    "bad",
    [
        np.ones((1, 3)),
        np.float64(3),
        np.array(3.0),
        np.array(["a", "b", "c"]),
        np.array([1j, 2, 3]),
        np.array([1, None, 3]),
        [1j, 2, 3],
        [[1.0], [2.0], [3.0]],
        "abc",
        Tensor([[1, 2, 3]]),
        Tensor(None),
    ],
)
def test_what_is_no_vector_of_real_numbers_raised_a_foreign_error(bad: object) -> None:
    """Or lost its imaginary part."""
    for vectors in ([bad], [bad, bad], [[1.0, 2.0, 3.0], bad]):
        with pytest.raises(VectorError):
            combine_chunk_vectors(vectors)
