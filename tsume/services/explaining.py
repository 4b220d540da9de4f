# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a solution works: judgement and explanation of a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from generator.problem import Problem
from solver.explaining.explanation import Explanation
from solver.results import Defect, Judgement, Limits
from tsume.services.checking import Checker, best_line
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine


class ExplanationDepth(NamedTuple):
    """How closely failing checks are examined: options of `solver.explaining.explainer.explain`."""

    only_answers: bool
    proof_nodes: int


EXPLANATION_PROOF_NODES = 40_000
"""The default of an explanation: nodes for proofs that checks fail at any length."""
FOR_PRINT = ExplanationDepth(only_answers=False, proof_nodes=500_000)
"""For stored problems that are written once."""
_JUDGING_SHARE = 0.5
"""Of the time left when the line is known; the rest is for the explanation itself."""


class Explainer:
    """Judges and explains positions, each within ``seconds`` and ``memory`` MB, to a ``depth``.

    The engine, of so many ``threads`` for one position, is made when it is first needed unless one is given.
    """

    def __init__(
        self,
        seconds: float,
        memory: int,
        depth: ExplanationDepth = FOR_PRINT,
        *,
        threads: int = 1,
        engine: DfPnEngine | None = None,
    ) -> None:
        self._limits = Limits(seconds=seconds)
        self._checker = Checker(
            memory, all_findings=False, examining=_JUDGING_SHARE, threads=threads, engine=engine
        )
        self._depth = depth

    def explain_judged(self, problem: Problem, *, checks: bool = True) -> Explanation:
        """The explanation of a problem that was judged before; of other checks only with ``checks``."""
        engine = self._checker.engine
        engine.forget()
        with engine.within(self._limits):
            return self._explained(problem.position, problem.line, checks=checks)

    def explain(self, position: Position, line: Sequence[Move] = ()) -> tuple[Judgement, Explanation]:
        """The judgement of a position, and the explanation of its best line; empty for an illegal start.

        That is the given ``line`` if it is a best one.
        """
        with self._checker.engine.within(self._limits):
            judgement = self._checker.check(position, line=line)
            if Defect.ILLEGAL_START in judgement.defects:
                return judgement, Explanation((), ())
            if not (judgement.line or judgement.defects):
                return judgement, Explanation((), (), complete=False)
            return judgement, self._explained(position, best_line(judgement))

    def _explained(self, position: Position, line: tuple[Move, ...], *, checks: bool = True) -> Explanation:
        from solver.explaining.explainer import explain

        return explain(self._checker.engine, position, line, checks=checks, **self._depth._asdict())
