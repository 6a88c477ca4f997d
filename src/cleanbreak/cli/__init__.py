"""The command line: parse, call, print. No logic."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave with an honest exit code."""
    try:
        from cleanbreak.cli.app import app

        app()
    except KeyboardInterrupt:  # while the libraries load; later the commands answer for it
        sys.exit(130)
