"""The pure heart: text in, breaks, spans and chunks out. No files, clock, network or threads."""
