"""Encodings: proof before guess, and strictly or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.errors import SourceUndecodableError
from cleanbreak.readers.encoding import decode
from cleanbreak.readers.guess import UNSURE

WORDS = {
    "cp1251": "Старый маяк стоял на мысу, и каждую ночь смотритель зажигал лампу.\n",
    "koi8-r": "Старый маяк стоял на мысу, и каждую ночь смотритель зажигал лампу.\n",
    "cp1252": "Le gardien du phare — « un vieil homme » — n’était pas là, hélas ; où était-il ?\n",
    "cp1250": "Strážce majáku vystoupal po schodech a rozsvítil žlutou lampu, jak každý večer.\n",
    "cp1253": "Ο φύλακας του φάρου ανέβηκε τα σκαλιά και άναψε τη λάμπα, όπως κάθε βράδυ.\n",
    "cp932": "灯台守は毎晩、百六十二段の階段をのぼって、ランプに火をともした。\n",
    "euc_jis_2004": "灯台守は毎晩、百六十二段の階段をのぼって、ランプに火をともした。\n",
    "gb18030": "灯塔看守人每天晚上爬上一百六十二级台阶，点亮那盏灯。\n",
    "cp949": "등대지기는 매일 밤 백육십이 계단을 올라가 등불을 켰다.\n",
}


@pytest.mark.parametrize("encoding", WORDS)
def test_legacy_encodings_are_found(encoding: str) -> None:
    """A page of prose is enough for the detector."""
    text = WORDS[encoding] * 20
    assert text == decode(text.encode(encoding), "a.txt").text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_nul_bytes_tell_wide_encodings_apart(encoding: str) -> None:
    """Without a byte order mark the zeros show the order."""
    text = "The light — and Søren — went out.\n" * 5
    assert (text, encoding, 1.0) == decode(text.encode(encoding), "a.txt")[:3]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text",
    [
        "Старый маяк погас — ещё до рассвета.\n",
        "ชายชรารอ จนถึงรุ่งเช้า\n",
        "لم يره أحد.\n",
        "बूढ़ा आदमी भोर तक रुका रहा।\n",
    ],
)
def test_alphabets_beyond_latin_leave_few_nul_bytes(text: str, encoding: str) -> None:
    """In UTF-16 only their spaces have one; the rest could pass for text full of controls."""
    assert (text, encoding) == decode(text.encode(encoding), "a.txt")[:2]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Żółta łódź płynęła wzdłuż rzeki, a dziewczyna śpiewała cicho.\n", "iso8859-2"),
        ("Žluťoučký kůň stál; nikdo ho neslyšel, protože pršelo.\n", "iso8859-2"),
        ("Żółta łódź płynęła wzdłuż rzeki, a dziewczyna śpiewała cicho.\n", "cp1250"),
        ("Старый маяк погас ещё до рассвета, и никто не заметил.\n", "iso8859-5"),
        ("Старый маяк погас ещё до рассвета, и никто не заметил.\n", "cp866"),
        ("Старый маяк погас ещё до рассвета, и никто не заметил.\n", "cp1251"),
    ],
)
def test_older_encodings_that_are_clearly_surer(text: str, encoding: str) -> None:
    """A code page in use today fits the bytes too, and gives rubbish."""
    assert (text, encoding) == decode(text.encode(encoding), "a.txt")[:2]


@pytest.mark.parametrize("encoding", ["iso2022_jp", "iso2022_kr", "hz"])
def test_escapes_are_found_in_what_looks_like_ascii(encoding: str) -> None:
    """Seven-bit encodings are valid UTF-8, so they are looked for before it."""
    light = {"iso2022_jp": "灯台", "iso2022_kr": "등대", "hz": "灯塔"}[encoding]
    text = f"{light} lighthouse {light}\n"
    assert text == decode(text.encode(encoding), "a.txt").text


@pytest.mark.parametrize("data", [b"~{not hz~ at all", b"ls ~{a,b}\n", b"\x1b[31mred\x1b[0m"])
def test_likenesses_of_escapes_are_plain_text(data: bytes) -> None:
    """A tilde and a brace, or a terminal's colour, prove nothing."""
    assert (data.decode(), "utf-8") == decode(data, "a.txt")[:2]


@pytest.mark.parametrize("text", ["“Hello” — it’s late.\n", "Größe\n", "The café closed.\n"])
def test_few_characters_are_of_no_old_encoding(text: str) -> None:
    """Any few bytes fit some code page of DOS better than the one they are in."""
    assert text == decode(text.encode("cp1252"), "a.txt").text


def test_one_late_character_counts() -> None:
    """The whole file is looked at, not its first thousands of bytes."""
    late = "Nothing here.\n" * 20_000 + "The café closed; “so soon?”\n"
    assert (late, "utf-8", 1.0) == decode(late.encode(), "a.txt")[:3]
    assert late == decode(late.encode("cp1252"), "a.txt").text


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_file_of_two_encodings_keeps_the_words_of_both(mark: bytes) -> None:
    """Text of Windows pasted into a UTF-8 file is read, and its bytes are counted."""
    line = "Le café est fermé — où est la clé ? "
    data = mark + (line * 3).encode() + "“Là”".encode("cp1252") + line.encode()
    found = decode(data, "a.txt")
    assert (found.text, found.strays, found.truncated) == (line * 3 + "“Là”" + line, 3, False)


def test_byte_of_no_encoding_in_utf8_is_replaced() -> None:
    """The code page of Windows has five holes; what is there can only be damage."""
    found = decode("é".encode() * 50 + b"\x81" + "é".encode() * 50, "a.txt")
    assert (found.text, found.strays) == ("é" * 50 + "\ufffd" + "é" * 50, 1)


def test_utf8_that_is_asked_for_is_strict() -> None:
    """Who names the encoding wants to know that the file is not in it."""
    with pytest.raises(SourceUndecodableError) as caught:
        decode("é".encode() * 500 + b"\xff", "a.txt", "utf-8")
    assert caught.value.details["byte_offset"] == 1000


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("L'été dernier, la fenêtre était ouverte où le gardien dînait, près du rêve.\n" * 5, "mac-roman"),
        ("Маяк давно погас, но смотритель каждую ночь поднимался наверх.\n" * 5, "mac-cyrillic"),
        ("Der Wärter öffnete die Tür; draußen lag Schnee über den Dächern.\n" * 5, "cp850"),
        ("Strażnik zszedł po schodach i zgasił lampę, bo świt już nadchodził.\n" * 3, "cp852"),
        ("Le cœur de la sœur battait ; le manœuvre coûte 20 € au bout d'été.\n", "iso8859-15"),
        ("Het kost 20 €, zei de vrouw; en één ei is geen ei.\n", "iso8859-15"),
        ("灯台守は毎晩、百六十二段の階段をのぼった。", "cp932"),
        ("燈塔看守人每天晚上爬上階梯，點亮那盞燈。", "big5"),
    ],
)  # fmt: skip
def test_encodings_of_old_machines_and_short_texts(text: str, encoding: str) -> None:
    """The detector knows them all; to prefer those of today would garble them."""
    assert decode(text.encode(encoding), "a.txt").text == text


@pytest.mark.parametrize(
    "text", ["It cost 1½d a piece in the café.\n", "Là, à 1¼ mille, était la tour déjà fermée.\n"]
)
def test_fractions_are_not_letters_of_latin_9(text: str) -> None:
    """Beside a figure the byte is a fraction, as in Latin 1."""
    assert decode(text.encode("cp1252"), "a.txt").text == text


def test_quotation_marks_of_windows_are_not_of_latin_9() -> None:
    """Where ISO 8859 has control characters, the file is not in it, euro sign or not."""
    text = "“À 1 ¤ le cœur”, dit-il ; l’été était déjà fini.\n"
    assert decode(text.encode("cp1252"), "a.txt").text == text


def test_no_evidence_is_said() -> None:
    """Two bytes fit a dozen encodings; the commonest is taken, at a confidence that warns."""
    found = decode("Größe\n".encode("cp1252"), "a.txt")
    assert (found.text, found.encoding) == ("Größe\n", "cp1252")
    assert found.confidence < UNSURE


def test_encoding_named_in_a_long_file_counts() -> None:
    """A few names in Chinese in an English feed are no evidence, but its declaration is."""
    feed = '<?xml version="1.0" encoding="Big5"?>\n' + "<p>English words.</p>\n" * 3000
    feed += "<p>Ken 燈塔, see you at 階梯</p>\n"
    assert decode(feed.encode("big5"), "a.txt").text == feed


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "iso2022_jp"])
def test_file_cut_inside_a_character_is_read_but_for_it(encoding: str) -> None:
    """A download that broke off gets a warning, and nothing else of it is lost."""
    text = "灯台守は毎晩ランプに火をともした" * 5
    data = text.encode(encoding)
    cut = -4 if encoding == "iso2022_jp" else -1  # the last escape is three bytes
    found = decode(data[:cut], "a.txt")
    assert (text[:-1] + "\ufffd", True) == (found.text, found.truncated)


def test_offset_of_the_misfit_counts_the_mark() -> None:
    """The offset is one of the file."""
    with pytest.raises(SourceUndecodableError) as caught:
        decode(b"\xef\xbb\xbfab\xffcd", "a.txt")
    assert caught.value.details["byte_offset"] == 5


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    """Random bytes give a text or this error, and no other failure."""
    try:
        found = decode(data, "a.txt")
    except SourceUndecodableError:
        return
    assert 0 <= found.confidence <= 1


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200), st.sampled_from(
    ["utf-8", "utf-8-sig", "utf-16", "utf-32"]))  # fmt: skip
def test_unicode_survives(text: str, encoding: str) -> None:
    """What was written in a Unicode encoding, and asked for in it, is read back."""
    assert text.removeprefix("\ufeff") == decode(text.encode(encoding), "a.txt", encoding).text
