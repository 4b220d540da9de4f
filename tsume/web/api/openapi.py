# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenAPI 3.1 document, made from the table of operations."""

from __future__ import annotations

from functools import cache
from typing import Any

from tsume import __version__
from tsume.language.catalogue import Language, phrase
from tsume.web.api.operations import JSON, OPERATIONS, STATUSES, ApiOperation
from tsume.web.api.schema_parts import ref_to
from tsume.web.api.schemas import SCHEMAS
from tsume.web.fields import RequestField, RequestForm


@cache
def openapi_description(language: Language = "en") -> dict[str, Any]:
    """The document, described in a language."""
    paths: dict[str, Any] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method] = _operation_schema(one, language)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tsume",
            "version": __version__,
            "description": phrase(language, "api.about"),
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": SCHEMAS},
    }


def _operation_schema(one: ApiOperation, language: Language) -> dict[str, Any]:
    described: dict[str, Any] = {"operationId": one.name, "summary": phrase(language, one.about)}
    parameters = [
        *_parameter_schemas("path", one.path_fields, language),
        *_parameter_schemas("query", one.query, language),
    ]
    if parameters:
        described["parameters"] = parameters
    if one.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": form_schema(one.body, language)}},
        }
    described["responses"] = {
        **{str(status): _success_response(one, status, language) for status in one.success},
        **{str(status): _error_response(one, status, language) for status in sorted(one.errors)},
    }
    return described


def form_schema(form: RequestForm, language: Language) -> dict[str, Any]:
    """The schema of a body, with a description of each field."""
    return {
        "type": "object",
        "properties": {
            name: {**one.schema(), "description": phrase(language, one.about)}
            for name, one in form.fields.items()
        },
        "required": [name for name, one in form.fields.items() if one.required],
        "additionalProperties": False,
    }


def _parameter_schemas(place: str, form: RequestForm | None, language: Language) -> list[dict[str, Any]]:
    return [
        _parameter_schema(place, name, one, language) for name, one in (form.fields if form else {}).items()
    ]


def _parameter_schema(place: str, name: str, one: RequestField, language: Language) -> dict[str, Any]:
    schema = one.schema()
    style = {"style": "form", "explode": False} if schema["type"] == "array" else {}
    return {
        "name": name,
        "in": place,
        "required": one.required,
        "description": phrase(language, one.about),
        "schema": schema,
        **style,
    }


def _success_response(one: ApiOperation, status: int, language: Language) -> dict[str, Any]:
    media, schema = one.success[status]
    content: dict[str, Any] = {"schema": schema}
    if one.lines:
        content["x-line-schema"] = {"oneOf": [ref_to(name) for name in one.lines]}
    return {"description": phrase(language, STATUSES[status]), "content": {media: content}}


def _error_response(one: ApiOperation, status: int, language: Language) -> dict[str, Any]:
    schema = ref_to(one.error_422 if status == 422 else "Error")
    described: dict[str, Any] = {
        "description": phrase(language, STATUSES[status]),
        "content": {JSON: {"schema": schema}},
    }
    if status in (429, 503):
        seconds = {"type": "integer", "minimum": 1}
        described["headers"] = {"Retry-After": {"required": True, "schema": seconds}}
    return described
