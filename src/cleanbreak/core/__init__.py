"""Text processing only: no files, clock, network, threads or global state."""
