"""The command line: parse, call, show. No logic."""

from cleanbreak.cli.main import main

__all__ = ["main"]
