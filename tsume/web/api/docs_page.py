# SPDX-License-Identifier: GPL-3.0-or-later
"""The page that documents the API."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tsume.language.catalogue import Language, phrase
from tsume.web.api.openapi import openapi_description
from tsume.web.api.operations import OPERATIONS, STATUSES, ApiOperation
from tsume.web.fields import RequestForm, Schema
from tsume.web.pages import BoardPages


def openapi(_request: Request) -> Response:
    """The OpenAPI document."""
    return JSONResponse(openapi_description())


class DocsPage:
    """The page, in the language of its query."""

    def __init__(self, pages: BoardPages) -> None:
        self._pages = pages

    def page(self, request: Request) -> Response:
        """All operations with their fields and responses."""
        language = self._pages.language_of(request)
        described = [_operation_description(one, language) for one in OPERATIONS]
        return self._pages.rendered(request, "api.html", operations=described)


def _operation_description(one: ApiOperation, language: Language) -> dict[str, Any]:
    return {
        "name": one.name,
        "method": one.method.upper(),
        "path": one.path,
        "summary": phrase(language, one.about),
        "body": _field_descriptions(one.body, language),
        "query": _field_descriptions(one.query, language),
        "lines": one.lines,
        "answers": [
            (
                status,
                phrase(language, STATUSES[status]),
                one.success[status][0] if status in one.success else "",
            )
            for status in (*one.success, *sorted(one.errors))
        ],
    }


def _field_descriptions(form: RequestForm | None, language: Language) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "required": one.required,
            "about": phrase(language, one.about),
            "values": _schema_values(one.schema()),
        }
        for name, one in (form.fields if form else {}).items()
    ]


def _schema_values(schema: Schema) -> str:
    """The values of a schema, for people."""
    if schema["type"] == "array":
        return f"[{_schema_values(schema['items'])}]"
    if schema["type"] == "boolean":
        return "true, false"
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if schema["type"] == "integer":
        return f"{schema['minimum']}–{schema['maximum']}"
    return f"≤ {schema['maxLength']}"
