"""The tree of a problem as a script beside its page: what the player needs of it, in the site's languages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from solver.explaining.reply_tree import ReplyTree
from tsume.language.catalogue import Language
from tsume.web.told_tree import told_tree
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, format_sfen

_TURN = ("key",)
_CHECK = ("move", "result", "rank", "answer")
_ANSWER = ("move", "best", "turn")
_WORDS = ("text", "answer_text", "why")


def is_playable(tree: ReplyTree | None) -> bool:
    """Whether a person can play against a tree: its mate is known."""
    return tree is not None and tree.length is not None


def tree_script(tree: ReplyTree, position: Position, languages: Sequence[Language]) -> str:
    """A call of ``TsumeTree`` with the tree: the fields of docs/board.md that the player reads."""
    told = told_tree(tree, ParsedSfen(position))
    fields = {
        "sfen": format_sfen(position),
        "result": told["result"],
        "turns": [_turn(turn, languages) for turn in told["turns"]],
    }
    return f"TsumeTree({json.dumps(fields, ensure_ascii=False, separators=(',', ':'))});\n"


def _turn(turn: dict[str, Any], languages: Sequence[Language]) -> dict[str, Any]:
    return {**_some(turn, _TURN), "checks": [_check(check, languages) for check in turn["checks"]]}


def _check(check: dict[str, Any], languages: Sequence[Language]) -> dict[str, Any]:
    kept = _spoken(check, _CHECK, languages)
    if "answers" in check:
        kept["answers"] = [_spoken(answer, _ANSWER, languages) for answer in _played(check["answers"])]
    return kept


def _played(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The best answer; where there is none, one that stands for the futile ones."""
    return [answer for answer in answers if answer.get("best")] or answers[:1]


def _spoken(fields: dict[str, Any], names: Sequence[str], languages: Sequence[Language]) -> dict[str, Any]:
    words = {name: {one: fields[name][one] for one in languages} for name in _WORDS if name in fields}
    return _some(fields, names) | words


def _some(fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: fields[name] for name in names if name in fields}
