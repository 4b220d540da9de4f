# SPDX-License-Identifier: GPL-3.0-or-later
"""Given problems, which are extended backwards."""

from __future__ import annotations

from dataclasses import dataclass

from generator.candidate import Candidate
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.limits import LimitReached
from solver.results import Limits, Mate
from solver.solving.deepening import search_length
from solver.solving.tree import TreeBuilder
from tsume_rules.packed import Moves, Record, pack
from tsume_rules.sfen import parse_sfen

_NODES = 2_000_000
_TURNS = 200


@dataclass(frozen=True)
class GivenProblem:
    """A given problem as a candidate; None, and why, if it cannot be extended."""

    candidate: Candidate | None
    why: str = ""


def given_problem(engine: DfPnEngine, sfen: str) -> GivenProblem:
    """The start that a given position makes. Raises ``ValueError`` if ``sfen`` is not an SFEN."""
    record = pack(parse_sfen(sfen).position)
    try:
        with engine.within(Limits(nodes=2 * _NODES)):
            return _sound_given_problem(engine, record)
    except LimitReached:
        return GivenProblem(None, "it was not resolved within the limits")


def _sound_given_problem(engine: DfPnEngine, record: Record) -> GivenProblem:
    """As `given_problem`. Raises `LimitReached`."""
    found = search_length(engine, record, Limits(nodes=_NODES))
    if not isinstance(found, Mate):
        return GivenProblem(None, "no mate was found")
    line = sound_line(engine, record, found.length)
    if line is None:
        return GivenProblem(None, "it has a second solution or leaves pieces in hand")
    return GivenProblem(Candidate(record, found.length, line, 0))


def sound_line(engine: DfPnEngine, record: Record, length: int) -> Moves | None:
    """The best line of a position that mates in ``length`` plies; None if it is not sound.

    Second solutions are looked for up to that length only. Raises `LimitReached`.
    """
    if engine.is_sound(record, length, 0, _TURNS) != SOUND:
        return None
    return TreeBuilder(engine).line(record, length)
