"""`TokenSplitter` rule by rule, each with its example, and its cost counted in calls."""

import pickle

import pytest

from cleanbreak import (
    TokenSplitter,
    chunk_text_by_tokens,
    embedding_chunk_budget,
    estimate_tokens,
    is_hard_wrapped,
    make_token_counter,
    split,
)
from cleanbreak.core.measures.measure import FunctionMeasure, as_measure
from cleanbreak.core.packing import by_tokens as token_packing
from cleanbreak.errors import IndivisibleTextError, MeasureError, SettingsError, TextInvalidError
from tokenizers_for_tests import cl100k, tiktoken_cl100k, word_piece

PROSE = (
    "The keeper climbed the stair at dusk, as his father had. There were a hundred and twelve "
    "steps; he no longer counted.\n\nAt the top he wound the clockwork, trimmed the wicks and "
    "looked out over the bay. “Wind from the north,” he wrote.\n\n"
)


def words(text):
    return len(text.split())


def cut(text, max_tokens, measure="words", **settings):
    return [chunk.text for chunk in TokenSplitter(max_tokens, measure, **settings).split(text)]


# --- where it cuts -------------------------------------------------------------------------------


def test_a_text_that_fits_is_one_chunk():
    """Blank text around it included."""
    assert cut(" One two three. \n", 3) == [" One two three. \n"]


def test_a_paragraph_that_fits_stays_whole():
    """It is not begun to fill the chunk before it."""
    assert cut("One two.\n\nThree four. Five six.", 4) == ["One two.\n\n", "Three four. Five six."]


def test_a_paragraph_that_must_be_cut_fills_the_chunk_that_is_open():
    """Rather than leave it less than half full."""
    text = "One.\n\n" + "Two three. " * 4
    assert cut(text, 5)[0] == "One.\n\nTwo three. Two three."


def test_sentences_go_before_lines():
    """A newline inside a sentence is a worse place than a sentence's end."""
    assert cut("One two. Three\nfour five six.", 4) == ["One two.", " Three\nfour five six."]


def test_lines_go_before_words():
    """Verse and lists have no full stops."""
    assert cut("one two\nthree four five", 4) == ["one two\n", "three four five"]


def test_words_are_kept_whole():
    """Cuts stand before the spaces, as byte-pair tokenizers read words."""
    assert cut("one two three four", 3) == ["one two three", " four"]


def test_a_word_is_tried_whole_before_it_is_cut():
    """One token of many letters, at a limit of one token."""
    chunks = cut("alpha beta gamma delta epsilon", 1, cl100k())
    assert chunks[:3] == ["alpha", " beta", " gamma"]


def test_the_first_word_is_tried_whole_where_the_guess_went_from_too_long_to_too_short():
    """It is one token, though its letters are several; and what follows has many."""
    counts = {" world": 1, "world": 1, " wor": 2}

    def count(text: str) -> int:
        return counts.get(text.rstrip("\n"), len(text))

    assert cut(" world\nabcdefgh", 2, count)[:2] == [" world\n", "ab"]


def test_a_long_word_is_cut_into_full_chunks():
    """Between tokens, with no space put in."""
    text = "x7" * 1000
    chunks = TokenSplitter(40, cl100k()).split(text)
    assert "".join(chunk.text for chunk in chunks) == text
    assert min(chunk.token_count for chunk in chunks[:-1]) >= 30


def test_newlines_stay_with_the_text_before_them():
    """Blank lines of any kind, up to the next line's indentation."""
    assert cut("One two.\r\n \t\r\n  Three four.", 2) == ["One two.\r\n \t\r\n", "  Three four."]


def test_blank_text_at_the_end_takes_a_word_with_it_where_the_chunk_is_full():
    """No chunk is blank: the last word goes along."""
    chunks = cut("aaaa bbbb cccc   ", 14, len)
    assert "".join(chunks) == "aaaa bbbb cccc   "
    assert all(chunk.strip() for chunk in chunks)


@pytest.mark.parametrize("blank", ["", " ", "\n\n", "\u3000\u2028"])
def test_a_blank_text_has_no_chunks(blank):
    """And empty arrays."""
    assert cut(blank, 5) == []
    assert chunk_text_by_tokens(blank, words, 5) == ([], [])


def test_no_space_is_cut_that_may_not_be():
    """No-break spaces hold words together."""
    assert cut("10\u00a0km away", 2, lambda text: len(text.split(" "))) == ["10\u00a0km away"]


def test_clusters_and_cr_lf_stay_whole_where_they_fit():
    """A family, a flag, an accent, a line end."""
    assert cut("e\u0301" * 3, 3, len) == ["e\u0301"] * 3
    assert cut("🇫🇷🇯🇵", 3, len) == ["🇫🇷", "🇯🇵"]
    assert cut("a\r\n\r\nb", 3, len) == ["a\r\n", "\r\nb"]


def test_a_cluster_over_the_limit_is_cut_between_code_points():
    """Never inside one, and never with a replacement character."""
    family = "👩\u200d👩\u200d👧\u200d👦"
    chunks = TokenSplitter(4, cl100k()).split(family)
    assert "".join(chunk.text for chunk in chunks) == family
    assert all(chunk.token_count <= 4 and not chunk.oversize for chunk in chunks)


def test_a_code_point_over_the_limit_raises_or_is_flagged():
    """As the caller chose; its offset is told, the character is not."""
    with pytest.raises(IndivisibleTextError) as caught:
        cut("a 齉", 2, cl100k())
    assert caught.value.details == {"offset": 2, "tokens": 3, "limit": 2}
    assert "齉" not in str(caught.value)
    chunks = TokenSplitter(2, cl100k(), oversize="emit").split("a 齉 b")
    assert [(chunk.text, chunk.oversize) for chunk in chunks if chunk.oversize] == [("齉", True)]
    assert "".join(chunk.text for chunk in chunks) == "a 齉 b"


@pytest.mark.parametrize("text", ["broken \udbff glyph", "\ud83d half", "é" * 2_000_000 + "\ude00"])
def test_a_lone_surrogate_is_one_error_with_its_offset(text):
    """Before any tokenizer sees it."""
    with pytest.raises(TextInvalidError) as caught:
        cut(text, 4, cl100k())
    at = caught.value.details["offset"]
    assert "\ud800" <= text[at] <= "\udfff"


# --- overlap -------------------------------------------------------------------------------------


def test_overlap_is_whole_sentences_where_one_starts_near():
    """Earlier text kept apart, counted alone."""
    chunks = TokenSplitter(4, "words", overlap_tokens=3).split(
        "One two. Three four five. Six seven eight nine."
    )
    assert [(chunk.overlap_text, chunk.text) for chunk in chunks][-1] == (
        "Three four five.",
        " Six seven eight nine.",
    )


def test_overlap_is_given_whenever_earlier_text_fits():
    """Also if the chunk before is shorter, and if it is longer than a chunk."""
    for overlap in (1, 3, 50):
        chunks = TokenSplitter(3, "words", overlap_tokens=overlap).split(PROSE)
        assert all(0 < words(chunk.overlap_text) <= overlap for chunk in chunks[1:])


def test_overlap_is_given_also_if_a_whole_character_is_long():
    """The word counts for one, and is one grapheme cluster of four code points."""
    chunks = TokenSplitter(2, "words", overlap_tokens=1).split("a b c क्षि\u3000x y z")
    assert [chunk.overlap_text for chunk in chunks] == ["", "b", "c", "क्षि", "y"]


def test_a_counter_that_never_counts_nothing_ends_too():
    """Such as one that adds special tokens: no overlap fits, and there is no endless loop."""
    chunks = TokenSplitter(9, lambda text: words(text) + 2, overlap_tokens=1).split(PROSE)
    assert {chunk.overlap_text for chunk in chunks} == {""}


# --- what it takes -------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [None, 0, -1, True, 1.5, "8"])
def test_there_is_no_guessed_limit(wrong):
    """A missing one, or one that is no whole number, is refused at once."""
    with pytest.raises(SettingsError, match=r"max_tokens.*a whole number from 1 to 1,000,000,000"):
        TokenSplitter(wrong, "words")
    with pytest.raises(SettingsError):
        chunk_text_by_tokens("text", words, wrong)


@pytest.mark.parametrize("wrong", [None, 3, "no-such-measure"])
def test_there_is_no_guessed_measure(wrong):
    """A missing or unknown one is refused at once."""
    with pytest.raises(SettingsError, match="measure"):
        TokenSplitter(5, wrong)
    with pytest.raises(SettingsError):
        chunk_text_by_tokens("text", wrong, 5)


@pytest.mark.parametrize(("field", "wrong"), [("overlap_tokens", -1), ("oversize", "drop")])
def test_other_settings_are_checked_too(field, wrong):
    """When the splitter is built."""
    with pytest.raises(SettingsError, match=field):
        TokenSplitter(5, "words", **{field: wrong})


@pytest.mark.parametrize("wrong", [1.0, None, -1, True, "3"])
def test_what_cannot_be_a_count_is_an_error(wrong):
    """Not a chunk of the wrong size."""
    with pytest.raises(MeasureError):
        cut("some text", 5, lambda text: wrong)


def test_arrays_are_parallel_and_exact():
    """The seed's function: chunks that join to the text, and their counts."""
    chunks, counts = chunk_text_by_tokens(PROSE, words, 12)
    assert "".join(chunks) == PROSE
    assert counts == [words(chunk) for chunk in chunks]
    assert max(counts) <= 12


def test_split_and_pickle_know_it():
    """By name, and in worker processes."""
    splitter = TokenSplitter(12, cl100k(), 3)
    again = pickle.loads(pickle.dumps(splitter))
    assert again.split(PROSE) == splitter.split(PROSE)
    assert split(
        PROSE, by="tokens", max_tokens=12, measure=cl100k(), overlap_tokens=3
    ) == again.split(PROSE)


# --- what it costs, counted ----------------------------------------------------------------------


class Recorder:
    """A measure that remembers how much it was asked."""

    name = None

    def __init__(self, measure, *, additive):
        self.count = as_measure(measure)
        if additive:
            self.adds_up = self.count.adds_up
        self.lengths = []

    def __call__(self, text):
        self.lengths.append(len(text))
        return self.count(text)


@pytest.mark.parametrize("max_tokens", [64, 256])
@pytest.mark.parametrize("tokenizer", [tiktoken_cl100k, word_piece])
def test_prose_is_tokenized_about_once(tokenizer, max_tokens):
    """Where counts are known to add up: 1.2 passes and 2 calls a chunk."""
    measure, text = Recorder(tokenizer(), additive=True), PROSE * 60
    chunks = TokenSplitter(max_tokens, measure).split(text)
    assert sum(measure.lengths) <= 1.2 * len(text)
    assert len(measure.lengths) <= 2 * len(chunks)


@pytest.mark.parametrize("max_tokens", [64, 256])
@pytest.mark.parametrize("tokenizer", [tiktoken_cl100k, word_piece])
def test_any_function_is_called_seldom(tokenizer, max_tokens):
    """Where nothing is known of the counter: 2.5 passes and 2 calls a chunk."""
    measure, text = Recorder(tokenizer(), additive=False), PROSE * 60
    chunks = TokenSplitter(max_tokens, measure).split(text)
    assert sum(measure.lengths) <= 2.5 * len(text)
    assert len(measure.lengths) <= 2 * len(chunks)


def test_a_counter_that_is_not_additive_is_called_seldom():
    """Twice the text counts four times."""
    measure = Recorder(FunctionMeasure(lambda text: len(text) ** 2 // 100), additive=False)
    chunks = TokenSplitter(100, measure).split(PROSE * 60)
    assert len(measure.lengths) <= 5 * len(chunks)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "tariff schedule annex quota " * 7000,
        "Start." + "\n" * 200_000 + "End.",
        "\n" * 200_000 + "End.",
        "👍🏽👨\u200d👩\u200d👧\u200d👦🇫🇷" * 10_000,
        "( " * 100_000,
        ". " * 100_000,
    ],
    ids=["letters", "one line", "newlines inside", "newlines before", "emoji", "brackets", "stops"],
)
@pytest.mark.parametrize("additive", [True, False])
def test_hard_texts_are_linear(text, additive):
    """However bad the text: at most five passes, and never much more than a chunk at once."""
    measure = Recorder("characters", additive=additive)
    splitter = TokenSplitter(500, measure)
    assert "".join(chunk.text for chunk in splitter.split(text)) == text
    assert sum(measure.lengths) <= 5 * len(text)
    assert sorted(measure.lengths)[-5] <= 5000


@pytest.mark.parametrize(
    "ask",
    [
        estimate_tokens,
        is_hard_wrapped,
        lambda text: chunk_text_by_tokens(text, len, 3),
        lambda prefix: embedding_chunk_budget(2048, 2, prefix, "words"),
        make_token_counter,
    ],
)
@pytest.mark.parametrize("wrong", [None, b"secret", 3])
def test_what_is_no_string_is_refused_and_not_shown(ask, wrong):
    """Bytes may be the text of a source, which no message shows."""
    with pytest.raises(SettingsError, match="a string") as refused:
        ask(wrong)
    assert "secret" not in str(refused.value)


def test_a_cluster_of_many_marks_is_looked_through_a_few_times(monkeypatch):
    """Not once for each of its chunks, which is quadratic: half a minute for 100,000 marks."""
    looks = []
    for name in ("is_boundary", "boundary_at_or_before", "boundary_at_or_after"):
        real = getattr(token_packing, name)
        monkeypatch.setattr(
            token_packing, name, lambda *where, real=real: looks.append(where) or real(*where)
        )
    chunks = cut("e" + "\u0301" * 5000 + " end", 10, "characters")
    assert len(chunks) > 500
    assert len(looks) < 20


def bytes_of(text):
    return len(text.encode())


@pytest.mark.parametrize(
    ("text", "measure", "limit", "expected"),
    [
        # What the chunk before keeps of itself was blank.
        ("a é ", bytes_of, 3, ["a ", "é "]),
        # A run of blanks went to one side whole.
        ("abc\r\n d", "characters", 3, ["ab", "c\r\n", " d"]),
    ],
)
def test_a_chunk_was_blank_though_the_blanks_could_be_shared(text, measure, limit, expected):
    assert [chunk.text for chunk in TokenSplitter(limit, measure).split(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x 10\u00a0000\u00a0€ y", ["x ", "10\u00a0000\u00a0€", " y"]),
        ("It costs 10\u00a0000\u00a0€ now", ["It", " costs ", "10\u00a0000\u00a0€", " now"]),
    ],
)
def test_a_word_was_cut_that_fits_but_for_the_space_before_it(text, expected):
    """The space goes to the chunk before, if need be with the word before it."""
    assert [chunk.text for chunk in TokenSplitter(8, "characters").split(text)] == expected


def test_a_word_begins_with_its_no_break_space():
    """No chunk ends between a no-break space and the word that it holds."""
    chunks = TokenSplitter(3, "characters").split("b \xa000")
    assert [(chunk.text, chunk.break_level) for chunk in chunks] == [
        ("b ", "word"),
        ("\xa000", "end"),
    ]


def test_blanks_are_never_divided_between_cr_and_lf():
    """Not even where the chunk before has room for one of the two."""
    chunks = TokenSplitter(20, "characters").split("x\f000aaa000000000000\r\n\r00000000000000000a")
    assert not any(chunk.text.startswith("\n") for chunk in chunks)
