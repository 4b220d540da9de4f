# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions of Kaneko2005's experiment: mates found in games, and no-mates beside them.

The no-mates are to be like those that a playing program's mate search meets: the
attacker is to move, has checks, and nothing tells at once that none of them mates.
They are made from the mates: the attacker plays a check that does not mate, the
defender an answer that refutes it, and the attacker is to move again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Interposition, Limits
from tsume_rules.packing import Record, pack, unpack
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import record_after
from tsume_rules.sfen import format_sfen, parse_sfen

PATIENCE = 20_000
"""Nodes for each question when no-mates are looked for: a playing program would not spend more."""


class MateClassifier:
    """Tells mates from no-mates, at any length, within so many nodes a question."""

    def __init__(self, interposition: Interposition, nodes: int) -> None:
        self._engine = DfPnEngine(interposition=interposition)
        self._limits = Limits(nodes=nodes)

    def mates(self, record: Record, *, attacker: bool = True) -> bool | None:
        """Whether the attacker mates at any length; None if it stays open."""
        try:
            with self._engine.within(self._limits):
                return self._engine.mates_ever(record, attacker=attacker)
        except LimitReached:
            return None
        finally:
            self._engine.forget()

    def is_mate(self, sfen: str) -> bool | None:
        """The same of an SFEN with the attacker to move."""
        return self.mates(pack(parse_sfen(sfen).position))

    def refuted_after(self, record: Record) -> Iterator[Record]:
        """For each check that does not mate the position after the first answer that refutes it.

        Left out are those without a further check, and those that stay open.
        """
        for check in legal_checks(record):
            checked = record_after(record, (check,))
            if self.mates(checked, attacker=False) is not False:
                continue
            answered = (record_after(record, (check, answer)) for answer in legal_evasions(checked))
            refuted = (position for position in answered if legal_checks(position))
            yield from _first_of_each_position(
                position for position in refuted if self.mates(position) is False
            )


def _first_of_each_position(positions: Iterator[Record]) -> Iterator[Record]:
    """The first of them, if there is one."""
    for position in positions:
        yield position
        return


def positions_without_mate(sorter: MateClassifier, mates: Sequence[str], most: int) -> Iterator[str]:
    """At most so many SFENs of distinct positions without a mate, made from mates.

    The first of each mate come first, then the second of each, and so on.
    """
    seen: set[str] = set()
    open_ends = [sorter.refuted_after(pack(parse_sfen(sfen).position)) for sfen in mates]
    while open_ends:
        for end in list(open_ends):
            if len(seen) >= most:
                return
            position = next(end, None)
            if position is None:
                open_ends.remove(end)
                continue
            sfen = format_sfen(unpack(position))
            if sfen not in seen:
                seen.add(sfen)
                yield sfen
