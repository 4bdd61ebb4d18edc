"""The JSON schema of ``.conflens.toml`` for editors, made from the tables that the server reads (``models.workspace_tables``)."""

from __future__ import annotations

import json
from types import UnionType
from typing import Any, get_args, get_origin

from conflens.checking.results import Code, Severity
from conflens.models.workspace_tables import TABLES, Key, Table

PATH = "client-vscode/schemas/conflens.toml.schema.json"

_TYPES = {str: "string", int: "integer", bool: "boolean"}
_SEVERITY = {
    "type": "object",
    "propertyNames": {"enum": list(Code)},
    "additionalProperties": {"enum": list(Severity)},
}


def workspace_schema() -> str:
    """Return the schema as text."""
    schema = {
        "$comment": "Made by `make reference`; do not edit.",
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": ".conflens.toml",
        "description": "What ConfLens cannot infer about a project, and what its team has decided.",
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _table(table) for name, table in TABLES.items()},
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _table(table: Table) -> dict[str, Any]:
    inner = {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: _key(key) for name, key in table.keys.items()},
        **({"required": list(table.required)} if table.required else {}),
    }
    if table.repeated:
        return {"description": table.text, "type": "array", "items": inner}
    if table.named:
        return {"description": table.text, "type": "object", "additionalProperties": inner}
    return {"description": table.text, **inner}


def _key(key: Key) -> dict[str, Any]:
    return {"description": key.text, **_type(key.type)}


def _type(kind: Any) -> dict[str, Any]:
    if kind is dict:
        return _SEVERITY
    if isinstance(kind, UnionType):
        return {"type": [_TYPES[member] for member in get_args(kind)]}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _type(get_args(kind)[0])}
    return {"type": _TYPES[kind]}
