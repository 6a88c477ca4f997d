"""HTML and XHTML into text with block structure; used by EPUB."""
