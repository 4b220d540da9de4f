# SPDX-License-Identifier: GPL-3.0-or-later
"""What an engine answers about a position, with the hand for which its answer holds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.certificates.checker import FOREVER
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel import table
from solver.engines.dfpn.kernel.arena import is_open
from solver.engines.dfpn.kernel.known_moves import (
    ROOM,
    is_known,
    known_lengths,
    known_refutation,
    known_refutations,
)
from tsume_rules.kernel.state import FIELD, SHIFT
from tsume_rules.packing import Record


class Known(NamedTuple):
    """An answer: whether there is a mate; within how many plies, or how many exclude one; with which hand."""

    mates: bool
    plies: int
    hand: int


class Oracle:
    """Asks a df-pn engine, its table first. Numbers of plies may be `solver.certificates.checker.FOREVER`."""

    def __init__(self, engine: DfPnEngine) -> None:
        self.engine = engine
        self._out = np.zeros(ROOM, dtype=np.int64)

    def look(self, record: Record, plies: int, *, attacker: bool) -> Known | None:
        """What the table or a search of a few plies says at once; None if that is nothing."""
        arena = self.engine.arena(record)
        is_known(arena, _bound(plies), attacker)
        search = arena.search
        if is_open(search) or (search.dn == 0 and search.taint):
            return None
        mates = int(search.pn) == 0
        length = int(search.length)
        return Known(mates, FOREVER if length >= table.FOREVER else length, _hand(int(search.hand)))

    def refutations(self, record: Record, checks: list[int], plies: int) -> list[int]:
        """For each check an answer that is known to refute it: no mate within so many plies; 0: unknown."""
        moves = np.array(checks, dtype=np.int64)
        answers = np.zeros_like(moves)
        known_refutations(self.engine.arena(record), moves, answers, _bound(plies), self._out)
        return [int(answer) for answer in answers]

    def refutation(self, record: Record, plies: int) -> int:
        """As `refutations`, the defender to move in check."""
        return int(known_refutation(self.engine.arena(record), _bound(plies), self._out))

    def lengths(self, record: Record, checks: list[int], plies: int) -> list[int]:
        """For each check the plies after it within which it is known to mate; -1 if it is not."""
        moves = np.array(checks, dtype=np.int64)
        lengths = np.zeros_like(moves)
        known_lengths(self.engine.arena(record), moves, lengths, _bound(plies))
        return [int(length) for length in lengths]

    def ask(self, record: Record, plies: int, *, attacker: bool) -> bool:
        """Whether the attacker mates within so many plies. Raises `LimitReached`."""
        known = self.look(record, plies, attacker=attacker)
        if known is not None:
            return known.mates
        if plies >= FOREVER:
            return self.engine.mates_ever(record, attacker=attacker)
        if attacker:
            return self.engine.mates(record, plies)
        return self.engine.is_mated(record, plies)

    def ask_within(self, nodes: int, record: Record, plies: int, *, attacker: bool) -> bool | None:
        """As `ask`; None if more nodes are needed."""
        return self.engine.answered_within(nodes, lambda: self.ask(record, plies, attacker=attacker))


def _bound(plies: int) -> int:
    return table.FOREVER if plies >= FOREVER else plies


_FIELDS = list(zip(SHIFT.tolist()[1:], FIELD.tolist()[1:], strict=True))


def _hand(packed: int) -> int:
    """A hand of the engine's as one of the checker's."""
    return sum(((packed >> shift) & field) << (8 * i) for i, (shift, field) in enumerate(_FIELDS))
