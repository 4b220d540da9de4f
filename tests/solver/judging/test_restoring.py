# SPDX-License-Identifier: GPL-3.0-or-later
"""The restoring reading, on a small case of its own and against the slow twin."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.interpositions import Restored, restored
from solver.judging.judge import Judge
from solver.limits import LimitReached
from solver.results import Limits, Mate
from solver.solving.solve import solve
from tests import naive_restoring
from tests.sampling import attacks
from tsume_rules.packed import pack, pack_move, unpack_move
from tsume_rules.sfen import format_sfen, parse_sfen

TO_AND_FRO = "5+P2k/9/7Gs/9/2+B4+p+p/s1l4l+p/nnnnlpppl/+p+p+p+p+p+p+p+p+p/rrbgggss+p b - 1"
"""The horse fetches the lance on 7f. A pawn on 5e brings it nearer, from where it goes back to 6f."""
NARROW = "7e6f P*5e 6f5e 1a2a 5e6e 2a1a 6e6f 1a2a 6f7f 2a1a L*1b"
RESTORING = "7e6f 1a2a 6f7f 2a1a L*1b"


def read(sfen: str, engine: DfPnEngine) -> tuple[Mate, Restored]:
    found = solve(parse_sfen(sfen).position, Limits(), engine)
    assert isinstance(found, Mate)
    line = tuple(map(pack_move, found.line))
    return found, restored(engine, pack(parse_sfen(sfen).position), found.length, line)


def usi(moves: tuple[int, ...]) -> str:
    return " ".join(unpack_move(move).usi for move in moves)


def test_a_drop_after_which_the_horse_comes_back_does_not_count() -> None:
    narrow, found = read(TO_AND_FRO, DfPnEngine(table_bits=16))
    assert " ".join(move.usi for move in narrow.line) == NARROW
    assert (found.length, usi(found.line)) == (5, RESTORING)
    assert [usi(path) for path in found.drops] == ["7e6f P*5e"]
    assert naive_restoring.length(TO_AND_FRO, 11) == 5


def test_without_restoring_drops_the_length_is_the_narrow_one_and_nothing_is_searched() -> None:
    for position in attacks(30, seed="restoring"):
        engine, record = DfPnEngine(table_bits=14), pack(position)
        found = solve(position, Limits(nodes=2000, max_length=3), engine)
        if isinstance(found, Mate):
            line, before = tuple(map(pack_move, found.line)), engine.nodes
            assert restored(engine, record, found.length, line) == Restored(found.length, line)
            assert engine.nodes == before
            assert naive_restoring.length(format_sfen(position), found.length) == found.length


def test_a_judgement_gives_the_reading_beside_the_others_and_does_not_rest_on_it() -> None:
    readings = Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(TO_AND_FRO).position).readings
    assert readings is not None
    assert (readings.narrow, readings.restoring) == (11, 5)
    assert [move.usi for move in readings.restoring_line] == RESTORING.split()
    assert [move.usi for move in readings.restoring_drop] == ["7e6f", "P*5e"]


def test_an_engine_that_cannot_leave_out_drops_gives_no_such_length() -> None:
    readings = Judge(IterativeEngine()).judge(parse_sfen(TO_AND_FRO).position).readings
    assert readings is None or readings.restoring is None


def test_a_limit_ends_the_search() -> None:
    engine = DfPnEngine(table_bits=16)
    found = solve(parse_sfen(TO_AND_FRO).position, Limits(), engine)
    assert isinstance(found, Mate)
    line = tuple(map(pack_move, found.line))
    with engine.within(Limits(nodes=1)), pytest.raises(LimitReached):
        restored(engine, pack(parse_sfen(TO_AND_FRO).position), found.length, line)
