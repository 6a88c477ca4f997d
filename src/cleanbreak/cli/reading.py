"""The password of PDF files, shared by every command that reads sources."""

import os
from typing import Annotated

import typer

from cleanbreak.readers import PASSWORD_VARIABLE

Password = Annotated[
    str | None,
    typer.Option("--password", envvar=PASSWORD_VARIABLE, help="Of PDF files that need one."),
]


def use_password(password: str | None) -> None:
    """Read with `password` from here on, also in worker processes; it is stored nowhere."""
    if password is not None:
        os.environ[PASSWORD_VARIABLE] = password
