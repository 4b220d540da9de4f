# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of which JSON schemas of responses are made."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}
_MOVE = r"([1-9][a-i]){2}\+?|[RBGSNLP]\*[1-9][a-i]"
MOVE: Schema = {"type": "string", "pattern": f"^({_MOVE})$"}
PLAYED: Schema = {"type": "string", "pattern": f"^(({_MOVE})( ({_MOVE}))*)?$"}
"""Moves separated by spaces."""
SQUARE: Schema = {"type": "string", "pattern": "^[1-9][a-i]$"}
SFEN: Schema = {"type": "string", "pattern": "^[1-9a-zA-Z+/]+ [bw] [0-9a-zA-Z-]+ 1$"}


def array_of(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def or_null(schema: Schema) -> Schema:
    """A value or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def enum_of(*values: object) -> Schema:
    """One of some values."""
    return {"enum": list(values)}


def ref_to(name: str) -> Schema:
    """One of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def object_of(fields: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**fields, **(optional or {})},
        "required": list(fields),
        "additionalProperties": False,
    }
