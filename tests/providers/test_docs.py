"""docs/models.md says what is so: its table is that of the catalogue."""

import json
import re
from pathlib import Path

from cleanbreak.providers.catalogue import catalogue
from cleanbreak.providers.catalogue.catalogue import load_catalogue

PAGE = (Path(__file__).parents[2] / "docs/models.md").read_text(encoding="utf-8")


def test_the_table_has_every_provider_with_its_keys():
    rows = {
        row[1].strip(" `"): row
        for line in PAGE.splitlines()
        if len(row := line.strip("| ").split("|")) == 4 and row[1].strip().startswith("`")
    }
    providers = {provider.id: provider for provider in catalogue().providers()}
    assert rows.keys() == providers.keys()
    for name, (display, _, vectors, keys) in rows.items():
        provider = providers[name]
        assert display.strip() == provider.display_name
        assert re.findall(r"`(\w+)`", keys) == list(provider.api_key_variables)
        assert keys.strip().startswith("none") == provider.keyless
        has = bool(catalogue().models("embedding", name)) or provider.open_models
        assert vectors.strip() == ("yes" if has else "no")


def test_the_file_of_a_persons_own_server_is_valid(tmp_path):
    (text,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "work.json").write_text(text, encoding="utf-8")
    model = load_catalogue(tmp_path).get("work/multilingual")
    assert model.query_prefix == "query: "
    assert json.loads(text)["providers"][0]["models"][0]["limits"]["maxInputTokens"] == 512
