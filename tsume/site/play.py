"""The reply tree of a problem as a script: the fields that the player reads, in the site's languages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from solver.explaining.reply_tree import ReplyTree
from tsume.language.catalogue import Language
from tsume.web.rendered_tree import rendered_tree
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, format_sfen

_TURN = ("key",)
_CHECK = ("move", "result", "rank", "text", "answer", "answer_text", "why", "proof_text")
_ANSWER = ("move", "best", "turn", "text")


def is_playable(tree: ReplyTree | None) -> bool:
    """Whether a person can play against a tree: its mate is known."""
    return tree is not None and tree.length is not None


def tree_script(tree: ReplyTree, position: Position, languages: Sequence[Language]) -> str:
    """A call of ``TsumeTree`` with the tree: the fields of docs/board.md that the player reads."""
    told = rendered_tree(tree, ParsedSfen(position), languages, all_answers=False)
    fields = {
        "sfen": format_sfen(position),
        "result": told["result"],
        "turns": [_turn_for_script(turn) for turn in told["turns"]],
    }
    return f"TsumeTree({json.dumps(fields, ensure_ascii=False, separators=(',', ':'))});\n"


def _turn_for_script(turn: dict[str, Any]) -> dict[str, Any]:
    return {
        **_fields_with_names(turn, _TURN),
        "checks": [_check_for_script(check) for check in turn["checks"]],
    }


def _check_for_script(check: dict[str, Any]) -> dict[str, Any]:
    answers = {"answers": [_fields_with_names(answer, _ANSWER) for answer in check.get("answers", ())]}
    return _fields_with_names(check, _CHECK) | (answers if "answers" in check else {})


def _fields_with_names(fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: fields[name] for name in names if name in fields}
