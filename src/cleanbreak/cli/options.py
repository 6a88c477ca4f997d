"""The options and arguments that several commands share, each declared once."""

import os
from collections.abc import Callable, Iterable
from copy import copy
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from cleanbreak.cli.settings import listed, parameters, splitters_with
from cleanbreak.core.splitters import SPLITTERS
from cleanbreak.readers import FORMATS, FURNITURE, PASSWORD_VARIABLE

Command = Callable[..., None]


def whole_number(text: str) -> int:
    """The number that was typed."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number.") from None


def book_number(text: str) -> int:
    """The book number that was typed."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not the number of a book. `cleanbreak status WORLD` lists the books "
            "with their numbers."
        ) from None


def number_option(*names: str, parser: Callable[[str], int] = whole_number, **details: Any) -> Any:
    """An option whose value is a whole number."""
    return typer.Option(*names, parser=parser, metavar="<number>", **details)


WorldFolder = Annotated[Path, typer.Argument(help="The folder of the world.", show_default=False)]
VaultFolder = Annotated[Path, typer.Argument(help="The folder of the notes.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before work that costs money.")]
Overwrite = Annotated[
    bool,
    typer.Option(
        "--overwrite", help="Replace the output file, also if cleanbreak did not write it."
    ),
]
TrustFiles = Annotated[
    bool, typer.Option("--trust-files", help="Check chunk files by name and size only, unread.")
]
Database = Annotated[
    Path | None,
    typer.Option("--db", help="The index of a vault.", show_default=".cleanbreak/index.sqlite"),
]


# How each option is declared: its type and what Typer is to know of it.
Declared = tuple[type, Any]


def _number(*names: str, help: str) -> Declared:  # noqa: A002 (Typer's name for it)
    return int, number_option(*names, help=help)


def _text(*names: str, **details: Any) -> Declared:
    return str, typer.Option(*names, **details)


_SPLITTER = {
    "by": _text(
        "--by",
        help=f"Splitter: {', '.join(SPLITTERS)}.",
        autocompletion=lambda: list(SPLITTERS),
    ),
    "chunk_size": _number(
        "--chunk-size", help="Maximum chunk size, in characters or units of --measure."
    ),
    "max_lookback": _number(
        "--max-lookback", help="How many characters before the maximum a chunk may end."
    ),
    "overlap": _number(
        "--overlap-size",
        "--overlap",
        help="Text to repeat from the previous chunk, in the unit of the chunk size.",
    ),
    "max_sentences": _number("--max-sentences", help="Maximum sentences per chunk."),
    "max_size": _number(
        "--max-size", help="Maximum size of a chunk of code, in units of --measure."
    ),
    "max_tokens": _number("--max-tokens", help="Maximum tokens per chunk, in units of --measure."),
    "measure": _text(
        "--measure",
        help="What sizes count: characters, words, tiktoken:NAME, or a tokenizer.json file.",
    ),
    "merge_small": _number(
        "--merge-small", help="Join sections smaller than this with the next one."
    ),
    "language": _text(
        "--language",
        help="Language of the text (ISO 639), such as en or pt-BR; of code, such as python; or auto.",
    ),
    "abbreviations": (
        list[str],
        typer.Option(
            "--abbreviation",
            help="A word after which a full stop ends no sentence. Can be given several times.",
        ),
    ),
    "soft_wraps": _text(
        "--soft-wraps", help="Whether line ends in hard-wrapped text count as spaces: auto, never."
    ),
    "separators": (
        list[str],
        typer.Option(
            "--separator",
            help="Where to cut, cleanest first, in place of paragraphs, lines and sentences; \\n is a "
            "line end. Can be given several times.",
        ),
    ),
    "prefix": _text(
        "--prefix", help="What is put before each chunk when it is embedded, to be counted with it."
    ),
    "cross_chapters": (
        bool,
        typer.Option(
            "--cross-chapters",
            help="Let a chunk hold the end of a chapter and the next one's start.",
        ),
    ),
    "oversize": _text(
        "--oversize", help="If one character alone is over the maximum: raise an error, or emit it."
    ),
}

_READING = {
    "encoding": _text("--encoding", help="Encoding of text files, if the detected one is wrong."),
    "as_format": _text(
        "--as",
        help="Read the files as text, markdown or html, also if their names say otherwise.",
        autocompletion=lambda: list(FORMATS),
    ),
    "password": _text("--password", help="Password for encrypted PDFs.", envvar=PASSWORD_VARIABLE),
    "furniture": _text(
        "--furniture",
        help="Page headers and footers of PDFs: drop, or keep in square brackets.",
        autocompletion=lambda: list(FURNITURE),
    ),
}

_KEPT = "Cutting (if not given, the settings of the world)"


def splitter_options(
    *names: str, by: str | None = None, kept: bool = False
) -> Callable[[Command], Command]:
    """Give a command the options that choose a splitter; it gets those given as ``splitter``.

    Args:
        names: which options; if not given, all.
        by: the only splitter that the command uses.
        kept: whether settings that are not given stay as they are, instead of a default.
    """
    chosen = names or tuple(_SPLITTER)

    def described(name: str) -> Any:
        option = copy(_SPLITTER[name][1])
        if "by" in chosen:
            option.help += _by_note(name)
        option.show_default = not kept and _default(name, (by,) if by else splitters_with(name))
        return option

    options = {name: (_SPLITTER[name][0], described(name)) for name in chosen}
    return _injected("splitter", options, _KEPT if kept else "Cutting")


def reading_options(*names: str) -> Callable[[Command], Command]:
    """Give a command the options for reading files; it gets those given as ``reading``.

    Without `names` it has all of them.
    """
    return _injected("reading", {name: _READING[name] for name in names or _READING}, "Reading")


def use_password(reading: dict[str, Any]) -> None:
    """Take the password out of `reading` and read files with it from now on.

    Worker processes inherit it from the environment; it is stored nowhere.
    """
    if (password := reading.pop("password", None)) is not None:
        os.environ[PASSWORD_VARIABLE] = password


def _injected(into: str, options: dict[str, Declared], panel: str) -> Callable[[Command], Command]:
    """A decorator: the command takes `options` too, and gets those given in the dict `into`."""

    def parameter(name: str) -> Parameter:
        kind, option = options[name][0], copy(options[name][1])
        option.rich_help_panel = panel
        annotation = Annotated[kind | None, option]  # type: ignore[valid-type]
        return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**values: Any) -> None:
            given = {name: values.pop(name) for name in options}
            values[into] = {name: value for name, value in given.items() if value not in (None, [])}
            command(**values)

        own = [
            parameter.replace(kind=Parameter.KEYWORD_ONLY)
            for name, parameter in signature(command).parameters.items()
            if name != into
        ]
        run.__signature__ = Signature([*own, *map(parameter, options)])  # type: ignore[attr-defined]
        return run

    return decorate


def _by_note(name: str) -> str:
    """What the help text says of an option in a command that has ``--by``."""
    if name == "overlap":
        return " In percent of a chunk with --by sentences."
    users = splitters_with(name)
    return f" With --by {listed(users)}." if len(users) < len(SPLITTERS) else ""


def _default(name: str, splitters: Iterable[str]) -> str | bool:
    """What holds if the option is not given, for the help text."""
    users: dict[str, list[str]] = {}
    for splitter in splitters:
        if (value := parameters(splitter)[name]) is not None:
            users.setdefault(str(value), []).append(splitter)
    if len(users) < 2:
        return next(iter(users), False)
    return "; ".join(f"{value} with {listed(some)}" for value, some in users.items())
