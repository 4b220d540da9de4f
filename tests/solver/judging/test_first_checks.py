# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.cooks import FirstChecks, FirstMate
from solver.results import Limits, Mate
from solver.solving.deepening import defence_length
from solver.solving.solve import solve
from tests.sampling import attacks
from tests.tsume.problems import COOKED, CORRECT
from tsume_rules.packed import legal_checks, line_played, pack, pack_move
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen


def solved(engine: DfPnEngine, position: Position) -> Mate | None:
    result = solve(position, Limits(nodes=20_000), engine)
    return result if isinstance(result, Mate) else None


def first_checks(sfen: str, nodes: int = 100_000) -> tuple[FirstChecks, list[FirstMate]]:
    engine, position = DfPnEngine(table_bits=16), parse_sfen(sfen).position
    mate = solved(engine, position)
    assert mate is not None
    checks = FirstChecks(engine, position, mate.line[0], mate.length, nodes)
    return checks, list(checks.mates())


def test_a_second_solution_has_its_length_and_line() -> None:
    checks, found = first_checks(COOKED)
    assert [(one.length, [move.usi for move in one.line], one.exact) for one in found] == [
        (3, ["3b2a+", "1a1b", "2d2b+"], True)
    ]
    assert checks.still_open == ()


def test_a_problem_with_one_solution_has_none() -> None:
    assert first_checks(CORRECT)[1] == []


def test_every_check_is_a_mate_or_refuted_or_open() -> None:
    engine, mates = DfPnEngine(table_bits=16), 0
    for position in attacks(60, "first checks"):
        mate = solved(engine, position)
        if mate is None:
            continue
        record = pack(position)
        checks = FirstChecks(engine, position, mate.line[0], mate.length, 20_000)
        found = {pack_move(one.line[0]): one for one in checks.mates()}
        for check in legal_checks(record):
            with line_played(record, (check,)):
                if check in found and found[check].exact:
                    assert defence_length(engine, record, found[check].length) == found[check].length - 1
                elif check not in found and check != pack_move(mate.line[0]):
                    assert not engine.is_mated(record, 4)
        mates += len(found)
    assert mates > 20
