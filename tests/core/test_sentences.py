"""Sentences in many languages: each rule by example, its name saying what goes wrong without it.

A ``|`` in an example stands where a sentence must end; it is no part of the text.
"""

import gc
import sys
import time

import pytest

from cleanbreak import Span, clauses, iter_sentences, sentences
from cleanbreak.core.sentences.languages import LANGUAGES, detect_language
from cleanbreak.errors import SettingsError, SplitError

BY_LANGUAGE = {
    "en": [
        "Dr. Ames met Mrs. Cole at 9 a.m. on Tuesday.| Both were late.",
        "The bag weighs 2.75 kg and costs $19.99!| Is that fair?",
        "Write to ann.ray@mail.example.org or see https://www.example.org/a.b?c=1.2.| Thanks.",
        "done?| yes.| open notes.txt now.| then close it.",
        "As Bell et al. [2019] show, see fig. 4, p. 31 and no. 5, it holds.| Others disagree.",
        "The U.S. Treasury paid.| He moved to the U.S.| She stayed.| The trip ended at 6 p.m.| We slept.",
        "He sold it to Brown Bros. and Co. in May.| Ask Brown & Co.| They know.",
        "At 6 a.m. Mr. Reed woke.| He left at 7 A.M.| Mr. Reed walked.",
        "G. K. Chesterton, J. A. Poe and Ruth B. Lowe wrote.| It was you and I.| Did Ann I. Moss know?",
        "Look... there it is.| He waited … then left.| He never came....| She slept.",
        "I was ... well, late . . . I know, I know.",
        "The first . . . was lost. . . .| The second was not.",
        "Stop!!| Go on.| What?!| No way!?| Yes.",
        "She works at Yahoo! in the south.| I like Yahoo!| It pays.",
        "It was Hale vs. Moore.| The judge read Hale v. Moore again.",
        "Turn to sec. IV for more.| No.| I will not.",
        "It cost 1,000.|That is a lot.| He agreed.| I use Node.js and config.Parser here.",
        "This is proved.[3]| That is not.[12][13]| So what?",
        "It is 6 ft. 2 in. tall.| It was 5 in.| Then it grew.| He let her in.| She sat.",
        "The grammar (they say it is hard.) is short.| He left.| (It was late.)| She stayed.",
        "Oh! how lovely it is.| Alas! cried he, and left.| are you there?| it is late!| come in.",
        "Is it done?| yes.| He came ... and went.| See chap. xi.| It ends! — and yet not.",
        "Thanks! 👍🏽| I love it. :)| See you.",
        "“Qui vive?”* he cried.| “It’s me.”",
        "He was ill.| Tom left.| They met in Peoria, Ill. Tom drove.| Ask Kim et al.| The rest is here.",
        "It has two flaws (!) and a gap (?) in it.| We know.",
    ],
    "de": [
        "Am 3. Oktober 1990 war es so weit.| Alle feierten den 19. Jahrestag.",
        "Das ist z. B. ein Fall, d.h. u. a. einer.| Er kam ca. 10 Min. später.",
        "Frau Dr. Klee wohnt in der Hafenstr. 5 in Bonn.| Er zahlt 1.250,50 Euro.",
        "Friedrich II. regierte lange.| Er starb 1786.| Danach kam sein Neffe.",
        "Wir brauchen Mehl, Eier usw.| Der Rest ist da.",
        "1. Bundesliga und 2. Bundesliga spielen.| Morgen nicht.",
        "„Komm!“, rief er.| „Sofort!“| »Warum?« fragte sie.",
    ],
    "fr": [
        "M. Petit et Mme Roux arrivent à 9.30.| Ils repartent, cf. p. 12.",
        "Il dit\u00a0: «\u00a0Non\u202f!\u00a0»| Puis il part.| « Oui. »| Elle rit.",
        "— Comment signer, maintenant? se dit-il.| — Charmant!... fort joli.| — Ah! mon piano!",
        "« Viens ! » dit-elle.| Né en 50 av. J.-C. à Lyon, il mourut vieux.",
    ],
    "es": [
        "La Sra. Gil vive en EE. UU. desde 1990.| ¿Es feliz?| ¡Sí!",
        "—¡Ven! —dijo Ana.| Ud. tiene razón.| Llegó a las 3.30 de la tarde.",
    ],
    "it": [
        "Il dott. Bianchi e l'avv. Verdi pagano 1.250,50 euro.| La sig.ra Neri ride.| Perché?",
        "Dell'art. 5, lett. a), non parla il sig. Neri.| Il card. Rossi sì.",
        "Pane, latte ecc.| Basta così.| «Vieni!» disse.",
    ],
    "pt": [
        "A Dra. Lima mora na Av. Central, n. 5.| Ela saiu às 9.30!| Por quê?",
    ],
    "nl": [
        "Dhr. De Vries en mevr. Jansen kochten o.a. brood, kaas enz.| Dat kost bijv. € 1.250,50.| Duur!",
    ],
    "pl": [
        "Prof. Nowak mieszka przy ul. Długiej 5, tzn. m.in. w mieście.| W 1998 r. powstał most.| Dlaczego?",
    ],
    "ru": [
        "Длина 400 м.| Ширина 5 км.| Было мало.",
        "А. С. Ершов родился в 1905 г. в Москве, т. е. давно.| Он поэт.| Почему?",
        "Книги, тетради и т. д.| Всё лежало на столе.| Население 5 тыс. человек.",
        "— Стой! — крикнул он.| «Стой!» — крикнул он.| Все замерли.",
    ],
    "uk": ["У 1998 р. місто зросло, т. зв. центр.| Стало гамірно.| Чому?"],
    "el": ["Ο κ. Δήμου ήρθε στις 9.30, π.χ. χθες.| Γιατί;| Κανείς δεν ξέρει!"],
    "tr": ["Prof. Dr. Yılmaz saat 9.30'da 5. katta konuştu.| Kimse var mı?| Yok!"],
    "cs": ["Dne 3. října přišel p. Novák, tzv. soused.| Pršelo.| Proč?"],
    "hu": ["2020. január 5-én jött dr. Nagy.| Miért?"],
    "sv": ["Han bor t.ex. i Malmö, hon bl.a. i Lund.| Varför det?"],
    "da": ["Den 3. oktober kom han kl. 9.30.| Hun kom ikke."],
    "hy": ["Ա. Բ. Պետրոսյանը եկավ։| Չգիտեմ:| Գնանք։"],
    "fa": ["امروز باران می‌بارد.| چتر داری؟| نه!"],
    "ar": ["هطل المطر اليوم.| هل معك مظلة؟| لا!"],
    "ur": ["بارش ہو رہی ہے۔| کیا چھتری ہے؟| نہیں۔"],
    "he": ["יורד גשם.| יש לך מטריה?| לא!"],
    "hi": ["आज डॉ. शर्मा आए।| क्या छाता है?| नहीं!"],
    "bn": ["আজ বৃষ্টি হচ্ছে।| ছাতা আছে?| না।"],
    "my": ["မိုးရွာတယ်။| ထီးရှိလား။| မရှိဘူး။"],
    "km": ["ថ្ងៃនេះភ្លៀង។| អត់ទេ។"],
    "bo": ["ཆར་པ་འབབ་ཀྱི་འདུག།| ང་ཚོས་སྒུག་དགོས།"],
    "am": ["ዝናብ ዘነበ።| ጃንጥላ አለህ?| የለኝም።"],
    "ka": ["დღეს წვიმს.| გაქვს ქოლგა?"],
    "ko": [
        '비가 3.5시간 왔습니다.| 우산이 있나요?| "가자."라고 그는 말했다.| 끝.',
        "정말 맛있네요| 다음에 또 올게요.| 간다고 했습니다 하고 말했다.| 필요 없다.",
    ],
    "ja": [
        "雨です。|傘はありますか？|いいえ！！|すごい…そうだね。",
        "「雨です。傘は？」と彼は聞いた。|「ない。」|「そう。」|（笑。）",
    ],
    "zh": [
        "下雨了。|你带伞了吗？|“那我们等等吧。”他说。|“好！”|“走。”",
        "价格是3．5元。|真的吗?|真的!|好．",
        "他想……不。|走吧。",
        "他说：“下雨了。我们等等。”|她笑了。",
    ],
    "th": ["วันนี้ฝนตก คุณมีร่มไหม ไม่มี"],
    "lo": ["ມື້ນີ້ຝົນຕົກ ເຈົ້າມີຄັນຮົ່ມບໍ່"],
    "xx": ["Dr. Ames came to St. Ives.| Why?| He left, e.g. by 3. Later he slept."],
}
QUOTATIONS = [
    '"I came. I saw it," she said.| He nodded.',
    '"I came.| I saw it."| He nodded.',
    "“He told me, ‘Never again.’”| She cried.",
    'He shouted "Run!" and ran.| She called it "done."| Then he left.',
    "‘I don’t know. You do, don’t you,’ she said.| ‘Yes.| I do.’| He left.",
    "'It works!' he said.| “Why?” Tom asked.| “Because.”",
    '"Stop!" I said.| "Now!"| He ran.',
    '"Look at it [...]" (Smith 55).| It ends.',
    '"Wide. Open," he said--"and free. At last," he added.| Then "none of it" held.| It ended.',
]
LISTS = [
    "1. Fill it.| 2. Check it.| 3. Drive.",
    "1) Wash the rice| 2) Boil it| 3) Serve",
    "1.) Wash the rice.| 2.) Boil it.",
    "1. Wash the rice| 2. Boil it",
    "• 9. Wash the rice| • 10. Boil it",
    "a) Wash it.| b) Boil it.| c) Serve it.",
    "a. Wash the rice| b. Boil it| c. Serve",
    "i. Wash it.| ii. Boil it.| iii. Serve it.",
    "1.2.3. The scope.| 1.A. The terms.",
]


def cut(marked: str, language: str) -> tuple[list[str], list[str]]:
    """What an example says its sentences are, and what they are found to be."""
    text = marked.replace("|", "")
    found = [text[start:end].rstrip() for start, end in sentences(text, language)]
    return [part.strip() for part in marked.split("|")], found


@pytest.mark.parametrize(
    ("language", "marked"),
    [(language, marked) for language, several in BY_LANGUAGE.items() for marked in several],
)
def test_languages(language: str, marked: str) -> None:
    """Every language's own marks, abbreviations, numbers and quotes."""
    expected, found = cut(marked, language)
    assert expected == found


@pytest.mark.parametrize("marked", QUOTATIONS)
def test_a_quotation_stays_with_its_speech_tag(marked: str) -> None:
    """A quote does not end the sentence that goes on behind it."""
    expected, found = cut(marked, "en")
    assert expected == found


@pytest.mark.parametrize("marked", LISTS)
def test_list_labels_stay_with_their_items(marked: str) -> None:
    """A number or letter before an item is no sentence, with marks between items or without."""
    expected, found = cut(marked, "en")
    assert expected == found


def test_trailing_white_space_belongs_to_the_sentence_before() -> None:
    """And leading white space to the first sentence, so that the spans are the text."""
    assert sentences("  One. \u3000Two. ", "en") == [(0, 8), (8, 13)]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u00a0\t\r\n"])
def test_blank_text_has_no_sentences(text: str) -> None:
    """No sentence is blank, not even the only one."""
    assert sentences(text) == []


@pytest.mark.parametrize(
    "blank_line", ["\n\n", "\r\n\r\n", "\r\r", "\n \t\n", "\u2029\u2029", "\x85\n", "\n\n\n \n"]
)
def test_a_blank_line_always_ends_a_sentence(blank_line: str) -> None:
    """With any newline style, and after text without a mark."""
    text = f"A title{blank_line}and text, Dr.{blank_line}Who"
    assert len(sentences(text, "en")) == 3


def test_a_single_newline_is_a_space_unless_asked_otherwise() -> None:
    """Hard-wrapped lines go on; `newline_ends` is for text of one sentence a line."""
    text = "A wrapped\nline with Dr.\r\nWho. The end\n"
    assert sentences(text, "en") == [(0, 30), (30, 38)]
    assert sentences(text, "en", newline_ends=True) == [(0, 10), (10, 25), (25, 30), (30, 38)]


def test_newlines_end_sentences_where_nearly_every_line_ends_in_a_mark() -> None:
    """Such lines are paragraphs, so that a heading among them is a sentence, too."""
    text = "It rained all day.\nWe stayed in!\n" * 12 + "The second day\nIt was dry."
    assert len(sentences(text, "en")) == 26
    assert len(sentences(text.replace("\n", "\r\n"), "en")) == 26
    assert len(sentences(text, "en", newline_ends=False)) == 25


def test_newlines_are_spaces_where_lines_seldom_end_in_a_mark() -> None:
    """Verse, wrapped prose, and a text of too few lines to say."""
    verse = "The rain came down,\nAnd all the town\nStood still.\n" * 12
    assert len(sentences(verse, "en")) == 12
    assert len(sentences("It rained.\nThe second day\nIt was dry.\n" * 3, "en")) == 6


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("es", "Llovió toda la noche; El río creció.", 2),
        ("es", "Llovió toda la noche; el río creció.", 1),
        ("es", "Vieron Granada; Madrid no.", 1),
        ("en", "You came; I saw.", 1),
        ("de", "Er kam; Sie ging.", 1),
        ("en", "It rained (all night; The river rose) and stopped.", 1),
    ],
)
def test_a_semicolon_ends_a_sentence_before_a_capitalised_small_word(
    language: str, text: str, count: int
) -> None:
    """A capital alone is no proof: a name or a polite pronoun has one anywhere."""
    assert len(sentences(text, language)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("We won :-) Then we left. It is so:) Fine.", 4),
        ("We won :) and left.", 1),
        ("The ratio is 3:D Here.", 1),
        ("He said: (I) No.", 1),
    ],
)
def test_an_emoticon_ends_a_sentence_before_a_capital(text: str, count: int) -> None:
    assert len(sentences(text, "en")) == count


def test_thai_and_lao_lines_end_sentences() -> None:
    """They write no marks, and a space is no proof."""
    for text in ("วันนี้ฝนตก คุณมีร่มไหม\nไม่มี", "ມື້ນີ້ຝົນຕົກ ເຈົ້າມີຄັນຮົ່ມບໍ່\nບໍ່ມີ"):
        assert [(0, text.index("\n") + 1), (text.index("\n") + 1, len(text))] == sentences(text)


def test_a_no_break_space_ends_no_sentence() -> None:
    """Who writes one wants no break there; an ordinary space beside it is enough."""
    assert len(sentences("He met M.\u00a0Petit. \u00a0", "fr")) == 1
    assert len(sentences("He left.\u00a0 She stayed.", "en")) == 2


def test_a_cluster_is_never_cut() -> None:
    """A combining mark on the space after a sentence, or on a CJK full stop, prevents the end."""
    assert len(sentences("One. \u0301Two", "en")) == 1
    assert len(sentences("中。\u0301文", "zh")) == 1


def test_unknown_codes_and_regions() -> None:
    """A region is ignored; a code without lists gets the rules that hold everywhere."""
    text = "Er kam am 3. Oktober. Dann ging er."
    assert sentences(text, "de") == sentences(text, "de-AT") == sentences(text, "DE_ch")
    assert len(sentences(text, "qaa")) == 2


@pytest.mark.parametrize("language", ["", "german", "d", 7, None, True, "e n", "de-"])
def test_a_language_not_written_like_a_code_is_refused(language: object) -> None:
    """At the call, not at the first sentence."""
    with pytest.raises(SettingsError, match="language"):
        iter_sentences("One.", language)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, b"One. Two.", 7, ["One."]])
def test_only_strings_have_sentences(text: object) -> None:
    """Bytes must be decoded first, by somebody who knows the encoding."""
    for find in (sentences, clauses):
        with pytest.raises(SettingsError, match="text"):
            find(text)  # type: ignore[operator]


def test_guessing_the_language() -> None:
    """Small words and telling letters decide; too little text is no language."""
    for code in ("en", "de", "fr", "es", "ru", "uk", "el", "hy", "fa", "hi", "ar"):
        text = " ".join(BY_LANGUAGE[code]).replace("|", "")
        assert code == detect_language(text)
    assert detect_language("Tokyo 2020") == "und"
    assert {"de", "ru"} <= LANGUAGES.keys()


def test_guessing_looks_at_a_bounded_sample() -> None:
    """The cost of guessing does not grow with the text."""
    text = "the dog and the cat are here. "
    detect_language(text)  # Python loads what it needs for a count at the first one
    assert calls_of(lambda: detect_language(text * 1000)) == calls_of(
        lambda: detect_language(text * 100_000)
    )


def test_a_window_gives_offsets_into_the_whole_text() -> None:
    """And is cut as if nothing stood around it."""
    text = "One. Two. Three. Four."
    assert list(iter_sentences(text, "en", 5, 16)) == [(5, 10), (10, 16)]


def test_sentences_come_one_at_a_time() -> None:
    """The first sentence of a large text costs no more than that of a small one."""
    small, large = ("One is here. " * n for n in (10, 100_000))
    assert calls_of(lambda: next(iter_sentences(small, "en"))) == calls_of(
        lambda: next(iter_sentences(large, "en"))
    )


def test_an_own_segmenter_replaces_the_rules() -> None:
    """Its spans are taken as they are, shifted into the text."""
    halves = lambda text: [(0, 2), (2, len(text))]  # noqa: E731
    assert [Span(0, 2), Span(2, 5)] == sentences("abcde", segmenter=halves)
    assert [Span(1, 3), Span(3, 4)] == list(iter_sentences("abcde", "en", 1, 4, segmenter=halves))
    with pytest.raises(SettingsError, match="segmenter"):
        sentences("abc", segmenter="pysbd")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spans",
    [
        [],
        [(0, 2)],
        [(0, 2), (3, 5)],
        [(0, 3), (2, 5)],
        [(0, 0), (0, 5)],
        [(0, 6)],
        ["abcde"],
        [5],
        [(0, 5.0)],
        [(0, 2, 5)],
    ],
)
def test_an_own_segmenter_must_give_a_partition(spans: list[tuple[int, int]]) -> None:
    """A gap, an overlap, an empty span or one outside the text is refused without quoting it."""
    with pytest.raises(SplitError) as caught:
        sentences("abcde", segmenter=lambda _: spans)
    assert "abcde" not in str(caught.value)


HOSTILE = [
    ".", ". ", "...", "Dr. ", "U.S. ", "a. ", "1. ", "a) 1. ", '"', '."', '"a. ', "“a. ", "(A b. ",
    "“A. B,” ", "? ", "!?", "word ", "\n", "a\n", "a\n\n", "中。", "。”a", ". »", "« ", "a.b", "[1]",
    ".[1]", " .", "a\u0301", ". \u0301", "a. \u200d", "\u00a0", ".\u00a0", "т. д. ", "।", "x—“", "- ",
]  # fmt: skip


def test_long_leading_white_space_is_read_once() -> None:
    """And not again for every place that is asked whether it goes on with a list."""
    text = "z. B. " * 5000
    seconds = []
    for white in ("", " " * 50_000):
        begun = time.process_time()
        sentences(white + text, "de")
        seconds.append(time.process_time() - begun)
    # Counting calls cannot see this fault, as it was inside a pattern: it cost a thousandfold.
    assert seconds[1] <= 20 * seconds[0] + 1


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_cost_is_linear(unit: str) -> None:
    """Twice the text takes at most about twice the calls, whatever it is made of."""
    small, large = (calls_of(lambda n=n: sentences(unit * n, "en")) for n in (1000, 2000))
    assert large <= 2.2 * small + 100


def calls_of(work: object) -> int:
    """How many functions, ours and built-in ones, a piece of work calls: cost without a clock."""
    count = 0

    def profile(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    # A collection would call functions of its own, such as those that watch it.
    gc.disable()
    sys.setprofile(profile)
    try:
        work()  # type: ignore[operator]
    finally:
        sys.setprofile(before)
        gc.enable()
    return count
