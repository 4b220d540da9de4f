"""What a run can be given to begin with: shorter problems, a mated position, a half-made one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from generator.nursery import Sprout
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND, STACK
from solver.engines.kernel.mate import NARROW, is_mated
from solver.limits import LimitReached
from solver.results import Limits, Mate
from solver.solving.deepening import search_length
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.packing import Record, pack
from tsume_rules.pieces import Side
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

_NODES = 2_000_000
_TURNS = 200


@dataclass(frozen=True)
class Start:
    """A given problem as a sprout; None, and why, if nothing can grow from it."""

    sprout: Sprout | None
    why: str = ""


def start_of(engine: DfPnEngine, sfen: str) -> Start:
    """The start that a given position makes. Raises ``ValueError`` if ``sfen`` is not an SFEN."""
    record = pack(parse_sfen(sfen).position)
    try:
        with engine.within(Limits(nodes=2 * _NODES)):
            return _start(engine, record)
    except LimitReached:
        return Start(None, "it was not resolved within the limits")


def _start(engine: DfPnEngine, record: Record) -> Start:
    """As `start_of`. Raises `LimitReached`."""
    found = search_length(engine, record, Limits(nodes=_NODES))
    if not isinstance(found, Mate):
        return Start(None, "no mate was found")
    if engine.is_sound(record, found.length, 0, _TURNS) != SOUND:
        return Start(None, "it has a second solution or leaves pieces in hand")
    line = TreeBuilder(engine).turn(record, found.length).line()
    return Start(Sprout(record, found.length, line, 0))


class GivenError(ValueError):
    """A position from which nothing can be composed; the text says why."""


def final_of(sfen: str) -> Position:
    """The final position of an SFEN whose side to move is mated, the attacker as Black.

    Raises ``ValueError`` if ``sfen`` is no SFEN, `GivenError` if it is not mate, or with
    pieces in the attacker's hand: a problem uses them up.
    """
    board, side, *rest = sfen.split() if len(sfen.split()) > 1 else (sfen, "")
    if side not in ("b", "w"):
        return parse_sfen(sfen).position  # raises
    position = parse_sfen(" ".join((board, "b" if side == "w" else "w", *rest))).position
    if position.attacker_hand:
        raise GivenError("pieces are left in the attacker's hand")
    if not is_mate(position):
        raise GivenError("its side to move is not mated")
    return position


def is_mate(position: Position) -> bool:
    """Whether the defender is in check and has no answer but futile interpositions."""
    record = pack(position)
    stack = np.zeros(STACK, dtype=np.int64)
    checkers, _ = find_checkers(record, int(Side.DEFENDER))
    return bool(checkers > 0 and is_mated(record, NARROW, stack, 0))
