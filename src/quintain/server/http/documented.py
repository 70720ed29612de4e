"""Parts of the OpenAPI document: the fields that each post takes, as a form or JSON, and the answers to refusals.

Litestar makes the rest of the document from the handlers in the modules of routes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from litestar.openapi import spec

from quintain.server.http.requests import FORM, JSON
from quintain.server.model.entries import Json

REFUSALS = {
    "400": "What was sent cannot be read.",
    "403": "Not yours to do, or posted without the token `csrf` that every view holds.",
    "404": "This table, seat or game does not exist.",
    "409": "Not now: the answer holds the table as it stands.",
    "410": "No longer here.",
    "413": "Too long.",
    "415": "Neither a form nor JSON.",
    "422": "Not allowed by the rules; the answer says why.",
    "429": "Too much at once.",
    "503": "Not just now: come again in a moment.",
}


def takes(kind: type[msgspec.Struct]) -> type[spec.Operation]:
    """Return a class that describes a post with the fields of `kind`, for a handler's `operation_class`.

    Litestar calls the class once for each handler, when it makes the document.
    """
    content = _content(kind)

    @dataclass
    class Taking(spec.Operation):
        def __post_init__(self) -> None:
            if content:
                self.request_body = spec.RequestBody(content=dict(content), required=True)

    return Taking


def complete(document: spec.OpenAPI) -> None:
    """Add to the document what no single handler says: the path of a table's JSON, and the refusals."""
    paths = document.paths or {}
    paths["/tables/{table_id}.json"] = paths.pop("/tables/{table_id}/view")
    problem = spec.OpenAPIMediaType(schema=spec.Schema(type=spec.OpenAPIType.OBJECT, required=["error"]))
    for path in paths.values():
        for operation in (path.get, path.post):
            if operation and operation.responses:
                for status, words in REFUSALS.items():
                    operation.responses[status] = spec.OpenAPIResponse(description=words, content={JSON: problem})


def _content(kind: type[msgspec.Struct]) -> Mapping[str, spec.OpenAPIMediaType]:
    if not kind.__struct_fields__:
        return {}
    (described,), components = msgspec.json.schema_components([kind], ref_template="{name}")
    described = components[kind.__name__]
    schema = spec.Schema(
        type=described["type"],
        required=described.get("required"),
        properties={name: _schema(value) for name, value in described["properties"].items()},
    )
    return {kind: spec.OpenAPIMediaType(schema=schema) for kind in (JSON, FORM)}


def _schema(described: Json) -> spec.Schema:
    if "anyOf" in described:
        return spec.Schema(any_of=[_schema(one) for one in described["anyOf"]])
    items = _schema(described["items"]) if "items" in described else None
    return spec.Schema(
        type=described.get("type"),
        enum=described.get("enum"),
        items=items,
        min_length=described.get("minLength"),
        max_length=described.get("maxLength"),
    )
