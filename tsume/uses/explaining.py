# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a solution works: judgement and explanation of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from generator.problem import Problem
from solver.explaining.explanation import Explanation, ReplyTree
from solver.results import Defect, Judgement, Limits
from tsume.parallel.ordered_map import ordered_map
from tsume.uses.checking import Checker, best_line
from tsume.uses.engines import EngineOptions, df_pn_engine
from tsume.warmup import KernelPart
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


# --- reply trees, one by one or many by several processes ------------------------------------------

TREE_TURNS, TREE_PROOF_NODES = 1000, 250_000
"""The defaults of a whole tree: its turns, and the nodes for proofs that checks fail at any length."""

Item = TypeVar("Item")
Made = TypeVar("Made")


class ReplyTreeBuilder:
    """Builds reply trees, each within ``seconds`` and ``memory`` MB, and within ``nodes`` if these are given.

    ``options`` are those of `solver.explaining.reply_tree_builder.reply_tree`. The engine, of so many
    ``threads``, is made when it is first needed unless one is given.
    """

    def __init__(
        self,
        seconds: float | None,
        memory: int,
        nodes: int | None = None,
        engine: DfPnEngine | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self._limits = Limits(nodes, seconds)
        self._memory = memory
        self._threads = threads
        self._options = options
        if engine is not None:
            self._engine = engine

    def __getstate__(self) -> dict[str, Any]:
        """What another process needs: it makes an engine of its own."""
        return {name: value for name, value in self.__dict__.items() if name != "_engine"}

    @cached_property
    def _engine(self) -> DfPnEngine:
        return df_pn_engine(EngineOptions(self._memory << 20, jobs=self._threads))

    @property
    def name(self) -> str:
        """Says what trees depend on beside the position and the program, apart from the seconds."""
        return f"{self._limits.nodes} {self._memory} {sorted(self._options.items())}"

    def build(self, position: Position, **options: Any) -> ReplyTree:
        """The tree of a position whose start is legal; these options override those of all trees."""
        from solver.explaining.reply_tree_builder import reply_tree

        return reply_tree(self._engine, position, self._limits, **{**self._options, **options})


def map_with_builder(
    work: Callable[[ReplyTreeBuilder, Item], Made],
    items: Sequence[Item],
    jobs: int,
    builder: ReplyTreeBuilder,
) -> Iterator[Made]:
    """What ``work`` makes of each item with a builder, in their order, by ``jobs`` processes."""
    processes = max(1, min(jobs, len(items)))
    with closing(
        ordered_map(partial(partial, work, builder), items, processes, (KernelPart.ENGINE,))
    ) as made:
        yield from made
