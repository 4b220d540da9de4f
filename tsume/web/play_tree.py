# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a reply tree that a person plays against: few turns, the best answers, few fields.

The first tree of a problem leaves some checks open; what they do is asked when they are played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.explaining.explanation import ReplyTree
from tsume.language.catalogue import LANGUAGES, Language
from tsume.services.trees import ReplyTreeBuilder
from tsume.web.rendered_tree import rendered_tree
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen

PROOF_NODES = 50_000
"""Nodes for the proofs that checks fail at any length."""
MOST_TURNS = 500
"""The limit on the turns of a tree."""
_REST_NODES = 40_000
"""Nodes for all but the best line of the first tree: a person waits, others too."""
_CHECK_NODES = 150_000
"""The same for one check that was played."""
_LEAST_TURNS = 20
"""The least limit on turns: a tree always contains the problem's line."""
_TREE = ("result", "length", "complete")
_TURN = ("key",)
_CHECK = ("move", "result", "rank", "text", "answer", "answer_text", "proof", "within", "why", "proof_text")
_ANSWER = ("move", "best", "turn", "text")


def most_turns_to_play(length: int) -> int:
    """The limit on the turns of a tree for a problem of ``length`` plies."""
    return max(_LEAST_TURNS, length)


def first_tree(builder: ReplyTreeBuilder, position: Position, length: int) -> ReplyTree:
    """The tree with which a problem of ``length`` plies begins; some checks may be open."""
    return builder.build(
        position, most_turns=most_turns_to_play(length), only_best=True, proof_nodes=PROOF_NODES,
        rest_nodes=_REST_NODES,
    )  # fmt: skip


def check_tree(builder: ReplyTreeBuilder, position: Position, length: int, check: Move) -> ReplyTree:
    """The tree of a position in which the result of one check is known, if possible."""
    return builder.build(
        position, most_turns=most_turns_to_play(length), only_best=True, proof_nodes=PROOF_NODES,
        rest_nodes=_CHECK_NODES, first_check=check,
    )  # fmt: skip


def check_fields(
    tree: ReplyTree, position: Position, check: Move, languages: Sequence[Language] = LANGUAGES
) -> dict[str, Any]:
    """The fields of a `check_tree`, whose first turn has only that check."""
    fields = play_fields(tree, ParsedSfen(position), languages)
    first = fields["turns"][0]
    first["checks"] = [one for one in first["checks"] if one["move"] == check.usi]
    return fields


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
