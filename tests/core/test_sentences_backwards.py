"""Sentence ends found backwards are those of `sentences`, in every window and for every splitter."""

import sys
from bisect import bisect_right
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cleanbreak as cb
from cleanbreak.core.sentences.backwards import SentenceFinder
from cleanbreak.core.text.breaks import newlines_in
from strategies import texts

TRICKY = [
    "The house stood by the sea.", "It was late, and nobody had come to see it.", "Why?", "No.",
    "“I like storms. They clear the air,” she said to him and left at once.",
    "“I came. I saw it.” He nodded.", '"Stop!" he said. "Now!"', '"I came. I saw it," she said.',
    "‘I don’t know. You do, don’t you,’ she said.", "“He told me, ‘Never again.’” She cried.",
    "Oh! how lovely it is.", "She works at Yahoo! in the south.", "are you there? it is late.",
    "Dr. Ames met Mrs. Cole at 9 a.m. on Tuesday.", "He moved to the U.S. She stayed.", "See no. 5.",
    "J. R. R. Tolkien wrote it.", "It was you and I. Did Ann I. Moss know?", "Turn to sec. IV now.",
    "Look... there it is.", "He waited … then left. . . . The second was not.", "What?! No way!?",
    "It cost 3.14 or 12,000.50.", "It is 6 ft. 2 in. tall.", "See https://a.example/b.html?c=1.2.",
    "The grammar (they say it is hard. It is.) is short.", "He left. (It was late.) She stayed.",
    "This is proved.[3] That is not.", "Thanks! 👍🏽 I love it. :)", "A self-made man, Skimpole's.",
    "1) Wash the rice 2) Boil it 3) Serve", "1. Fill it. 2. Check it.", "• 9. Wash • 10. Boil", "a. ab. C.",
    "Am 3. Oktober war es so weit.", "»Warum?« fragte sie.", "„Komm!“, rief er.", "Das ist z. B. ein Fall.",
    "« Viens ! » dit-elle.", "M. Petit et Mme Roux arrivent.", "— Ah! mon piano! — Oui.", "¿Es feliz? ¡Sí!",
    "— Стой! — крикнул он.", "А. С. Ершов родился в 1905 г. в Москве, т. е. давно.", "Длина 400 м. Ширина 5 км.",
    "Γιατί; Κανείς δεν ξέρει!", "Ա. Բ. Պետրոսյանը եկավ։ Չգիտեմ:", "هل معك مظلة؟ لا!", "आज डॉ. शर्मा आए। क्या छाता है?",
    "「雨です。傘は？」と彼は聞いた。「ない。」", "他说：“下雨了。我们等等。”她笑了。", "价格是3．5元。真的吗?", "비가 왔습니다 우산이 있나요? 끝.",
    "*This is so.* That is not.", "**Note.** This _is it._ So.", "See [this.](http://a.b/c.d) It is good.",
    "See [that.][ref] It was.", "It is proved. [1] So it is.", "They agree.[1-3] We do.[a] I do.[^n1] You do.¹ He does.",
    "It was a long work.1 The end.", "It fell (Poe, 2010). It rose. (Poe, 2010). It fell.", "It was late. ... He slept.",
    "Hij zei dat. ,,Het gaat goed. '' Het publiek lachte.", "ეს არის „სახლი“. მე ვარ (დიდი). ის 18. მე…",
    'הוא גר בארה"ב. "היא לא," אמרה.', "Chapter 1. The storm came.", "Part II. It began.", "### 1. The parts.",
    "“Always!” Tom insisted. “Never?” Ann asked softly.", "He kept it: 4. The rest (5. Then) went; 12. All.",
    "Er sah ein Haus“. Dann ging er.", "Foi à casa». Ele (ela) disse «sim». Não.", "Gerai. “ Taip buvo „ne“. Taip.",
    "Is é. Is maith. Call it x. Then go.", "(...) Mas foi. [...] Então.", "O sra. Lima, pág. 3. Saiu.",
    "정말 맛있네요... 다음에 또 올게요.. 끝.", "좋네요~ 길 알려줘 끝.", "Это было.Потом нет. И так.Да.",
    "そうだ。[1]次へ。「はい。」[2]終わり。[3]", "यह है।[1] वह नहीं।[2, 3] हाँ।", "It was.[1], [2] So.<sup>1</sup> Yes. [@k] <b>No.</b> Go.",
    '[See.](a.b/A_(b) "The t.") Go. ==So.== ‘Yes.’ ‚Ja.‘ Dann.', "ఆయనకు 18. కానీ 19. x",
    '"It was so. He left. "No," he said. "Building" is in.',
    "วันนี้ฝนตก คุณมีร่มไหม", "A title", "end.next", "ok.\u0301", "w\u200b", "x" * 40,
]  # fmt: skip
SPACES = [
    "",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    " \n \n",
    "\u00a0",
    "\u200b",
    "\u3000",
    "\t",
]
tricky = st.lists(
    st.tuples(st.sampled_from(TRICKY), st.sampled_from(SPACES)), min_size=1, max_size=12
).map(lambda pairs: "".join(map("".join, pairs)))

# Code points of what closes after a mark, such as quotes, a smiley or the target of a link: a mark so far before the window
# may be outside of it.
LONGEST_CLOSERS = 24


def holds_closers(window: str) -> bool:
    """Whether the mark may lie before the window: a run of emoji can be of any length."""
    return len(window) <= LONGEST_CLOSERS or not any(map(str.isalnum, window))


def forward_ends(text: str) -> list[int]:
    """Where the content of each sentence ends, white space after it left out."""
    blank = "\u200b" + "".join(char for char in map(chr, range(0x3001)) if char.isspace())
    spans = (
        (start, text[start:end].rstrip(blank))
        for start, end in cb.sentences(text, newline_ends=False)
    )
    return [start + len(content) for start, content in spans if content]


def assert_same_ends(text: str, lows: range, sizes: tuple[int, ...]) -> None:
    """What is found is an end, and no end in the window after it was missed."""
    ends = forward_ends(text)
    find_last = SentenceFinder(text, newlines_in(text)).find_last
    for low in lows:
        for high in {min(low + size, len(text)) for size in sizes}:
            found = find_last(text, low, high)
            last = ends[index] if (index := bisect_right(ends, high) - 1) >= 0 else -1
            assert found in (*ends, -1)
            assert found == (last if last > low else -1) or holds_closers(text[low:last])


@given(tricky)
def test_tricky_sentences_end_where_they_do_forwards(text: str) -> None:
    """In several languages, with every kind of white space between them."""
    assert_same_ends(text, range(0, len(text), 7), (1, 10, 40, 200))


@given(texts)
def test_any_text_ends_where_it_does_forwards(text: str) -> None:
    """Whatever it is made of."""
    assert_same_ends(text, range(0, len(text), 11), (3, 30, 300))


@pytest.mark.parametrize("newline", [" ", "\n", "\r\n"])
def test_a_long_text_ends_where_it_does_forwards(newline: str) -> None:
    """Also where the start of the paragraph is far away."""
    text = newline.join(TRICKY[: TRICKY.index("Am 3. Oktober war es so weit.")] * 4)
    assert_same_ends(text, range(0, len(text), 13), (10, 60, 200, 1000))


ONE_SENTENCE = [
    "“I like storms. They clear the air,” she said to him and left at once.",
    "Oh! how lovely the sea is when the wind comes from the south in the evening.",
    "She works at Yahoo! in the accounting department, and has for twenty years.",
    "He gave it to Mr. Ames and to Mrs. Cole, who came at 9 a.m. on Tuesday.",
    "It is (they say it is hard. Nobody knows.) a short grammar of the language.",
]


def cut_by_every_splitter(text: str) -> dict[str, list[cb.Chunk]]:
    """The text in chunks of about two sentences."""
    return {
        "boundary": cb.split(text, by="boundary", chunk_size=160, max_lookback=150),
        "markdown": cb.split(text, by="markdown", chunk_size=160, overlap_size=0),
        "tokens": cb.split(text, by="tokens", max_tokens=160, measure="characters"),
    }


@pytest.mark.parametrize("sentence", ONE_SENTENCE)
def test_every_splitter_ends_chunks_where_sentences_end(sentence: str) -> None:
    """There was a second, weaker set of rules for the splitters that look backwards."""
    text = " ".join([sentence, "The man went home with his dog. "] * 6)
    ends = forward_ends(text)
    for by, chunks in cut_by_every_splitter(text).items():
        assert len(chunks) > 3
        found = [chunk.start + len(chunk.text.rstrip()) for chunk in chunks]
        assert set(found) <= set(ends), by


@pytest.mark.parametrize("sentence", ONE_SENTENCE)
def test_overlap_starts_where_a_sentence_starts(sentence: str) -> None:
    """By the same rules."""
    text = " ".join([sentence] * 12)
    starts = {span.start for span in cb.sentences(text)}
    chunks = cb.split(text, by="tokens", max_tokens=160, measure="characters", overlap_tokens=200)
    for chunk in chunks[1:]:
        overlap_start = chunk.start - len(chunk.overlap_text)
        assert overlap_start in starts


def test_a_mark_before_the_window_ends_nothing_in_it() -> None:
    """However far the window reaches, or a chunk's level would depend on its neighbours."""
    text = "「はい。」「はい。」"
    find_last = SentenceFinder(text).find_last
    assert [find_last(text, 4, high) for high in range(5, 10)] == [-1] * 5
    assert [find_last(text, 3, high) for high in range(5, 10)] == [5] * 5


def test_the_language_is_that_of_the_text_and_not_of_the_window() -> None:
    """In German "3. Oktober" is a date; a window of such words alone says nothing of that."""
    text = "Der Hund ist nicht da, und die Katze schläft. " * 50 + "XXX ZZZ 3. Oktober XXX ZZZ QQQ."
    low = text.index("XXX")
    find_last = SentenceFinder(text, newlines_in(text)).find_last
    assert find_last(text, low, low + 20) == -1
    assert SentenceFinder(text[low:]).find_last(text[low:], 0, 20) == -1  # unknown: it cuts least


def test_a_look_costs_the_same_in_a_text_of_any_length() -> None:
    """Text outside the bounds is not looked at."""
    costs = []
    for times in (10, 1000):
        text = "“He told me. I know it,” she said to Mr. Ames. But why? " * times
        find_last = SentenceFinder(text, newlines_in(text)).find_last
        find_last(text, 300, 500)
        costs.append(calls_of(lambda f=find_last, t=text: f(t, 300, 500)))
    assert costs[0] == costs[1]


@pytest.mark.parametrize(
    "unit", [".", ". ", "...", "Dr. ", "U.S. ", "a. ", "1. ", '"', '."', "“a. ", "? ", "ha! ", "x"]
)
def test_hostile_text_costs_no_more_than_walking_forwards(unit: str) -> None:
    """Where nothing is seen at a glance, about as much text is walked as there is in a chunk."""
    text = unit * (100_000 // len(unit))
    chunks: list[cb.Chunk] = []
    calls = calls_of(lambda: chunks.extend(cb.BoundarySplitter(1000, 200, 0).split(text)))
    assert calls <= 3 * calls_of(lambda: cb.sentences(text)) + 1500 * len(chunks)


def calls_of(work: Callable[[], object]) -> int:
    """How many Python functions a piece of work calls: a cost that no other process disturbs."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls
