"""The page that documents the API."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tsume.language.catalogue import Language, phrase
from tsume.web.api.fields import Form, Schema
from tsume.web.api.openapi import description
from tsume.web.api.operations import OPERATIONS, STATUSES, Operation
from tsume.web.pages import Pages


def openapi(_request: Request) -> Response:
    """The OpenAPI document."""
    return JSONResponse(description())


class DocsPage:
    """The page, in the language of its query."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def page(self, request: Request) -> Response:
        """All operations with their fields and responses."""
        language = self._pages.language_of(request)
        described = [_described(one, language) for one in OPERATIONS]
        return self._pages.rendered(request, "api.html", operations=described)


def _described(one: Operation, language: Language) -> dict[str, Any]:
    return {
        "name": one.name,
        "method": one.method.upper(),
        "path": one.path,
        "summary": phrase(language, one.about),
        "body": _fields(one.body, language),
        "query": _fields(one.query, language),
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


def _fields(form: Form | None, language: Language) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "required": one.required,
            "about": phrase(language, one.about),
            "values": _values(one.schema()),
        }
        for name, one in (form.fields if form else {}).items()
    ]


def _values(schema: Schema) -> str:
    """The values of a schema, for people."""
    if schema["type"] == "array":
        return f"[{_values(schema['items'])}]"
    if schema["type"] == "boolean":
        return "true, false"
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if schema["type"] == "integer":
        return f"{schema['minimum']}–{schema['maximum']}"
    return f"≤ {schema['maxLength']}"
