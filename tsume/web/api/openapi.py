# SPDX-License-Identifier: GPL-3.0-or-later
"""The description of the API: the operations, the OpenAPI 3.1 document made from them, and the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tsume import __version__
from tsume.language.catalogue import Language, phrase
from tsume.web.api import parsing
from tsume.web.api.parsing import NDJSON
from tsume.web.api.schemas import SCHEMAS, ref_to
from tsume.web.fields import IntegerField, RequestForm, Schema
from tsume.web.pages import MAX_ID, BoardPages

# --- the table of operations, from which the OpenAPI document is made ------------------------------

JSON = "application/json"
_WORK = (403, 413, 415, 503)
"""Error statuses of any request that starts a job."""


@dataclass(frozen=True)
class ApiOperation:
    """One operation.

    ``about`` is the name of its phrase. A request has a JSON ``body`` or a ``query``; ``path_fields`` are
    in the path. ``success`` maps each status to media type and schema; ``lines`` are the schemas of the
    lines of NDJSON. ``errors`` are the statuses of errors; ``error_422`` is the schema of a 422.
    """

    method: str
    path: str
    about: str
    success: Mapping[int, tuple[str, dict[str, Any]]]
    body: RequestForm | None = None
    query: RequestForm | None = None
    path_fields: RequestForm | None = None
    lines: tuple[str, ...] = ()
    errors: tuple[int, ...] = ()
    error_422: str = "Error"

    @property
    def name(self) -> str:
        """Its operationId."""
        return self.about.removeprefix("api.")


STATUSES = {
    200: "api.done",
    201: "api.saved",
    400: "api.bad_value",
    403: "api.not_allowed",
    404: "api.not_there",
    413: "api.too_large",
    414: "api.long_address",
    409: "api.taken",
    415: "api.no_json",
    422: "api.not_done",
    429: "api.too_often",
    503: "api.busy",
}
"""The phrase for each status."""
_TEXT = {"type": "string"}
OPERATIONS = (
    ApiOperation(
        "post", "/api/judgement", "api.judgement", {200: (JSON, ref_to("Judgement"))}, body=parsing.JUDGEMENT,
        errors=(400, *_WORK),
    ),
    ApiOperation(
        "post", "/api/mending", "api.mending", {200: (NDJSON, _TEXT)}, body=parsing.MENDING,
        errors=(400, *_WORK), lines=("JudgementEvent", "RepairEvent", "EndEvent"),
    ),
    ApiOperation(
        "post", "/api/enriching", "api.enriching", {200: (NDJSON, _TEXT)}, body=parsing.ENRICHING,
        errors=(400, *_WORK), lines=("JudgementEvent", "SuggestionEvent", "EndEvent"),
    ),
    ApiOperation(
        "post", "/api/generating", "api.generating", {200: (NDJSON, _TEXT)}, body=parsing.GENERATING,
        errors=(400, *_WORK), lines=("ProgressEvent", "ProblemEvent", "EndEvent"),
    ),
    ApiOperation(
        "post", "/api/reading", "api.reading", {200: (JSON, ref_to("Reading"))}, body=parsing.READING,
        errors=(400, 413, 415, 422),
    ),
    ApiOperation(
        "post", "/api/problems", "api.saving", {201: (JSON, ref_to("Saved")), 200: (JSON, ref_to("Saved"))},
        body=parsing.SAVING, errors=(400, *_WORK, 422), error_422="Refusal",
    ),
    ApiOperation(
        "post", "/api/collection", "api.collection", {200: (JSON, ref_to("Added"))}, body=parsing.COLLECTION,
        errors=(400, 403, 413, 415, 422),
    ),
    ApiOperation(
        "get", "/api/problems/{id}/tree", "api.tree", {200: (JSON, ref_to("Tree"))},
        path_fields=RequestForm({"id": IntegerField("api.id", 0, MAX_ID, required=True)}),
        query=parsing.TREE, errors=(400, 404, 414, 422, 503),
    ),
    ApiOperation(
        "get", "/api/problems/{id}/position", "api.position", {200: (JSON, ref_to("Choices"))},
        path_fields=RequestForm({"id": IntegerField("api.id", 0, MAX_ID, required=True)}),
        query=parsing.POSITION, errors=(400, 404, 414, 422, 503),
    ),
    ApiOperation(
        "get", "/api/record", "api.record", {200: ("text/plain; charset=utf-8", _TEXT)}, query=parsing.RECORD,
        errors=(400, 414, 422),
    ),
    ApiOperation(
        "get", "/api/diagram.svg", "api.diagram", {200: ("image/svg+xml", _TEXT)}, query=parsing.DIAGRAM,
        errors=(400, 414, 422),
    ),
    ApiOperation("get", "/api/me", "api.me", {200: (JSON, ref_to("Me"))}, errors=(414,)),
    ApiOperation(
        "post", "/api/persons", "api.person_adding", {201: (JSON, ref_to("Me"))}, body=parsing.PERSON,
        errors=(400, 403, 409, 413, 415, 429),
    ),
    ApiOperation(
        "post", "/api/session", "api.signing_in", {200: (JSON, ref_to("Me"))}, body=parsing.SESSION,
        errors=(400, 403, 413, 415, 429),
    ),
    ApiOperation("delete", "/api/session", "api.signing_out", {200: (JSON, ref_to("Me"))}, errors=(403, 414)),
    ApiOperation(
        "get", "/api/training/next", "api.training_next", {200: (JSON, ref_to("Next"))},
        query=parsing.NEXT, errors=(400, 403, 414),
    ),
    ApiOperation("get", "/api/training/days", "api.training_days", {200: (JSON, ref_to("Days"))},
                 errors=(414,)),
    ApiOperation(
        "post", "/api/results", "api.result_adding", {200: (JSON, ref_to("Recorded"))},
        body=parsing.RESULT, errors=(400, 403, 404, 413, 415),
    ),
    ApiOperation(
        "post", "/api/runs", "api.run_adding", {200: (JSON, ref_to("Best"))}, body=parsing.RUN,
        errors=(400, 403, 413, 415),
    ),
    ApiOperation("get", "/api/progress", "api.progress", {200: (JSON, ref_to("Progress"))},
                 errors=(403, 414)),
    ApiOperation("get", "/api/results.csv", "api.results", {200: ("text/csv; charset=utf-8", _TEXT)},
                 errors=(403, 414)),
    ApiOperation("get", "/api/openapi.json", "api.description", {200: (JSON, {"type": "object"})}),
)  # fmt: skip


# --- the description of the API --------------------------------------------------------------------


@cache
def openapi_description(language: Language = "en") -> dict[str, Any]:
    """Return the document, described in a language."""
    paths: dict[str, Any] = {}
    for one in OPERATIONS:
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
        paths.setdefault(one.path, {})[one.method] = described
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


def form_schema(form: RequestForm, language: Language) -> dict[str, Any]:
    """Return the schema of a body, with a description of each field."""
    return {
        "type": "object",
        "properties": {
            name: {**one.schema(), "description": phrase(language, one.about)} for name, one in form.fields.items()
        },
        "required": [name for name, one in form.fields.items() if one.required],
        "additionalProperties": False,
    }


def _parameter_schemas(place: str, form: RequestForm | None, language: Language) -> list[dict[str, Any]]:
    return [
        {
            "name": name, "in": place, "required": one.required,
            "description": phrase(language, one.about), "schema": one.schema(),
            **({"style": "form", "explode": False} if one.schema()["type"] == "array" else {}),
        }
        for name, one in (form.fields if form else {}).items()
    ]  # fmt: skip


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


# --- the page that documents the API ---------------------------------------------------------------


def openapi(_request: Request) -> Response:
    """Return the OpenAPI document."""
    return JSONResponse(openapi_description())


class DocsPage:
    """The page, in the language of its query."""

    def __init__(self, pages: BoardPages) -> None:
        self._pages = pages

    def page(self, request: Request) -> Response:
        """Return all operations with their fields and responses."""
        language = self._pages.language_of(request)
        described = [
            {
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
            for one in OPERATIONS
        ]
        return self._pages.rendered(request, "api.html", operations=described)


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
    """Return the values of a schema, for people."""
    if schema["type"] == "array":
        return f"[{_schema_values(schema['items'])}]"
    if schema["type"] == "boolean":
        return "true, false"
    if "enum" in schema:
        return ", ".join(map(str, schema["enum"]))
    if schema["type"] == "integer":
        return f"{schema['minimum']}–{schema['maximum']}"
    return f"≤ {schema['maxLength']}"
