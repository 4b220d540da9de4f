# SPDX-License-Identifier: GPL-3.0-or-later
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Interposition, Limits, Mate, MateBounds, NoMate, Reason, SearchResult, Unresolved
from solver.solving import deepening
from solver.solving.deepening import attack_length, search_length
from solver.solving.solve import equal_solutions, known_line, solve
from tests import naive
from tests.positions import evasions, position_of
from tests.sampling import attacks
from tests.solver.questions import READINGS
from tsume_rules.moves import position_after, position_after_all
from tsume_rules.packed import Moves, PackedPosition, legal_checks, legal_evasions, line_played, pack
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

DEEP = 5


def answer(position: Position, limits: Limits | None = None) -> SearchResult:
    return solve(position, limits or Limits(max_length=DEEP), DfPnEngine(table_bits=14))


def test_lengths_are_those_of_the_slow_twin() -> None:
    for position in attacks(25, seed="solve"):
        result, sfen = answer(position), format_sfen(position)
        length = naive.length(sfen, DEEP)
        if isinstance(result, Mate):
            assert result.length == length, sfen
            _is_best_play(position, result)
        else:
            assert length is None, sfen
            assert isinstance(result, NoMate) or result == Unresolved(Reason.LENGTH, DEEP)


def _is_best_play(position: Position, mate: Mate) -> None:
    """Whether python-shogi finds all moves legal, the attacker in time, the defence longest, the end mate."""
    sfen = format_sfen(position)
    board = naive.board_of(sfen)
    search = naive.Search()
    left = mate.length
    for ply, move in enumerate(mate.line):
        legal = naive.check_moves(board) if ply % 2 == 0 else list(naive.evasion_moves(board))
        assert move.usi in {one.usi() for one in legal}, sfen
        board.push_usi(move.usi)
        left -= 1
        if len(mate.line) == mate.length:
            mated = search.mated_within if ply % 2 == 0 else search.mate_within
            assert mated(board, left), sfen
            assert left < 2 or not mated(board, left - 2), sfen
    assert len(mate.line) >= mate.length
    assert search.mated_within(board, 0), sfen


def test_a_line_longer_than_the_mate_is_a_futile_drop_the_mate_needs() -> None:
    """Only if no other answer than a futile interposition lasts as long (grey zone)."""
    result = answer(position_of("4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"))
    assert isinstance(result, Mate)
    assert result.length == 3
    assert len(result.line) == 5


def test_the_defender_prefers_to_leave_nothing_in_hand() -> None:
    sfen = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
    result = answer(position_of(sfen))
    assert isinstance(result, Mate)
    assert result.length == 3
    assert not position_after_all(position_of(sfen), result.line).hand(Side.ATTACKER)
    others = [
        answer(position_after(position_after(position_of(sfen), result.line[0]), reply))
        for reply in evasions(position_after(position_of(sfen), result.line[0]))
    ]
    assert len([other for other in others if isinstance(other, Mate) and other.length == 1]) > 1


def test_the_same_position_has_the_same_line_whatever_was_solved_before() -> None:
    used = DfPnEngine(table_bits=14)
    positions = list(attacks(30, seed="same line"))
    first = [solve(position, Limits(max_length=3), used) for position in positions]
    again = [solve(position, Limits(max_length=3), used) for position in reversed(positions)]
    assert first == again[::-1]
    assert first == [answer(position, Limits(max_length=3)) for position in positions]


def test_no_mate_at_any_length() -> None:
    assert answer(position_of("4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1"), Limits()) == NoMate()
    pawn = position_of("7nk/9/7+P1/9/9/9/9/9/9 b P2r2b4g4s3n4l16p 1")
    assert answer(pawn, Limits(max_length=1)) == Unresolved(Reason.LENGTH, 1)


@pytest.mark.parametrize("nodes", [0, 1, 10])
def test_out_of_nodes_is_neither_mate_nor_no_mate(nodes: int) -> None:
    sfen = "1p2k3l/2Bl1p1G1/1P1s+N1n2/p5p1p/2pN+B1s2/P2p4P/2sPPSN2/4GK3/L+r3G2L b G3Pr3p 1"
    result = answer(position_of(sfen), Limits(nodes=nodes))
    assert isinstance(result, Unresolved)
    assert result.reason is Reason.NODES


# --- Long mates are found from above: any mate, then shorter ones ----------------------------------

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
def test_lengths_from_above_are_those_from_below(reading: Interposition, from_above: Callable[[], None]) -> None:
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


def test_steps_and_bounds_of_a_long_search(from_above: Callable[[], None]) -> None:
    position = position_of(ELEVEN)
    from_above()
    for last in (5, 9, 10, 11, 12, 13):
        found = search_length(DfPnEngine(table_bits=14), pack(position), Limits(max_length=last))
        assert found == (Mate(11) if last >= 11 else Unresolved(Reason.LENGTH, min(last, 9)))
    # What is told is true, and says more each time; the last step is the answer.
    from_above()
    steps: list[MateBounds] = []
    found = search_length(DfPnEngine(table_bits=14), pack(position_of(ELEVEN)), Limits(), steps.append)
    assert found == Mate(11)
    assert steps[0] == MateBounds(1)
    lengths = [known.within for known in steps[1:] if known.within is not None]
    assert lengths == sorted(lengths, reverse=True)
    assert len(lengths) == len(steps) - 1
    assert all(known.none_within == 1 for known in steps[:-1])
    assert steps[-1] == MateBounds(9, 11)
    from_above()
    found = solve(position, Limits(), DfPnEngine(table_bits=14))
    assert isinstance(found, Mate)
    assert len(found.line) == found.length == 11
    position_after_all(position, found.line)


def test_a_mate_that_may_not_be_the_shortest_is_told(from_above: Callable[[], None]) -> None:
    """Where the nodes do not suffice to prove that there is no shorter one."""
    position = position_of(ELEVEN)
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


@pytest.mark.parametrize("at_most", [1, 5, 11, 101])
def test_an_exact_length_is_found_from_any_bound(at_most: int, from_above: Callable[[], None]) -> None:
    limits, engine = Limits(nodes=NODES, max_length=9), DfPnEngine(table_bits=16)
    known = [(pack(position), search_length(engine, pack(position), limits)) for position in attacks(60, "any")]
    mates = [(packed, found.length) for packed, found in known if isinstance(found, Mate)]
    assert mates
    assert [attack_length(engine, packed, at_most) for packed, _ in mates] == [n for _, n in mates]
    from_above()
    with engine.for_long_works():
        engine.forget()
        assert [attack_length(engine, packed, at_most) for packed, _ in mates] == [n for _, n in mates]


def test_the_length_of_a_long_mate_takes_few_queries(from_above: Callable[[], None]) -> None:
    from_above()
    engine, packed = DfPnEngine(table_bits=16), pack(parse_sfen(ELEVEN).position)
    asked: list[int] = []

    def counted(packed: PackedPosition, n: int) -> bool:
        asked.append(n)
        return DfPnEngine.mates(engine, packed, n)

    with pytest.MonkeyPatch.context() as patch, engine.for_long_works():
        patch.setattr(engine, "mates", counted)
        assert attack_length(engine, packed, 201) == 11
    assert asked[:2] == [1, 201]
    assert len(asked) < 8


# --- known line ------------------------------------------------------------------------------------


def check_line(packed: PackedPosition, line: Moves) -> None:
    """Whether a line alternates legal checks and answers to them, and ends with a check."""
    assert len(line) % 2
    for ply, move in enumerate(line):
        with line_played(packed, line[:ply]):
            assert move in (legal_evasions(packed) if ply % 2 else legal_checks(packed))


def is_mate(engine: DfPnEngine, packed: PackedPosition, line: Moves) -> bool:
    with line_played(packed, line):
        return engine.is_mated(packed, 0)


@pytest.mark.parametrize("reading", READINGS)
def test_lines_of_any_mate_are_legal_and_end_in_mate(reading: Interposition) -> None:
    engine = DfPnEngine(table_bits=16, interposition=reading)
    found = 0
    for position in attacks(120, f"known {reading.name}"):
        packed = pack(position)
        engine.forget()
        with engine.for_long_works(), engine.within(Limits(nodes=50_000)):
            if engine.answered_within(20_000, partial(engine.mates_ever, packed)) is not True:
                continue
            bound = engine.length
            line = known_line(engine, packed, bound)
        assert line is not None, format_sfen(position)
        check_line(packed, line)
        assert is_mate(engine, packed, line), format_sfen(position)
        shortest = solve(position, Limits(nodes=50_000), engine)
        assert not isinstance(shortest, Mate) or bound >= shortest.length
        found += 1
    assert found > 20


def test_a_line_may_begin_with_a_given_check() -> None:
    engine = DfPnEngine(table_bits=16)
    tried = 0
    for position in attacks(60, "first"):
        packed = pack(position)
        mating = engine.mating(packed, legal_checks(packed), 5) if engine.mates(packed, 5) else []
        for check, other in pairwise(mating):
            assert engine.mates_after(packed, check, 5)
            line = known_line(engine, packed, 5, check)
            assert line is not None
            assert line[0] == check != other
            check_line(packed, line)
            tried += 1
    assert tried > 5


# --- answers ---------------------------------------------------------------------------------------

TWO_FORMS = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
LAST = "5S1k1/9/9/6R2/9/9/9/9/9 b Lr2b4g3s4n3l18p 1"
DROP_PLAYED = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"


@pytest.mark.parametrize("sfen", [COOKED, LAST, DROP_PLAYED])
def test_key_form_and_other_together_are_all_that_mate_as_soon(sfen: str) -> None:
    engine, position = DfPnEngine(table_bits=14), parse_sfen(sfen).position
    result = solve(position, Limits(), engine)
    assert isinstance(result, Mate)
    found = equal_solutions(engine, position, result.length, result.line)
    assert len(found) == (1 if sfen == DROP_PLAYED else (result.length + 1) // 2)
    moves = {move.usi for move in (found[0].key, *found[0].form, *found[0].other)}
    assert moves == naive.mating_moves(sfen, result.length)
    assert [one.key for one in found] == list(result.line[: 2 * len(found) : 2])


def test_another_form_and_another_kind_are_told_apart() -> None:
    engine = DfPnEngine(table_bits=14)
    for sfen, form, other in ((TWO_FORMS, ["4b3a"], []), (COOKED, [], ["3b2a+"])):
        position = parse_sfen(sfen).position
        result = solve(position, Limits(), engine)
        assert isinstance(result, Mate)
        first = equal_solutions(engine, position, result.length, result.line)[0]
        assert [move.usi for move in first.form] == form
        assert {move.usi for move in (first.key, *first.other)} >= set(other)
