"""The OpenAPI description of the interface, made from the table of routes."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from cleanbreak.web.endpoint import Endpoint
from cleanbreak.web.jobs import ErrorRecord

_IN_PATH = re.compile(r"\{(\w+)\}")
_REFERENCE = "#/components/schemas/{name}"
# Of the interface: the number in its addresses.
_VERSION = "1"
_OTHER_TYPES = {"/jobs/{job_id}/events": "text/event-stream"}

Data = dict[str, Any]


def description(endpoints: Iterable[Endpoint]) -> Data:
    """The description as data; the same table always gives the same one."""
    endpoints = tuple(endpoints)
    asked = tuple(endpoint.asks for endpoint in endpoints)
    answered = tuple(one.answers for one in endpoints if one.answers not in (bytes, str))
    every = (*asked, *answered, ErrorRecord)
    schemas, components = msgspec.json.schema_components(every, ref_template=_REFERENCE)
    of_answer = dict(zip(map(id, endpoints), _answers(endpoints, schemas, len(asked)), strict=True))
    paths: Data = {}
    for endpoint in endpoints:
        fields = components[endpoint.asks.__name__]
        operation = _operation(endpoint, fields, of_answer[id(endpoint)])
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
    only_fields = {endpoint.asks.__name__ for endpoint in endpoints if not _has_body(endpoint)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "cleanbreak", "version": _VERSION},
        "servers": [{"url": "/api/v1"}],
        "security": [{"token": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "schemas": {
                name: schema for name, schema in components.items() if name not in only_fields
            },
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "cleanbreak-PORT"},
            },
        },
    }


def _answers(endpoints: tuple[Endpoint, ...], schemas: tuple[Data, ...], first: int) -> list[Data]:
    """The schema of each answer; bytes and events have none of their own."""
    left = iter(schemas[first:])
    return [{"type": "string"} if one.answers in (bytes, str) else next(left) for one in endpoints]


def _operation(endpoint: Endpoint, fields: Data, answer: Data) -> Data:
    in_path = set(_IN_PATH.findall(endpoint.path))
    needed = set(fields.get("required", ()))
    in_body = {"data"} if endpoint.raw else set()
    if _has_body(endpoint):
        in_body = set(fields["properties"]) - in_path
    parameters = [
        {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in needed,
            "schema": schema,
        }
        for name, schema in fields["properties"].items()
        if name not in in_body
    ]
    kind = _OTHER_TYPES.get(endpoint.path, "application/json")
    if endpoint.answers is bytes:
        kind = "application/octet-stream"
    operation: Data = {
        "summary": endpoint.summary,
        "operationId": f"{endpoint.method.lower()}_{endpoint.call.__name__}",
        "parameters": parameters,
        "responses": {
            str(endpoint.status): {"description": "OK", "content": {kind: {"schema": answer}}},
            "default": {
                "description": "An error",
                "content": {
                    "application/json": {"schema": {"$ref": _REFERENCE.format(name="ErrorRecord")}}
                },
            },
        },
    }
    if endpoint.raw:
        operation["requestBody"] = _body("application/octet-stream", {})
    elif _has_body(endpoint):
        reference = {"$ref": _REFERENCE.format(name=endpoint.asks.__name__)}
        operation["requestBody"] = _body("application/json", reference)
    return operation


def _has_body(endpoint: Endpoint) -> bool:
    """Whether the fields come as JSON; a route whose fields are all in its path takes none."""
    names = set(endpoint.asks.__struct_fields__) - set(_IN_PATH.findall(endpoint.path))
    return endpoint.method == "POST" and not endpoint.raw and bool(names)


def _body(kind: str, schema: Data) -> Data:
    return {"required": True, "content": {kind: {"schema": schema}}}
