"""Characters, graphemes, line and word breaks: what text is, before any language."""
