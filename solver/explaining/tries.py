# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries (紛れ): a failing check, the answers that refute it, and the order of tries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from solver.engines.base import MateEngine
from solver.explaining.explanation import OtherMate, Proof, Try
from solver.explaining.refuting import MatesLater, Refuter, answers
from solver.explaining.reply_tree import Fails
from solver.limits import LimitReached
from solver.results import Reason
from tsume_rules.moves import Move
from tsume_rules.packing import Record, pack_move, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.record_play import played

NODES = 30_000
"""Nodes for each search of the mate after an answer."""
LASTING_PLIES = 3
"""An answer without a mate within this many plies is lasting."""
_LASTING_NODES = 300
"""Nodes for this search; an answer is lasting if they run out."""
_GROWTH, _MOST_NODES = 10, 1_000_000
"""The growth of the nodes until some answer is proved to last, and the most to use."""


def by_plausibility(tries: Iterable[Try]) -> list[Try]:
    """Tries, the most plausible first: open ones, then those with few refutations, then those with much
    work.

    If the other answers were not examined, lasting ones count as refutations.
    """
    return sorted(tries, key=lambda one: (one.proof is not Proof.BOUNDED, *_plausibility(one), -one.work))


def _plausibility(one: Try) -> tuple[int, int]:
    return len(one.refutations) if one.asked else one.lasting, one.lasting


def lasting(engine: MateEngine, record: Record, check: int) -> int:
    """How many answers to a check have no mate within a few plies. Raises `LimitReached`."""
    count = 0
    with played(record, check, Side.ATTACKER):
        for move in answers(record):
            with played(record, move, Side.DEFENDER):
                question = partial(engine.mates, record, LASTING_PLIES)
                count += engine.answered_within(_LASTING_NODES, question) is not True
    return count


def open_try(refuter: Refuter, record: Record, check: int, known: int, nodes: int) -> Fails | MatesLater:
    """How a check fails within a bound, or in how many plies it mates, with growing numbers of nodes.

    ``known`` as in `Refuter`. Raises `LimitReached`, also if a million nodes do not decide it.
    """
    while nodes <= _MOST_NODES:
        found = refuter.within_a_bound(record, check, known, nodes)
        if found is not None:
            return found
        nodes *= _GROWTH
    raise LimitReached(Reason.NODES)


def try_of(found: Fails, lasting: int, work: int) -> Try:
    """A failing check as a try; its other answers are not examined."""
    known = () if found.proof is Proof.BOUNDED else (found.answer,)
    return Try(found.check, found.answer, found.proof, found.within, known, lasting=lasting, work=work)


class Trier:
    """Finds how checks fail and which answers refute them. All methods raise `LimitReached`."""

    def __init__(self, engine: MateEngine, nodes: int = NODES) -> None:
        self._engine = engine
        self._nodes = nodes
        self._refuter = Refuter(engine, nodes)

    def look_at(self, record: Record, check: int) -> Try | OtherMate:
        """How a check fails and which answers refute it, or in how many plies it mates."""
        before, refuter = self._engine.nodes, self._refuter
        found = (
            refuter.at_once(record, check)
            or refuter.at_any_length(record, check, -1, self._nodes)
            or open_try(refuter, record, check, -1, self._nodes)
        )
        if isinstance(found, MatesLater):
            return OtherMate(unpack_move(check), found.length)
        return self.asked(record, try_of(found, 0, self._engine.nodes - before))

    def asked(self, record: Record, found: Try) -> Try | OtherMate:
        """A try with all answers examined: which others refute it, and whether all those lose.

        An open check mates if all answers lose; it fails at any length if some answer refutes it.
        """
        before = self._engine.nodes
        with played(record, pack_move(found.check), Side.ATTACKER):
            refutes = {
                move: True if unpack_move(move) in found.refutations else self._refutes(record, move)
                for move in answers(record)
            }
        known = tuple(unpack_move(move) for move, yes in refutes.items() if yes)
        settled = None not in refutes.values()
        if settled and not known:
            return OtherMate(found.check, None)
        if known and found.proof is Proof.BOUNDED:
            found = replace(found, answer=known[0], proof=Proof.ANY_LENGTH, within=None)
        work = found.work + self._engine.nodes - before
        return replace(
            found, refutations=_led_by(found.answer, known), asked=True, settled=settled, work=work
        )

    def _refutes(self, record: Record, answer: int) -> bool | None:
        """Whether an answer refutes; None if that takes too many nodes."""
        with played(record, answer, Side.DEFENDER), self._engine.expecting_no():
            mates = self._engine.answered_within(self._nodes, partial(self._engine.mates_ever, record))
        return None if mates is None else not mates


def _led_by(first: Move, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    return tuple(sorted(moves, key=lambda move: move != first))
