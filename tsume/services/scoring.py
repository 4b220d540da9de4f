"""Length, difficulty and line of a position that mates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.results import Difficulty, Limits, Mate, NoMate
from tsume.engines import DEFAULT_MEMORY
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

SECONDS = 60.0
"""Time limit of each search for one position."""


@dataclass(frozen=True)
class Scored:
    """The exact length of a position, its difficulty, and the line to appraise."""

    length: int
    difficulty: Difficulty
    line: tuple[Move, ...]


class PositionScorer:
    """Finds length, difficulty and line of a position, within ``memory`` MB.

    Each of the three has ``seconds``. The search for the length uses the memory. A score depends neither on
    it nor on how many ``cells`` of a proof tree are remembered (`solver.scoring.difficulty.Scorer`).
    """

    def __init__(
        self, memory: int = DEFAULT_MEMORY, cells: int | None = None, seconds: float | None = None
    ) -> None:
        self._memory = memory
        self._limits = Limits(seconds=SECONDS if seconds is None else seconds)
        self._cells = cells
        self._engine: Any = None
        self._scorer: Any = None

    def score(self, position: Position, given: Sequence[Move] = ()) -> Scored:
        """The position scored; ``given`` is the composer's line, which is kept if it is a best one.

        Raises ValueError if there is no mate or a limit is reached.
        """
        from solver.limits import LimitReached
        from solver.solving.deepening import search_length
        from tsume_rules.packing import pack

        if self._engine is None:
            self._make_engines()
        self._engine.forget()
        result = search_length(self._engine, pack(position), self._limits)
        if isinstance(result, NoMate):
            raise ValueError("no mate")
        if not isinstance(result, Mate):
            raise ValueError(f"unresolved, {result.reason.value} limit reached")
        try:
            line = self._line(position, result.length, given)
            difficulty = self._scorer.score(position, result.length, self._limits)
        except LimitReached as limit:
            raise ValueError(f"unresolved, {limit.reason.value} limit reached") from None
        return Scored(result.length, difficulty, line)

    @property
    def engine(self) -> DfPnEngine | None:
        """The scorer's engine, free for other questions between two scores; None before the first."""
        return self._scorer.engine if self._scorer else None

    def _make_engines(self) -> None:
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.engines.dfpn.memory import table_bits_within
        from solver.scoring.difficulty import SCORER_BYTES, Scorer

        bits = table_bits_within((self._memory << 20) - SCORER_BYTES)
        self._engine = DfPnEngine(table_bits=bits)
        self._scorer = Scorer(self._cells)

    def _line(self, position: Position, length: int, given: Sequence[Move]) -> tuple[Move, ...]:
        """The given line if a reading has it as a best one, else the main line that `check` gives."""
        from solver.judging.given import examine_given
        from solver.judging.judge import mirror_order
        from solver.solving.tree import TreeBuilder
        from tsume_rules.packing import pack, pack_move, unpack_move

        record = pack(position)
        with self._engine.within(self._limits):
            if given and examine_given(self._engine, record, length, tuple(map(pack_move, given))).reading:
                return tuple(given)
            order = mirror_order(position)
            line = TreeBuilder(self._engine, complete=False, order=order).line(record, length)
        return tuple(map(unpack_move, line))
