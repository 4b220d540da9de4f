# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a solution works: judgement and explanation of a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generator.problem import Problem
from solver.explaining.explanation import Explanation
from solver.results import Defect, Judgement, Limits
from tsume.reports.explanation import judged_explanation_fields
from tsume.uses.checking import Checker, CheckOptions, best_line
from tsume.uses.engines import DEFAULT_MEMORY
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine


@dataclass(frozen=True)
class ExplainOptions:
    """How positions are judged and explained, each within ``seconds`` and ``memory`` MB.

    ``only_answers`` and ``proof_nodes`` are options of `solver.explaining.explainer.explain`. ``threads``
    search one position.
    """

    seconds: float | None = 60.0
    memory: int = DEFAULT_MEMORY
    only_answers: bool = False
    proof_nodes: int = 40_000
    threads: int = 1


COMMAND = ExplainOptions()
"""Of the command, the library and `explain` in a browser."""
PRINTED = ExplainOptions(proof_nodes=500_000)
"""Of stored problems that are written once, to cards and files."""
_JUDGING_SHARE = 0.5
"""Of the time left when the line is known; the rest is for the explanation itself."""


@dataclass(frozen=True)
class ExplainedPosition:
    """The judgement of a position, and the explanation of its best line; empty for an illegal start."""

    parsed: ParsedSfen
    judgement: Judgement
    explanation: Explanation

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume explain --jsonl`` but for the text (docs/cli.md)."""
        return judged_explanation_fields(self.judgement, self.explanation, self.parsed)


class Explainer:
    """Judges and explains positions with one engine, made when it is first needed unless one is given."""

    def __init__(self, options: ExplainOptions = COMMAND, engine: DfPnEngine | None = None) -> None:
        self._options = options
        self._limits = Limits(seconds=options.seconds)
        judging = CheckOptions(
            memory=options.memory, all_findings=False, quick=True, examining=_JUDGING_SHARE, threads=options.threads
        )
        self._checker = Checker(judging, engine)

    @property
    def engine(self) -> DfPnEngine:
        """The engine."""
        return self._checker.engine

    def explain_judged(self, problem: Problem, *, checks: bool = True) -> Explanation:
        """Explain a problem that was judged before; its other checks only with ``checks``."""
        engine = self._checker.engine
        engine.forget()
        with engine.within(self._limits):
            return self._explained(problem.position, problem.line, checks=checks)

    def explain(self, parsed: ParsedSfen, line: Sequence[Move] = ()) -> ExplainedPosition:
        """Judge a position, and explain the given ``line`` if it is a best one, else the program's."""
        with self._checker.engine.within(self._limits):
            judgement = self._checker.judge(parsed.position, line=line)
            if Defect.ILLEGAL_START in judgement.defects:
                return ExplainedPosition(parsed, judgement, Explanation((), ()))
            if not (judgement.line or judgement.defects):
                return ExplainedPosition(parsed, judgement, Explanation((), (), complete=False))
            return ExplainedPosition(parsed, judgement, self._explained(parsed.position, best_line(judgement)))

    def _explained(self, position: Position, line: tuple[Move, ...], *, checks: bool = True) -> Explanation:
        from solver.explaining.explainer import explain

        return explain(
            self._checker.engine, position, line, checks=checks,
            only_answers=self._options.only_answers, proof_nodes=self._options.proof_nodes,
        )  # fmt: skip


def unreadable_explanation(parsed: ParsedSfen) -> ExplainedPosition:
    """Return what stands for the explanation of a text that is no position; ``parsed`` stands for that."""
    return ExplainedPosition(parsed, Judgement(Defect.ILLEGAL_START), Explanation((), (), complete=False))
