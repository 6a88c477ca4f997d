"""Markdown structure by the rules of CommonMark: front matter, headings, blocks, links."""
