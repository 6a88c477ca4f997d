"""Writes the OpenAPI description of the page's interface: python tools/make_openapi.py."""

import sys
from pathlib import Path

import msgspec

from cleanbreak.web.openapi import description
from cleanbreak.web.routes.table import ENDPOINTS

FILE = Path(__file__).parents[1] / "src" / "cleanbreak" / "web" / "openapi.json"


def made() -> bytes:
    return msgspec.json.format(msgspec.json.encode(description(ENDPOINTS)), indent=1) + b"\n"


if __name__ == "__main__":
    FILE.write_bytes(made())
    sys.stdout.write(f"wrote {FILE.name}\n")
