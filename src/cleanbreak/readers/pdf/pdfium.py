"""A PDF opened by PDFium, with errors that say what to do.

PDFium keeps global state and is not thread-safe: four threads reading four files crashed it. So
one lock is held for as long as a file is open; processes do not share it.
"""

import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import create_string_buffer
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.errors import SourceEncryptedError, SourceError, SourceMalformedError
from cleanbreak.readers.controls import clean
from cleanbreak.readers.pdf.repair import has_sound_xref, with_trailer

_LOCK = threading.Lock()
# Characters.
_LONGEST_TITLE = 1000


class PdfFile(NamedTuple):
    """An open file: PDFium's handle, its number of pages, and whether it had to be repaired."""

    handle: Any
    pages: int
    repaired: bool


@contextmanager
def open_pdf(data: bytes, name: str, password: str | None) -> Iterator[PdfFile]:
    """Hold a PDF open, and every other thread of this process off PDFium.

    Raises:
        SourceEncryptedError: if it needs a password, or another one than given.
        SourceMalformedError: if neither PDFium nor a new trailer makes it a PDF with pages.
    """
    with _LOCK:
        handle, held, code = _load(data, password)
        repaired = bool(handle) and not has_sound_xref(data)
        if not handle and code == pdfium.FPDF_ERR_FORMAT:
            mended = with_trailer(data)
            if mended is not None:
                handle, held, _ = _load(mended, password)
                repaired = bool(handle)
        if not handle:
            raise _refusal(code, name, given=password is not None)
        try:
            yield PdfFile(handle, pdfium.FPDF_GetPageCount(handle), repaired)
        finally:
            pdfium.FPDF_CloseDocument(handle)
            del held  # PDFium reads from these bytes until it is closed


def _load(data: bytes, password: str | None) -> tuple[Any, bytes, int]:
    """A handle or None, the bytes that must outlive it, and PDFium's reason if it refused."""
    code = pdfium.FPDF_ERR_SUCCESS
    for attempt in _encoded(password):
        handle = pdfium.FPDF_LoadMemDocument64(data, len(data), attempt)
        if handle and pdfium.FPDF_GetPageCount(handle) > 0:
            return handle, data, code
        code = pdfium.FPDF_GetLastError()
        if handle:
            pdfium.FPDF_CloseDocument(handle)
            return None, data, pdfium.FPDF_ERR_FORMAT
        if code != pdfium.FPDF_ERR_PASSWORD:
            break
    return None, data, code


def _encoded(password: str | None) -> list[bytes | None]:
    """The forms a password may have been stored in.

    UTF-8 after SASLprep, which is NFKC for most (ISO 32000-2, 7.6.4.3.3), or Latin-1 before
    revision 5. No password is tried first as the empty user password, which opens most files.
    """
    if password is None:
        return [None]
    forms = [password.encode("utf-8", "replace")]
    forms.append(unicodedata.normalize("NFKC", password).encode("utf-8", "replace"))
    forms.append(password.encode("latin-1", "replace"))
    return [form + b"\0" for form in dict.fromkeys(forms)]


def _refusal(code: int, name: str, *, given: bool) -> SourceError:
    if code == pdfium.FPDF_ERR_PASSWORD:
        what = "another password" if given else "a password"
        return SourceEncryptedError(
            f"{name!r} needs {what}; give it with --password or CLEANBREAK_PDF_PASSWORD.",
            name=name,
        )
    if code == pdfium.FPDF_ERR_SECURITY:
        return SourceEncryptedError(
            f"{name!r} is protected in a way that is not supported; save it without protection.",
            name=name,
        )
    return SourceMalformedError(
        f"{name!r} is not a PDF that can be read; it may be cut short or damaged, "
        "so fetch it again or save it anew.",
        name=name,
    )


def wide_text(getter: Callable[..., int], *arguments: Any) -> str:
    """What one of PDFium's getters of UTF-16 text gives, cleaned and without outer white space."""
    size = getter(*arguments, None, 0)
    if size <= 2:
        return ""
    buffer = create_string_buffer(size)
    getter(*arguments, buffer, size)
    # Titles and labels are short; a long one on each of many pages is an attack on memory.
    units = buffer.raw[: min(size - 2, 2 * _LONGEST_TITLE)]
    text, _ = clean(units.decode("utf-16-le", "replace"))
    return text.strip()
