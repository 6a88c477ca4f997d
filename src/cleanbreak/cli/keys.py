"""The commands on keys of providers: list, add, test, remove. A key itself is never printed."""

import sys
from typing import Annotated

import typer

from cleanbreak.cli import console
from cleanbreak.cli.command import Command
from cleanbreak.cli.options import Json
from cleanbreak.core.checks import one_of
from cleanbreak.errors import SettingsError
from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.catalogue.records import Provider
from cleanbreak.providers.embedding.key_trial import KeyTrial, try_keys
from cleanbreak.providers.keys.key_files import default_folder
from cleanbreak.providers.keys.key_store import (
    DEFAULT_NAME,
    KeyEntry,
    add_key,
    list_keys,
    remove_key,
)

ProviderId = Annotated[str, typer.Argument(help="The id of a provider, such as openai.")]
OneProvider = Annotated[
    str | None, typer.Argument(help="Only keys of this provider.", show_default=False)
]


def list_all(provider: OneProvider = None, as_json: Json = False) -> None:
    """List the keys that cleanbreak finds, and where each lies; never the keys themselves.

    Example: `cleanbreak keys list openai`
    """
    known = catalogue()
    providers = known.providers() if provider is None else (known.require_provider(provider),)
    found = [entry for one in providers for entry in list_keys(one, default_folder())]
    console.show(found, _print_keys, as_json=as_json)


def add(
    provider: ProviderId,
    name: Annotated[
        str, typer.Option("--name", help="What to call the key, if there are several.")
    ] = DEFAULT_NAME,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="env:NAME if a variable of the environment holds the key; keyring to keep it in the "
            "keyring of the system.",
            show_default="a file that only you can read",
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a key of the same name.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Keep a key of a provider. It is asked for and not shown, or read from standard input.

    Example: `cleanbreak keys add openai`

    Example: `cleanbreak keys add openai --from env:WORK_KEY --name work`
    """
    found = _with_keys(provider)
    in_keyring = source == "keyring"
    if source is None or in_keyring:
        key = _asked(found)
    else:
        if not source.startswith("env:"):
            one_of("--from", source, ("env:NAME", "keyring"))
        key = source
    entry = add_key(default_folder(), found, name, key, keyring=in_keyring, overwrite=replace)
    console.show(entry, _print_added, as_json=as_json)


def try_each(provider: ProviderId, as_json: Json = False) -> None:
    """Find out whether the keys of a provider work: one request of one word for each.

    Example: `cleanbreak keys test openai`
    """
    trials = list(try_keys(_with_keys(provider), default_folder()))
    console.show(trials, _print_trials, as_json=as_json)
    if not all(trial.works for trial in trials):
        raise typer.Exit(1)


def remove(
    provider: ProviderId,
    name: Annotated[str, typer.Argument(help="What the key is called.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Remove a key that was added. Worlds keep their vectors.

    Example: `cleanbreak keys remove openai work`
    """
    entry = remove_key(default_folder(), _with_keys(provider), name)
    console.show(
        entry,
        lambda gone: console.out.print(f"key {gone.name} of {gone.provider_id} removed"),
        as_json=as_json,
    )


keys = typer.Typer(
    name="keys",
    help="List, add, test and remove keys of providers.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
keys.command("list", cls=Command)(list_all)
keys.command("add", cls=Command)(add)
keys.command("test", cls=Command)(try_each)
keys.command("remove", cls=Command)(remove)


def _with_keys(provider_id: str) -> Provider:
    found = catalogue().require_provider(provider_id)
    if found.keyless:
        raise SettingsError(
            "provider",
            provider_id,
            "a provider with keys",
            sentence=f"{found.display_name or found.id} runs on this machine and needs no key.",
        )
    return found


def _asked(provider: Provider) -> str:
    """A key from standard input, without echo on a terminal; never from the command line."""
    if console.can_ask():
        prompt = f"Key of {provider.display_name or provider.id}"
        key: str = typer.prompt(prompt, hide_input=True, err=True)
    else:
        key = sys.stdin.readline()
    return key.strip()


def _print_keys(found: list[KeyEntry]) -> None:
    rows = [
        (
            entry.provider_id,
            entry.name,
            entry.place,
            ", ".join(entry.allowed_models) or "all models",
            _state(entry),
        )
        for entry in found
    ]
    console.print_table("", ("provider", "key", "kept in", "for", "state"), rows)
    if not rows:
        console.err.print("no keys yet; add one: cleanbreak keys add PROVIDER")


def _state(entry: KeyEntry) -> str:
    if not entry.enabled:
        return "disabled"
    if entry.problem:
        return entry.problem
    rests = (f"{model} until {until}" for model, until in entry.rests.items())
    return "rests: " + ", ".join(rests) if entry.rests else "in use"


def _print_added(entry: KeyEntry) -> None:
    console.out.print(
        f"key {entry.name} of {entry.provider_id} added; try it: cleanbreak keys test "
        f"{entry.provider_id}"
    )


def _print_trials(trials: list[KeyTrial]) -> None:
    for trial in trials:
        verdict = "works" if trial.works else f"{trial.message} ({trial.code})"
        console.out.print(f"{trial.name}: {verdict}")
