"""The part of a reply tree that a person plays against: few turns, the best answers, few fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.explaining.reply_tree import ReplyTree
from tsume.language.catalogue import LANGUAGES, Language
from tsume.web.rendered_tree import rendered_tree
from tsume_rules.sfen import ParsedSfen

_LEAST_TURNS = 20
"""The least limit on turns: a tree always contains the problem's line."""
_TREE = ("result", "length", "complete")
_TURN = ("key",)
_CHECK = ("move", "result", "rank", "text", "answer", "answer_text", "proof", "within", "why", "proof_text")
_ANSWER = ("move", "best", "turn", "text")


def most_turns_to_play(length: int) -> int:
    """The limit on the turns of a tree for a problem of ``length`` plies."""
    return max(_LEAST_TURNS, length)


def is_playable(tree: ReplyTree | None) -> bool:
    """Whether a person can play against a tree: its mate is known."""
    return tree is not None and tree.length is not None


def play_fields(
    tree: ReplyTree, parsed: ParsedSfen, languages: Sequence[Language] = LANGUAGES
) -> dict[str, Any]:
    """The fields of docs/board.md. A check keeps one answer: the best, or one for all futile drops."""
    rendered = rendered_tree(tree, parsed, languages, all_answers=False)
    return {
        "sfen": parsed.sfen,
        **_fields_with_names(rendered, _TREE),
        "turns": [_play_turn(turn) for turn in rendered["turns"]],
    }


def _play_turn(turn: dict[str, Any]) -> dict[str, Any]:
    return {
        **_fields_with_names(turn, _TURN),
        "checks": [_play_check(check) for check in turn["checks"]],
    }


def _play_check(check: dict[str, Any]) -> dict[str, Any]:
    answers = {"answers": [_fields_with_names(answer, _ANSWER) for answer in check.get("answers", ())]}
    return _fields_with_names(check, _CHECK) | (answers if "answers" in check else {})


def _fields_with_names(fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: fields[name] for name in names if name in fields}
