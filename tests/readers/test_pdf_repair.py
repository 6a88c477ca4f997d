"""Damaged files: what is noticed, and what is repaired."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleanbreak.errors import SourceError
from cleanbreak.readers.pdf import read_pdf
from cleanbreak.readers.pdf.repair import has_sound_xref, with_trailer
from pdf_maker import column, drawn, pdf

SOUND = pdf([drawn(column(["ALPHA on one."])), drawn(column(["BRAVO on two."]))])


def codes(data: bytes) -> set[str]:
    return {warning.code for warning in read_pdf(data, "a.pdf").warnings}


def test_a_sound_file_is_not_repaired():
    assert has_sound_xref(SOUND)
    assert codes(SOUND) == set()


def test_junk_before_the_header_is_no_damage():
    assert codes(b"HTTP/1.1 200 OK\r\n\r\n" + SOUND) == set()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(SOUND.replace(b"startxref\n", b"startxref\n9"), id="wrong place of the table"),
        pytest.param(
            SOUND.replace(b"%PDF-1.7\n", b"%PDF-1.7\n% edited\n"), id="all offsets shifted"
        ),
        pytest.param(SOUND[: SOUND.index(b"xref\n")], id="cut before the table"),
        pytest.param(
            SOUND[SOUND.index(b"2 0 obj") :].join([b"%PDF-1.7\n", b""])[:-200],
            id="catalog lost too",
        ),
    ],
)
def test_damage_is_mended_and_told(data):
    document = read_pdf(data, "a.pdf")
    assert "ALPHA on one." in document.text
    assert "BRAVO on two." in document.text
    assert "PDF_REPAIRED" in {warning.code for warning in document.warnings}


def test_nothing_is_made_of_nothing():
    assert with_trailer(b"%PDF-1.7\nno objects here") is None
    assert with_trailer(b"1 0 obj << /Type /Catalog >>") is None


@given(st.integers(0, len(SOUND)), st.binary(max_size=8), st.integers(0, 40))
def test_any_damage_gives_text_or_an_error_of_ours(place, junk, lost):
    """Cut out a little, put in a little: never another exception."""
    data = SOUND[:place] + junk + SOUND[place + lost :]
    with contextlib.suppress(SourceError):
        assert read_pdf(data, "a.pdf").text.strip()


def test_a_megabyte_of_almost_objects_takes_one_pass():
    """Patterns that look for a page or a catalog must not run on to the end from every object."""
    data = b"%PDF-1.7\n" + b"1 0 obj << /Typ /Pag >> \n" * 40_000
    assert with_trailer(data) is None
