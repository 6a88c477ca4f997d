"""The fields of the query language: ``title:storm``, ``author:melville``, ``page:12``."""

import re
from collections.abc import Callable

from cleanbreak.stores.fulltext.folding import label_term, name_terms, tag_term
from cleanbreak.stores.fulltext.phrases import joined, quoted, word_parts

# Pages of a range that are looked for.
_MOST_PAGES = 200


def _in_column(column: str, text: str, *, prefix: bool) -> list[str]:
    return [f"{column} : {part}" for part in word_parts(text, prefix=prefix)]


def _begun(kind: str, text: str) -> str | None:
    """Tokens of a name, in order, the last of which may be the beginning of a word."""
    terms = " ".join(name_terms(kind, text))
    return f"{quoted(terms)} *" if terms else None


def _title(text: str, prefix: bool) -> list[str]:
    return _in_column("title", text, prefix=prefix)


def _heading(text: str, prefix: bool) -> list[str]:
    return _in_column("headings", text, prefix=prefix)


def _path(text: str, _: bool) -> list[str]:
    return _in_column("path", text, prefix=True)


def _tag(text: str, _: bool) -> list[str]:
    tag = text.lstrip("#").strip("/")
    return [f"tags : {quoted(tag_term(tag))}"] if tag else []


def _file(text: str, _: bool) -> list[str]:
    name = _begun("file", text)
    return [f"path : {name}"] if name else []


def _author(text: str, _: bool) -> list[str]:
    """Each word in any order, as some catalogues put the last name first."""
    return [f"path : {quoted(term)} *" for term in name_terms("author", text)]


def _chapter(text: str, prefix: bool) -> list[str]:
    """A chapter of a book, or a heading."""
    name = _begun("chapter", text)
    either = [joined(" AND ", _heading(text, prefix)), f"headings : {name}" if name else None]
    found = joined(" OR ", either)
    return [found] if found else []


def _book(text: str, _: bool) -> list[str]:
    """A book by its number, or by words of its title or path."""
    if text.isascii() and text.isdigit():
        return [f"path : {quoted(label_term('book', text.lstrip('0') or '0'))}"]
    return _in_column("{title path}", text, prefix=True)


def _page(text: str, _: bool) -> list[str]:
    labels = [text]
    if bounds := re.fullmatch(r"(\d{1,6})[-\u2013](\d{1,6})", text):
        first, last = map(int, bounds.groups())
        labels += map(str, range(first, min(last + 1, first + _MOST_PAGES)))
    found = joined(
        " OR ", [f"extra_terms : {quoted(label_term('page', label))}" for label in labels]
    )
    return [found] if found else []


FIELDS: dict[str, Callable[[str, bool], list[str]]] = {
    "author": _author,
    "book": _book,
    "chapter": _chapter,
    "file": _file,
    "heading": _heading,
    "page": _page,
    "path": _path,
    "tag": _tag,
    "title": _title,
}
"""What must be found for the text of each field, and whether its last word may go on."""

_unknown = re.compile(
    r"""  "[^"]*"?
        | (?<![^\s(\-]) (?P<field>[a-z]{2,}) : (?P<text>"[^"]+"? | \w[^\s()"]*)
    """,
    re.VERBOSE,
).finditer


def unknown_fields(typed: str) -> dict[str, str]:
    """What looks like a field and is none, each with the words in which it was typed.

    >>> unknown_fields('auhtor:melville "to:day" http://x TODO:y title:z')
    {'auhtor': 'auhtor melville'}
    """
    return {
        found["field"]: f"{found['field']} {found['text'].strip(chr(34))}"
        for found in _unknown(typed)
        if found["field"] and found["field"] not in FIELDS
    }
