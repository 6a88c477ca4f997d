"""The OpenAPI file and the routes say the same."""

import importlib.util
import re
from pathlib import Path

import msgspec
import pytest

from cleanbreak.web.routes.table import ENDPOINTS

PROJECT = Path(__file__).parents[2]
FILE = PROJECT / "src" / "cleanbreak" / "web" / "openapi.json"
NOTE = PROJECT / "docs" / "design" / "110-page.md"


def test_the_file_is_made_from_the_routes():
    """After a change, run tools/make_openapi.py."""
    spec = importlib.util.spec_from_file_location("maker", PROJECT / "tools" / "make_openapi.py")
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert FILE.read_bytes().replace(b"\r\n", b"\n") == maker.made()


def test_every_route_has_a_name_of_its_own_and_every_reference_a_schema():
    described = msgspec.json.decode(FILE.read_bytes())
    operations = [one for path in described["paths"].values() for one in path.values()]
    assert len(operations) == len(ENDPOINTS) == len({one["operationId"] for one in operations})
    named = set(re.findall(rb'#/components/schemas/([^"]+)', FILE.read_bytes()))
    assert {name.decode() for name in named} <= described["components"]["schemas"].keys()


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: f"{one.method} {one.path}")
def test_the_fields_of_a_path_are_fields_of_the_request(endpoint):
    in_path = set(re.findall(r"\{(\w+)\}", endpoint.path))
    assert in_path <= set(endpoint.asks.__struct_fields__)


def test_the_design_note_lists_every_route():
    note = NOTE.read_text(encoding="utf-8").replace("\u2026/", "/places/{place_id}/")
    for endpoint in ENDPOINTS:
        assert f"{endpoint.path}" in note, endpoint.path


@pytest.mark.parametrize(
    "endpoint", [one for one in ENDPOINTS if one.method == "GET"], ids=lambda one: one.path
)
def test_an_answer_is_what_the_table_says(client, endpoint, world_id, vault_id):
    """Each is decoded as the type that the description is made from."""
    place = (
        vault_id
        if re.search(r"notes|links|unresolved|tags|graph|related|problems", endpoint.path)
        else world_id
    )
    document = client.post("/api/v1/documents", json={"text": "One. Two."}).json()["document_id"]
    split = client.post("/api/v1/split", json={"document_id": document}).json()["split_id"]
    job = client.post("/api/v1/jobs", json={"kind": "verify", "place_id": world_id}).json()
    path = endpoint.path.format(
        place_id=place,
        book_number=1,
        document_id=document,
        split_id=split,
        chunk_number=1,
        job_id=job["job_id"],
    )
    query = {"note": "oslo.md", "query": "ferry", "measure": "words", "start": 0, "end": 9}
    known = {name: query[name] for name in query if name in endpoint.asks.__struct_fields__}
    answer = client.get("/api/v1" + path, params=known)
    assert answer.status_code == 200, answer.text
    if endpoint.answers not in (bytes, str):
        msgspec.json.decode(answer.content, type=endpoint.answers)


def test_the_description_is_served(client):
    assert client.get("/api/v1/openapi.json").json()["openapi"] == "3.1.0"
