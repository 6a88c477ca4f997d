"""`cleanbreak models`: what is known of models, and fetching one."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cleanbreak import errors
from cleanbreak.cli.app import app
from cleanbreak.providers.local import install
from home import write_catalogue

pytestmark = pytest.mark.usefixtures("home")


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["models", *map(str, words)])


def listed(*words: object) -> list[dict[str, Any]]:
    done = run("list", *words, "--json")
    assert done.exit_code == 0, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert found
    return found


def test_the_list_has_one_row_a_model_with_limits_and_price() -> None:
    rows = [line.split("\t") for line in run("list").stdout.splitlines()]
    assert len(rows) == len(listed())
    (small,) = (row for row in rows if row[0] == "openai/text-embedding-3-small")
    assert small == ["openai/text-embedding-3-small", "vectors", "8,191", "1,536", "0.02 USD"]
    (mini,) = (row for row in rows if row[0] == "local/minilm")
    assert mini[-1] == "not installed"


@pytest.mark.parametrize("surface", ["embedding", "chat"])
def test_the_list_can_be_of_one_use(surface: str) -> None:
    found = listed(f"--{surface}")
    assert all(surface in model["surfaces"] for model in found)
    assert len(found) < len(listed())


def test_the_list_can_be_of_one_provider_and_of_this_machine() -> None:
    assert {m["id"].partition("/")[0] for m in listed("--provider", "voyage")} == {"voyage"}
    assert {m["id"].partition("/")[0] for m in listed("--local")} == {"local", "ollama"}
    assert run("list", "--chat", "--provider", "voyage").stdout == ""


def test_a_provider_that_nobody_knows_is_an_error_with_the_nearest() -> None:
    done = run("list", "--provider", "opena")
    assert done.exit_code == 1
    assert "did you mean openai?" in done.stderr


def test_a_model_of_the_persons_own_is_listed_and_shown(home: Path) -> None:
    write_catalogue(home, "http://127.0.0.1:9", description="Ours")
    assert [model["id"] for model in listed("--provider", "acme")] == ["acme/one"]
    assert "description: Ours" in run("show", "acme/one").stdout


def test_show_says_all_that_the_catalogue_says() -> None:
    done = json.loads(run("show", "minilm", "--json").stdout)
    assert (done["id"], done["installed"]) == ("local/minilm", False)
    assert len(done["weights"]["sha256"]) == 64
    shown = run("show", "local/minilm").stdout
    assert "license: Apache-2.0" in shown
    assert done["weights"]["sha256"] in shown


def test_a_catalogue_file_that_is_wrong_is_named(home: Path) -> None:
    write_catalogue(home, "http://127.0.0.1:9", surfaces=["embeding"])
    done = run("list", "--json")
    assert done.exit_code == 1
    error = json.loads(done.stderr)["error"]
    assert (error["code"], error["details"]["name"]) == ("CATALOG_INVALID", "acme.json")


@pytest.mark.parametrize("name", ["minilm", "local/minilm"])
def test_install_fetches_converts_and_says_how_to_use_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a network: the weights are bytes of the test, as is what is made of them."""
    monkeypatch.setattr(install, "_fetch", lambda weights, folder, report: _weights(folder))
    monkeypatch.setattr(install, "convert_minilm", lambda source, target: target.touch())
    done = run("install", name)
    assert (done.exit_code, "--model minilm" in done.stdout) == (0, True)
    assert json.loads(run("show", "minilm", "--json").stdout)["installed"]
    again = json.loads(run("install", name, "--json").stdout)
    assert again == {"model": "local/minilm", "installed": True, "fetched": False}


def _weights(folder: Path) -> None:
    for name in ("model.safetensors", "tokenizer.json"):
        (folder / name).write_bytes(b"x")


def test_install_without_a_network_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> None:
        raise errors.ModelInstallError("The weights can be had from nowhere; check the network.")

    monkeypatch.setattr(install, "_fetch", unreachable)
    done = run("install", "minilm")
    assert done.exit_code == 1
    assert "check the network" in done.stderr


def test_what_is_not_of_this_machine_is_not_installed() -> None:
    done = run("install", "openai/text-embedding-3-small")
    assert (done.exit_code, "MODEL_INSTALL_FAILED" in done.stderr) == (1, True)
    assert run("install", "nothing").exit_code == 1
