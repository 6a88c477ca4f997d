"""The catalogue of models: what is shipped, and what a user's files may add."""

import json
import subprocess
import sys

import msgspec
import pytest

from cleanbreak.errors import CatalogueInvalidError, ModelUnknownError
from cleanbreak.providers.catalogue.catalogue import load_catalogue

# Worlds lock these ids: one may never be removed, nor given another meaning.
GOLDEN_IDS = [
    "anthropic/claude-haiku-4-5",
    "anthropic/claude-opus-5-5",
    "anthropic/claude-sonnet-5-5",
    "cohere/embed-english-v3.0",
    "cohere/embed-multilingual-v3.0",
    "cohere/embed-v4.0",
    "google/gemini-2.5-flash",
    "google/gemini-2.5-pro",
    "google/gemini-3.8-flash",
    "google/gemini-embedding-001",
    "mistral/mistral-embed",
    "mistral/mistral-medium-3-5",
    "ollama/bge-m3",
    "ollama/mxbai-embed-large",
    "ollama/nomic-embed-text",
    "openai/gpt-5-mini",
    "openai/gpt-5.4-mini",
    "openai/gpt-5.5",
    "openai/text-embedding-3-large",
    "openai/text-embedding-3-small",
    "voyage/voyage-3.5",
    "voyage/voyage-3.5-lite",
    "voyage/voyage-4",
    "voyage/voyage-4-large",
]


@pytest.fixture(scope="module")
def shipped():
    return load_catalogue(None)


def write(folder, name="mine.json", **fields):
    (folder / name).write_text(json.dumps({"catalogueVersion": 1, **fields}), "utf-8")


def own_model(model_id="acme/one", **fields):
    return {
        "id": model_id,
        "displayName": "One",
        "callName": "one",
        "surfaces": ["embedding"],
        **fields,
    }


def test_no_id_that_a_world_may_have_locked_is_gone(shipped):
    ids = {model.id for model in shipped.models()}
    assert set(GOLDEN_IDS) <= ids


def test_every_embedding_model_states_both_limits(shipped):
    for model in shipped.models("embedding"):
        assert model.limits.max_input_tokens, model.id
        assert model.limits.max_embedding_dimensions, model.id


def test_every_setting_of_every_model_resolves_and_only_narrows(shipped):
    for model in shipped.models():
        resolved = shipped.resolve_settings(model.id)
        assert [s.id for s in resolved] == [use.setting_id for use in model.settings]
        for setting in resolved:
            if setting.max is not None and setting.min is not None:
                assert setting.min <= setting.max, (model.id, setting.id)


def test_a_limit_of_the_model_is_the_bound_of_its_setting(shipped):
    settings = {setting.id: setting for setting in shipped.resolve_settings("openai/gpt-5-mini")}
    assert settings["maxOutputTokens"].max == 128_000


def test_every_price_has_its_day(shipped):
    priced = [model for model in shipped.models() if model.price]
    assert len(priced) > 10
    assert all(model.price.as_of.year >= 2026 for model in priced)


def test_models_are_found_by_surface_and_provider(shipped):
    assert {model.id for model in shipped.models("embedding", "openai")} == {
        "openai/text-embedding-3-large",
        "openai/text-embedding-3-small",
    }


def test_an_unknown_id_is_none_or_an_error_that_names_the_nearest(shipped):
    assert shipped.get("openai/nothing") is None
    with pytest.raises(ModelUnknownError, match="openai/text-embedding-3-small"):
        shipped.require("openai/text-embeding-3-small")


def test_nobody_can_change_an_entry(shipped):
    model = shipped.get("openai/gpt-5-mini")
    with pytest.raises(AttributeError):
        model.call_name = "other"
    with pytest.raises(AttributeError):
        model.limits.max_input_tokens = 5


def test_a_file_of_the_user_adds_a_provider_and_its_models(tmp_path):
    provider = {"id": "acme", "baseUrl": "http://127.0.0.1:1", "models": [own_model()]}
    write(tmp_path, providers=[provider])
    assert load_catalogue(tmp_path).get("acme/one").call_name == "one"


def test_a_file_of_the_user_adds_a_model_to_a_provider_that_is_shipped(tmp_path):
    write(tmp_path, providers=[{"id": "openai", "models": [own_model("openai/mine")]}])
    found = load_catalogue(tmp_path)
    assert found.get("openai/mine")
    assert found.provider("openai").api_key_variables == ("OPENAI_API_KEY",)
    assert found.get("openai/gpt-5-mini")


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"providers": [{"id": "openai", "models": [own_model("openai/gpt-5-mini")]}]}, "already"),
        ({"providers": [{"id": "acme", "models": [own_model("other/one")]}]}, "start with acme/"),
        ({"providers": [{"id": "acme", "models": [{"id": "acme/one"}]}]}, "displayName"),
        ({"providers": [{"id": "acme", "models": [own_model(surfaces=["song"])]}]}, "surfaces"),
        (
            {"providers": [{"id": "acme", "models": [own_model(limits={"maxInputTokens": "5"})]}]},
            "maxInputTokens",
        ),
        ({"providers": [{"id": "a b"}]}, "id"),
        ({"catalogueVersion": "1"}, "catalogueVersion"),
    ],
)
def test_a_file_that_is_not_valid_is_named_with_its_field(tmp_path, fields, word):
    write(tmp_path, **fields)
    with pytest.raises(CatalogueInvalidError, match=word) as caught:
        load_catalogue(tmp_path)
    assert caught.value.details == {"name": "mine.json"}
    assert "'mine.json'" in str(caught.value)


def test_fields_of_a_later_version_are_ignored(tmp_path):
    write(tmp_path, providers=[{"id": "acme", "models": [own_model(colour="red")]}], later=1)
    assert load_catalogue(tmp_path).get("acme/one")


def test_records_read_as_they_were_written(shipped):
    model = shipped.get("google/gemini-embedding-001")
    stored = msgspec.json.encode(model)
    assert b'"maxEmbeddingDimensions"' in stored
    assert msgspec.json.decode(stored, type=type(model)) == model


def test_loading_imports_no_client():
    code = (
        "import sys; from cleanbreak.providers.catalogue import catalogue; catalogue();"
        "print([m for m in ('httpx', 'numpy', 'onnxruntime') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
