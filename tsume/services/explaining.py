"""Why a solution works: judgement and explanation of a position."""

from __future__ import annotations

from typing import Any, NamedTuple

from generator.problem import Problem
from solver.explaining.explanation import Explanation
from solver.results import Judgement, Limits
from tsume.warmup import Part, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position


class Depth(NamedTuple):
    """How much is asked about checks that fail, as of `solver.explaining.explain.explain`."""

    only_answers: bool
    proof_nodes: int


FOR_PRINT = Depth(only_answers=False, proof_nodes=500_000)
"""For stored problems that are written once."""


class Explainer:
    """Judges and explains positions, each within ``seconds`` and ``memory`` MB, and to a ``depth``."""

    def __init__(self, seconds: float, memory: int, depth: Depth = FOR_PRINT) -> None:
        self._seconds = seconds
        self._memory = memory
        self._depth = depth
        self._engine: Any = None

    def explain_judged(self, problem: Problem, *, checks: bool = True) -> Explanation:
        """The explanation of a problem that was judged before; of other checks only with ``checks``."""
        self._prepare()
        with self._engine.within(Limits(seconds=self._seconds)):
            return self._explained(problem.position, problem.line, checks=checks)

    def _prepare(self) -> None:
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.engines.dfpn.memory import table_bits_within

        warm_up(Part.ENGINE)
        if self._engine is None:
            self._engine = DfPnEngine(table_bits=table_bits_within(self._memory << 20))
        self._engine.forget()  # so that an explanation does not depend on earlier positions

    def explain(self, position: Position) -> tuple[Judgement, Explanation]:
        """The judgement of a position whose start is legal, and why it is so."""
        from solver.judging.judge import Judge, Rigour

        self._prepare()
        with self._engine.within(Limits(seconds=self._seconds)):
            judgement = Judge(self._engine, Rigour(all_findings=False)).judge(position)
            if judgement.length is None and not judgement.defects:
                return judgement, Explanation((), (), complete=False)
            return judgement, self._explained(position, judgement.line)

    def _explained(self, position: Position, line: tuple[Move, ...], *, checks: bool = True) -> Explanation:
        from solver.explaining.explain import explain

        return explain(self._engine, position, line, checks=checks, **self._depth._asdict())
