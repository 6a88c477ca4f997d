"""Encodings: proof before guess, and strictly or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.errors import SourceUndecodableError
from cleanbreak.readers.encoding import decode

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
    assert (text, encoding, 1.0, False) == decode(text.encode(encoding), "a.txt")


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
    assert (late, "utf-8", 1.0, False) == decode(late.encode(), "a.txt")
    assert late == decode(late.encode("cp1252"), "a.txt").text


def test_damaged_utf8_is_not_guessed_at() -> None:
    """Any other encoding would turn every accent of the book to rubbish."""
    data = ("é" * 500).encode() + b"\xff" + ("é" * 500).encode()
    with pytest.raises(SourceUndecodableError) as caught:
        decode(data, "a.txt")
    assert caught.value.details["byte_offset"] == 1000


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
