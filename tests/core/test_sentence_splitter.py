"""What `SentenceSplitter` promises, rule by rule."""

import pickle
import tracemalloc
from collections.abc import Iterator
from textwrap import fill

import pytest

import cleanbreak as cb
from cleanbreak.core.splitters import splitter_for
from cleanbreak.errors import IndivisibleTextError, SettingsError

FIVE = "Ann sat down. Bo ran off. Cy hid well. Di won big. Ed lost. "


def texts(splitter: cb.SentenceSplitter, text: str) -> list[str]:
    return [chunk.text for chunk in splitter.split(text)]


def both(splitter: cb.SentenceSplitter, text: str) -> list[tuple[str, str]]:
    return [(chunk.overlap_text, chunk.text) for chunk in splitter.split(text)]


# --- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_sentences": 0},
        {"max_sentences": True},
        {"max_sentences": 2.0},
        {"max_tokens": -1},
        {"max_tokens": float("nan")},
        {"max_tokens": 10**12},
        {"max_tokens": 9, "overlap_percent": 76},
        {"max_tokens": 9, "overlap_percent": -1},
        {"max_tokens": 9, "overlap_percent": 0.2},
        {"max_tokens": 9, "language": ""},
        {"max_tokens": 9, "language": None},
        {"max_tokens": 9, "measure": "inches"},
        {"max_tokens": 9, "oversize": "drop"},
        {"max_tokens": 9, "segmenter": "lines"},
    ],
)
def test_settings_are_refused_when_built(settings: dict[str, object]) -> None:
    """No limit at all, or a setting out of its range, is refused before any text is seen."""
    with pytest.raises(SettingsError):
        cb.SentenceSplitter(**settings)  # type: ignore[arg-type]


def test_without_a_limit_both_are_named() -> None:
    """The sentence says what to give, and the details name the settings."""
    with pytest.raises(
        SettingsError, match=r"^Give max_sentences, max_tokens or both\.$"
    ) as caught:
        cb.SentenceSplitter()
    assert caught.value.details["allowed"] == ("max_sentences", "max_tokens")


# --- the three modes -----------------------------------------------------------------------------


def test_by_sentences() -> None:
    """So many sentences in each chunk; the last has what is left."""
    assert texts(cb.SentenceSplitter(max_sentences=2), FIVE) == [
        "Ann sat down. Bo ran off. ",
        "Cy hid well. Di won big. ",
        "Ed lost. ",
    ]


def test_by_tokens() -> None:
    """Whole sentences as long as they fit; the chunk ends before the one that does not."""
    assert texts(cb.SentenceSplitter(max_tokens=8), FIVE) == [
        "Ann sat down. Bo ran off. ",
        "Cy hid well. Di won big. Ed lost. ",
    ]


def test_by_tokens_clauses_do_not_fill_up() -> None:
    """With tokens alone, a sentence that fits in a chunk of its own is never parted."""
    text = "Ann sat. Bo came, saw, went. "
    assert texts(cb.SentenceSplitter(max_tokens=5), text) == ["Ann sat. ", "Bo came, saw, went. "]


def test_by_both_clauses_fill_up() -> None:
    """With both limits, first clauses of the next sentence use the tokens that are left."""
    text = "Ann sat. Bo came, saw, went. "
    splitter = cb.SentenceSplitter(max_sentences=2, max_tokens=5)
    assert texts(splitter, text) == ["Ann sat. Bo came, saw, ", "went. "]


def test_by_both_sentences_end_a_chunk() -> None:
    """Where the number of sentences is reached first, no clause of another one is taken."""
    text = "Ann sat. Bo came, saw, went. "
    splitter = cb.SentenceSplitter(max_sentences=1, max_tokens=5)
    assert texts(splitter, text) == ["Ann sat. ", "Bo came, saw, went. "]


def test_token_count_is_that_of_the_text_alone() -> None:
    """Overlap is not part of the text, so it is not counted with it."""
    chunks = cb.SentenceSplitter(max_tokens=8, overlap_percent=40).split(FIVE)
    assert [len(chunk.text.split()) for chunk in chunks] == [c.token_count for c in chunks]


# --- what is too long ----------------------------------------------------------------------------


def test_long_sentence_is_cut_after_clauses() -> None:
    """As many clauses as fit, and the rest goes on with the sentences that follow."""
    text = "Ann came, then Bo, and Cy too, at last. Di slept."
    assert texts(cb.SentenceSplitter(max_tokens=5), text) == [
        "Ann came, then Bo, ",
        "and Cy too, at last. ",
        "Di slept.",
    ]


def test_long_clause_is_cut_between_words() -> None:
    """Without a clause that fits, words stay whole."""
    assert texts(cb.SentenceSplitter(max_tokens=3), "one two three four five six seven") == [
        "one two three ",
        "four five six ",
        "seven",
    ]


def test_no_break_space_holds_words_together() -> None:
    """A no-break space is not a place between words."""
    assert texts(
        cb.SentenceSplitter(max_tokens=6, measure="characters"), "about 10\u00a0km north"
    ) == ["about ", "10\u00a0km ", "north"]


def test_long_word_is_cut_between_whole_characters() -> None:
    """An accent stays with its letter and a flag whole, though the limit lies inside."""
    splitter = cb.SentenceSplitter(max_tokens=5, measure="characters")
    assert texts(splitter, "e\u0301" * 4) == ["e\u0301e\u0301", "e\u0301e\u0301"]
    assert texts(splitter, "🇫🇷🇯🇵🇧🇷") == ["🇫🇷🇯🇵", "🇧🇷"]


def test_long_character_is_cut_between_code_points() -> None:
    """A family of five code points, at a limit of two, has no other way."""
    family = "👨\u200d👩\u200d👧"
    splitter = cb.SentenceSplitter(max_tokens=2, measure="characters")
    assert [len(text) for text in texts(splitter, family)] == [2, 2, 1]


def test_indivisible_character_is_refused_without_showing_it() -> None:
    """The error names the place and the limit, not the text."""
    splitter = cb.SentenceSplitter(max_tokens=2, measure=lambda text: len(text.encode()))
    with pytest.raises(IndivisibleTextError) as caught:
        texts(splitter, "ab 龘")
    assert (caught.value.details["offset"], caught.value.details["limit"]) == (3, 2)
    assert "龘" not in str(caught.value)


def test_indivisible_character_is_let_through_where_asked() -> None:
    """It is a chunk of its own and says so; its neighbours keep to the limit."""
    splitter = cb.SentenceSplitter(
        max_tokens=2, measure=lambda text: len(text.encode()), oversize="emit"
    )
    chunks = splitter.split("ab龘cd")
    assert [(c.text, c.oversize) for c in chunks] == [("ab", False), ("龘", True), ("cd", False)]


def test_line_ends_go_before_clauses() -> None:
    """In text that is not hard-wrapped somebody meant the line ends."""
    text = "milk, two\neggs, ten\nrice, one\n"
    assert texts(cb.SentenceSplitter(max_tokens=3), text) == [
        "milk, two\n",
        "eggs, ten\n",
        "rice, one\n",
    ]


def test_wrapped_newline_is_a_space() -> None:
    """In hard-wrapped text a line end is no place to cut: the clauses are."""
    sentence = "they came at night, " + "walking slowly over the hills and down the road, " * 12
    wrapped = fill(sentence * 3, 64)
    assert cb.is_hard_wrapped(wrapped)
    for text in texts(cb.SentenceSplitter(max_tokens=30), wrapped)[:-1]:
        assert text.rstrip().endswith(",")


# --- blank text ----------------------------------------------------------------------------------


@pytest.mark.parametrize("blank", ["", " ", "\n\n", "\u3000\t\x0c\x1f\u2028"])
def test_blank_text_gives_no_chunks(blank: str) -> None:
    """There is nothing to find in it."""
    assert texts(cb.SentenceSplitter(max_sentences=1), blank) == []


def test_blanks_stay_on_the_left() -> None:
    """White space after a sentence is the sentence's, before the first the first's."""
    assert texts(cb.SentenceSplitter(max_sentences=1), "\n Ann sat.  \n\n Bo ran.\n\n") == [
        "\n Ann sat.  \n\n ",
        "Bo ran.\n\n",
    ]


def test_blanks_over_the_limit_join_what_follows() -> None:
    """Where the limit leaves no room on the left, blanks go right rather than alone."""
    splitter = cb.SentenceSplitter(max_tokens=10, measure="characters")
    assert texts(splitter, "a" * 10 + " " * 5 + "b" * 10) == ["a" * 10, " " * 5 + "b" * 5, "b" * 5]


def test_blanks_at_the_end_take_a_word_along() -> None:
    """The last chunk is not blank either."""
    splitter = cb.SentenceSplitter(max_tokens=10, measure="characters")
    assert texts(splitter, "one two six   ") == ["one two ", "six   "]
    assert texts(splitter, "a" * 10 + "  ") == ["a" * 9, "a  "]


def test_blanks_longer_than_the_limit_are_not_lost() -> None:
    """A run of blanks longer than a chunk is the one thing that makes a blank chunk."""
    splitter = cb.SentenceSplitter(max_tokens=10, measure="characters")
    text = "Ann." + " " * 40 + "Bo."
    assert text == "".join(texts(splitter, text))


# --- overlap -------------------------------------------------------------------------------------


def test_overlap_is_whole_clauses() -> None:
    """The last clauses of the chunk before, at most the share of the limit that was asked."""
    text = "When the bell rang, the children ran; the teacher smiled, slowly, and shut the door."
    assert both(cb.SentenceSplitter(max_tokens=10, overlap_percent=50), text) == [
        ("", "When the bell rang, the children ran; the teacher smiled, "),
        ("the teacher smiled, ", "slowly, and shut the door."),
    ]


def test_overlap_by_sentences_is_a_share_of_the_clauses() -> None:
    """Without a limit of tokens the share is counted in clauses, at least one of them."""
    text = "One, two, three, four. Five, six. Seven. "
    splitter = cb.SentenceSplitter(max_sentences=2, overlap_percent=20)
    assert both(splitter, text) == [
        ("", "One, two, three, four. Five, six. "),
        ("Five, six. ", "Seven. "),
    ]


def test_overlap_counts_as_sentences_too() -> None:
    """With two sentences a chunk and one of them in the overlap, one is new."""
    splitter = cb.SentenceSplitter(max_sentences=2, overlap_percent=50)
    assert both(splitter, FIVE) == [
        ("", "Ann sat down. Bo ran off. "),
        ("Bo ran off. ", "Cy hid well. "),
        ("Cy hid well. ", "Di won big. "),
        ("Di won big. ", "Ed lost. "),
    ]


def test_one_sentence_a_chunk_leaves_no_room_for_another() -> None:
    """A part of a second sentence would be over the limit of one."""
    chunks = cb.SentenceSplitter(max_sentences=1, overlap_percent=75).split(FIVE)
    assert {""} == {chunk.overlap_text for chunk in chunks}


def test_overlap_falls_to_words() -> None:
    """A last clause over the size asked gives its last words, not nothing."""
    splitter = cb.SentenceSplitter(max_tokens=8, overlap_percent=25)
    assert both(splitter, FIVE)[1] == ("ran off. ", "Cy hid well. Di won big. ")


def test_overlap_falls_to_characters() -> None:
    """Scripts without spaces have overlap as well."""
    splitter = cb.SentenceSplitter(max_tokens=10, overlap_percent=30, measure="characters")
    assert both(splitter, "春天来了花开了鸟唱歌水流山静云白") == [
        ("", "春天来了花开了鸟唱歌"),
        ("鸟唱歌", "水流山静云白"),
    ]


def test_overlap_gives_way_to_a_whole_sentence() -> None:
    """Before a sentence is parted the overlap gets shorter."""
    text = "Ann sat down, calm, still. Bo ran and ran and ran off. "
    splitter = cb.SentenceSplitter(max_tokens=8, overlap_percent=50)
    assert both(splitter, text)[1] == ("still. ", "Bo ran and ran and ran off. ")


def test_overlap_is_not_lost_to_a_full_sentence() -> None:
    """A sentence that fills the limit is parted, as else the overlap asked for would be dropped."""
    text = "Ann sat down. Bo ran off, then he came back, safe. "
    splitter = cb.SentenceSplitter(max_tokens=8, overlap_percent=40)
    assert both(splitter, text) == [
        ("", "Ann sat down. "),
        ("Ann sat down. ", "Bo ran off, "),
        ("Bo ran off, ", "then he came back, safe. "),
    ]


# --- languages -----------------------------------------------------------------------------------


def test_language_is_passed_on() -> None:
    """What ends a sentence depends on the language named."""
    text = "Am 3. Oktober kam er. Dann ging er."
    assert texts(cb.SentenceSplitter(max_sentences=1, language="de-AT"), text) == [
        "Am 3. Oktober kam er. ",
        "Dann ging er.",
    ]


def test_segmenter_replaces_the_rules() -> None:
    """A caller's own spans are taken, but never cut a character."""
    splitter = cb.SentenceSplitter(
        max_sentences=1, segmenter=lambda text: [(0, 4), (4, 5), (5, len(text))]
    )
    assert texts(splitter, "abce\u0301fg") == ["abce\u0301", "fg"]
    assert not splitter.recipe.lockable


# --- recipes, cost -------------------------------------------------------------------------------


def test_recipe_builds_the_same_splitter() -> None:
    """From the stored recipe alone come the same chunks with the same ids."""
    splitter = cb.SentenceSplitter(2, 9, 30, "en", "characters", oversize="emit")
    again = splitter_for(cb.Recipe.from_dict(splitter.recipe.as_dict()))
    assert splitter.recipe == again.recipe
    assert [c.id for c in splitter.stream(FIVE)] == [c.id for c in again.stream(FIVE)]


def test_every_setting_is_in_the_recipe() -> None:
    """Two splitters that may cut differently have different recipes."""
    recipes = {
        cb.SentenceSplitter(2, 9).recipe.digest,
        cb.SentenceSplitter(3, 9).recipe.digest,
        cb.SentenceSplitter(2, 8).recipe.digest,
        cb.SentenceSplitter(2, 9, 10).recipe.digest,
        cb.SentenceSplitter(2, 9, language="de").recipe.digest,
        cb.SentenceSplitter(2, 9, measure="characters").recipe.digest,
        cb.SentenceSplitter(2, 9, oversize="emit").recipe.digest,
    }
    assert len(recipes) == 7


def test_splitter_can_travel_to_a_worker() -> None:
    """Pickled and read again it cuts the same."""
    splitter = cb.SentenceSplitter(2, 9, 30)
    again = pickle.loads(pickle.dumps(splitter))
    assert texts(splitter, FIVE) == texts(again, FIVE)


class CountingWords:
    """Counts words, and how it was asked."""

    name = None

    def __init__(self) -> None:
        self.calls = self.characters = self.longest = 0

    def __call__(self, text: str, /) -> int:
        self.calls += 1
        self.characters += len(text)
        self.longest = max(self.longest, len(text))
        return len(text.split())


PROSE = "The harbour lay still, and nobody spoke. Then a bell rang, twice; the boats turned. " * 400


@pytest.mark.parametrize(
    ("settings", "calls", "times"),
    [
        ({"max_sentences": 5}, 1, 1.1),
        ({"max_tokens": 200}, 5, 4.5),
        ({"max_tokens": 200, "max_sentences": 20, "overlap_percent": 20}, 9, 8),
    ],
)
def test_counts_are_few_and_short(settings: dict[str, int], calls: int, times: float) -> None:
    """A few counts a chunk, of about its own length: never of the text so far."""
    measure = CountingWords()
    chunks = list(cb.SentenceSplitter(**settings, measure=measure).stream(PROSE))  # type: ignore[arg-type]
    assert measure.calls <= calls * len(chunks)
    assert measure.characters <= times * len(PROSE)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["word ", "w", "w, ", "w\n", " ", "\u0301", "中", "。", '"', "("])
@pytest.mark.parametrize("percent", [0, 30])
def test_cost_is_linear_on_one_endless_sentence(unit: str, percent: int) -> None:
    """Twice the text costs about twice the counting, whatever it is made of."""
    spent = []
    for length in (20_000, 40_000):
        measure = CountingWords()
        text = "a" + unit * (length // len(unit))
        splitter = cb.SentenceSplitter(
            max_tokens=50, overlap_percent=percent, measure=lambda t, m=measure: m(t) + len(t)
        )
        for _ in splitter.stream(text):
            pass
        spent.append(measure.characters)
    assert spent[1] <= 2.5 * spent[0]


def test_stream_is_lazy() -> None:
    """The first chunk comes when a handful of sentences were found, not all."""
    found = 0

    def segmenter(text: str) -> Iterator[tuple[int, int]]:
        nonlocal found
        for at in range(0, len(text), 10):
            found += 1
            yield at, at + 10

    splitter = cb.SentenceSplitter(max_tokens=20, segmenter=segmenter)
    next(splitter.stream("word word " * 10_000))
    assert found < 100


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["The bell rang, twice; the boats turned. ", "no marks at all ", "nospacesatall"]
)
def test_stream_needs_no_more_memory_for_more_text(unit: str) -> None:
    """Beyond the text itself, streaming holds a chunk or two, whatever the text's length."""
    splitter = cb.SentenceSplitter(20, 400, 20, measure="characters")
    peaks = []
    for length in (80_000, 240_000):
        text = unit * (length // len(unit)) + " " * 2000
        tracemalloc.start()
        for _ in splitter.stream(text):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 80_000


@pytest.mark.parametrize(
    ("text", "settings", "expected"),
    [
        (
            "The wind rose early. Nobody on the ship slept that night.",
            {},
            ["The wind rose early.", " Nobody on the ship ", "slept that night."],
        ),
        (
            "The wind rose early.\n\nNobody slept.",
            {"max_sentences": 1},
            ["The wind rose early.", "\n\nNobody ", "slept."],
        ),
    ],
)
def test_the_blank_behind_a_sentence_that_fills_the_chunk_was_a_chunk(
    text: str, settings: dict[str, int], expected: list[str]
) -> None:
    """It goes to the next chunk, whatever level that one is cut at."""
    splitter = cb.SentenceSplitter(max_tokens=20, measure="characters", **settings)
    assert texts(splitter, text) == expected


def test_a_paragraph_end_in_the_last_third_beats_the_last_sentence_end() -> None:
    """Earlier ones do not, and no limit of sentences is cut short."""
    text = "One two. Three four.\n\nFive. Six seven eight nine ten.\n\nEnd."
    assert texts(cb.SentenceSplitter(max_tokens=5), text)[0] == "One two. Three four.\n\n"
    assert texts(cb.SentenceSplitter(max_tokens=10), text)[0] == text[: text.index("End.")]
    early = "One.\n\nTwo three four. Five six."
    assert texts(cb.SentenceSplitter(max_tokens=5), early)[0] == "One.\n\nTwo three four. "
    assert texts(cb.SentenceSplitter(max_sentences=3), text)[0].endswith("Five. ")
