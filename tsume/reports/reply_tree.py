# SPDX-License-Identifier: GPL-3.0-or-later
"""A reply tree in words, Japanese or English, and as JSON fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.explaining.explanation import AnswerResult, Fails, Manner, Mates, ReplyTree
from solver.results import Judgement
from tsume.formats.symbols import NAME
from tsume.language.catalogue import Language, phrase
from tsume.language.voice import moves_text
from tsume.reports.findings import cause_fields, cause_text, illegal_start_fields
from tsume.reports.notation import MoveWriter, kind_text, notation_of
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen, kind_letter


def tree_lines(tree: ReplyTree, parsed: ParsedSfen, language: Language) -> list[str]:
    """Return a tree in words, line by line: each turn, its checks, and the answers to the mating ones."""
    writer = MoveWriter(parsed, tree.line, notation_of(language), language)

    def say(name: str, **parts: object) -> str:
        return phrase(language, f"tree.{name}", **parts)

    def answers_text(path: tuple[Move, ...], answers: list[AnswerResult]) -> str:
        first = answers[0]
        move = choices_text(writer, path, [answer.move for answer in answers], language)
        if first.turn is not None:
            where = say("to_turn", turn=first.turn, length=first.length)
        else:
            line = writer.line((*path, first.move, *first.line), len(path) + 1)
            where = say("by_line", line=line, length=first.length)
        if first.take is not None:
            take = writer.move((*path, first.move), first.take)
            return say("futile", answer=move, take=take, where=where)
        return say("best" if first.best else "answer", answer=move, where=where)

    lines = [say("rotated")] if parsed.rotated else []
    if tree.length is not None:
        lines.append(say("head", length=tree.length, line=writer.line(tree.line)))
    else:
        lines.append(say("no_mate" if tree.no_mate else "unresolved"))
    for turn in tree.turns:
        name = "turn" if turn.length else "turn_without_mate" if tree.no_mate else "turn_open"
        lines.append(say(name, id=turn.id, path=writer.line(turn.path) or say("start"), length=turn.length))
        if turn.forbidden is not None:
            lines.append("  " + say("forbidden", drop=writer.move(turn.path, turn.forbidden)))
        elif not turn.checks:
            lines.append("  " + phrase(language, "findings.no_check"))
        for result in turn.checks:
            check, after = writer.move(turn.path, result.check), (*turn.path, result.check)
            if isinstance(result, Mates):
                found = say(result.rank.value, check=check, length=result.length)
                lines.append("  " + (found if result.best else say("mate", mates=found)))
                lines += ["    " + answers_text(after, group) for group in answer_groups(result.answers)]
            elif isinstance(result, Fails):
                answer, moves = writer.move(after, result.answer), moves_text(language, result.within or 0)
                cause = cause_text(result.cause, (*after, result.answer), writer)
                parts = {"manner": manner_text(result, language), "moves": moves, "cause": cause}
                lines.append("  " + say(result.proof.value, check=check, answer=answer, **parts))
            else:
                lines.append("  " + say("open_mates" if result.mates else "open", check=check))
    return lines if tree.complete else [*lines, say("incomplete")]


def answer_groups(answers: tuple[AnswerResult, ...]) -> list[list[AnswerResult]]:
    """Group answers: each alone, but drops on one square with the same continuation; in their order."""
    groups: dict[object, list[AnswerResult]] = {}
    for answer in answers:
        alone = answer.move.drop is None or answer.best or answer.turn is not None
        name = answer.move if alone else (answer.move.target, answer.line, answer.take)
        groups.setdefault(name, []).append(answer)
    return list(groups.values())


def choices_text(writer: MoveWriter, path: tuple[Move, ...], moves: Sequence[Move], language: Language) -> str:
    """Return a move after ``path``, or drops of several kinds on one square: ``△２三合（歩・香）``."""
    if len(moves) == 1:
        return writer.move(path, moves[0])
    kinds = [move.drop for move in moves if move.drop is not None]
    names = "・".join(NAME[k] for k in kinds) if language == "ja" else " ".join(map(kind_letter, kinds))
    return phrase(language, "tree.drops", square=writer.notation.square(moves[0].target), kinds=names)


def manner_text(failed: Fails, language: Language) -> str:
    """Return how an answer meets a check: capture, king move, interposition."""
    takes = failed.manner is Manner.MOVES_KING and failed.taken is not None
    name = failed.manner.name.lower() + "_taking" * takes
    taken = "" if failed.taken is None else kind_text(language, failed.taken)
    return phrase(language, f"tree.{name}", piece=kind_text(language, failed.piece), taken=taken)


# --- JSON -----------------------------------------------------------------------------------------


def tree_fields(tree: ReplyTree, parsed: ParsedSfen) -> dict[str, Any]:
    """Return a tree as JSON fields (docs/tree.md), moves in USI in the orientation of the given position."""

    def usi(move: Move) -> str:
        return parsed.outward(move).usi

    def usi_text(line: tuple[Move, ...]) -> str:
        return " ".join(map(usi, line))

    turns = []
    for turn in tree.turns:
        checks: list[dict[str, Any]] = []
        for result in turn.checks:
            fields: dict[str, Any] = {"move": usi(result.check)}
            if isinstance(result, Mates):
                fields |= {"result": "mates", "length": result.length, "rank": result.rank.value}
                fields["answers"] = [
                    _without_none({
                        "move": usi(one.move),
                        "length": one.length,
                        "best": True if one.best else None,
                        "turn": one.turn,
                        "line": usi_text(one.line) or None,
                        "take": None if one.take is None else usi(one.take),
                    })
                    for one in result.answers
                ]  # fmt: skip
            elif isinstance(result, Fails):
                fields |= {"result": "fails", "answer": usi(result.answer), "proof": result.proof.value}
                fields |= _without_none({
                    "within": result.within,
                    "manner": result.manner.name.lower(),
                    "piece": kind_letter(result.piece),
                    "taken": None if result.taken is None else kind_letter(result.taken),
                    "cause": None if result.cause is None else cause_fields(result.cause, parsed),
                })  # fmt: skip
            else:
                fields |= {"result": "open", **({"mates": True} if result.mates else {})}
            checks.append(fields)
        key = None if turn.key is None else usi(turn.key)
        told = {"id": turn.id, "path": usi_text(turn.path), "length": turn.length, "key": key, "checks": checks}
        turns.append(told | ({} if turn.forbidden is None else {"forbidden": usi(turn.forbidden)}))
    return {
        "result": "mate" if tree.length else "no_mate" if tree.no_mate else "unresolved",
        "length": tree.length,
        "line": usi_text(tree.line),
        "complete": tree.complete,
        "turns": turns,
    }


def illegal_tree_fields(judgement: Judgement, parsed: ParsedSfen) -> dict[str, Any]:
    """Return the fields in place of the tree of an illegal start."""
    fields = {"result": "illegal_start", "length": None, "line": "", "complete": False}
    return {**fields, "turns": [], **illegal_start_fields(judgement, parsed)}


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
