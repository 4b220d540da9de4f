# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine that defines only the answers to the two questions, against df-pn."""

from collections import Counter
from collections.abc import Iterator

import pytest

from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.given import each_piece_removed
from solver.judging.judge import Judge
from solver.results import Interposition, LimitReached, Limits, Mate, NoMate, Reason
from solver.solving.solve import solve
from tests.candidates import grown
from tests.positions import record_of
from tests.sampling import attacks, checked
from tests.solver.questions import READINGS, agrees_on_barred_positions
from tsume_rules.packed import (
    PackedPosition,
    legal_checks,
    legal_evasions,
    pack,
    pack_move,
    played,
    record_after,
    start_faults,
)
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

PERPETUAL = "9/9/9/9/4k4/9/9/4R4/9 b r2b4g4s4n4l18p 1"
FUTILE = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"


class BareEngine(MateEngine):
    """The second engine answers the two questions, `MateEngine` all others."""

    def __init__(self, interposition: Interposition = Interposition.NARROW) -> None:
        self._asked = IterativeEngine(table_bits=14)
        super().__init__(lambda: self._asked.nodes, interposition)

    def _answer(self, packed: PackedPosition, n: int, attacker: bool) -> bool:
        self.check_limits()
        return self._asked.mates(packed, n) if attacker else self._asked.is_mated(packed, n)

    @property
    def length(self) -> int:
        return self._asked.length

    @property
    def refuted_for_good(self) -> bool:
        return self._asked.refuted_for_good

    def _set_reading(self, interposition: Interposition) -> None:
        self._asked._set_reading(interposition)

    def _bar(self, positions: list[PackedPosition]) -> None:
        self._asked.forget()
        self._asked._bar(positions)


def engines(reading: Interposition = Interposition.NARROW) -> tuple[BareEngine, DfPnEngine]:
    return BareEngine(reading), DfPnEngine(table_bits=14, interposition=reading)


def test_what_an_engine_has_to_define() -> None:
    assert MateEngine.__abstractmethods__ == {"_answer", "_bar", "_set_reading", "length", "refuted_for_good"}


# --- within n plies --------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", READINGS)
def test_the_same_checks_mate(reading: Interposition) -> None:
    bare, dfpn = engines(reading)
    found = 0
    for position in attacks(20, seed="bare"):
        packed, checks = pack(position), legal_checks(pack(position))
        before = packed.tobytes()
        for n in (1, 3, 5):
            mating = bare.mating(packed, checks, n)
            assert mating == dfpn.mating(packed, checks, n), format_sfen(position)
            assert mating == [check for check in checks if bare.mates_after(packed, check, n)]
            assert bare.mates(packed, n) == bool(mating)
            found += len(mating)
        assert packed.tobytes() == before
    assert found > 20


def test_the_first_check_that_mates_and_those_still_open() -> None:
    bare, dfpn = engines()
    seen: Counter[str] = Counter()
    for position in attacks(60, seed="refuted"):
        packed, checks = pack(position), legal_checks(pack(position))
        first, still = bare.refute_each(packed, checks, 5)
        assert first == dfpn.refute_each(packed, checks, 5)[0], format_sfen(position)
        asked = checks if first is None else checks[: checks.index(first)]
        assert set(still) >= set(checks) - {*asked, first}
        for check in set(asked) - set(still):
            assert not mates_ever(dfpn, packed, check), format_sfen(position)
        seen["mates"] += first is not None
        seen["refuted"] += len(set(asked) - set(still))
        seen["open"] += first is None and bool(still)
    assert min(seen["mates"], seen["refuted"], seen["open"]) > 3


def test_nothing_is_known_without_a_search_and_no_bound_is_raised_quickly() -> None:
    bare, packed = BareEngine(), record_of(FUTILE)
    assert bare.mates(packed, 1)
    assert not any(bare.known_after(packed, check, 1) for check in legal_checks(packed))
    assert bare.raise_bound(packed, 9) == (1, None)
    assert bare.search_length(packed, Limits()) is None
    with bare.within(Limits(nodes=0)), pytest.raises(LimitReached):
        bare.raise_bound(packed, 9)


# --- at any length ---------------------------------------------------------------------------------


def test_mates_at_any_length() -> None:
    bare, dfpn = engines()
    seen: Counter[bool] = Counter()
    for position in attacks(60, seed="ever"):
        packed = pack(position)
        ever, truth = (mates_ever(engine, packed) for engine in (bare, dfpn))
        assert None in (ever, truth) or ever == truth, format_sfen(position)
        for check in legal_checks(packed)[:8]:
            after_it, truth = (mates_ever(engine, packed, check) for engine in (bare, dfpn))
            assert None in (after_it, truth) or after_it == truth, format_sfen(position)
            assert not after_it or ever is not False
        if ever is not None:
            seen[ever] += 1
    assert min(seen[True], seen[False]) > 5


def mates_ever(engine: MateEngine, packed: PackedPosition, check: int | None = None) -> bool | None:
    """Whether the attacker mates at any length, by a check or by any; None if it needs too many nodes."""
    if check is None:
        return engine.answered_within(2000, lambda: engine.mates_ever(packed))
    return engine.answered_within(2000, lambda: engine.mates_ever_after(packed, check))


def test_endless_checks_are_ended_by_a_limit() -> None:
    bare, packed = BareEngine(), record_of(PERPETUAL)
    before = packed.tobytes()
    with bare.within(Limits(nodes=2000)), pytest.raises(LimitReached) as limit:
        bare.mates_ever(packed)
    assert limit.value.reason is Reason.NODES
    assert packed.tobytes() == before


# --- answers to a check ----------------------------------------------------------------------------


def mated(bare: BareEngine, number: int) -> Iterator[tuple[PackedPosition, int]]:
    """Positions with a defender who is mated in exactly 2, 4 or 6 plies."""
    packed_positions = [pack(position) for position in checked(number, seed="bare")]
    packed_positions += [
        record_after(candidate.packed, candidate.line[:1]) for n in (3, 5, 7) for candidate in grown(n)[:8]
    ]
    for packed in packed_positions:
        length = next((n for n in (0, 2, 4, 6) if bare.is_mated(packed, n)), 0)
        if length:
            yield packed, length


@pytest.mark.parametrize("reading", READINGS)
def test_the_same_longest_defences_and_futile_drops(reading: Interposition) -> None:
    bare, dfpn = engines(reading)
    lengths: Counter[int] = Counter()
    for packed, n in mated(bare, 40):
        before = packed.tobytes()
        assert list(bare.longest_defences(packed, n)) == dfpn.longest_defences(packed, n)
        assert list(bare.defences(packed, n)) == list(dfpn.defences(packed, n))
        assert packed.tobytes() == before
        lengths[n] += 1
        for cell in {move & 127 for move in legal_evasions(packed) if move >> 15}:
            assert bare.slides(packed, cell) == dfpn.slides(packed, cell)
            assert bare.is_futile(packed, cell, n) == (bare.futile_by(packed, cell, n) is not None)
            assert bare.futile_by(packed, cell, n) == dfpn.futile_by(packed, cell, n)
    assert min(lengths[2], lengths[4]) > 3


def test_no_drop_is_futile_where_all_count() -> None:
    bare, packed = BareEngine(), record_of(FUTILE)
    check = next(check for check in legal_checks(packed) if bare.mates_after(packed, check, 1))
    with played(packed, check, Side.ATTACKER):
        drops = [move for move in legal_evasions(packed) if move >> 15]
        assert all(bare.slides(packed, drop & 127) for drop in drops)
        assert not list(bare.defences(packed, 0))
        with bare.reading(Interposition.COUNT_ALL):
            assert not any(bare.slides(packed, drop & 127) for drop in drops)
            assert list(bare.defences(packed, 0)) == drops


def test_the_same_lines_are_kept() -> None:
    """Lines of problems, of problems less a piece, and of positions after a wrong move."""
    bare, dfpn = engines()
    seen: Counter[bool] = Counter()
    for candidate in (candidate for n in (1, 3, 5) for candidate in grown(n)[:5]):
        start, line = candidate.readable
        moves = candidate.line
        assert moves == tuple(pack_move(move) for move in line)
        for position in (start, *(reduced for _, reduced in each_piece_removed(start))):
            packed = pack(position)
            before = packed.tobytes()
            keeps = bare.keeps_line(packed, moves)
            assert keeps == dfpn.keeps_line(packed, moves), format_sfen(position)
            assert packed.tobytes() == before
            seen[keeps] += 1
        for ply, move in enumerate(moves):
            here = record_after(candidate.packed, moves[:ply])
            for other in legal_evasions(here) if ply % 2 else legal_checks(here):
                if other != move:
                    wrong = (*moves[:ply], other, *moves[ply + 1 :])
                    assert bare.keeps_line(candidate.packed, wrong) == dfpn.keeps_line(candidate.packed, wrong)
    assert min(seen[True], seen[False]) > 3


def test_keeps_line_also_works_for_an_illegal_start() -> None:
    """Without a piece an attacker's line may be open: the king is in check with the attacker to move."""
    start = parse_sfen("4k4/9/4S4/9/4R4/9/9/9/9 b r2b4g3s4n4l18p 1").position
    opened = next(reduced for _, reduced in each_piece_removed(start) if start_faults(reduced))
    bare, dfpn = engines()
    for check in (*legal_checks(pack(start)), *legal_checks(pack(opened))):
        packed = pack(opened)
        assert bare.keeps_line(packed, (check,)) == dfpn.keeps_line(packed, (check,))
        assert packed.tobytes() == pack(opened).tobytes()


# --- readings, barred positions, limits ------------------------------------------------------------


def test_a_reading_holds_inside_its_block() -> None:
    bare, packed = BareEngine(), record_of(FUTILE)
    assert bare.mates(packed, 1)
    with bare.reading(Interposition.COUNT_ALL):
        assert bare.mode == Interposition.COUNT_ALL.value
        assert not bare.mates(packed, 1)
        with pytest.raises(KeyError), bare.reading(Interposition.WIDE):
            raise KeyError
        assert bare.mode == Interposition.COUNT_ALL.value
    assert bare.mode == Interposition.NARROW.value
    assert bare.mates(packed, 1)


def test_returns_to_barred_positions_fail_inside_the_block() -> None:
    agrees_on_barred_positions(BareEngine())


def test_inside_other_limits_the_tighter_ones_hold() -> None:
    bare, packed = BareEngine(), record_of(PERPETUAL)
    assert bare.answered_within(500, lambda: bare.mates_ever(packed)) is None
    bare.check_limits()
    with bare.within(Limits(nodes=500)), pytest.raises(LimitReached):
        bare.answered_within(10**9, lambda: bare.mates_ever(packed))


# --- all above an engine ---------------------------------------------------------------------------


def small(number: int) -> Iterator[Position]:
    yield from (candidate.readable[0] for n in (1, 3, 5) for candidate in grown(n)[:3])
    yield from attacks(number, seed="solved bare")


@pytest.mark.fuzz
def test_the_same_length_and_verdict() -> None:
    bare, dfpn = engines()
    seen: Counter[str] = Counter()
    for position in small(25):
        limits = Limits(max_length=5)
        first, second = solve(position, limits, dfpn), solve(position, limits, bare)
        seen[type(second).__name__] += 1
        if isinstance(second, Mate):
            assert isinstance(first, Mate)
            assert (second.length, len(second.line)) == (first.length, len(first.line))
            judgements = [Judge(engine).judge(position, limits=Limits(nodes=200_000)) for engine in (dfpn, bare)]
            if not any(judgement.unresolved for judgement in judgements):
                assert judgements[0].defects == judgements[1].defects, format_sfen(position)
                seen["judged"] += 1
        elif isinstance(second, NoMate):
            assert isinstance(first, NoMate), format_sfen(position)
    assert min(seen["Mate"], seen["NoMate"], seen["judged"]) > 3
