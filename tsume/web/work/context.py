"""What a worker process works with: the engine and the judge, loaded once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from solver.results import Judgement, Limits
from tsume.growing import Grower
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.judging.judge import Judge


class WorkerContext:
    """The tools of one process, each made when it is first needed.

    Each engine has ``memory`` MB, ``grower`` makes trees. ``look`` is called every few milliseconds of a
    search; what it raises ends the search.
    """

    def __init__(self, memory: int, grower: Grower, look: Callable[[], None]) -> None:
        self._memory = memory
        self.grower = grower
        self.look = look

    @cached_property
    def engine(self) -> DfPnEngine:
        """The engine of the judge."""
        from solver.engines.dfpn.engine import DfPnEngine

        return DfPnEngine(table_bits=self.table_bits)

    @property
    def table_bits(self) -> int:
        """The table's size that the memory allows."""
        from solver.engines.dfpn.memory import table_bits_within

        return table_bits_within(self._memory << 20)

    @cached_property
    def _judge(self) -> Judge:
        from solver.judging.judge import Judge

        return Judge(self.engine)

    def judged(
        self, position: Position, length: int | None, seconds: float, line: Sequence[Move] = ()
    ) -> Judgement:
        """What `tsume check` says of a position."""
        self.engine.forget()
        return self._judge.judge(position, length, Limits(seconds=seconds), line=tuple(line))

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Inside the block the engine's searches end when the job is cancelled."""
        with self.engine.watched(self.look):
            yield
