"""EPUB files into documents."""

from cleanbreak.readers.epub.reader import read_epub

__all__ = ["read_epub"]
