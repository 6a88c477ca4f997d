"""The entry point of the program ``cleanbreak``."""

import io
import sys


def main() -> None:
    """Run the command line and leave with an exit code that says how it ended."""
    # Pipes and older terminals may not be UTF-8. A character that they lack is shown as an escape
    # sequence; it must not end the run.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        from cleanbreak.cli.app import app

        app()
    except KeyboardInterrupt:  # while the libraries load; the application catches later ones
        sys.exit(130)
