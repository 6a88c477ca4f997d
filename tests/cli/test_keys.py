"""`cleanbreak keys`: keys are kept so that only their owner reads them, and are never printed."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cleanbreak.cli.app import app
from home import SECRET, write_catalogue, write_key

KEY = SECRET + "-typed"


def run(*words: object, given: str | None = None) -> Result:
    done = CliRunner().invoke(app, ["keys", *map(str, words)], input=given)
    assert SECRET not in done.output
    return done


def listed(*words: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("list", *words, "--json").stdout)
    return found


@pytest.fixture(autouse=True)
def acme(home: Path) -> Path:
    write_catalogue(home, "http://127.0.0.1:9")
    return home


def stored(home: Path, name: str = "default") -> Any:
    return json.loads((home / f"config/keys/acme/{name}.json").read_bytes())["api_key"]


def test_a_key_from_standard_input_is_kept_for_its_owner_alone(home: Path) -> None:
    done = run("add", "acme", given=f"{KEY}\n")
    assert (done.exit_code, "keys test acme" in done.stdout) == (0, True)
    assert stored(home) == KEY
    path = home / "config/keys/acme/default.json"
    if os.name != "nt":
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [entry["name"] for entry in listed()] == ["default"]
    assert not list(path.parent.glob("*.tmp"))


def test_a_key_that_is_there_is_replaced_only_on_request(home: Path) -> None:
    run("add", "acme", given=KEY)
    done = run("add", "acme", given="sk-other")
    assert (done.exit_code, "PROVIDER_KEY_EXISTS" in done.stderr) == (1, True)
    assert stored(home) == KEY
    assert run("add", "acme", "--replace", given="sk-other").exit_code == 0
    assert stored(home) == "sk-other"
    assert run("add", "acme", "--name", "second", given=KEY).exit_code == 0
    assert [entry["name"] for entry in listed("acme")] == ["default", "second"]


@pytest.mark.parametrize("given", ["", "\n", "two words", "sk-é", "env:no name"])
def test_what_cannot_be_a_key_is_refused_and_not_kept(given: str, home: Path) -> None:
    done = run("add", "acme", given=given)
    assert (done.exit_code, "PROVIDER_KEY_INVALID" in done.stderr) == (1, True)
    assert not given.strip() or given.strip() not in done.output
    assert listed() == []


@pytest.mark.parametrize("name", ["../up", "", "a/b", ".hidden", "x" * 65])
def test_a_name_that_is_no_file_name_is_refused(name: str, home: Path) -> None:
    assert run("add", "acme", "--name", name, given=KEY).exit_code == 2
    assert not list(home.rglob("*up*"))


def test_a_variable_is_named_and_not_copied(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORK_KEY", KEY)
    assert run("add", "acme", "--from", "env:WORK_KEY", "--name", "work").exit_code == 0
    assert stored(home, "work") == "env:WORK_KEY"
    assert [(e["place"], e["problem"]) for e in listed()] == [("env:WORK_KEY", "")]
    monkeypatch.delenv("WORK_KEY")
    assert "WORK_KEY is not set" in run("list").stdout


def test_a_source_that_does_not_exist_is_wrong_usage() -> None:
    done = run("add", "acme", "--from", "vault:x")
    assert (done.exit_code, "env:NAME" in done.stderr) == (2, True)


class Keyring:
    """The system's store, as far as the library shows it."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}

    def set_password(self, service: str, user: str, key: str) -> None:
        self.held[service, user] = key

    def get_password(self, service: str, user: str) -> str | None:
        return self.held.get((service, user))

    def delete_password(self, service: str, user: str) -> None:
        del self.held[service, user]


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    keyring = pytest.importorskip("keyring", reason="the extra keyring is not installed")
    store = Keyring()
    for name in ("set_password", "get_password", "delete_password"):
        monkeypatch.setattr(keyring, name, getattr(store, name))
    return store


def test_a_key_in_the_keyring_is_in_no_file_and_goes_with_its_file(
    home: Path, system: Keyring
) -> None:
    assert run("add", "acme", "--from", "keyring", given=KEY).exit_code == 0
    assert system.held == {("cleanbreak", "acme-default"): KEY}
    assert stored(home) == "keyring:cleanbreak/acme-default"
    assert all(
        SECRET.encode() not in path.read_bytes() for path in home.rglob("*") if path.is_file()
    )
    assert [entry["place"] for entry in listed()] == ["keyring"]
    from cleanbreak.providers.keys import KeyScheduler

    (credential,) = KeyScheduler.for_model("acme", "acme/one").credentials
    assert credential.key == KEY
    assert run("remove", "acme", "default").exit_code == 0
    assert system.held == {}


def test_a_keyring_that_refuses_is_an_error_and_leaves_no_file(
    home: Path, system: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    import keyring.errors

    def refuse(*_: str) -> None:
        raise keyring.errors.KeyringLocked(KEY)

    monkeypatch.setattr("keyring.set_password", refuse)
    done = run("add", "acme", "--from", "keyring", given=KEY)
    assert (done.exit_code, "KeyringLocked" in done.stderr) == (1, True)
    assert listed() == []


def test_the_list_says_what_is_wrong_with_a_key(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_key(home, "broken").write_text('{"api_key": "' + SECRET, encoding="utf-8")
    write_key(home, "off", enabled=False)
    write_key(home, "some", allowed_models=["acme/one"])
    if os.name != "nt":
        write_key(home, "open").chmod(0o644)
    monkeypatch.setenv("ACME_API_KEY", KEY)
    found = {entry["name"]: entry for entry in listed()}
    assert "JSON" in found["broken"]["problem"]
    assert found["off"]["enabled"] is False
    assert found["some"]["allowed_models"] == ["acme/one"]
    assert found["$ACME_API_KEY"]["file_name"] is None
    lines = run("list").stdout
    assert "disabled" in lines
    if os.name != "nt":
        assert "other users" in lines


def test_remove_takes_the_file_away_and_an_unknown_name_is_an_error(home: Path) -> None:
    write_key(home)
    assert run("remove", "acme", "default").stdout == "key default of acme removed\n"
    assert listed() == []
    done = run("remove", "acme", "default")
    assert (done.exit_code, "PROVIDER_KEY_UNKNOWN" in done.stderr) == (1, True)


def test_a_provider_without_keys_says_so() -> None:
    for words in (("add", "ollama"), ("test", "ollama")):
        done = run(*words, given=KEY)
        assert (done.exit_code, "needs no key" in done.stderr) == (2, True)


# --- trying them ----------------------------------------------------------------------------------


@pytest.fixture
def server(home: Path) -> Iterator[Any]:
    pytest.importorskip("httpx", reason="the extra providers is not installed")
    pytest.importorskip("numpy", reason="the extra vectors is not installed")
    from providers.embedding_server import serving

    with serving() as (address, script):
        write_catalogue(home, address)
        yield script


def test_each_key_is_tried_with_one_word(home: Path, server: Any) -> None:
    write_key(home, "a")
    write_key(home, "b")
    done = run("test", "acme")
    assert (done.exit_code, done.stdout) == (0, "a: works\nb: works\n")
    assert server.asked == [["test"], ["test"]]
    assert server.keys == [f"Bearer {SECRET}-a", f"Bearer {SECRET}-b"]


def test_a_key_that_is_refused_is_named_and_the_others_are_tried(home: Path, server: Any) -> None:
    write_key(home, "a")
    write_key(home, "b")
    server.answers = [401]
    done = run("test", "acme", "--json")
    assert done.exit_code == 1
    assert [(trial["name"], trial["code"]) for trial in json.loads(done.stdout)] == [
        ("a", "PROVIDER_KEY_REJECTED"),
        ("b", ""),
    ]


def test_a_key_that_rests_is_not_waited_for_and_the_list_says_until_when(
    home: Path, server: Any
) -> None:
    write_key(home, "a")
    server.answers = [(429, {"Retry-After": "3600"}, SECRET.encode())]
    began = time.monotonic()
    done = run("test", "acme")
    assert time.monotonic() - began < 5
    assert (done.exit_code, "PROVIDER_UNAVAILABLE_UNTIL" in done.stdout) == (1, True)
    (entry,) = listed()
    assert list(entry["rests"]) == ["acme/one"]
    assert "rests: acme/one until 20" in run("list").stdout
    assert len(server.asked) == 1


def test_without_a_key_there_is_nothing_to_try(server: Any) -> None:
    done = run("test", "acme")
    assert (done.exit_code, "keys add acme" in done.stderr) == (1, True)


def test_a_provider_without_a_model_for_vectors_cannot_be_tried(home: Path) -> None:
    done = run("test", "anthropic")
    assert (done.exit_code, "cannot be tried" in done.stderr) == (1, True)


# --- a terminal -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_on_a_terminal_the_key_is_asked_for_and_not_shown(home: Path) -> None:
    import pty

    main, side = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "cleanbreak", "keys", "add", "acme"],
        stdin=side,
        stdout=side,
        stderr=side,
        env={**os.environ, "CLEANBREAK_HOME": str(home)},
        start_new_session=True,
    )
    os.close(side)
    shown = _read_until(main, b"Acme")
    time.sleep(0.3)  # the terminal's echo is switched off after the prompt is written
    os.write(main, KEY.encode() + b"\n")
    shown += _read_until(main, b"added")
    assert child.wait(20) == 0
    os.close(main)
    assert b"Key of Acme" in shown
    assert SECRET.encode() not in shown
    assert stored(home) == KEY


def _read_until(terminal: int, word: bytes) -> bytes:
    """What the terminal shows, up to a word or for 20 seconds."""
    shown, end = b"", time.monotonic() + 20
    while word not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                shown += os.read(terminal, 4096)
            except OSError:  # Linux says so at the end
                break
    return shown
