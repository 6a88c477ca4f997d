"""The bytes of a chapter as UTF-8, and rewritten for an HTML parser.

EPUB chapters are XHTML, mostly well formed. An HTML parser accepts any other markup, knows every named
entity and fetches nothing. What it would read differently from an XML parser is rewritten here.
"""

import codecs
import re
from html import escape, unescape
from typing import NamedTuple

from cleanbreak.errors import SourceUndecodableError
from cleanbreak.readers.encoding import decode
from cleanbreak.readers.html.frame import DEEPEST

_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE)
_DECLARED = re.compile(rb"""(?:encoding|charset)\s*=\s*["']?\s*([A-Za-z0-9._:-]+)""")
_DECLARED_WITHIN = 1024
# As the web reads them (WHATWG Encoding): nobody means the C1 controls of Latin-1.
_SAME_AS_CP1252 = ("ascii", "iso8859-1")

_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[>]*(?:\[(?P<subset>.*?)\]\s*)?>", re.DOTALL | re.IGNORECASE)
_ENTITY = re.compile(
    rb"""<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"&%<]{0,200})"\s*>|'([^'&%<]{0,200})'\s*>)?"""
)
_MAX_ENTITIES = 100
_CDATA = b"<![CDATA["
_TAG_NAME = re.compile(rb"<([A-Za-z][^\s<>/]*)[^<>]*\Z")
_VOID = frozenset(b"area base br col embed hr img input link meta param source track wbr".split())
_STEP = 1 << 16
_TAG = re.compile(rb"<(/?)([A-Za-z][A-Za-z0-9]*)")
_OFTEN_UNCLOSED = frozenset(b"p li dt dd tr td th a option colgroup thead tbody tfoot".split())


class Markup(NamedTuple):
    """A chapter as UTF-8, and what was wrong with its bytes."""

    utf8: bytes
    guessed: str | None = None
    """The encoding, if it was neither proved nor declared correctly."""
    misfits: int = 0
    """How many bytes fit no encoding and were replaced."""
    unresolved: int = 0
    """How many references to entities were left out: external ones, or ones made of others."""


def prepare(data: bytes) -> Markup:
    """The markup in `data`, decoded, without a document type and with its entities replaced."""
    decoded = _decoded(data)
    # An HTML parser drops NUL silently. It keeps other controls, which are then replaced and counted.
    utf8, unresolved = _without_doctype(decoded.utf8.replace(b"\0", b"\1"))
    return decoded._replace(utf8=utf8, unresolved=unresolved)


def too_deep(utf8: bytes) -> bool:
    """Whether tags nest so deep that parsing, whose time grows with the square, would take long."""
    if utf8.count(b"<") <= DEEPEST or _depth_bound(utf8) <= DEEPEST:
        return False
    depth = 0
    for closing, tag in _TAG.findall(as_html(utf8)):
        if tag not in _VOID and tag not in _OFTEN_UNCLOSED:
            depth += -1 if closing else 1
            if depth > DEEPEST:
                return True
    return False


def _depth_bound(utf8: bytes) -> int:
    """An upper bound of the tags that are open at once, found by counting in steps."""
    deepest = open_ = 0
    for at in range(0, len(utf8), _STEP):
        step = utf8[at : at + _STEP]
        tags, ends = step.count(b"<"), step.count(b"</")
        deepest = max(deepest, open_ + tags - ends)
        # An empty tag or a comment opens nothing. A tag cut by the end of the step can only make
        # the bound too large.
        open_ += tags - 2 * ends - step.count(b"/>") - step.count(b"<!")
    return deepest


def _decoded(data: bytes) -> Markup:
    try:
        if not data.startswith(_BOMS) and b"\0" not in data[:64]:
            return _decoded_unmarked(data)
        return Markup(decode(data, "").text.encode())
    except SourceUndecodableError:
        return _damaged(data)


def _decoded_unmarked(data: bytes) -> Markup:
    declared = _declared(data)
    if declared.startswith(("iso2022", "hz")):  # also valid UTF-8, so the declaration decides
        return Markup(data.decode(declared, "replace").encode())
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return Markup(data)
    if declared not in ("", "utf-8"):
        try:
            return Markup(data.decode(declared).encode())
        except UnicodeDecodeError:
            pass
    found = decode(data, "")
    if found.strays:
        return _damaged(data)
    guessed = found.encoding if found.confidence < 1 else None
    return Markup(found.text.encode(), guessed, int(found.truncated))


def _damaged(data: bytes) -> Markup:
    text = data.decode("utf-8", "replace")
    return Markup(text.encode(), misfits=text.count("\ufffd"))


def _declared(data: bytes) -> str:
    """The codec that the XML declaration or a meta element names; empty if Python has none."""
    found = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    try:
        name = codecs.lookup(found[1].decode("ascii")).name if found else ""
    except LookupError:
        return ""
    return "cp1252" if name in _SAME_AS_CP1252 else name


def _without_doctype(utf8: bytes) -> tuple[bytes, int]:
    """The markup with the entities of its document type replaced, and how many could not be."""
    doctype = _DOCTYPE.search(utf8, 0, 1 << 16)
    if doctype is None:
        return utf8, 0
    utf8 = utf8[: doctype.start()] + utf8[doctype.end() :]
    unresolved = 0
    # No entity may contain another, so the text grows by a constant factor at most. External
    # entities are never fetched.
    for name, double, single in _ENTITY.findall(doctype["subset"] or b"")[:_MAX_ENTITIES]:
        value = double or single
        reference = b"&%b;" % name
        unresolved += 0 if value else utf8.count(reference)
        utf8 = utf8.replace(reference, value)
    return utf8, unresolved


def as_html(utf8: bytes) -> bytes:
    """XHTML rewritten so that an HTML parser reads it as an XML parser would."""
    if _CDATA in utf8:
        utf8 = _without_cdata(utf8)
    if b"/>" in utf8:
        utf8 = _with_end_tags(utf8.replace(b"<br/>", b"<br>"))  # the most frequent one, done fast
    if b"</br>" in utf8:  # which HTML reads as another <br>
        utf8 = utf8.replace(b"</br>", b"")
    return utf8


def _without_cdata(utf8: bytes) -> bytes:
    """CDATA sections as escaped text; an HTML parser would read them as comments."""
    before, *sections = utf8.split(_CDATA)
    rewritten = [before]
    for section in sections:
        words, end, after = section.partition(b"]]>")
        rewritten.append(escape(words.decode(), quote=False).encode() if end else words)
        rewritten.append(after)
    return b"".join(rewritten)


def _with_end_tags(utf8: bytes) -> bytes:
    """``<i/>`` as ``<i></i>``: in XHTML they are the same, in HTML the first is never closed."""
    *parts, last = utf8.split(b"/>")
    rewritten: list[bytes] = []
    for part in parts:
        tag = _TAG_NAME.match(part, max(0, part.rfind(b"<")))
        if tag is None or tag[1].lower() in _VOID:
            rewritten += (part, b"/>")
        else:
            rewritten += (part, b"></", tag[1], b">")
    return b"".join((*rewritten, last))


_REFERENCE = re.compile(r"&(#[xX]?[0-9A-Fa-f]+|[A-Za-z][A-Za-z0-9]*);")
_XML_NAMED = frozenset(("amp", "lt", "gt", "quot", "apos"))
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml(data: bytes) -> bytes:
    """A package document as UTF-8 for an XML parser, without HTML's entities and illegal characters."""
    text = _decoded(data).utf8.decode()
    text = _XML_DECLARATION.sub("", text.removeprefix("\ufeff"), count=1)
    text = _NOT_XML.sub("", text)
    return _REFERENCE.sub(_character, text).encode()


def _character(reference: re.Match[str]) -> str:
    if reference[1] in _XML_NAMED:
        return reference[0]
    # Characters that XML forbids (such as surrogates) become U+FFFD or nothing, as in HTML.
    return escape(_NOT_XML.sub("", unescape(reference[0])))
