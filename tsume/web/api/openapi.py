# SPDX-License-Identifier: GPL-3.0-or-later
"""The description of the API: the operations, the OpenAPI 3.1 document made from them, and the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from db.training.records import RUN_MODES
from generator.changes import ChangeKind, Improvement
from generator.problem import STORED
from generator.theme_names import NAMES
from solver.explaining.explanation import CauseKind, Proof
from solver.judging.findings import EQUAL_DEFENCE, CookClass
from solver.results import BLEMISHES, CONDITIONS, FAULTS, REMARKS, WITHOUT_FAULT, Grade
from tsume import __version__
from tsume.files.entries import PASTED_FORMS
from tsume.language.catalogue import Language, phrase
from tsume.web.api import parsing
from tsume.web.pages import MAX_ID, BoardPages
from tsume.web.work.forms import RequestForm, Schema, integer_field
from tsume_rules.position import FaultKind

# --- the parts of which JSON schemas of responses are made -----------------------------------------

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
    """Return a list."""
    return {"type": "array", "items": items}


def or_null(schema: Schema) -> Schema:
    """Return a value or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def enum_of(*values: object) -> Schema:
    """Return one of some values."""
    return {"enum": list(values)}


def ref_to(name: str) -> Schema:
    """Return one of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def object_of(fields: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """Return an object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**fields, **(optional or {})},
        "required": list(fields),
        "additionalProperties": False,
    }


# --- the JSON schemas of the responses about training ----------------------------------------------

_DATE: Schema = {"type": "string", "format": "date"}
_TIME: Schema = {"type": "string", "format": "date-time"}
_ID: Schema = {"type": "integer", "minimum": 1}
_STARS: Schema = {"type": "integer", "minimum": 1, "maximum": 5}
_TALLY = {"tried": COUNT, "clean": COUNT, "solved": COUNT}


def _row_of(*columns: Schema) -> Schema:
    """Return a list of as many values, each of one of these kinds."""
    size = len(columns)
    return {**array_of({"anyOf": list(columns)}), "minItems": size, "maxItems": size}


_PROBLEM = object_of(
    {
        "id": _ID, "sfen": SFEN, "title": TEXT, "author": TEXT, "length": COUNT, "mate_in": ref_to("Texts"),
        "stars": _STARS, "quality": COUNT, "rating": WHOLE,
    }
)  # fmt: skip
TRAINING_SCHEMAS: dict[str, Schema] = {
    "Me": object_of(
        {
            "person": or_null(object_of({"name": TEXT, "rating": WHOLE, "deviation": COUNT})),
            "sign_up": TRUTH,
        }
    ),
    "Next": object_of(
        {"problem": or_null(_PROBLEM)},
        {"reason": enum_of("due", "failed", "unseen", "rating", "day"), "due_at": or_null(_TIME)},
    ),
    "Days": object_of({"days": array_of(_row_of(_ID, COUNT, _STARS))}),
    "Recorded": object_of(
        {
            "result": _ID, "rated": TRUTH, "before": WHOLE, "after": WHOLE, "deviation": COUNT,
            "problem_rating": WHOLE, "due": _TIME,
        }
    ),
    "Best": object_of({"best": COUNT, "is_best": TRUTH}),
    "Progress": object_of(
        {
            "rating": WHOLE, "deviation": COUNT, "history": array_of(_row_of(_DATE, WHOLE)),
            "results": COUNT, "streak": COUNT, "solved": COUNT, "due": COUNT, "next_due": or_null(_TIME),
            "by_length": array_of(object_of({"length": COUNT, **_TALLY})),
            "by_theme": array_of(
                object_of({"theme": enum_of(*NAMES), "name": ref_to("Texts"), **_TALLY})
            ),
            "days": array_of(_row_of(_DATE, _ID, TRUTH, TRUTH)),
            "runs": object_of({mode: or_null(COUNT) for mode in RUN_MODES}),
            "solved_ids": array_of(_ID),
        }
    ),
}  # fmt: skip


# --- the JSON schemas of the responses -------------------------------------------------------------

_LINE = array_of(MOVE)
_THEMES = array_of(enum_of(*NAMES))
_CHOICES = object_of({"length": or_null(COUNT), "moves": _LINE})
_PIECE = object_of({"side": enum_of("attacker", "defender"), "kind": TEXT})
_TRY = object_of(
    {
        "check": MOVE, "answer": MOVE, "proof": enum_of(*(proof.value for proof in Proof)),
        "within": or_null(COUNT), "only": TRUTH, "refutations": _LINE, "work": WHOLE,
        "cause": or_null(
            object_of(
                {
                    "kind": enum_of(*(kind.value for kind in CauseKind)),
                    "line": _LINE,
                    "squares": array_of(SQUARE),
                }
            )
        ),
    }
)  # fmt: skip
_FINDING = object_of(
    {
        "defect": or_null(enum_of(*CONDITIONS.names)),
        "remark": or_null(enum_of(*REMARKS.names)),
        "text": ref_to("Texts"),
        "line": PLAYED,
    },
    {
        "fault": TEXT, "reason": or_null(enum_of(*(kind.name for kind in FaultKind))),
        "squares": array_of(SQUARE),
        "checks": COUNT, "tries": array_of(_TRY), "forbidden": or_null(MOVE),
        "expected": COUNT, "actual": COUNT,
        "turn": COUNT, "key": MOVE, "check": MOVE, "length": or_null(COUNT), "late": or_null(WHOLE),
        "hand": TEXT, "piece": TEXT, "side": enum_of("attacker", "defender"), "square": or_null(SQUARE),
        "class": or_null(enum_of(*(kind.value for kind in CookClass))), "joins": or_null(COUNT),
        "proved": or_null(TRUTH), "smaller": SFEN, "drop": or_null(MOVE),
        "futile_by": array_of(TEXT), "answers": _LINE, "moves": _LINE,
    },
)  # fmt: skip
_JUDGEMENT: dict[str, Schema] = {
    "sfen": SFEN,
    "grade": or_null(enum_of(*(grade.value for grade in Grade))),
    "faults": array_of(enum_of(*FAULTS.names)),
    "blemishes": array_of(enum_of(*BLEMISHES)),
    "given": or_null(
        object_of(
            {
                "line": _LINE,
                "reading": or_null(TEXT),
                "wrong_at": or_null(COUNT),
                "better": _LINE,
                "beginning_of": or_null(COUNT),
                "parts_at": or_null(COUNT),
                "text": ref_to("Texts"),
            }
        )
    ),
    "correct": TRUTH,
    "defects": array_of(enum_of(*CONDITIONS.names)),
    "unresolved": TRUTH,
    "not_settled": array_of(enum_of(*WITHOUT_FAULT.names)),
    "complete": TRUTH,
    "without_longer": _LINE,
    "without_moved": _LINE,
    "moved_between": _LINE,
    "complete_but_for": or_null(array_of(enum_of(*(kind.value for kind in CookClass), EQUAL_DEFENCE))),
    "length": or_null(COUNT),
    "line": _LINE,
    "cooks": array_of(_LINE),
    "searched": or_null(COUNT),
    "notes": array_of(TEXT),
    "findings": array_of(ref_to("Finding")),
    "readings": or_null(
        object_of(
            {
                "agree": TRUTH, "narrow": or_null(COUNT), "purist": or_null(COUNT), "wide": or_null(COUNT),
                "searched": or_null(COUNT), "restoring": or_null(COUNT), "restoring_line": _LINE,
                "restoring_drop": _LINE, "turn": or_null(COUNT), "path": or_null(_LINE),
                "left": or_null(COUNT),
                "first_moves": or_null(object_of({"narrow": _CHOICES, "purist": _CHOICES, "wide": _CHOICES})),
            }
        )
    ),
    "themes": _THEMES,
    "quality": or_null(NUMBER),
    "likeness": or_null(NUMBER),
    "headline": ref_to("Texts"),
    "texts": object_of({"ja": array_of(TEXT), "en": array_of(TEXT)}),
}  # fmt: skip
_CHANGES = array_of(
    object_of(
        {"change": enum_of(*(sort.value for sort in ChangeKind)), "text": TEXT},
        {"piece": _PIECE, "square": SQUARE, "to": SQUARE, "other": _PIECE, "step": array_of(WHOLE)},
    )
)
_CHANGED = object_of({"changes": _CHANGES, "sfen": SFEN})
_REWORKED: dict[str, Schema] = {
    "changes": _CHANGES,
    "sfen": SFEN,
    "length": COUNT,
    "grade": enum_of(*(grade.value for grade in STORED)),
    "blemishes": array_of(enum_of(*BLEMISHES)),
    "line": _LINE,
    "text": ref_to("Texts"),
    "quality": NUMBER,
    "likeness": NUMBER,
    "material": COUNT,
}  # fmt: skip


_ERROR_FIELDS: dict[str, Schema] = {
    "code": enum_of("not_here", "read_only", "nobody", "no_sign_up", "unknown_text", "no_position"),
    "final": TRUTH,
}
"""A code for which pages have their own text; whether the same request would fail again."""
_NOTES = object_of({}, {"title": TEXT, "author": TEXT, "comment": TEXT})


def _event_object(name: str, fields: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return object_of({"event": {"const": name}, **fields}, optional)


SCHEMAS: dict[str, Schema] = {
    "Error": object_of({"error": TEXT}, _ERROR_FIELDS),
    "Refusal": object_of({"error": TEXT}, {**_ERROR_FIELDS, "judgement": ref_to("Judgement")}),
    "Texts": object_of({"ja": TEXT, "en": TEXT}),
    "Finding": _FINDING,
    "Judgement": object_of(_JUDGEMENT),
    **TRAINING_SCHEMAS,
    "Reading": object_of(
        {
            "sfen": SFEN, "line": _LINE, "title": TEXT, "author": TEXT, "comment": TEXT,
            "format": enum_of(*PASTED_FORMS), "more": TRUTH,
        }
    ),
    "Saved": object_of(
        {"id": {"type": "integer", "minimum": 1}, "known": TRUTH, "replaced": TRUTH, "differing": _NOTES}
    ),
    "Added": object_of({"added": COUNT}),
    "JudgementEvent": _event_object("judgement", _JUDGEMENT),
    "RepairEvent": _event_object("repair", {**_REWORKED, "alternatives": array_of(_CHANGED)}),
    "SuggestionEvent": _event_object(
        "suggestion",
        {
            **_REWORKED, "kind": enum_of(*(kind.value for kind in Improvement)), "introduction": _LINE,
            "gain": NUMBER,
        },
    ),
    "ProgressEvent": _event_object("progress", {"roots": COUNT, "found": COUNT, "seconds": NUMBER}),
    "ProblemEvent": _event_object(
        "problem",
        {
            "sfen": SFEN, "length": COUNT, "line": _LINE, "score": NUMBER,
            "stars": {"type": "integer", "minimum": 1, "maximum": 5}, "themes": _THEMES, "quality": NUMBER,
            "grade": enum_of(*(grade.value for grade in STORED)),
        },
    ),
    "EndEvent": _event_object(
        "end",
        {"complete": TRUTH},
        {
            "reason": enum_of("perfect", "unsound"), "text": ref_to("Texts"), "seed": COUNT,
            "network": TRUTH, "error": TEXT,
        },
    ),
    "Choices": object_of(
        {"side": enum_of("attacker", "defender"), "choices": array_of(ref_to("Choice"))},
    ),
    "Choice": object_of(
        {"move": MOVE, "text": ref_to("Texts"), "result": enum_of("mates", "fails", "open")},
        {"length": COUNT, "best": TRUTH, "futile": TRUTH},
    ),
    "Tree": object_of(
        {
            "sfen": SFEN, "result": enum_of("mate", "no_mate", "unresolved"), "length": or_null(COUNT),
            "complete": TRUTH, "turns": array_of(ref_to("TreeTurn")),
        },
        {"line": PLAYED},
    ),
    "TreeTurn": object_of(
        {"key": or_null(MOVE), "checks": array_of(ref_to("TreeCheck"))},
        {"id": COUNT, "path": PLAYED, "length": or_null(COUNT)},
    ),
    "TreeCheck": object_of(
        {"move": MOVE, "result": enum_of("mates", "fails", "open"), "text": ref_to("Texts")},
        {
            "length": COUNT, "rank": enum_of("key", "form", "as_soon", "later"),
            "answers": array_of(ref_to("TreeAnswer")), "answer": MOVE, "proof": TEXT, "within": COUNT,
            "manner": TEXT, "piece": TEXT, "taken": TEXT, "mates": TRUTH, "answer_text": ref_to("Texts"),
            "why": ref_to("Texts"),
        },
    ),
    "TreeAnswer": object_of(
        {"move": MOVE, "text": ref_to("Texts")},
        {"length": COUNT, "best": TRUTH, "turn": COUNT, "line": PLAYED, "take": MOVE},
    ),
}  # fmt: skip


# --- the table of operations, from which the OpenAPI document is made ------------------------------

JSON = "application/json"


@dataclass(frozen=True)
class ApiOperation:
    """One operation.

    ``about`` is the name of its phrase. ``success`` maps each status to media type and schema; ``lines`` are the
    schemas of the lines of NDJSON. A request has a JSON ``body`` or a ``query``; ``path_fields`` are in the path.
    ``further_errors`` are the statuses of errors besides those of any body and any query; ``error_422`` is the schema
    of a 422.
    """

    method: str
    path: str
    about: str
    success: Mapping[int, tuple[str, dict[str, Any]]]
    further_errors: tuple[int, ...] = ()
    body: RequestForm | None = None
    query: RequestForm | None = None
    path_fields: RequestForm | None = None
    lines: tuple[str, ...] = ()
    error_422: str = "Error"

    @property
    def name(self) -> str:
        """Its operationId."""
        return self.about.removeprefix("api.")

    @property
    def errors(self) -> list[int]:
        """All statuses of errors."""
        of_input = (400, 413, 415) if self.body else (400, 414) if self.query else ()
        return sorted({*self.further_errors, *of_input})


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
_STREAM = {200: (parsing.NDJSON, _TEXT)}
_OF_PROBLEM = RequestForm({"id": integer_field("api.id", 0, MAX_ID, required=True)})


def _json(schema: str, *statuses: int) -> dict[int, tuple[str, dict[str, Any]]]:
    return {status: (JSON, ref_to(schema)) for status in statuses or (200,)}


OPERATIONS = (
    ApiOperation("post", "/api/judgement", "api.judgement", _json("Judgement"), (403, 503), parsing.JUDGEMENT),
    ApiOperation("post", "/api/mending", "api.mending", _STREAM, (403, 503), parsing.MENDING,
                 lines=("JudgementEvent", "RepairEvent", "EndEvent")),
    ApiOperation("post", "/api/enriching", "api.enriching", _STREAM, (403, 503), parsing.ENRICHING,
                 lines=("JudgementEvent", "SuggestionEvent", "EndEvent")),
    ApiOperation("post", "/api/generating", "api.generating", _STREAM, (403, 503), parsing.GENERATING,
                 lines=("ProgressEvent", "ProblemEvent", "EndEvent")),
    ApiOperation("post", "/api/reading", "api.reading", _json("Reading"), (422,), parsing.READING),
    ApiOperation("post", "/api/problems", "api.saving", _json("Saved", 201, 200), (403, 422, 503), parsing.SAVING,
                 error_422="Refusal"),
    ApiOperation("post", "/api/collection", "api.collection", _json("Added"), (403, 422), parsing.COLLECTION),
    ApiOperation("get", "/api/problems/{id}/tree", "api.tree", _json("Tree"), (404, 422, 503), query=parsing.TREE,
                 path_fields=_OF_PROBLEM),
    ApiOperation("get", "/api/problems/{id}/position", "api.position", _json("Choices"), (404, 422, 503),
                 query=parsing.POSITION, path_fields=_OF_PROBLEM),
    ApiOperation("get", "/api/record", "api.record", {200: ("text/plain; charset=utf-8", _TEXT)}, (422,),
                 query=parsing.RECORD),
    ApiOperation("get", "/api/diagram.svg", "api.diagram", {200: ("image/svg+xml", _TEXT)}, (422,),
                 query=parsing.DIAGRAM),
    ApiOperation("get", "/api/me", "api.me", _json("Me"), (414,)),
    ApiOperation("post", "/api/persons", "api.person_adding", _json("Me", 201), (403, 409, 429), parsing.PERSON),
    ApiOperation("post", "/api/session", "api.signing_in", _json("Me"), (403, 429), parsing.SESSION),
    ApiOperation("delete", "/api/session", "api.signing_out", _json("Me"), (403, 414)),
    ApiOperation("get", "/api/training/next", "api.training_next", _json("Next"), (403,), query=parsing.NEXT),
    ApiOperation("get", "/api/training/days", "api.training_days", _json("Days"), (414,)),
    ApiOperation("post", "/api/results", "api.result_adding", _json("Recorded"), (403, 404), parsing.RESULT),
    ApiOperation("post", "/api/runs", "api.run_adding", _json("Best"), (403,), parsing.RUN),
    ApiOperation("get", "/api/progress", "api.progress", _json("Progress"), (403, 414)),
    ApiOperation("get", "/api/results.csv", "api.results", {200: ("text/csv; charset=utf-8", _TEXT)}, (403, 414)),
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
            **{str(status): _error_response(one, status, language) for status in one.errors},
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
            name: {**one.schema, "description": phrase(language, one.about)} for name, one in form.fields.items()
        },
        "required": [name for name, one in form.fields.items() if one.required],
        "additionalProperties": False,
    }


def _parameter_schemas(place: str, form: RequestForm | None, language: Language) -> list[dict[str, Any]]:
    return [
        {
            "name": name, "in": place, "required": one.required,
            "description": phrase(language, one.about), "schema": one.schema,
            **({"style": "form", "explode": False} if one.schema["type"] == "array" else {}),
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


def docs_page(pages: BoardPages, request: Request) -> Response:
    """Return the page with all operations, their fields and responses, in the language of its query."""
    language = pages.language_of(request)
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
                (status, phrase(language, STATUSES[status]), one.success.get(status, ("",))[0])
                for status in (*one.success, *one.errors)
            ],
        }
        for one in OPERATIONS
    ]
    return pages.rendered(request, "api.html", operations=described)


def _field_descriptions(form: RequestForm | None, language: Language) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "required": one.required,
            "about": phrase(language, one.about),
            "values": _schema_values(one.schema),
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
