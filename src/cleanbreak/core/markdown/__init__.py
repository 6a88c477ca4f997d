"""Markdown as CommonMark reads it: front matter, headings, blocks, links."""
