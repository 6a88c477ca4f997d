"""A PDF opened by PDFium, and errors that say what to do.

PDFium has global state and is not thread-safe: four threads that read four files crashed it. So one
lock is held as long as a file is open. Each process has its own.
"""

import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from cleanbreak.errors import SourceEncryptedError, SourceError, SourceMalformedError
from cleanbreak.readers.pdf.fonts import use_own_fonts
from cleanbreak.readers.pdf.form import Form
from cleanbreak.readers.pdf.repair import has_sound_xref, with_trailer

_LOCK = threading.Lock()
use_own_fonts()


class PdfFile(NamedTuple):
    """An open file: PDFium's handle, its form, its pages, and whether it had to be repaired."""

    handle: Any
    form: Form
    pages: int
    repaired: bool


@contextmanager
def open_pdf(data: bytes, name: str, password: str | None) -> Iterator[PdfFile]:
    """Open a PDF, and keep the other threads of this process away from PDFium meanwhile.

    Raises:
        SourceEncryptedError: if it needs a password, or a different one.
        SourceMalformedError: if it has no pages, with a new trailer either.
    """
    with _LOCK:
        handle, held, code = _load(data, password)
        repaired = bool(handle) and not has_sound_xref(data)
        if not handle and code == pdfium.FPDF_ERR_FORMAT:
            rewritten = with_trailer(data)
            if rewritten is not None:
                handle, held, _ = _load(rewritten, password)
                repaired = bool(handle)
        if not handle:
            raise _refusal(code, name, given=password is not None)
        form = Form(handle)
        try:
            yield PdfFile(handle, form, pdfium.FPDF_GetPageCount(handle), repaired)
        finally:
            form.close()
            pdfium.FPDF_CloseDocument(handle)
            del held  # PDFium reads from these bytes until it is closed


def _load(data: bytes, password: str | None) -> tuple[Any, bytes, int]:
    """A handle or None, the bytes that it reads from, and PDFium's error code if it refused."""
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
    """The forms in which a password may have been stored.

    They are UTF-8 after SASLprep, which is NFKC for most passwords (ISO 32000-2, 7.6.4.3.3), and
    Latin-1 before revision 5. Without a password PDFium tries the empty one, which opens most files.
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
        "so download or save it again.",
        name=name,
    )
