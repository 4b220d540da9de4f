# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of operations, from which the OpenAPI document is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tsume.web.api import forms, training_forms
from tsume.web.api.responses import NDJSON
from tsume.web.api.schema_parts import ref_to
from tsume.web.fields import IntegerField, RequestForm
from tsume.web.pages import MOST_ID

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
        "post", "/api/judgement", "api.judgement", {200: (JSON, ref_to("Judgement"))}, body=forms.JUDGEMENT,
        errors=(400, *_WORK),
    ),
    ApiOperation(
        "post", "/api/mending", "api.mending", {200: (NDJSON, _TEXT)}, body=forms.MENDING,
        errors=(400, *_WORK), lines=("JudgementEvent", "RepairEvent", "EndEvent"),
    ),
    ApiOperation(
        "post", "/api/enriching", "api.enriching", {200: (NDJSON, _TEXT)}, body=forms.ENRICHING,
        errors=(400, *_WORK), lines=("JudgementEvent", "SuggestionEvent", "EndEvent"),
    ),
    ApiOperation(
        "post", "/api/generating", "api.generating", {200: (NDJSON, _TEXT)}, body=forms.GENERATING,
        errors=(400, *_WORK), lines=("ProgressEvent", "ProblemEvent", "EndEvent"),
    ),
    ApiOperation(
        "post", "/api/reading", "api.reading", {200: (JSON, ref_to("Reading"))}, body=forms.READING,
        errors=(400, 413, 415, 422),
    ),
    ApiOperation(
        "post", "/api/problems", "api.saving", {201: (JSON, ref_to("Saved")), 200: (JSON, ref_to("Saved"))},
        body=forms.SAVING, errors=(400, *_WORK, 422), error_422="Refusal",
    ),
    ApiOperation(
        "post", "/api/collection", "api.collection", {200: (JSON, ref_to("Added"))}, body=forms.COLLECTION,
        errors=(400, 403, 413, 415, 422),
    ),
    ApiOperation(
        "get", "/api/problems/{id}/tree", "api.tree", {200: (JSON, ref_to("Tree"))},
        path_fields=RequestForm({"id": IntegerField("api.id", 0, MOST_ID, required=True)}), query=forms.TREE,
        errors=(400, 404, 414, 422, 503),
    ),
    ApiOperation(
        "get", "/api/problems/{id}/position", "api.position", {200: (JSON, ref_to("Choices"))},
        path_fields=RequestForm({"id": IntegerField("api.id", 0, MOST_ID, required=True)}),
        query=forms.POSITION, errors=(400, 404, 414, 422, 503),
    ),
    ApiOperation(
        "get", "/api/record", "api.record", {200: ("text/plain; charset=utf-8", _TEXT)}, query=forms.RECORD,
        errors=(400, 414, 422),
    ),
    ApiOperation(
        "get", "/api/diagram.svg", "api.diagram", {200: ("image/svg+xml", _TEXT)}, query=forms.DIAGRAM,
        errors=(400, 414, 422),
    ),
    ApiOperation("get", "/api/me", "api.me", {200: (JSON, ref_to("Me"))}, errors=(414,)),
    ApiOperation(
        "post", "/api/persons", "api.person_adding", {201: (JSON, ref_to("Me"))}, body=training_forms.PERSON,
        errors=(400, 403, 409, 413, 415, 429),
    ),
    ApiOperation(
        "post", "/api/session", "api.signing_in", {200: (JSON, ref_to("Me"))}, body=training_forms.SESSION,
        errors=(400, 403, 413, 415, 429),
    ),
    ApiOperation("delete", "/api/session", "api.signing_out", {200: (JSON, ref_to("Me"))}, errors=(403, 414)),
    ApiOperation(
        "get", "/api/training/next", "api.training_next", {200: (JSON, ref_to("Next"))},
        query=training_forms.NEXT, errors=(400, 403, 414),
    ),
    ApiOperation("get", "/api/training/days", "api.training_days", {200: (JSON, ref_to("Days"))},
                 errors=(414,)),
    ApiOperation(
        "post", "/api/results", "api.result_adding", {200: (JSON, ref_to("Recorded"))},
        body=training_forms.RESULT, errors=(400, 403, 404, 413, 415),
    ),
    ApiOperation(
        "post", "/api/runs", "api.run_adding", {200: (JSON, ref_to("Best"))}, body=training_forms.RUN,
        errors=(400, 403, 413, 415),
    ),
    ApiOperation("get", "/api/progress", "api.progress", {200: (JSON, ref_to("Progress"))},
                 errors=(403, 414)),
    ApiOperation("get", "/api/results.csv", "api.results", {200: ("text/csv; charset=utf-8", _TEXT)},
                 errors=(403, 414)),
    ApiOperation("get", "/api/openapi.json", "api.description", {200: (JSON, {"type": "object"})}),
)  # fmt: skip
