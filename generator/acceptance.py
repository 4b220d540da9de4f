"""The last tests, which make a candidate a problem: settle, minimise, judge."""

from __future__ import annotations

from functools import partial

from generator.reasons import Rejection
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.judging.judge import Judge, Rigour, mirror_order
from solver.judging.minimal import reductions
from solver.results import Judgement, Limits, Remark
from solver.solving.tree import TreeBuilder
from tsume_rules.game import start_faults
from tsume_rules.packing import Record, pack, unpack
from tsume_rules.pieces import Side
from tsume_rules.position import Position
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves

MARGINS = (0, 2, 4)
"""Plies beyond the end within which second solutions are looked for before those of any length."""
SETTLING_NODES = 1_500
"""Nodes for each check that is not refuted for good, before the full judgement."""
_TURNS = 100


class Examiner:
    """Tests candidates with one engine. All methods raise `LimitReached`."""

    def __init__(self, engine: DfPnEngine) -> None:
        self._engine = engine
        self._judge = Judge(engine, Rigour(MARGINS, required=len(MARGINS), first_defect=True))

    def settled(self, record: Record, key: int, length: int) -> Rejection | None:
        """Why the first turn may have a second solution at any length; None if it has none."""
        others = [check for check in legal_checks(record) if check != key]
        mating, still = self._engine.refute_each(record, others, length + MARGINS[1])
        if mating is not None:
            return Rejection.LONGER_COOK
        for check in still:
            ever = partial(self._engine.mates_ever_after, record, check)
            mates = self._engine.answered_within(SETTLING_NODES, ever)
            if mates is not False:
                return Rejection.LONGER_COOK if mates else Rejection.NOT_EXCLUDED
        return None

    def line(self, record: Record, length: int) -> Moves | None:
        """The best line as the judge gives it; None if only a futile interposition lasts as long."""
        order = mirror_order(unpack(record, Side.ATTACKER))
        line = TreeBuilder(self._engine, order=order).turn(record, length).line()
        return line if len(line) == length else None

    def minimised(self, record: Record, line: Moves) -> Position:
        """The position without its unnecessary pieces, as far as the margins show."""
        position = unpack(record, Side.ATTACKER)
        start = 0
        while True:
            smaller = None
            for place, (_, reduced) in enumerate(reductions(position)):
                if place >= start and self._is_same(pack(reduced), line) and not start_faults(reduced):
                    smaller, start = reduced, place
                    break
            if smaller is None:
                return position
            position = smaller

    def _is_same(self, record: Record, line: Moves) -> bool:
        return (
            self._engine.keeps_line(record, line)
            and self._engine.is_sound(record, len(line), MARGINS[1], _TURNS) == SOUND
            and self.settled(record, line[0], len(line)) is None
        )

    def judge(self, position: Position, length: int, nodes: int) -> Judgement:
        """The full judgement, within ``nodes`` nodes."""
        return self._judge.judge(position, length, Limits(nodes=nodes))


def refusal(judgement: Judgement) -> Rejection | None:
    """Why a judgement keeps a problem from being published."""
    if judgement.unresolved:
        return Rejection.NOT_EXCLUDED if judgement.searched else Rejection.UNRESOLVED
    if judgement.verdict:
        return Rejection.NOT_CORRECT
    if judgement.remarks & Remark.LEFTOVER_IN_VARIATION:
        return Rejection.LEFTOVER
    if judgement.searched is not None:
        return Rejection.NOT_EXCLUDED
    return None
