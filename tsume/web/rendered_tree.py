# SPDX-License-Identifier: GPL-3.0-or-later
"""A reply tree as JSON fields: all of it with texts, or the part that a person plays against."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.explaining.explanation import Fails, Mates, Proof, ReplyTree, TreeTurn
from tsume.formats import english, japanese
from tsume.language.catalogue import LANGUAGES, Language, phrase
from tsume.language.voice import moves_text
from tsume.reports.findings import cause_text
from tsume.reports.notation import MoveWriter, notation_of
from tsume.reports.reply_tree import manner_text, tree_fields
from tsume_rules.moves import Move, position_after
from tsume_rules.position import Position, Square
from tsume_rules.sfen import ParsedSfen


def rendered_tree(
    tree: ReplyTree, parsed: ParsedSfen, languages: Sequence[Language] = LANGUAGES, *,
    all_answers: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Return the fields of docs/tree.md, and texts by language, as `tsume tree` prints them.

    Each check has ``text``, one that fails also ``answer_text`` and ``why``, a sentence; each answer has
    ``text``. A check after which only mates up to some length are excluded has also ``proof_text``, which
    says so. Without ``all_answers`` a check keeps only its first answer: the best one, or one that stands
    for the futile ones.
    """
    fields = tree_fields(tree, parsed)
    for turn, told in zip(tree.turns, fields["turns"], strict=True):
        if not all_answers:
            for check in told["checks"]:
                check.get("answers", [])[1:] = []
        _add_texts(MultilingualMoveWriter(parsed.position, turn.path, languages), turn, told)
    return fields


class MultilingualMoveWriter:
    """Writes moves that follow the moves of ``path``; a move to the last move's square is written 同."""

    def __init__(self, start: Position, path: tuple[Move, ...], languages: Sequence[Language] = LANGUAGES) -> None:
        self.languages = languages
        self._position, self._last = _position_after_moves(start, None, path)

    def texts(self, *moves: Move) -> dict[str, str]:
        """Return the last of some moves, by language."""
        position, last = _position_after_moves(self._position, self._last, moves[:-1])
        written = {
            "ja": lambda: japanese.move_text(position, moves[-1], last),
            "en": lambda: english.move_text(position, moves[-1]),
        }
        return {name: written[name]() for name in self.languages}

    def cause(self, failed: Fails, language: Language) -> str:
        """Return what decides that a check fails, in brackets; empty if nothing is known."""
        if failed.cause is None:
            return ""
        path = (failed.check, failed.answer)
        writer = MoveWriter(ParsedSfen(self._position), (), notation_of(language), language)
        return cause_text(failed.cause, path, writer)


def _position_after_moves(
    position: Position, last: Square | None, moves: tuple[Move, ...]
) -> tuple[Position, Square | None]:
    """Return a position after some moves, and the square of the last move."""
    for move in moves:
        position, last = position_after(position, move), move.target
    return position, last


def _add_texts(writer: MultilingualMoveWriter, turn: TreeTurn, turn_fields: dict[str, Any]) -> None:
    for result, fields in zip(turn.checks, turn_fields["checks"], strict=True):
        fields["text"] = writer.texts(result.check)
        if isinstance(result, Mates):
            for answer, answered in zip(result.answers, fields["answers"], strict=False):
                answered["text"] = writer.texts(result.check, answer.move)
        elif isinstance(result, Fails):
            fields["answer_text"] = writer.texts(result.check, result.answer)
            fields["why"] = {
                language: phrase(
                    language,
                    "tree.not_found" if result.proof is Proof.BOUNDED else f"tree.{result.proof.value}",
                    check=fields["text"][language],
                    answer=fields["answer_text"][language],
                    manner=manner_text(result, language),
                    cause=writer.cause(result, language),
                )
                for language in writer.languages
            }
            if result.proof is Proof.BOUNDED:
                fields["proof_text"] = {
                    language: phrase(language, "tree.searched", moves=moves_text(language, result.within or 0))
                    for language in writer.languages
                }


# ---------------------------------------------------------------------------------------------------
#
# The part of a reply tree that a person plays against: few turns, the best answers, few fields.

_TREE = ("result", "length", "complete")
_TURN = ("key",)
_CHECK = ("move", "result", "rank", "text", "answer", "answer_text", "proof", "within", "why", "proof_text")
_ANSWER = ("move", "best", "turn", "text")


def check_fields(
    tree: ReplyTree, position: Position, check: Move, languages: Sequence[Language] = LANGUAGES
) -> dict[str, Any]:
    """Return the fields of `ReplyTreeBuilder.check_tree`, whose first turn has only that check."""
    fields = play_fields(tree, ParsedSfen(position), languages)
    first = fields["turns"][0]
    first["checks"] = [one for one in first["checks"] if one["move"] == check.usi]
    return fields


def play_fields(tree: ReplyTree, parsed: ParsedSfen, languages: Sequence[Language] = LANGUAGES) -> dict[str, Any]:
    """Return the fields of docs/board.md. A check keeps one answer: the best, or one for all futile drops."""
    rendered = rendered_tree(tree, parsed, languages, all_answers=False)
    return {
        "sfen": parsed.sfen,
        **_fields_with_names(rendered, _TREE),
        "turns": [
            {**_fields_with_names(turn, _TURN), "checks": [_play_check(check) for check in turn["checks"]]}
            for turn in rendered["turns"]
        ],
    }


def _play_check(check: dict[str, Any]) -> dict[str, Any]:
    answers = {"answers": [_fields_with_names(answer, _ANSWER) for answer in check.get("answers", ())]}
    return _fields_with_names(check, _CHECK) | (answers if "answers" in check else {})


def _fields_with_names(fields: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: fields[name] for name in names if name in fields}
