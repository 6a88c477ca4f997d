"""Abbreviations of each language, inside a sentence and at its end; "|" marks the ends."""

import pytest

from cleanbreak import sentences
from cleanbreak.core.sentences.languages import LANGUAGES, Language, detect_language

EXAMPLES = [
    ("en", "The Second Cir. agreed.| See Fed. R. Civ. P. 56(a) and 80 F. Supp. 2d 9.| It is 99 S. Ct. 12."),
    ("en", "Turn to Fig. C now.| See App. A and Ref. 4.| The 9th cent. was cold, the temp. was low."),
    ("en", "He lives on Mill St. with her.| We met on Mill St.| It was late."),
    ("en", "He cites (Rom. 8:28) often.| Then he adds (feat. and all) more."),
    ("nl", "Hij leefde rond 100 v.Chr. in Rome.| Het was in 20 n.Chr.| Daarom viel de stad."),
    ("nl", "Kijk op winkel.nl.| Daarna bel je.| Het kost 3 mld. euro."),
    ("da", "Den Kgl. Ballet fik 5 mio. kroner, jf. str. 12.| Hun er cand.jur. og tidl. minister.| Vi ved det."),
    ("no", "Laget fikk 3 mrd. kroner pr. sesong.| Det er mye.| Han er tidl. leder."),
    ("sv", "Den kostar 9 kr. per st. i dag.| Den kostar 9 kr. per st.| Vi köper den."),
    ("pl", "To 3 proc. ceny na pocz. roku.| Jechał na zach. od rzeki.| Zapłacił 5 zł.| Kupił chleb."),
    ("pt", "O Sp. Lisboa venceu.| Ver Ref. 3 e pág. 9.| Foi bom."),
    ("ro", "Vezi pct. 7 din lege.| A costat 3 mld. lei.| Este mult."),
    ("fi", "Juna oli 9 min. myöhässä.| Se maksoi 2 milj. euroa.| Hän lähti."),
    ("es", "Vea el oficio ord. Nº 20 de ayer.| Llegó tarde."),
    ("fr", "Il faut lire p. ex. Hugo ou p. ex. Zola.| Elle lit."),
    ("fr", "Voir l'art. 7 bis. - Le juge décide.| Il part."),
    ("lt", "Tai 9 proc. miestų, žr. psl. 7.| Traukinys išvyko 6 val. 20 min. ryto.| Jis vėlavo 20 min.| Tačiau lijo."),
    ("lt", "Įstatymo Nr. AB-12 nėra.| Žr. 4 str. 2 d.| Plg. kitą str. 3."),
    ("lv", "Tas maksā 5 milj. eiro, t.i. daudz.| Sk. nod. 4.| Viņš aizgāja."),
    ("et", "See maksab umb. 5 milj. eurot, vt. lk. 3.| Ta tuli saj. alguses.| Ta läks jms.| Siis sadas."),
    ("is", "Hæstv. forseti talaði við hv. þm. Jón um 5 þús. kr. gjald.| Hún leit á.| Þá kom hann."),
    ("sl", "To stane 5 mio. evrov, npr. po čl. 3 zakona.| Prišel je dr. Novak.| Kupil je kruh itd.| Potem je šel."),
    ("sr", "То је нпр. у чл. 3 закона.| Дошао је проф. Јовић.| Видели су куће итд.| Потом су отишли."),
    ("sr", "To je npr. u čl. 3 zakona.| Gde je prof. Jović?| Ovde je."),
    ("he", "הוא בן 20.| היא בת 30.| ראו פרופ. כהן."),
    ("ka", "იხ. გვ. 7 და მაგ. ეს.| მე ვარ 20.| ის არის 30."),
    ("be", "Гл. стар. 7, напр. пра гэта.| Жыў акад. Колас.| Быў хлеб і г.д.| Потым дождж."),
    ("ga", "Féach lch. 7 anseo.| Is dochtúir í.| Tá sé ann."),
    ("gl", "Véxase páx. 7, p.ex. isto.| Chegou a sra. Lema.| Foi tarde."),
    ("eu", "Ikus or. 7 eta adib. hau.| Etorri zen.| Hori da."),
    ("sq", "Shih nr. 7 te fq. 3.| Erdhi prof. Hoxha.| Ai bleu bukë etj.| Pastaj iku."),
    ("sv", "Jag såg hon.| Sedan gick jag."),
    ("fi", "Minä tiedän sen.| Sitten lähdin."),
    ("sl", "Kje ste.| Potem gremo."),
    ("az", "Bax səh. 7 və məs. bu.| Gəldi prof. Əliyev.| O getdi."),
]  # fmt: skip

GUESSES = [
    ("lt", "Jis yra namuose, bet ji dar nėra čia, nes lyja."),
    ("lv", "Viņš ir mājās, bet viņa vēl nav šeit, jo līst."),
    ("et", "Ta on kodus, aga tema ei ole veel siin, sest sajab õues."),
    ("is", "Hann er heima en hún er ekki hér því að það rignir."),
    ("sl", "On je doma, vendar je še ni, ker zunaj dežuje in je tako."),
    ("sr", "Он је код куће, а она још није ту јер пада киша."),
    ("he", "הוא בבית אבל היא לא כאן כי יורד גשם."),
    ("ka", "ის სახლშია, მაგრამ ის არ არის აქ."),
    ("be", "Ён дома, але яна яшчэ не тут, бо ідзе дождж."),
    ("ga", "Tá sé sa bhaile ach níl sí anseo fós mar tá sé ag cur."),
    ("eu", "Bera etxean dago baina hura ez da hemen eta euria ari du."),
    ("sq", "Ai është në shtëpi, por ajo nuk është këtu sepse bie shi."),
    ("az", "O evdədir, lakin o hələ burada deyil, çünki yağış yağır və soyuqdur."),
    ("da", "Han er hjemme, men hun er ikke her, for det regner."),
    ("fi", "Hän on kotona, mutta hän ei ole täällä, sillä nyt sataa."),
    ("hr", "On je kod kuće, ali ona još nije tu jer pada kiša."),
    ("pt", "Ele está em casa, mas ela não está aqui porque chove."),
    ("es", "Él está en casa, pero ella no está aquí porque llueve."),
    ("ru", "Он дома, но она ещё не здесь, потому что идёт дождь."),
    ("pl", "On jest w domu, ale jej jeszcze nie ma, bo pada deszcz."),
]


@pytest.mark.parametrize(("language", "marked"), EXAMPLES)
def test_an_abbreviation_does_not_cut_and_the_end_does(language: str, marked: str) -> None:
    """The lists of the language keep its abbreviations whole, and its sentences still end."""
    text = marked.replace("|", "")
    found = [text[start:end].rstrip() for start, end in sentences(text, language)]
    assert found == [part.strip() for part in marked.split("|")]


@pytest.mark.parametrize(("language", "text"), GUESSES)
def test_new_languages_are_guessed_and_old_ones_still_are(language: str, text: str) -> None:
    """A language with lists of its own is no longer taken for its neighbour."""
    assert detect_language(text) == language


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_list_has_words_without_their_last_stop(language: Language) -> None:
    """A word written with its last full stop would never be found."""
    assert not [word for word in language.abbreviations if word.endswith(".")]
