# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON of `tsume tree` as docs/tree.md describes it."""

from __future__ import annotations

import re
from typing import Any

NoneType = type(None)
FIELDS: dict[str, Any] = {
    "sfen": str, "result": str, "length": int | None, "line": str, "complete": bool, "turns": list,
    "illegal": list, "error": str | None,
}  # fmt: skip
TURN_FIELDS: dict[str, Any] = {
    "id": int,
    "path": str,
    "length": int | None,
    "key": str | None,
    "checks": list,
    "forbidden": str,
}
CHECK_FIELDS: dict[str, dict[str, Any]] = {
    "mates": {"move": str, "result": str, "length": int, "rank": str, "answers": list},
    "fails": {
        "move": str, "result": str, "answer": str, "proof": str, "within": int, "manner": str, "piece": str,
        "taken": str, "cause": dict,
    },
    "open": {"move": str, "result": str, "mates": bool},
}  # fmt: skip
ANSWER_FIELDS: dict[str, Any] = {
    "move": str,
    "length": int,
    "best": bool,
    "turn": int,
    "line": str,
    "take": str,
}
OPTIONAL = {"illegal", "cause", "forbidden", "within", "taken", "mates", "best", "turn", "line", "take"}
"""Fields that are left out where they do not apply; all others are always there."""
VALUES = {
    "result": {"mate", "no_mate", "unresolved", "illegal_start", "invalid", "mates", "fails", "open"},
    "rank": {"key", "form", "as_soon", "later"},
    "proof": {"no_check", "any_length", "bounded"},
    "manner": {"takes_checker", "moves_king", "moves_between", "drops_between"},
}
_MOVES = re.compile(r"([1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i])( |$)")


def field_names() -> set[str]:
    """Every name of a field, and every value of those with a few values."""
    groups: list[dict[str, Any]] = [FIELDS, TURN_FIELDS, *CHECK_FIELDS.values(), ANSWER_FIELDS]
    return {name for fields in groups for name in fields} | {v for values in VALUES.values() for v in values}


def assert_follows_the_schema(tree: dict[str, Any]) -> None:
    """The types of all fields, and what must hold between them."""
    _assert_fields(tree, FIELDS)
    complete = tree["complete"]
    assert (tree["length"] is not None) == (tree["result"] == "mate")
    assert [turn["id"] for turn in tree["turns"]] == list(range(len(tree["turns"])))
    for turn in tree["turns"]:
        _assert_fields(turn, TURN_FIELDS)
        for check in turn["checks"]:
            _assert_fields(check, CHECK_FIELDS[check["result"]])
            assert (check.get("proof") == "bounded") == ("within" in check)
            complete &= check["result"] != "open"
            for answer in check.get("answers", []):
                _assert_fields(answer, ANSWER_FIELDS)
                assert ("turn" in answer) != ("line" in answer)
                assert "turn" not in answer or tree["turns"][answer["turn"]]["length"] == answer["length"]
                complete &= "turn" in answer or "best" not in answer
            assert sum("best" in answer for answer in check.get("answers", [])) == (
                check.get("length", 1) > 1
            )
    assert tree["complete"] == complete


def _assert_fields(found: dict[str, Any], fields: dict[str, Any]) -> None:
    assert fields.keys() - OPTIONAL - {"line"} <= found.keys() <= fields.keys()
    for name, value in found.items():
        assert isinstance(value, fields[name]), (name, value)
        assert name not in VALUES or value in VALUES[name], (name, value)
        if name in ("line", "path", "move", "answer", "take"):
            assert not _MOVES.sub("", value), (name, value)
