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


def array_schema(items: Schema) -> Schema:
    """Return a list."""
    return {"type": "array", "items": items}


def nullable(schema: Schema) -> Schema:
    """Return a value or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def enum_schema(*values: object) -> Schema:
    """Return one of some values."""
    return {"enum": list(values)}


def schema_reference(name: str) -> Schema:
    """Return one of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def object_schema(fields: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
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
    return {**array_schema({"anyOf": list(columns)}), "minItems": size, "maxItems": size}


_PROBLEM = object_schema(
    {
        "id": _ID, "sfen": SFEN, "title": TEXT, "author": TEXT, "length": COUNT, "mate_in": schema_reference("Texts"),
        "stars": _STARS, "quality": COUNT, "rating": WHOLE, "difficulty": schema_reference("Texts"),
    }
)  # fmt: skip
TRAINING_SCHEMAS: dict[str, Schema] = {
    "Me": object_schema(
        {"person": nullable(object_schema({"name": TEXT, "rating": WHOLE, "deviation": COUNT})), "sign_up": TRUTH}
    ),
    "Next": object_schema(
        {"problem": nullable(_PROBLEM)},
        {"reason": enum_schema("due", "failed", "unseen", "rating", "day"), "due_at": nullable(_TIME)},
    ),
    "Problems": object_schema({"problems": array_schema(_PROBLEM)}),
    "Days": object_schema({"days": array_schema(_row_of(_ID, COUNT, COUNT, _STARS))}),
    "Recorded": object_schema(
        {
            "result": _ID, "rated": TRUTH, "before": WHOLE, "after": WHOLE, "deviation": COUNT,
            "problem_rating": WHOLE, "due": _TIME,
        }
    ),
    "Classes": object_schema(
        {
            "classes": array_schema(
                object_schema(
                    {
                        "id": _ID, "name": TEXT, "teacher": TEXT, "teaches": TRUTH, "title": TEXT,
                        "problems": array_schema(_ID),
                        "pupils": array_schema(
                            object_schema(
                                {
                                    "id": _ID, "name": TEXT, "rating": WHOLE, "deviation": COUNT, "stars": _STARS,
                                    "tried": COUNT, "solved": COUNT, "failed": COUNT, "last": nullable(_TIME),
                                    "list": array_schema(enum_schema("solved", "helped", "failed", "open")),
                                }
                            )
                        ),
                    }
                )
            )
        }
    ),
    "Best": object_schema({"best": COUNT, "is_best": TRUTH}),
    "Progress": object_schema(
        {
            "rating": WHOLE, "deviation": COUNT, "history": array_schema(_row_of(_DATE, WHOLE)),
            "results": COUNT, "streak": COUNT, "solved": COUNT, "due": COUNT, "next_due": nullable(_TIME),
            "by_length": array_schema(object_schema({"length": COUNT, **_TALLY})),
            "by_theme": array_schema(
                object_schema({"theme": enum_schema(*NAMES), "name": schema_reference("Texts"), **_TALLY})
            ),
            "days": array_schema(_row_of(_DATE, _ID, TRUTH, TRUTH)),
            "runs": object_schema({mode: nullable(COUNT) for mode in RUN_MODES}),
            "solved_ids": array_schema(_ID),
            "tried": array_schema(
                object_schema({"problem": _ID, "solved": TRUTH, "failed": TRUTH, "themes": array_schema(TEXT)})
            ),
        }
    ),
}  # fmt: skip


# --- the JSON schemas of the responses -------------------------------------------------------------

_LINE = array_schema(MOVE)
_THEMES = array_schema(enum_schema(*NAMES))
_CHOICES = object_schema({"length": nullable(COUNT), "moves": _LINE})
_PIECE = object_schema({"side": enum_schema("attacker", "defender"), "kind": TEXT})
_TRY = object_schema(
    {
        "check": MOVE, "answer": MOVE, "proof": enum_schema(*(proof.value for proof in Proof)),
        "within": nullable(COUNT), "only": TRUTH, "refutations": _LINE, "work": WHOLE,
        "cause": nullable(
            object_schema(
                {
                    "kind": enum_schema(*(kind.value for kind in CauseKind)),
                    "line": _LINE,
                    "squares": array_schema(SQUARE),
                }
            )
        ),
    }
)  # fmt: skip
_FINDING = object_schema(
    {
        "defect": nullable(enum_schema(*CONDITIONS.names)),
        "remark": nullable(enum_schema(*REMARKS.names)),
        "text": schema_reference("Texts"),
        "line": PLAYED,
    },
    {
        "fault": TEXT, "reason": nullable(enum_schema(*(kind.name for kind in FaultKind))),
        "squares": array_schema(SQUARE),
        "checks": COUNT, "tries": array_schema(_TRY), "forbidden": nullable(MOVE),
        "expected": COUNT, "actual": COUNT,
        "turn": COUNT, "key": MOVE, "check": MOVE, "length": nullable(COUNT), "late": nullable(WHOLE),
        "hand": TEXT, "piece": TEXT, "side": enum_schema("attacker", "defender"), "square": nullable(SQUARE),
        "class": nullable(enum_schema(*(kind.value for kind in CookClass))), "joins": nullable(COUNT),
        "proved": nullable(TRUTH), "smaller": SFEN, "drop": nullable(MOVE),
        "futile_by": array_schema(TEXT), "answers": _LINE, "moves": _LINE,
    },
)  # fmt: skip
_JUDGEMENT: dict[str, Schema] = {
    "sfen": SFEN,
    "grade": nullable(enum_schema(*(grade.value for grade in Grade))),
    "faults": array_schema(enum_schema(*FAULTS.names)),
    "blemishes": array_schema(enum_schema(*BLEMISHES)),
    "given": nullable(
        object_schema(
            {
                "line": _LINE,
                "reading": nullable(TEXT),
                "wrong_at": nullable(COUNT),
                "better": _LINE,
                "beginning_of": nullable(COUNT),
                "parts_at": nullable(COUNT),
                "text": schema_reference("Texts"),
            }
        )
    ),
    "correct": TRUTH,
    "defects": array_schema(enum_schema(*CONDITIONS.names)),
    "unresolved": TRUTH,
    "not_settled": array_schema(enum_schema(*WITHOUT_FAULT.names)),
    "complete": TRUTH,
    "without_longer": _LINE,
    "without_moved": _LINE,
    "moved_between": _LINE,
    "complete_but_for": nullable(array_schema(enum_schema(*(kind.value for kind in CookClass), EQUAL_DEFENCE))),
    "length": nullable(COUNT),
    "line": _LINE,
    "cooks": array_schema(_LINE),
    "searched": nullable(COUNT),
    "notes": array_schema(TEXT),
    "findings": array_schema(schema_reference("Finding")),
    "readings": nullable(
        object_schema(
            {
                "agree": TRUTH, "narrow": nullable(COUNT), "purist": nullable(COUNT), "wide": nullable(COUNT),
                "searched": nullable(COUNT), "restoring": nullable(COUNT), "restoring_line": _LINE,
                "restoring_drop": _LINE, "turn": nullable(COUNT), "path": nullable(_LINE),
                "left": nullable(COUNT),
                "first_moves": nullable(object_schema({"narrow": _CHOICES, "purist": _CHOICES, "wide": _CHOICES})),
            }
        )
    ),
    "themes": _THEMES,
    "quality": nullable(NUMBER),
    "likeness": nullable(NUMBER),
    "headline": schema_reference("Texts"),
    "texts": object_schema({"ja": array_schema(TEXT), "en": array_schema(TEXT)}),
}  # fmt: skip
_CHANGES = array_schema(
    object_schema(
        {"change": enum_schema(*(sort.value for sort in ChangeKind)), "text": TEXT},
        {"piece": _PIECE, "square": SQUARE, "to": SQUARE, "other": _PIECE, "step": array_schema(WHOLE)},
    )
)
_CHANGED = object_schema({"changes": _CHANGES, "sfen": SFEN})
_REWORKED: dict[str, Schema] = {
    "changes": _CHANGES,
    "sfen": SFEN,
    "length": COUNT,
    "grade": enum_schema(*(grade.value for grade in STORED)),
    "blemishes": array_schema(enum_schema(*BLEMISHES)),
    "line": _LINE,
    "text": schema_reference("Texts"),
    "quality": NUMBER,
    "likeness": NUMBER,
    "material": COUNT,
}  # fmt: skip

_ERROR_FIELDS: dict[str, Schema] = {
    "code": enum_schema(
        "not_here",
        "read_only",
        "nobody",
        "no_sign_up",
        "unknown_text",
        "no_position",
        "too_often",
        "class_unknown",
        "class_taken",
        "class_full",
        "no_problem",
    ),
    "final": TRUTH,
}
"""A code for which pages have their own text; whether the same request would fail again."""
_NOTES = object_schema({}, {"title": TEXT, "author": TEXT, "comment": TEXT})


def _event_object(name: str, fields: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return object_schema({"event": {"const": name}, **fields}, optional)


SCHEMAS: dict[str, Schema] = {
    "Error": object_schema({"error": TEXT}, _ERROR_FIELDS),
    "Refusal": object_schema({"error": TEXT}, {**_ERROR_FIELDS, "judgement": schema_reference("Judgement")}),
    "Texts": object_schema({"ja": TEXT, "en": TEXT}),
    "Finding": _FINDING,
    "Judgement": object_schema(_JUDGEMENT),
    **TRAINING_SCHEMAS,
    "Reading": object_schema(
        {
            "sfen": SFEN, "line": _LINE, "title": TEXT, "author": TEXT, "comment": TEXT,
            "format": enum_schema(*PASTED_FORMS), "more": TRUTH,
        }
    ),
    "Saved": object_schema(
        {"id": {"type": "integer", "minimum": 1}, "known": TRUTH, "replaced": TRUTH, "differing": _NOTES}
    ),
    "Added": object_schema({"added": COUNT}),
    "JudgementEvent": _event_object("judgement", _JUDGEMENT),
    "RepairEvent": _event_object("repair", {**_REWORKED, "alternatives": array_schema(_CHANGED)}),
    "SuggestionEvent": _event_object(
        "suggestion",
        {
            **_REWORKED, "kind": enum_schema(*(kind.value for kind in Improvement)), "introduction": _LINE,
            "gain": NUMBER,
        },
    ),
    "ProgressEvent": _event_object("progress", {"roots": COUNT, "found": COUNT, "seconds": NUMBER}),
    "ProblemEvent": _event_object(
        "problem",
        {
            "sfen": SFEN, "length": COUNT, "line": _LINE, "score": NUMBER, "rating": COUNT,
            "stars": _STARS, "rank_in_length": _STARS, "themes": _THEMES, "quality": NUMBER,
            "grade": enum_schema(*(grade.value for grade in STORED)),
        },
    ),
    "EndEvent": _event_object(
        "end",
        {"complete": TRUTH},
        {
            "reason": enum_schema("perfect", "unsound"), "text": schema_reference("Texts"), "seed": COUNT,
            "network": TRUTH, "error": TEXT,
        },
    ),
    "Choices": object_schema(
        {"side": enum_schema("attacker", "defender"), "choices": array_schema(schema_reference("Choice"))},
    ),
    "Choice": object_schema(
        {"move": MOVE, "text": schema_reference("Texts"), "result": enum_schema("mates", "fails", "open")},
        {"length": COUNT, "best": TRUTH, "futile": TRUTH},
    ),
    "Tree": object_schema(
        {
            "sfen": SFEN, "result": enum_schema("mate", "no_mate", "unresolved"), "length": nullable(COUNT),
            "complete": TRUTH, "turns": array_schema(schema_reference("TreeTurn")),
        },
        {"line": PLAYED},
    ),
    "TreeTurn": object_schema(
        {"key": nullable(MOVE), "checks": array_schema(schema_reference("TreeCheck"))},
        {"id": COUNT, "path": PLAYED, "length": nullable(COUNT)},
    ),
    "TreeCheck": object_schema(
        {"move": MOVE, "result": enum_schema("mates", "fails", "open"), "text": schema_reference("Texts")},
        {
            "length": COUNT, "rank": enum_schema("key", "form", "as_soon", "later"),
            "answers": array_schema(schema_reference("TreeAnswer")), "answer": MOVE, "proof": TEXT, "within": COUNT,
            "manner": TEXT, "piece": TEXT, "taken": TEXT, "mates": TRUTH, "answer_text": schema_reference("Texts"),
            "why": schema_reference("Texts"),
        },
    ),
    "TreeAnswer": object_schema(
        {"move": MOVE, "text": schema_reference("Texts")},
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
_OF_CLASS = RequestForm({"id": integer_field("api.class_id", 0, MAX_ID, required=True)})
_OF_PUPIL = RequestForm({**_OF_CLASS.fields, "pupil": integer_field("api.pupil_id", 0, MAX_ID, required=True)})


def _json(schema: str, *statuses: int) -> dict[int, tuple[str, dict[str, Any]]]:
    return {status: (JSON, schema_reference(schema)) for status in statuses or (200,)}


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
    ApiOperation("get", "/api/training/problems", "api.training_problems", _json("Problems"), query=parsing.PROBLEMS),
    ApiOperation("post", "/api/results", "api.result_adding", _json("Recorded"), (403, 404), parsing.RESULT),
    ApiOperation("post", "/api/runs", "api.run_adding", _json("Best"), (403,), parsing.RUN),
    ApiOperation("get", "/api/progress", "api.progress", _json("Progress"), (403, 414)),
    ApiOperation("get", "/api/results.csv", "api.results", {200: ("text/csv; charset=utf-8", _TEXT)}, (403, 414)),
    ApiOperation("get", "/api/classes", "api.classes", _json("Classes"), (403, 414)),
    ApiOperation("post", "/api/classes", "api.class_opening", _json("Classes", 201), (403, 409, 429), parsing.PERSON),
    ApiOperation("post", "/api/classes/pupils", "api.class_joining", _json("Classes"), (403, 409, 429),
                 parsing.SESSION),
    ApiOperation("delete", "/api/classes/{id}", "api.class_closing", _json("Classes"), (403, 404, 414),
                 path_fields=_OF_CLASS),
    ApiOperation("post", "/api/classes/{id}/list", "api.class_list", _json("Classes"), (403, 404), parsing.CLASS_LIST,
                 path_fields=_OF_CLASS),
    ApiOperation("delete", "/api/classes/{id}/pupils/{pupil}", "api.pupil_removing", _json("Classes"),
                 (403, 404, 414), path_fields=_OF_PUPIL),
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
        content["x-line-schema"] = {"oneOf": [schema_reference(name) for name in one.lines]}
    return {"description": phrase(language, STATUSES[status]), "content": {media: content}}


def _error_response(one: ApiOperation, status: int, language: Language) -> dict[str, Any]:
    schema = schema_reference(one.error_422 if status == 422 else "Error")
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
            "name": one.name, "method": one.method.upper(), "path": one.path, "summary": phrase(language, one.about),
            "body": _field_descriptions(one.body, language), "query": _field_descriptions(one.query, language),
            "lines": one.lines,
            "answers": [
                (status, phrase(language, STATUSES[status]), one.success.get(status, ("",))[0])
                for status in (*one.success, *one.errors)
            ],
        }
        for one in OPERATIONS
    ]  # fmt: skip
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
