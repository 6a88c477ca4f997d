"""``python -m cleanbreak``."""

from cleanbreak.cli import main

if __name__ == "__main__":
    main()
