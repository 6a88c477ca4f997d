"""What may stand between a mark and the next sentence; ``|`` marks the ends, as in the other tests."""

import pytest

import cleanbreak as cb

EMPHASIS = [
    "*It was dark.*| She left.",
    "**Note.**| This is it.",
    "***Really?***| Yes.",
    "_It is so!_| That is not.",
    "~~Gone.~~| ==New.==| <b>Old.</b>| So it is.",
    "`It ran.`| Then it stopped.",
    "He said *“No.”*| She left.",
    "We use *e.g.* London and **etc.** and _Dr._ Ames.| Fine.",
    "He asked _why?_ and left.| *That* was it.",
    "**1.** Fill the tank.| **2.** Start it.",
]
LINKS = [
    "[Shut the lid.](http://v.example/a.b)| Then go.",
    "See [this page.](page.md)| It is good.",
    "See [this page.][ref]| It is good.",
    "Read [it](x.md).| Then [go.](y.md) and see.",
    '[See this.](a.md "The title.")| Then go.',
    "[See this.](https://a.example/A_(b))| Then go.",
    "See [[A note.]]| It is good.",
]
NOTES = [
    "It is so.[1]| Others differ.",
    "It is so.[1,2]| It is not.[1-3]| It may be.[12, 14–16]| Who knows?",
    "It is so.[a]| Others differ.[^2]| Some agree.[^note-3]| None say.",
    "It is so.[citation needed]| Others differ.[note 4]| None say.",
    "It is so. [1]| Others differ. [2, 3]| Some agree.",
    "It is so.[1], [2]| Others differ.[@key]| Some agree. [@key2020]| None say. [note 2]| So be it.",
    "It was shut.¹,²| It opened.<sup>3</sup>| It shut.",
    "It is so. [1] and more follows.| It ends.",
    "It was shut.¹| It opened.²³| It was shut.†| So it stayed.",
    "It was a long work.1| The end was near.”2| He said “so.”3| It ended.",
    "See vol.2 The Sea for more.| It costs 3.5 Euros.",
    "It fell.| (It was late.)| It rose (Poe, 2010).| It fell. (Poe et al., 2010, p. 5).| It ended.",
    "It fell. (Poe & Roe, 1999a); it rose.| It ended.",
    "It was late. ...| He slept.| (...) The end came.| [...] It was quiet.",
]
QUOTES = {
    "nl": [
        "Hij zei dat het zo is. ''| Het publiek lachte.",
        "Dat zei hij.| ,,Het gaat goed.| Het is klaar. ''| ,,Mooi.",
    ],
    "lt": ["Jis sakė: „Taip. “| Tada išėjo.| „Ne“ buvo jo žodis.| Taip."],
    "de": [
        "Er sagte ‚Ja.‘| Dann rief er ›Nein.‹| So war es.",
        "Er sah das alte „Haus“.| Dann ging er.| Er sagte »Ja«.| Sie schwieg.",
    ],
    "pt": [
        "Eles disseram: «"
        + "a casa é muito grande e bonita e " * 9
        + "clara».| As «salas» que são frias."
    ],
    "en": [
        "“Always!” Tom insisted.| “Never?” Ann Moss asked softly.| He left.",
        "“Now!” Miss Cole demanded, rising.| “Why?” Tom went on.| “No.”| Tom insisted.",
        'They call it "the old house.| He left.| "No," she said.| It ended.',
        "“Stop!”| Tom jumped to his feet.| “I won’t!” I repeated.",
    ],
    "he": ['הוא אמר "אני גר בארה"ב. היא לא," והלך.| היא נשארה.'],
}
SCRIPTS = {
    "ka": [
        "ეს არის სახლი (დიდი).| მე აქ ვარ.| ეს არის „სახლი“.| მე აქ ვარ.",
        "ეს არის 18.| მე აქ ვარ.| ის ჩრდ. კარია.",
    ],
    "he": ["הוא בן 18.| אבל היא לא.", 'הוא גר בארה"ב.| היא לא.| זה עולה 20 ש"ח.| זה הכול.'],
    "hi": ["आज बी. सी. में वर्षा हुई।| कल नहीं।"],
    "ko": [
        "정말 맛있네요...| 다음에 또 올게요..| 그런데... 끝.",
        "길 좀 알려줘| 맛있네요~| 또 올게요~| 늘 가는 곳.| 끝.",
    ],
    "ja": ["そうだ。[1]|次へ。|「はい。」|「いいえ。」[2]と言った。"],
    "te": ["ఆయనకు 18.| కానీ ఆమె కాదు."],
    "ru": ["Буря прошла.|Потом стало тихо.| Он жил на ул.Ленина и писал А.С.Пушкину."],
    "ga": ["Is múinteoir é.| Tá sé anseo.| Is dochtúir í.| Níl sí ann."],
    "is": ["Hún leit á.| Hann fór.| Ég kom í.| Mér leið vel."],
    "en": ["Call the point x.| Remove x.| Join y.| Draw it.| It is c. Berlin, b. Hamburg."],
}
LABELS = {
    "en": [
        "Chapter 1. The storm came.| It was late.",
        "Part I. The preface begins here.| ### 2. The parts.",
        "## Chapter 12. A ship.| **Section IV.** The law.",
        "These are the rules: 1. Keep it.| Then he left; 12. All of it.",
        "Its title is “3. The sea” now.",
        "The ROOM TEMP: 72.| Then it fell.| It read: 45.| All was well.",
        "Turn to page 7.| The rest is here.",
    ],
    "de": ["Kapitel 3. Die Reise beginnt.| Sie war lang."],
    "ru": ["Глава 2. Буря началась.| Было темно."],
    "pt": ["Veja a pág. 3.| Saiu.| O Sp. Braga, nº. 5, venceu."],
}


def by_language(examples: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(language, marked) for language, listed in examples.items() for marked in listed]


@pytest.mark.parametrize("marked", EMPHASIS + LINKS)
def test_markdown_signs_hide_no_sentence_end(marked: str) -> None:
    """They close with the sentence, and so does the target of a link."""
    assert_ends(marked, "en")


@pytest.mark.parametrize("marked", NOTES)
def test_notes_and_citations_stay_with_the_sentence_before(marked: str) -> None:
    """Footnotes, citations and what stands for text that was left out."""
    assert_ends(marked, "en")


@pytest.mark.parametrize(("language", "marked"), by_language(QUOTES))
def test_quotes_of_each_language_close(language: str, marked: str) -> None:
    """Also after a space, and where the one that opened is far away; tags are known by shape."""
    assert_ends(marked, language)


@pytest.mark.parametrize(("language", "marked"), by_language(SCRIPTS))
def test_scripts_without_case_and_words_of_one_letter(language: str, marked: str) -> None:
    """Where no capital can show that a sentence starts, or a letter is a word."""
    assert_ends(marked, language)


@pytest.mark.parametrize(("language", "marked"), by_language(LABELS))
def test_a_number_that_counts_ends_no_sentence(language: str, marked: str) -> None:
    """Of a chapter, of an item after a clause mark; yet a reference does (p. 3)."""
    assert_ends(marked, language)


def assert_ends(marked: str, language: str) -> None:
    expected = marked.split("|")
    text = "".join(expected)
    found = [text[start:end].strip() for start, end in cb.sentences(text, language)]
    assert found == [sentence.strip() for sentence in expected]


def test_the_target_of_a_link_is_looked_through_once() -> None:
    """Many links that never close cost no more for each one."""
    text = "See this.](" * 3000
    assert len(cb.sentences(text)) == 1
