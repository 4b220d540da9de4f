"""Work on one problem: repairs of an unsound one, improvements of a correct one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.results import Grade, Judgement, Limits
from tsume.warmup import Part, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.squares import Square

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.mending.enrich import Enriched
    from generator.mending.mend import Mended
    from generator.mending.suggestions import Wish


class Reworker:
    """Judges, mends and enriches positions, each step within ``seconds``.

    The engine is made when it is first needed, once ``parts`` of the kernels are compiled.
    """

    def __init__(self, seconds: float, *parts: Part) -> None:
        self._parts = parts
        self._limits = Limits(seconds=seconds)
        self._engine: Any = None

    def judge(self, position: Position, length: int | None = None, line: Sequence[Move] = ()) -> Judgement:
        """The judgement of a position as a problem of ``length`` plies with the composer's line."""
        if self._engine is None:
            warm_up(Part.ENGINE, Part.LIKENESS, *self._parts)
            from solver.engines.dfpn.engine import DfPnEngine
            from solver.judging.judge import Judge

            self._engine = DfPnEngine()
            self._judge = Judge(self._engine)
        self._engine.forget()
        found: Judgement = self._judge.judge(position, length, self._limits, line=tuple(line))
        return found

    def mend(
        self,
        position: Position,
        judgement: Judgement,
        length: int | None = None,
        line: Sequence[Move] = (),
        *,
        keep: frozenset[Square] = frozenset(),
        edits: int = 2,
        count: int = 5,
    ) -> Mended:
        """The repairs of a position judged just now; of a sound problem of that length only perfect ones."""
        from generator.mending.mend import Aim, Mender

        is_sound = judgement.is_a(Grade.SOUND, length)
        aim = Aim(length, keep, tuple(line), perfect=is_sound)
        return Mender(self._engine).mend(position, aim, edits, count, self._limits)

    def enrich(self, position: Position, judgement: Judgement, wish: Wish) -> Enriched:
        """The improvements of a correct problem judged just now."""
        from generator.mending.enrich import Enricher

        return Enricher(self._engine).enrich(position, judgement, wish, self._limits)
