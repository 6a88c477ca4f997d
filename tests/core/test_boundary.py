"""The main-chunk specification, rule by rule and edge case by edge case."""

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak import BoundarySplitter, CleanbreakError, Document, find_split_point
from cleanbreak.core.packing import by_lookback
from cleanbreak.core.packing.by_lookback import BreakFinder
from cleanbreak.core.packing.levels import Breaks
from cleanbreak.core.recipe import Recipe
from cleanbreak.core.splitters import splitter_for
from cleanbreak.errors import SettingsError, SplitError, TextInvalidError
from laws import assert_laws
from strategies import texts as texts_of_any_kind


def left(text: str, chunk_size: int, max_lookback: int) -> str:
    return text[: find_split_point(text, chunk_size, max_lookback)]


def texts(text: str, chunk_size: int, max_lookback: int, overlap_size: int = 0) -> list[str]:
    splitter = BoundarySplitter(chunk_size, max_lookback, overlap_size)
    return [chunk.text for chunk in splitter.split(text)]


class TestSplitPoint:
    """`find_split_point`, the one-boundary helper."""

    def test_text_shorter_than_the_limit_ends_at_its_end(self):
        assert find_split_point("Brief.", 100, 20) == 6

    def test_text_as_long_as_the_limit_ends_at_its_end(self):
        assert find_split_point("Even fit", 8, 4) == 8

    def test_empty_text_has_length_nought(self):
        assert find_split_point("", 8, 4) == 0

    def test_paragraph_outranks_later_line_sentence_and_word(self):
        assert left("Harbour.\n\nFog. It\nlay on", 22, 20) == "Harbour.\n\n"

    def test_line_outranks_later_sentence_and_word(self):
        assert left("Harbour.\nFog lay. On the sea", 22, 20) == "Harbour.\n"

    def test_sentence_outranks_later_word(self):
        assert left("Fog came. The lamp was lit", 20, 18) == "Fog came."

    @pytest.mark.parametrize("mark", list(".!?…؟۔。！？।։።"))
    def test_sentence_marks_of_all_scripts(self, mark):
        assert left(f"word{mark} Another word goes on", 16, 16) == f"word{mark}"

    def test_the_greek_semicolon_ends_a_sentence_of_greek(self):
        assert left("Γιατί ήρθε; Κανείς δεν το ξέρει ακόμα.", 20, 20) == "Γιατί ήρθε;"

    def test_dots_before_lower_case_only_pause(self):
        assert left("word… another word goes on", 16, 16) == "word… another "

    def test_semicolon_ends_no_sentence_outside_greek(self):
        assert left("word; another word goes on", 16, 16) == "word; another "

    def test_the_latest_of_a_level_wins(self):
        assert left("One here. Two here. Three goes on", 26, 26) == "One here. Two here."

    def test_word_break_is_used_when_nothing_better_is_near(self):
        assert left("alpha beta gamma delta", 16, 10) == "alpha beta "

    def test_hard_cut_at_the_limit_without_any_break(self):
        assert left("abcdefghijklmnop", 10, 5) == "abcdefghij"

    def test_lookback_nought_is_a_hard_cut(self):
        assert left("one two\n\nthree", 6, 0) == "one tw"

    def test_breaks_before_the_window_are_ignored(self):
        assert left("alpha beta-gammadelta", 16, 5) == "alpha beta-gamma"

    def test_a_break_at_the_window_s_first_character_counts(self):
        assert left("abcdef ghijkl", 10, 4) == "abcdef "

    def test_a_lookback_longer_than_the_chunk_looks_at_all_of_it(self):
        assert left("a bcdefghij", 8, 500) == "a "

    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029"])
    def test_every_newline_style_ends_lines_and_paragraphs(self, newline):
        assert left(f"abc{newline}def ghi", 9, 9) == f"abc{newline}"
        blank = f"abc{newline} \t{newline}"
        assert left(f"{blank}d{newline}ef ghi", len(blank) + 5, 20) == blank

    @pytest.mark.parametrize("white", ["\x0b", "\x0c", "\x1c", "\u3000", "\u2003"])
    def test_other_separators_are_white_space_not_newlines(self, white):
        assert left(f"Fog came. The{white}lamp was", 16, 16) == "Fog came."
        assert left(f"fog came the{white}lamp was", 15, 15) == f"fog came the{white}"

    @pytest.mark.parametrize("joiner", ["\u00a0", "\u2007", "\u202f", "\u2060", "\ufeff", "\u2011"])
    def test_no_break_characters_are_never_word_breaks(self, joiner):
        assert left(f"at 12{joiner}km{joiner}away", 9, 9) == "at "

    def test_zero_width_space_is_a_word_break(self):
        assert left("ខ្មែរ\u200bអក្សរ", 9, 9) == "ខ្មែរ\u200b"

    @pytest.mark.parametrize("closer", list("\"'’”»)]」』）"))
    def test_closers_stay_with_their_mark(self, closer):
        assert left(f"Go on.{closer} The rest of it", 12, 12) == f"Go on.{closer}"

    def test_a_mark_parted_from_its_closer_by_the_limit_is_no_break(self):
        assert left("He said (quite so.) and", 18, 9) == "He said (quite "

    @pytest.mark.parametrize(
        "inside",
        [
            "3.14159",
            "12.000,50",
            "https://a.example/b.html?c=d",
            "J.",
            "e.g.",
            "U.S.",
            "Dr.",
            "a.m.",
        ],
    )
    def test_no_sentence_ends_inside_numbers_urls_initials(self, inside):
        text = f"saw {inside} stay longer"
        assert left(text, len(f"saw {inside} s"), 30) == f"saw {inside} "

    def test_a_quote_does_not_end_a_sentence_that_goes_on_in_lower_case(self):
        assert left("“Stop!” he said and ran", 18, 18) == "“Stop!” he said "

    def test_full_width_stop_between_digits_is_no_end(self):
        assert left("価格は3．5円です", 6, 6) == "価格は3．5"

    @pytest.mark.parametrize(
        "cluster",
        ["e\u0301", "👩\u200d👩\u200d👧", "🇫🇷", "👍🏽", "\u1100\u1161\u11a8", "\r\n", "กำ", "नि"],
    )
    def test_no_cut_inside_a_whole_character(self, cluster):
        text = f"abc{cluster}def"
        assert len(cluster) > 1  # otherwise the loop has nothing to do
        for size in range(4, 3 + len(cluster)):
            assert left(text, size, 0) == "abc"

    def test_a_space_with_an_accent_on_it_is_no_word_break(self):
        assert left("ab c \u0301defgh", 8, 8) == "ab "

    def test_one_cluster_longer_than_the_limit_is_cut_at_the_limit(self):
        assert left("e" + "\u0301" * 20, 5, 5) == "e" + "\u0301" * 4

    @pytest.mark.parametrize("sizes", [(0, 5), (-1, 5), (5, -1), (True, 5), (5.0, 5), (5, 10**10)])
    def test_sizes_are_checked(self, sizes):
        with pytest.raises(SettingsError):
            find_split_point("text", *sizes)

    def test_the_helper_agrees_with_the_splitter(self):
        text = "“Stop!” he said. Fog came\nover. e.g. the sea… “And?” she said. 3.14 is pi. " * 9
        start = 0
        for chunk in BoundarySplitter(31, 17, 0, soft_wraps="never").split(text):
            assert chunk.end - start == find_split_point(text[start:], 31, 17)
            start = chunk.end
        assert start == len(text)


class TestChunks:
    """`BoundarySplitter`: edge cases in the specification's order."""

    def test_empty_text_gives_no_chunks(self):
        assert BoundarySplitter().split("") == []

    @pytest.mark.parametrize("text", ["short", "exactly10!"])
    def test_text_that_fits_is_one_exact_chunk(self, text):
        assert texts(text, 10, 5) == [text]

    def test_hard_cuts_where_no_delimiter_is_found(self):
        assert texts("abcdefghij", 4, 3) == ["abcd", "efgh", "ij"]

    def test_delimiters_stay_in_the_left_chunk(self):
        assert texts("one two three", 6, 6) == ["one ", "two ", "three"]

    def test_outer_and_inner_white_space_is_kept(self):
        assert texts("  a  b  ", 4, 2) == ["  a ", " b  "]

    def test_white_space_only_text_is_content(self):
        assert texts(" \n\n  ", 3, 2) == [" \n\n", "  "]

    def test_numbers_count_from_one_and_offsets_are_contiguous(self):
        chunks = BoundarySplitter(5, 3, 2).split("a bb ccc dddd eeeee")
        assert [chunk.number for chunk in chunks] == list(range(1, len(chunks) + 1))
        assert [chunk.start for chunk in chunks] == [0, *(chunk.end for chunk in chunks[:-1])]

    def test_first_overlap_is_empty(self):
        assert BoundarySplitter(4, 0, 3).split("abcdefgh")[0].overlap_text == ""

    def test_overlap_nought_is_empty_everywhere(self):
        assert {chunk.overlap_text for chunk in BoundarySplitter(4, 0, 0).split("abcdefgh")} == {""}

    def test_overlap_may_span_several_chunks(self):
        chunks = BoundarySplitter(2, 0, 5).split("abcdefgh")
        assert [chunk.overlap_text for chunk in chunks] == ["", "ab", "abcd", "bcdef"]

    def test_overlap_starts_at_a_whole_character(self):
        chunks = BoundarySplitter(5, 0, 3).split("ab🇫🇷c🇯🇵def")
        assert chunks[1].overlap_text == "🇫🇷c"
        chunks = BoundarySplitter(5, 0, 2).split("ab🇫🇷c🇯🇵def")
        assert chunks[1].overlap_text == "c"

    def test_byte_offsets_count_utf8(self):
        chunks = BoundarySplitter(2, 0, 0).split("aé中😀")
        assert [(chunk.byte_start, chunk.byte_end) for chunk in chunks] == [(0, 3), (3, 10)]

    def test_a_document_lends_its_sections(self):
        from cleanbreak import Section, Span

        page = Section("page", "iv", 1, Span(0, 4))
        last = Section("page", "v", 1, Span(4, 8))
        chunks = BoundarySplitter(3, 0, 0).split(Document("abcdefgh", (page, last)))
        assert [chunk.sections for chunk in chunks] == [(page,), (page, last), (last,)]

    def test_lone_surrogates_are_named_by_their_offset(self):
        with pytest.raises(TextInvalidError) as caught:
            BoundarySplitter(4, 0, 0).split("abcdef\ud800")
        assert caught.value.details == {"offset": 6}

    def test_only_text_and_documents_are_cut(self):
        with pytest.raises(SettingsError) as caught:
            BoundarySplitter().split(b"secret")
        assert "secret" not in str(caught.value)


class TestSeparators:
    TEXT = "One. Two.\n%%%\nThree four.\n\nFive six seven eight nine"

    def test_own_separators_take_the_place_of_the_levels(self):
        splitter = BoundarySplitter(24, 24, 0, separators=["\n%%%\n", "\n\n"])
        chunks = splitter.split(self.TEXT)
        assert [(chunk.text, chunk.break_level) for chunk in chunks] == [
            ("One. Two.\n%%%\n", "block"),
            ("Three four.\n\n", "block"),
            ("Five six seven eight ", "word"),
            ("nine", "end"),
        ]

    def test_they_are_part_of_the_recipe_only_where_given(self):
        splitter = BoundarySplitter(24, 24, 0, separators=["|"])
        assert splitter.recipe.settings["separators"] == ("|",)
        assert "separators" not in BoundarySplitter().recipe.settings
        stored = Recipe.from_dict(json.loads(json.dumps(splitter.recipe.as_dict())))
        assert stored == splitter.recipe
        assert splitter_for(stored) == splitter

    @pytest.mark.parametrize("wrong", ["\n", [], [""], [1], 3])
    def test_what_is_no_list_of_strings_is_refused(self, wrong):
        with pytest.raises(SettingsError, match="separators"):
            BoundarySplitter(separators=wrong)

    @given(
        text=texts_of_any_kind,
        separators=st.lists(st.sampled_from(["a", "\n", "\r", "e", "%%"]), min_size=1),
    )
    def test_the_laws_hold(self, text, separators):
        chunks = BoundarySplitter(9, 7, 3, separators=separators).split(text)
        assert_laws(text, chunks, limit=9, overlap_limit=3)


class TestDefence:
    """A boundary chooser that is not ours is not trusted."""

    @pytest.mark.parametrize("point", [0, -1, 7])
    def test_a_point_without_progress_or_outside_is_refused(self, point, caplog):
        splitter = BoundarySplitter(4, 0, 0, find_split_point=lambda text, size, back: point)
        with pytest.raises(SplitError), caplog.at_level(logging.DEBUG):
            splitter.split("secret")
        assert "ERROR" in {record.levelname for record in caplog.records}
        assert "secret" not in caplog.text

    @pytest.mark.parametrize("point", [None, 1.5, float("nan"), "3"])
    def test_a_point_that_is_no_whole_number_is_refused(self, point):
        splitter = BoundarySplitter(4, 0, 0, find_split_point=lambda text, size, back: point)
        with pytest.raises(SplitError):
            splitter.split("secret")

    def test_what_a_chooser_raises_becomes_one_error_without_text(self, caplog):
        def choose(text, size, back):
            raise KeyError(text)

        splitter = BoundarySplitter(4, 0, 0, find_split_point=choose)
        with pytest.raises(SplitError) as caught, caplog.at_level(logging.DEBUG):
            splitter.split("secret")
        assert "secret" not in caplog.text + str(caught.value) + repr(caught.value.details)
        assert caught.value.__cause__ is None

    def test_a_chooser_that_keeps_its_promise_is_used(self):
        splitter = BoundarySplitter(4, 0, 0, find_split_point=lambda text, size, back: 1)
        assert [chunk.text for chunk in splitter.split("abc")] == ["a", "b", "c"]

    def test_debug_logs_counts_and_never_text(self, caplog):
        with caplog.at_level(logging.DEBUG):
            BoundarySplitter(4, 0, 0).split("secret words")
        assert [record.levelname for record in caplog.records] == ["DEBUG"]
        assert "secret" not in caplog.text


class TestSettings:
    """Settings are refused when the splitter is built, naming field, value and rule."""

    @pytest.mark.parametrize("field", ["chunk_size", "max_lookback", "overlap_size"])
    @pytest.mark.parametrize(
        "value", [-1, True, False, 1.0, float("nan"), float("inf"), "10", None, 10**12]
    )
    def test_wrong_values(self, field, value):
        with pytest.raises(SettingsError) as caught:
            BoundarySplitter(**{field: value})
        assert caught.value.details["field"] == field
        assert field in str(caught.value)
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, CleanbreakError)

    def test_a_chunk_size_of_nought_is_refused(self):
        with pytest.raises(SettingsError):
            BoundarySplitter(chunk_size=0)

    def test_nought_is_fine_for_lookback_and_overlap(self):
        assert BoundarySplitter(1, 0, 0).split("ab")[1].text == "b"


class TestStream:
    """`stream` yields while it cuts."""

    def test_chunks_come_one_at_a_time(self):
        asked = []

        def choose(text, size, back):
            asked.append(len(text))
            return 1

        stream = BoundarySplitter(4, 0, 0, find_split_point=choose).stream("abc")
        assert asked == []
        assert next(stream).text == "a"
        assert asked == [3]


def test_texts_with_only_line_feeds_are_cut_like_all_others():
    """They have finders of their own, which are faster."""
    text = "A line.\n \n\tb c\n\nd. e  \n" * 30
    # A newline of another kind, far behind, sends every look through the general finders.
    fast, slow = BreakFinder(Breaks(text)), BreakFinder(Breaks(text + "\u2028"))
    for lookback in (0, 1, 5, 40, 90):
        for start in range(0, 600, 7):
            assert fast.split_point(start, 90, lookback) == slow.split_point(start, 90, lookback)


def test_flags_behind_a_cluster_that_was_cut_stay_whole():
    """The flags were counted from the cut inside the cluster before them, so one was cut in two."""
    text = "\u0600🇦🇦🇧🇧"
    assert [chunk.end for chunk in BoundarySplitter(2, 0, 0).split(text)] == [2, 3, 5]


def test_a_cluster_longer_than_many_chunks_is_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chunk inside it looked back to its start, which was quadratic."""
    looked = 0
    whole = by_lookback.boundary_at_or_before

    def noting(text: str, offset: int, floor: int) -> int:
        nonlocal looked
        looked += offset - floor
        return whole(text, offset, floor)

    monkeypatch.setattr(by_lookback, "boundary_at_or_before", noting)
    text = "a" + "\u0301" * 6000 + " b."
    chunks = BoundarySplitter(30, 20, 0).split(text)
    assert len(chunks) == 201
    assert looked < 2 * len(text)
