# SPDX-License-Identifier: GPL-3.0-or-later
"""Long mates are found from above: any mate, then shorter ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Interposition, Limits, Mate, MateBounds, NoMate, Reason, Unresolved
from solver.solving import deepening
from solver.solving.deepening import attack_length, search_length
from solver.solving.solve import solve
from tests.sampling import attacks
from tests.solver.questions import READINGS
from tsume_rules.moves import position_after_all
from tsume_rules.packed import Record, pack
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

NODES = 30_000
ELEVEN = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11 that has longer ones too."""


@pytest.fixture
def from_above(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes every length be found from above."""

    def now() -> None:
        monkeypatch.setattr(deepening, "QUICKLY", 1)
        monkeypatch.setattr(deepening, "LAST_RAISED", 1)

    return now


@pytest.mark.parametrize("reading", READINGS)
def test_lengths_from_above_are_those_from_below(
    reading: Interposition, from_above: Callable[[], None]
) -> None:
    """Also with a table that keeps what was learned of other positions, and with one far too small."""
    limits = Limits(nodes=NODES, max_length=9)
    positions = list(attacks(80, f"above {reading.name}"))
    plain = DfPnEngine(table_bits=14, interposition=reading)
    below = [search_length(plain, pack(position), limits) for position in positions]
    from_above()
    shared, tiny = (DfPnEngine(table_bits=bits, interposition=reading) for bits in (16, 6))
    found = Counter[str]()
    for position, known in zip(positions, below, strict=True):
        for engine in (shared, tiny):
            result = search_length(engine, pack(position), Limits(nodes=NODES))
            if isinstance(known, Mate):
                assert not isinstance(result, NoMate), format_sfen(position)
                if isinstance(result, Mate):
                    assert result.length == known.length, format_sfen(position)
            elif isinstance(known, NoMate):
                assert not isinstance(result, Mate), format_sfen(position)
            elif isinstance(result, Mate) and known.reason is Reason.LENGTH:
                assert result.length > known.no_mate_within, format_sfen(position)
            found[type(result).__name__] += 1
    assert found["Mate"] > 10
    assert found["NoMate"] > 10


def test_no_longer_mates_than_asked_for(from_above: Callable[[], None]) -> None:
    position = _position(ELEVEN)
    from_above()
    for last in (5, 9, 10, 11, 12, 13):
        found = search_length(DfPnEngine(table_bits=14), pack(position), Limits(max_length=last))
        assert found == (Mate(11) if last >= 11 else Unresolved(Reason.LENGTH, min(last, 9)))


def test_a_mate_that_may_not_be_the_shortest_is_told(from_above: Callable[[], None]) -> None:
    """Where the nodes do not suffice to prove that there is no shorter one."""
    position = _position(ELEVEN)
    from_above()
    told = set()
    for nodes in range(10, 30_000, 50):
        found = search_length(DfPnEngine(table_bits=14), pack(position), Limits(nodes=nodes))
        if not isinstance(found, Unresolved):
            assert found == Mate(11)
            break
        told.add(found.mate_within)
    assert None in told
    assert len(told) > 1
    assert all(length is None or length >= 11 for length in told)


def test_the_steps_of_a_long_search_are_told(from_above: Callable[[], None]) -> None:
    """What is told is true, and says more each time; the last step is the answer."""
    from_above()
    steps: list[MateBounds] = []
    found = search_length(DfPnEngine(table_bits=14), pack(_position(ELEVEN)), Limits(), steps.append)
    assert found == Mate(11)
    assert steps[0] == MateBounds(1)
    lengths = [known.within for known in steps[1:] if known.within is not None]
    assert lengths == sorted(lengths, reverse=True)
    assert len(lengths) == len(steps) - 1
    assert all(known.none_within == 1 for known in steps[:-1])
    assert steps[-1] == MateBounds(9, 11)


def test_the_line_of_a_long_mate_is_legal(from_above: Callable[[], None]) -> None:
    position = _position(ELEVEN)
    from_above()
    found = solve(position, Limits(), DfPnEngine(table_bits=14))
    assert isinstance(found, Mate)
    assert len(found.line) == found.length == 11
    position_after_all(position, found.line)


def _position(sfen: str) -> Position:
    return parse_sfen(sfen).position


@pytest.mark.parametrize("at_most", [1, 5, 11, 101])
def test_an_exact_length_is_found_from_any_bound(at_most: int, from_above: Callable[[], None]) -> None:
    limits, engine = Limits(nodes=NODES, max_length=9), DfPnEngine(table_bits=16)
    known = [
        (pack(position), search_length(engine, pack(position), limits)) for position in attacks(60, "any")
    ]
    mates = [(record, found.length) for record, found in known if isinstance(found, Mate)]
    assert mates
    assert [attack_length(engine, record, at_most) for record, _ in mates] == [n for _, n in mates]
    from_above()
    with engine.for_long_works():
        engine.forget()
        assert [attack_length(engine, record, at_most) for record, _ in mates] == [n for _, n in mates]


def test_the_length_of_a_long_mate_takes_few_queries(from_above: Callable[[], None]) -> None:
    from_above()
    engine, record = DfPnEngine(table_bits=16), pack(parse_sfen(ELEVEN).position)
    asked: list[int] = []

    def counted(record: Record, n: int) -> bool:
        asked.append(n)
        return DfPnEngine.mates(engine, record, n)

    with pytest.MonkeyPatch.context() as patch, engine.for_long_works():
        patch.setattr(engine, "mates", counted)
        assert attack_length(engine, record, 201) == 11
    assert asked[:2] == [1, 201]
    assert len(asked) < 8
