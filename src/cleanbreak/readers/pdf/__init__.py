"""PDF files into documents."""

from cleanbreak.readers.pdf.reader import read_pdf

__all__ = ["read_pdf"]
