# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Limits, Mate, NoMate, Reason, SearchResult, Unresolved
from solver.solving.solve import Defence, InCheck, Root, SomeChecks, solve, solve_next
from tests.sampling import attacks
from tests.tsume.problems import CORRECT, DROPS, HARD, PROMOTES
from tsume_rules.packed import Record, legal_checks, legal_evasions, pack, pack_move, played
from tsume_rules.position import Side
from tsume_rules.sfen import parse_sfen

NODES = Limits(nodes=100_000)


def found(engine: MateEngine, root: Root, limits: Limits = NODES) -> SearchResult:
    return solve_next(engine, root, limits, lambda _bound: None)


def after_checks(seed: str) -> Iterator[tuple[Record, Sequence[int]]]:
    """Records with the defender in check, and some of his answers."""
    rng = random.Random(seed)
    for position in attacks(60, seed):
        record = pack(position)
        for check in rng.sample(legal_checks(record), k=min(2, len(legal_checks(record)))):
            with played(record, check, Side.ATTACKER):
                evasions = legal_evasions(record)
                yield record, rng.sample(evasions, k=min(2, len(evasions)))


def test_the_defence_in_a_main_line_is_the_main_line_s() -> None:
    engine = DfPnEngine(table_bits=16)
    for sfen in (CORRECT, DROPS, PROMOTES):
        position = parse_sfen(sfen).position
        result = solve(position, NODES, engine)
        assert isinstance(result, Mate)
        record = pack(position)
        with played(record, pack_move(result.line[0]), Side.ATTACKER):
            assert found(engine, InCheck(engine, record, legal_evasions(record))) == Mate(
                result.length - 1, result.line[1:]
            )


def test_a_defender_in_check_is_mated_exactly_as_late_as_the_engine_says() -> None:
    engine, other, mates, escapes = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16), 0, 0
    for record, _ in after_checks("in check"):
        root = InCheck(engine, record, legal_evasions(record))
        result = found(engine, root)
        if isinstance(result, Mate):
            mates += 1
            assert other.is_mated(record, result.length)
            assert result.length == 0 or not other.is_mated(record, result.length - 2)
            assert bool(result.line) == (result.length > 0)
        elif isinstance(result, NoMate):
            escapes += 1
            escape = root.escape()
            assert escape in legal_evasions(record)
            assert escape is not None
            with played(record, escape, Side.DEFENDER):
                assert not other.mates(record, 7)
    assert mates > 8
    assert escapes > 20


def test_only_the_given_defences_are_played() -> None:
    engine, other, mates = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16), 0
    for record, some in after_checks("given"):
        if not some:
            continue
        root = Defence(engine, record, some)
        result = found(engine, root)
        if isinstance(result, Mate):
            mates += 1
            move = pack_move(result.line[0])
            assert move in some
            with played(record, move, Side.DEFENDER):
                assert other.mates(record, result.length - 1)
                assert result.length == 2 or not other.mates(record, result.length - 3)
        elif isinstance(result, NoMate):
            assert root.escape() in (*some, None)
    assert mates > 8


def test_only_the_given_checks_are_played() -> None:
    engine, mates = DfPnEngine(table_bits=16), 0
    for position in attacks(80, "given checks"):
        record = pack(position)
        checks = legal_checks(record)[1::2]
        if not checks:
            continue
        result = found(engine, SomeChecks(engine, record, checks))
        best = solve(position, NODES, engine)
        if isinstance(result, Mate):
            mates += 1
            assert pack_move(result.line[0]) in checks
            assert isinstance(best, Mate)
            assert best.length <= result.length
        else:
            assert not (isinstance(best, Mate) and pack_move(best.line[0]) in checks)
    assert mates > 10


def test_a_limit_is_no_answer() -> None:
    engine = DfPnEngine(table_bits=16)
    position = parse_sfen(HARD).position
    record = pack(position)
    checks = legal_checks(record)
    few = found(engine, SomeChecks(engine, record, checks), Limits(nodes=50))
    assert few == Unresolved(Reason.NODES, 1)
    short = found(engine, SomeChecks(engine, record, checks), Limits(max_length=3))
    assert short == Unresolved(Reason.LENGTH, 3)
    assert found(engine, SomeChecks(engine, record, checks), Limits(max_length=14, nodes=10**6)) in (
        Unresolved(Reason.LENGTH, 13),
        Unresolved(Reason.NODES, 11),
    )
