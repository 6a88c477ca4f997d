"""The command line: parse, call, print. No logic."""

from cleanbreak.cli.app import main

__all__ = ["main"]
