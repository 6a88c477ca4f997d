"""Which sections of a book are about it and not it: licences, indexes, notes at the end."""

from collections.abc import Sequence
from functools import lru_cache

from cleanbreak.core.chunk import SectionRecord
from cleanbreak.stores.fulltext.folding import respell, without_accents

# The licence around a book counts a quarter. An index or a list of notes counts half: it has every
# rare word of the book, and now and then it is what was looked for.
_LICENCE, _BACK_MATTER = 0.25, 0.5

# As chapters are called in the tables of contents of books, without accents.
_BACK_TITLES = """
    index|general index|subject index|index of names|index of subjects|name index|author index
    index of first lines|index of titles|alphabetical index|notes|endnotes|end notes|footnotes
    bibliography|selected bibliography|select bibliography|works cited|references|further reading
    glossary|list of illustrations|contents|table of contents|copyright|about the author
    register|sachregister|namenregister|personenregister|stichwortverzeichnis|sachverzeichnis
    anmerkungen|endnoten|fussnoten|literatur|literaturverzeichnis|inhalt|inhaltsverzeichnis
    abbildungsverzeichnis|glossar|impressum
    index des noms|index general|notes de fin|bibliographie|table des matieres|sommaire|glossaire
    table des illustrations
    indice|indice analitico|indice dei nomi|note|note finali|bibliografia|sommario|glossario
    indice alfabetico|indice onomastico|indice tematico|notas|notas finales|notas finais|glosario
    indice remissivo|referencias|sumario
    inhoudsopgave|noten|eindnoten|voetnoten|bronnen|literatuur|literatuurlijst|zakenregister
    innehall|noter|slutnoter|litteratur|sakregister|innhold|indhold|sluttnoter|slutnoter
    viitteet|hakemisto|lahteet|kirjallisuus|sisallys
    przypisy|indeks|spis tresci|rejstrik|poznamky|obsah|literatura
    указатель|именнои указатель|предметныи указатель|примечания|содержание|оглавление
    библиография|литература|список литературы
    索引|注|注釈|註|参考文献|目次|尾注|目录|目錄|參考文獻
"""
_TITLES = frozenset(
    title.strip() for line in _BACK_TITLES.splitlines() for title in line.split("|")
) - {""}


def weight_of(sections: Sequence[SectionRecord], *, is_book: bool) -> float:
    """What a match in a chunk of these sections counts, 1 for the text itself.

    >>> notes = SectionRecord("chapter", "Notes", 1, 0, 90)
    >>> weight_of([notes], is_book=True), weight_of([notes], is_book=False)
    (0.5, 1.0)
    """
    if any(part.kind == "licence" for part in sections):
        return _LICENCE
    if is_book and any(part.kind == "chapter" and _is_back(part.title) for part in sections):
        return _BACK_MATTER
    return 1.0


@lru_cache(maxsize=4_096)
def _is_back(title: str) -> bool:
    return without_accents(respell(title)).strip(" .:[]") in _TITLES
