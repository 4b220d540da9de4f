# SPDX-License-Identifier: GPL-3.0-or-later
"""A position of a problem's analysis: whether it mates, and what each move leads to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.explaining.explanation import CheckResult, Fails, Mates
from solver.results import Limits, Mate, NoMate, SearchResult
from tsume.services.solving import Solver
from tsume.web.rendered_tree import MultilingualMoveWriter
from tsume.web.work.played import PlayedJob
from tsume_rules.moves import position_after, position_after_all
from tsume_rules.position import Position

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext

_CHECK_NODES = 150_000
"""Nodes for all checks of a turn, or for all answers to a check that mates."""
_ANSWER_NODES = 20_000
"""Nodes for each answer to a check that does not mate."""

Choice = dict[str, Any]


@dataclass(frozen=True)
class PositionJob(PlayedJob):
    """Looks at the position after the moves: the fields of docs/board.md."""

    def _fields(self, context: WorkerContext, start: Position) -> tuple[dict[str, Any], bool]:
        of_attacker = len(self.moves) % 2 == 0
        choices = self._checks(context, start) if of_attacker else self._answers(context, start)
        writer = MultilingualMoveWriter(start, self.moves)
        for choice in choices:
            choice["text"] = writer.texts(choice["move"])
            choice["move"] = choice["move"].usi
        side = "attacker" if of_attacker else "defender"
        return {"side": side, "choices": choices}, True

    def _checks(self, context: WorkerContext, start: Position) -> list[Choice]:
        position = position_after_all(start, self.moves)
        tree = context.builder.build(position, most_turns=1, only_best=True, rest_nodes=_CHECK_NODES)
        turn = tree.turns[0]
        return [_check_choice(result, key=result.check == turn.key) for result in turn.checks]

    def _answers(self, context: WorkerContext, start: Position) -> list[Choice]:
        *before, check = self.moves
        turn = position_after_all(start, tuple(before))
        tree = context.builder.build(turn, most_turns=1, first_check=check, rest_nodes=_CHECK_NODES)
        (result,) = [one for one in tree.turns[0].checks if one.check == check]
        if isinstance(result, Mates):
            return [
                {
                    "move": answer.move, "result": "mates", "length": answer.length, "best": answer.best,
                    "futile": answer.take is not None,
                }
                for answer in result.answers
            ]  # fmt: skip
        return self._searched_answers(context, position_after(turn, check), result)

    def _searched_answers(
        self, context: WorkerContext, position: Position, result: CheckResult
    ) -> list[Choice]:
        """Answers to a check that is not known to mate, each searched; the refutation first."""
        from tsume_rules.packed import legal_evasions, pack, unpack_move  # loads numba

        solver = Solver(Limits(_ANSWER_NODES, self.limit), engine=context.checker.engine)
        refutation = result.answer if isinstance(result, Fails) else None
        choices: list[Choice] = []
        for move in map(unpack_move, legal_evasions(pack(position))):
            if move == refutation:
                choices.insert(0, {"move": move, "result": "fails", "best": True})
            else:
                solved = solver.solve(position_after(position, move))
                choices.append({"move": move, **_result_fields(solved.result)})
        return choices


def _check_choice(result: CheckResult, *, key: bool) -> Choice:
    if isinstance(result, Mates):
        return {"move": result.check, "result": "mates", "length": result.length, "best": key}
    return {"move": result.check, "result": "fails" if isinstance(result, Fails) else "open"}


def _result_fields(result: SearchResult) -> Choice:
    if isinstance(result, Mate):
        return {"result": "mates", "length": result.length}
    return {"result": "fails" if isinstance(result, NoMate) else "open"}
