"""Clauses: the places where a sentence that is too long may be parted."""

import pytest

from cleanbreak import clauses
from cleanbreak.core.sentences.clauses import iter_clauses


def parts(marked: str) -> tuple[list[str], list[str]]:
    """What an example says its clauses are (``|`` between them), and what they are found to be."""
    text = marked.replace("|", "")
    return marked.split("|"), [text[start:end] for start, end in clauses(text)]


@pytest.mark.parametrize(
    "marked",
    [
        "He came, |sat (for once) down; |then, |at last: |peace.",
        "It cost 12,500 euros at 10:45, |odds 3:1, |see http://a.example:80/x,y;z, |or so.",
        "“Come,” |he said, |“it is ‘late,’ |(so they say,) |friend.”",
        "They waited—|in vain—|for rain – |or snow. A 3–4 draw, |well–known.",
        'He cried—|"No!"—|and “then—” |silence.',
        "Le pain\u00a0; |le vin\u00a0: |tout.",
        "12,\u00a0000 words, |no more.",
        "雨停了，|花开了；|鸟叫、|风吹：|“好，”|他说。",
        "价格是１，０００元，|对。",
        "ذهب، |ثم عاد؛ |وقال ١،٥.",
        "وہ آیا، |بیٹھا۔ پھر گیا۔",
        "वह आया, |बैठा। फिर गया।",
        "እሱ፣ |እሷ፤ |እኛ።",
        "မိုး၊ |လေ။",
        "a,, |b;; |c",
        "no mark",
        "the last,",
        "x, |y,   ",
    ],
)
def test_where_clauses_end(marked: str) -> None:
    """Marks with their closers and white space stay with the clause before."""
    expected, found = parts(marked)
    assert expected == found


def test_empty_text_has_no_clauses() -> None:
    """While blank text is one, as clauses are a partition of whatever is given."""
    assert clauses("") == []
    assert clauses("  ") == [(0, 2)]


def test_a_cluster_is_never_cut() -> None:
    """A combining mark clings to the space after a comma."""
    assert len(clauses("a, \u0301b")) == 1


def test_a_window_gives_offsets_into_the_whole_text() -> None:
    """And is cut as if nothing stood around it."""
    assert list(iter_clauses("a, b, c, d", 3, 8)) == [(3, 6), (6, 8)]
