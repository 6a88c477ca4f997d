"""The form of a PDF, for what the entry of a field does not say: values that its parent or a list has."""

from ctypes import byref
from typing import Any

import pypdfium2.raw as pdfium

from cleanbreak.readers.pdf.wide import wide_text

# The version of PDFium's structure that asks for no functions of ours.
_VERSION = 2
_TEXTS = (
    pdfium.FPDF_FORMFIELD_TEXTFIELD,
    pdfium.FPDF_FORMFIELD_COMBOBOX,
    pdfium.FPDF_FORMFIELD_LISTBOX,
)
# The bit of a text field's flags that makes it one for passwords (ISO 32000-2, table 231).
PASSWORD = 1 << 13
# Characters of a value; more is cut off.
LONGEST = 100_000
# Options of a list that are looked at.
_MAX_OPTIONS = 1000


class Form:
    """The form of an open document. PDFium looks for it when it is first asked.

    No script of the document is run: that needs calls of which there are none here.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self._info = pdfium.FPDF_FORMFILLINFO(version=_VERSION)
        self._handle: Any = None

    def value(self, annotation: Any) -> str:
        """The value of a field for text or a choice, as it is shown; not of a password or a button."""
        if self._handle is None:
            self._handle = pdfium.FPDFDOC_InitFormFillEnvironment(self._document, byref(self._info))
        if not self._handle:
            return ""
        kind = pdfium.FPDFAnnot_GetFormFieldType(self._handle, annotation)
        flags = pdfium.FPDFAnnot_GetFormFieldFlags(self._handle, annotation)
        if kind not in _TEXTS or (kind == pdfium.FPDF_FORMFIELD_TEXTFIELD and flags & PASSWORD):
            return ""
        chosen = ", ".join(self._chosen(annotation))
        return chosen or wide_text(
            pdfium.FPDFAnnot_GetFormFieldValue, self._handle, annotation, longest=LONGEST
        )

    def close(self) -> None:
        """Release it; before the document is closed."""
        if self._handle:
            pdfium.FPDFDOC_ExitFormFillEnvironment(self._handle)

    def _chosen(self, annotation: Any) -> list[str]:
        """The labels of the options that are selected."""
        count = min(_MAX_OPTIONS, pdfium.FPDFAnnot_GetOptionCount(self._handle, annotation))
        return [
            wide_text(pdfium.FPDFAnnot_GetOptionLabel, self._handle, annotation, number)
            for number in range(count)
            if pdfium.FPDFAnnot_IsOptionSelected(self._handle, annotation, number)
        ]
