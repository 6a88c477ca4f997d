"""`estimate_tokens` is near the real counts, and never claims to be one."""

import pytest
from hypothesis import given

from cleanbreak import estimate_tokens
from strategies import texts
from tokenizers_for_tests import cl100k

ENGLISH = [
    """The keeper climbed the stair at dusk, as his father had, and his grandfather before him. There
were a hundred and twelve steps; he no longer counted. At the top he wound the clockwork, trimmed
the four wicks and looked out over the bay, where the herring fleet lay at anchor like a village
that had slipped its moorings. "Wind from the north-west," he wrote, "freshening; sea moderate."
He had written it, or something very like it, eleven thousand times.""",
    """Release 4.2 reads archives of up to 64 GB. Earlier versions stopped at 2 GB, because the index
held 32-bit offsets; it now holds 64-bit ones, and old indexes are converted on first use. If you
pass `--dry-run`, nothing is written and the plan is printed. See the section on recovery for what
happens when the power fails halfway: in short, the journal is replayed, and at most one second of
work is lost. We measured 310 MB/s on a laptop from 2019.""",
    """Dear Margaret, you ask whether we shall come at Easter. I wish that I could say yes! But Thomas
has the measles, Cook has given notice, and the roof over the nursery lets in the rain; so that,
what with one misfortune and another, we are hardly fit to be seen. Perhaps in June? The garden
will be at its best then, and the children would so like to show you the ducks. Your loving sister,
Eleanor.""",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_within_a_tenth(text: str) -> None:
    """Prose, technical prose and a letter: within 10 % of what cl100k counts."""
    exact = len(cl100k().encode_ordinary(text))
    assert exact * 0.9 <= estimate_tokens(text) <= exact * 1.1


@pytest.mark.parametrize(
    "text",
    [
        "Жил старик со своею старухой у самого синего моря; они жили в ветхой землянке ровно тридцать лет и три года.",
        "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
        "Το νησί είναι μικρό και όμορφο, και οι άνθρωποι ζουν από τη θάλασσα.",
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    ],
)
def test_other_scripts_are_near(text: str) -> None:
    """Other scripts are guessed by their own cost a letter, not as English."""
    exact = len(cl100k().encode_ordinary(text))
    assert exact * 0.7 <= estimate_tokens(text) <= exact * 1.3


def test_nothing_is_no_tokens() -> None:
    """The empty text has none."""
    assert estimate_tokens("") == 0


@given(texts)
def test_any_text_has_an_estimate(text: str) -> None:
    """Never negative, never an error, and something for every word."""
    assert estimate_tokens(text) >= 0
    assert not text.strip() or estimate_tokens(f"word {text}") > 0
