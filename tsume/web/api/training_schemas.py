# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON schemas of the responses about training."""

from __future__ import annotations

from db.training.records import RUN_MODES
from generator.theme_names import NAMES
from tsume.web.api.schema_parts import (
    COUNT,
    SFEN,
    TEXT,
    TRUTH,
    WHOLE,
    Schema,
    array_of,
    enum_of,
    object_of,
    or_null,
    ref_to,
)

_DATE: Schema = {"type": "string", "format": "date"}
_TIME: Schema = {"type": "string", "format": "date-time"}
_ID: Schema = {"type": "integer", "minimum": 1}
_STARS: Schema = {"type": "integer", "minimum": 1, "maximum": 5}
_TALLY = {"tried": COUNT, "clean": COUNT, "solved": COUNT}


def _row_of(*columns: Schema) -> Schema:
    """A list of as many values, each of one of these kinds."""
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
