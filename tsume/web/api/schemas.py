"""The JSON schemas of the responses."""

from __future__ import annotations

from typing import Any

from generator.changes import ChangeKind
from generator.mending.kinds import Improvement
from generator.problem import STORED
from generator.theme_names import NAMES
from solver.defects import BLEMISHES, CONDITIONS, FAULTS, REMARKS
from solver.explaining.explanation import Proof
from solver.results import Grade

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


def listed(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def maybe(schema: Schema) -> Schema:
    """A value or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def words(*values: object) -> Schema:
    """One of some values."""
    return {"enum": list(values)}


def ref(name: str) -> Schema:
    """One of `SCHEMAS`."""
    return {"$ref": f"#/components/schemas/{name}"}


def shape(fields: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**fields, **(optional or {})},
        "required": list(fields),
        "additionalProperties": False,
    }


_LINE = listed(MOVE)
_THEMES = listed(words(*NAMES))
_CHOICES = shape({"length": maybe(COUNT), "moves": _LINE})
_PIECE = shape({"side": words("attacker", "defender"), "kind": TEXT})
_TRY = shape(
    {
        "check": MOVE, "answer": MOVE, "proof": words(*(proof.value for proof in Proof)),
        "within": maybe(COUNT), "only": TRUTH, "refutations": _LINE, "work": WHOLE,
    }
)  # fmt: skip
_FINDING = shape(
    {
        "defect": maybe(words(*CONDITIONS.names)),
        "remark": maybe(words(*REMARKS.names)),
        "text": ref("Texts"),
        "line": PLAYED,
    },
    {
        "fault": TEXT, "checks": COUNT, "tries": listed(_TRY), "expected": COUNT, "actual": COUNT,
        "turn": COUNT, "key": MOVE, "check": MOVE, "length": maybe(COUNT), "late": maybe(WHOLE),
        "hand": TEXT, "piece": TEXT, "side": words("attacker", "defender"), "square": maybe(SQUARE),
        "smaller": SFEN, "drop": maybe(MOVE), "futile_by": listed(TEXT), "answers": _LINE, "moves": _LINE,
    },
)  # fmt: skip
_JUDGEMENT: dict[str, Schema] = {
    "sfen": SFEN,
    "grade": maybe(words(*(grade.value for grade in Grade))),
    "faults": listed(words(*FAULTS.names)),
    "blemishes": listed(words(*BLEMISHES)),
    "given": maybe(
        shape({"line": _LINE, "reading": maybe(TEXT), "wrong_at": maybe(COUNT), "better": _LINE})
    ),
    "correct": TRUTH,
    "defects": listed(words(*CONDITIONS.names)),
    "unresolved": TRUTH,
    "complete": TRUTH,
    "length": maybe(COUNT),
    "line": _LINE,
    "cooks": listed(_LINE),
    "searched": maybe(COUNT),
    "notes": listed(TEXT),
    "findings": listed(ref("Finding")),
    "readings": maybe(
        shape(
            {
                "agree": TRUTH, "narrow": maybe(COUNT), "purist": maybe(COUNT), "wide": maybe(COUNT),
                "searched": maybe(COUNT), "turn": maybe(COUNT), "path": maybe(_LINE), "left": maybe(COUNT),
                "first_moves": maybe(shape({"narrow": _CHOICES, "purist": _CHOICES, "wide": _CHOICES})),
            }
        )
    ),
    "themes": _THEMES,
    "quality": maybe(NUMBER),
    "likeness": maybe(NUMBER),
    "headline": ref("Texts"),
    "texts": shape({"ja": listed(TEXT), "en": listed(TEXT)}),
}  # fmt: skip
_REWORKED: dict[str, Schema] = {
    "changes": listed(
        shape(
            {"change": words(*(sort.value for sort in ChangeKind)), "text": TEXT},
            {"piece": _PIECE, "square": SQUARE, "to": SQUARE, "other": _PIECE, "step": listed(WHOLE)},
        )
    ),
    "sfen": SFEN,
    "length": COUNT,
    "grade": words(*(grade.value for grade in STORED)),
    "blemishes": listed(words(*BLEMISHES)),
    "line": _LINE,
    "text": ref("Texts"),
}  # fmt: skip


_ERROR_FIELDS: dict[str, Schema] = {"code": words("not_here", "read_only"), "final": TRUTH}
"""A code for which pages have their own text; whether the same request would fail again."""


def _event(name: str, fields: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return shape({"event": {"const": name}, **fields}, optional)


SCHEMAS: dict[str, Schema] = {
    "Error": shape({"error": TEXT}, _ERROR_FIELDS),
    "Refusal": shape({"error": TEXT}, {**_ERROR_FIELDS, "judgement": ref("Judgement")}),
    "Texts": shape({"ja": TEXT, "en": TEXT}),
    "Finding": _FINDING,
    "Judgement": shape(_JUDGEMENT),
    "Saved": shape({"id": {"type": "integer", "minimum": 1}, "known": TRUTH}),
    "JudgementEvent": _event("judgement", _JUDGEMENT),
    "RepairEvent": _event("repair", _REWORKED),
    "SuggestionEvent": _event(
        "suggestion",
        {
            **_REWORKED, "kind": words(*(kind.value for kind in Improvement)), "introduction": _LINE,
            "quality": NUMBER, "likeness": NUMBER, "material": COUNT, "gain": NUMBER,
        },
    ),
    "ProgressEvent": _event("progress", {"roots": COUNT, "found": COUNT, "seconds": NUMBER}),
    "ProblemEvent": _event(
        "problem",
        {
            "sfen": SFEN, "length": COUNT, "line": _LINE, "score": NUMBER,
            "stars": {"type": "integer", "minimum": 1, "maximum": 5}, "themes": _THEMES, "quality": NUMBER,
            "grade": words(*(grade.value for grade in STORED)),
        },
    ),
    "EndEvent": _event("end", {"complete": TRUTH}, {"seed": COUNT, "error": TEXT}),
    "Tree": shape(
        {
            "sfen": SFEN, "result": words("mate", "no_mate", "unresolved"), "length": maybe(COUNT),
            "line": PLAYED, "complete": TRUTH, "turns": listed(ref("TreeTurn")),
        }
    ),
    "TreeTurn": shape(
        {
            "id": COUNT, "path": PLAYED, "length": maybe(COUNT), "key": maybe(MOVE),
            "checks": listed(ref("TreeCheck")),
        }
    ),
    "TreeCheck": shape(
        {"move": MOVE, "result": words("mates", "fails", "open"), "text": ref("Texts")},
        {
            "length": COUNT, "rank": words("key", "form", "as_soon", "later"),
            "answers": listed(ref("TreeAnswer")), "answer": MOVE, "proof": TEXT, "within": COUNT,
            "manner": TEXT, "piece": TEXT, "taken": TEXT, "mates": TRUTH, "answer_text": ref("Texts"),
            "why": ref("Texts"),
        },
    ),
    "TreeAnswer": shape(
        {"move": MOVE, "length": COUNT, "text": ref("Texts")},
        {"best": TRUTH, "turn": COUNT, "line": PLAYED, "take": MOVE},
    ),
}  # fmt: skip
