# SPDX-License-Identifier: GPL-3.0-or-later
"""A reply tree in words, Japanese or English, and as JSON fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from solver.explaining.explanation import AnswerResult, CheckResult, Fails, Manner, Mates, ReplyTree, TreeTurn
from solver.results import Judgement
from tsume.formats.symbols import NAME
from tsume.language.catalogue import Language, phrase
from tsume.language.voice import moves_text
from tsume.reports.findings import cause_fields, cause_text, illegal_start_fields
from tsume.reports.notation import MoveWriter, kind_text, notation_of, usi_line
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen, kind_letter

_MANNERS = {
    Manner.TAKES_CHECKER: "tree.takes_checker",
    Manner.MOVES_KING: "tree.moves_king",
    Manner.MOVES_BETWEEN: "tree.moves_between",
    Manner.DROPS_BETWEEN: "tree.drops_between",
}


def tree_lines(tree: ReplyTree, parsed: ParsedSfen, language: Language) -> list[str]:
    """A tree in words, line by line: each turn, its checks, and the answers to the mating ones."""
    return list(_TreeText(tree, parsed, language).lines())


@dataclass(frozen=True)
class _TreeText:
    tree: ReplyTree
    parsed: ParsedSfen
    language: Language

    @property
    def _writer(self) -> MoveWriter:
        return MoveWriter(self.parsed, self.tree.line, notation_of(self.language), self.language)

    def _phrase(self, name: str, **parts: object) -> str:
        return phrase(self.language, f"tree.{name}", **parts)

    def lines(self) -> Iterator[str]:
        if self.parsed.rotated:
            yield self._phrase("rotated")
        if self.tree.length is not None:
            yield self._phrase("head", length=self.tree.length, line=self._writer.line(self.tree.line))
        else:
            yield self._phrase("no_mate" if self.tree.no_mate else "unresolved")
        for turn in self.tree.turns:
            yield from self._turn(turn)
        if not self.tree.complete:
            yield self._phrase("incomplete")

    def _turn(self, turn: TreeTurn) -> Iterator[str]:
        name = "turn" if turn.length else "turn_without_mate" if self.tree.no_mate else "turn_open"
        path = self._writer.line(turn.path) or self._phrase("start")
        yield self._phrase(name, id=turn.id, path=path, length=turn.length)
        if turn.forbidden is not None:
            yield "  " + self._phrase("forbidden", drop=self._writer.move(turn.path, turn.forbidden))
        elif not turn.checks:
            yield "  " + phrase(self.language, "findings.no_check")
        for result in turn.checks:
            yield "  " + self._check(turn, result)
            if isinstance(result, Mates):
                after = (*turn.path, result.check)
                yield from ("    " + self._answers(after, group) for group in answer_groups(result.answers))

    def _check(self, turn: TreeTurn, result: CheckResult) -> str:
        check = self._writer.move(turn.path, result.check)
        if isinstance(result, Mates):
            found = self._phrase(result.rank.value, check=check, length=result.length)
            return found if result.best else self._phrase("mate", mates=found)
        if isinstance(result, Fails):
            answer = self._writer.move((*turn.path, result.check), result.answer)
            return self._phrase(
                result.proof.value,
                check=check,
                answer=answer,
                manner=manner_text(result, self.language),
                moves=moves_text(self.language, result.within or 0),
                cause=cause_text(result.cause, (*turn.path, result.check, result.answer), self._writer),
            )
        return self._phrase("open_mates" if result.mates else "open", check=check)

    def _answers(self, path: tuple[Move, ...], answers: list[AnswerResult]) -> str:
        """One answer, or drops on one square with the same continuation."""
        first = answers[0]
        move = choices_text(self._writer, path, [answer.move for answer in answers], self.language)
        if first.turn is not None:
            where = self._phrase("to_turn", turn=first.turn, length=first.length)
        else:
            line = self._writer.line((*path, first.move, *first.line), len(path) + 1)
            where = self._phrase("by_line", line=line, length=first.length)
        if first.take is not None:
            take = self._writer.move((*path, first.move), first.take)
            return self._phrase("futile", answer=move, take=take, where=where)
        return self._phrase("best" if first.best else "answer", answer=move, where=where)


def answer_groups(answers: tuple[AnswerResult, ...]) -> list[list[AnswerResult]]:
    """Answers one by one, drops on one square with the same continuation together; in their order."""
    groups: dict[object, list[AnswerResult]] = {}
    for answer in answers:
        alone = answer.move.drop is None or answer.best or answer.turn is not None
        name = answer.move if alone else (answer.move.target, answer.line, answer.take)
        groups.setdefault(name, []).append(answer)
    return list(groups.values())


def choices_text(
    writer: MoveWriter, path: tuple[Move, ...], moves: Sequence[Move], language: Language
) -> str:
    """A move after the moves of ``path``, or drops of several kinds on one square: ``△２三合（歩・香）``."""
    if len(moves) == 1:
        return writer.move(path, moves[0])
    kinds = [move.drop for move in moves if move.drop is not None]
    names = "・".join(NAME[k] for k in kinds) if language == "ja" else " ".join(map(kind_letter, kinds))
    return phrase(language, "tree.drops", square=writer.notation.square(moves[0].target), kinds=names)


def manner_text(failed: Fails, language: Language) -> str:
    """How an answer meets a check: capture, king move, interposition."""
    takes = failed.manner is Manner.MOVES_KING and failed.taken is not None
    name = "tree.moves_king_taking" if takes else _MANNERS[failed.manner]
    taken = "" if failed.taken is None else kind_text(language, failed.taken)
    return phrase(language, name, piece=kind_text(language, failed.piece), taken=taken)


# --- JSON -----------------------------------------------------------------------------------------


def tree_fields(tree: ReplyTree, parsed: ParsedSfen) -> dict[str, Any]:
    """A tree as JSON fields (docs/tree.md), moves in USI in the orientation of the given position."""
    return {
        "result": "mate" if tree.length else "no_mate" if tree.no_mate else "unresolved",
        "length": tree.length,
        "line": _usi_line_text(parsed, tree.line),
        "complete": tree.complete,
        "turns": [_turn_fields(turn, parsed) for turn in tree.turns],
    }


def illegal_tree_fields(judgement: Judgement, parsed: ParsedSfen) -> dict[str, Any]:
    """The fields in place of the tree of an illegal start."""
    fields: dict[str, Any] = {
        "result": "illegal_start",
        "length": None,
        "line": "",
        "complete": False,
        "turns": [],
    }
    return {**fields, **illegal_start_fields(judgement, parsed)}


def _turn_fields(turn: TreeTurn, parsed: ParsedSfen) -> dict[str, Any]:
    return {
        "id": turn.id,
        "path": _usi_line_text(parsed, turn.path),
        "length": turn.length,
        "key": None if turn.key is None else parsed.outward(turn.key).usi,
        "checks": [_check_fields(result, parsed) for result in turn.checks],
        **({} if turn.forbidden is None else {"forbidden": parsed.outward(turn.forbidden).usi}),
    }


def _check_fields(result: CheckResult, parsed: ParsedSfen) -> dict[str, Any]:
    fields: dict[str, Any] = {"move": parsed.outward(result.check).usi}
    if isinstance(result, Mates):
        answers = [_answer_fields(answer, parsed) for answer in result.answers]
        return {
            **fields,
            "result": "mates",
            "length": result.length,
            "rank": result.rank.value,
            "answers": answers,
        }
    if isinstance(result, Fails):
        optional = {
            "within": result.within,
            "manner": result.manner.name.lower(),
            "piece": kind_letter(result.piece),
            "taken": None if result.taken is None else kind_letter(result.taken),
            "cause": None if result.cause is None else cause_fields(result.cause, parsed),
        }
        answer = parsed.outward(result.answer).usi
        return {
            **fields,
            "result": "fails",
            "answer": answer,
            "proof": result.proof.value,
            **_without_none(optional),
        }
    return {**fields, "result": "open", **({"mates": True} if result.mates else {})}


def _answer_fields(answer: AnswerResult, parsed: ParsedSfen) -> dict[str, Any]:
    fields = {
        "move": parsed.outward(answer.move).usi,
        "length": answer.length,
        "best": True if answer.best else None,
        "turn": answer.turn,
        "line": _usi_line_text(parsed, answer.line) or None,
        "take": None if answer.take is None else parsed.outward(answer.take).usi,
    }
    return _without_none(fields)


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _usi_line_text(parsed: ParsedSfen, line: tuple[Move, ...]) -> str:
    return " ".join(usi_line(parsed, line))
