# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions answered in one call, against the same asked step by step.

The twin is the second engine: with it `TreeBuilder` and `refute` ask step by step, and its search
shares nothing with these kernels.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial

import pytest

from solver.engines.dfpn import engine as dfpn
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import FUTILE_ONLY, LEFTOVER, SECOND, SOUND, TOO_LARGE
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.cooks import decision_points, leaves_same_position, refute
from solver.judging.given import each_piece_removed
from solver.results import Interposition, LimitReached, Limits
from solver.solving.tree import TreeBuilder, Turn, all_turns
from tests.candidates import grown
from tests.positions import in_bytes, record_of
from tests.sampling import attacks, checked, crowded
from tests.solver.questions import READINGS
from tsume_rules.packed import Moves, PackedPosition, legal_checks, legal_evasions, pack, played, record_after, unpack
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

BITS = 16
LONGEST = 5
MANY = 1000
"""Turns: more than any walk here has."""
NAMES = {
    SOUND: "sound",
    SECOND: "a second solution",
    LEFTOVER: "pieces left",
    FUTILE_ONLY: "futile only",
    TOO_LARGE: "too large",
}
ONLY_FUTILE_LASTS = "9/9/9/9/9/9/9/Ss7/R1k1+B4 b rb4g2s4n4l18p 1"
LEFTOVER_IN_VARIATION = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
TWO_IN_ONE = "7k1/9/7P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"
LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11, which needs some hundred nodes at least."""


def length_of(packed: PackedPosition, longest: int = LONGEST) -> int | None:
    engine = DfPnEngine(table_bits=BITS)
    return next((n for n in range(1, longest + 1, 2) if engine.mates(packed, n)), None)


def _candidates() -> Iterator[Position]:
    yield from (parse_sfen(sfen).position for sfen in (ONLY_FUTILE_LASTS, LEFTOVER_IN_VARIATION, TWO_IN_ONE))
    yield from attacks(60, seed="sound")
    yield from crowded(20, seed="sound")
    for length in (1, 3, 5):
        for candidate in grown(length)[:6]:
            position = unpack(candidate.packed)
            yield position
            yield from (reduced for _, reduced in each_piece_removed(position))


@cache
def mates() -> list[tuple[Position, int]]:
    """Positions with the exact length of their mates: random ones, grown ones, and these less a piece."""
    found = [(position, length_of(pack(position))) for position in _candidates()]
    return [(position, length) for position, length in found if length is not None]


@pytest.fixture(params=[dfpn.SLICE, 1], ids=["in one slice", "in many slices"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> DfPnEngine:
    """An engine whose kernels never run out of nodes, and one whose kernels always do."""
    monkeypatch.setattr(dfpn, "SLICE", request.param)
    return DfPnEngine(table_bits=BITS)


# --- the longest defences --------------------------------------------------------------------------


def defended(reading: Interposition) -> Iterator[tuple[PackedPosition, int]]:
    """Positions with a defender who is mated in exactly 2, 4 or 6 plies."""
    twin = IterativeEngine(table_bits=BITS, interposition=reading)
    packed_positions = [pack(position) for position in checked(120, seed="longest")]
    packed_positions += [
        record_after(candidate.packed, candidate.line[:1]) for length in (3, 5, 7) for candidate in grown(length)[:12]
    ]
    for packed in packed_positions:
        length = next((n for n in (0, 2, 4, 6) if twin.is_mated(packed, n)), 0)
        if length:
            yield packed, length


def slow_defences(twin: IterativeEngine, packed: PackedPosition, n: int) -> list[int]:
    """The answers, futile drops apart, after which there is no mate within n - 3 plies."""
    found = []
    for move in twin.defences(packed, n):
        with played(packed, move, Side.DEFENDER):
            if n == 2 or not twin.mates(packed, n - 3):
                found.append(move)
    return found


@pytest.mark.parametrize("reading", READINGS)
def test_the_longest_defences_are_those_of_the_slow_twin(reading: Interposition, engine: DfPnEngine) -> None:
    twin = IterativeEngine(table_bits=BITS, interposition=reading)
    lengths: Counter[int] = Counter()
    left_out = 0
    for packed, n in defended(reading):
        before, said = in_bytes(packed), format_sfen(unpack(packed, Side.DEFENDER))
        with engine.reading(reading):
            engine.forget()
            found = sorted(engine.longest_defences(packed, n))
        assert found == sorted(slow_defences(twin, packed, n)), said
        assert in_bytes(packed) == before, said
        lengths[n] += 1
        left_out += len(found) < len(legal_evasions(packed))
    assert min(lengths[2], lengths[4], lengths[6]) > 3
    assert left_out > 10


# --- many checks -----------------------------------------------------------------------------------


def test_checks_are_refuted_as_one_by_one(engine: DfPnEngine) -> None:
    seen: Counter[str] = Counter()
    for position, length in mates():
        packed, every = pack(position), legal_checks(pack(position))
        failing = [check for check in every if not DfPnEngine(table_bits=8).mates_after(packed, check, length)]
        for checks, bound in ((every, 1), (every, length), (failing, length), (failing, length + 2)):
            before = in_bytes(packed)
            engine.forget()
            found = engine.refute_each(packed, checks, bound)
            assert in_bytes(packed) == before
            assert found == one_by_one(packed, checks, bound), (format_sfen(position), bound)
            seen["none mates" if found[0] is None else "one mates"] += 1
            seen["open" if found[1] else "all refuted"] += 1
    assert min(seen.values()) > 4
    assert len(seen) == 4


def one_by_one(packed: PackedPosition, checks: list[int], bound: int) -> tuple[int | None, list[int]]:
    """The first check that mates; the checks that were not refuted for good."""
    plain = DfPnEngine(table_bits=BITS)
    still = list(checks)
    for check in checks:
        if plain.mates_after(packed, check, bound):
            still.remove(check)
            return check, still
        if plain.refuted_for_good:
            still.remove(check)
    return None, still


def test_the_mating_checks_are_those_that_mate(engine: DfPnEngine) -> None:
    twin = IterativeEngine(table_bits=BITS)
    several = 0
    for position, length in mates():
        packed, checks = pack(position), legal_checks(pack(position))
        before = in_bytes(packed)
        for bound in (1, length):
            found = engine.mating(packed, checks, bound)
            assert found == [check for check in checks if twin.mates_after(packed, check, bound)]
            several += len(found) > 1
        assert in_bytes(packed) == before
    assert several > 5
    assert engine.refute_each(record_of(LONG), [], 3) == (None, [])
    assert engine.mating(record_of(LONG), [], 3) == []


# --- the whole main tree ---------------------------------------------------------------------------


def defects(packed: PackedPosition, n: int, margin: int) -> set[int]:
    """All defects anywhere in the main tree.

    Of two checks that mate the tree follows only one; then the second solution is among the
    defects, whatever comes after it.
    """
    twin = IterativeEngine(table_bits=BITS)
    root = TreeBuilder(twin).turn(packed, n)
    turns = all_turns(root)
    found = set()
    if any(any(turn.final_leftovers) for turn in turns):
        found.add(LEFTOVER)
    if any(is_futile_only(turn) for turn in turns):
        found.add(FUTILE_ONLY)
    if any(
        not leaves_same_position(twin, record_after(packed, cook.path), cook)
        for place in decision_points(packed, root)
        if place.turn.n > 1
        for cook in iter(partial(refute, twin, packed, place, margin), None)
    ):
        found.add(SECOND)
    return found


def is_futile_only(turn: Turn) -> bool:
    return turn.n > 1 and all(len(reply.moves) > 1 for reply in turn.replies)


@pytest.mark.parametrize("margin", [0, 2])
def test_a_position_is_sound_where_the_main_tree_has_no_defect(margin: int, engine: DfPnEngine) -> None:
    seen: Counter[tuple[int, bool]] = Counter()
    for position, length in mates():
        packed = pack(position)
        before, wrong = in_bytes(packed), defects(packed, length, margin)
        found = engine.is_sound(packed, length, margin, MANY)
        said = f"{format_sfen(position)} {NAMES[found]} {[NAMES[code] for code in wrong]}"
        assert found in (wrong or {SOUND}), said
        assert in_bytes(packed) == before, said
        seen[found, length > 1] += 1
    assert min(seen[code, True] for code in (SOUND, SECOND, LEFTOVER, FUTILE_ONLY)) > 0
    assert min(seen[code, False] for code in (SOUND, LEFTOVER)) > 0


def test_the_defect_is_reported(engine: DfPnEngine) -> None:
    cooked = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
    for sfen, length, code in (
        (ONLY_FUTILE_LASTS, 3, FUTILE_ONLY), (LEFTOVER_IN_VARIATION, 3, LEFTOVER), (cooked, 3, SOUND),
        (TWO_IN_ONE, 1, LEFTOVER),
    ):  # fmt: skip
        assert NAMES[engine.is_sound(record_of(sfen), length, 0, MANY)] == NAMES[code], sfen
    # a cook beyond the end is found with the margin that reaches it
    found = [engine.is_sound(record_of(cooked), 3, margin, MANY) for margin in (0, 2, 4)]
    assert found == [SOUND, SECOND, SECOND]


def test_the_turns_of_a_walk_are_counted(engine: DfPnEngine) -> None:
    """A turn that is reached in two ways counts twice; one turn more than ``most`` is too many."""
    sizes = set()
    for candidate in (candidate for length in (3, 5, 7) for candidate in grown(length)[:15]):
        packed, n = candidate.packed, candidate.length
        if engine.is_sound(packed, n, 0, MANY) != SOUND:
            continue
        turns = turns_walked(TreeBuilder(IterativeEngine(table_bits=BITS)).turn(packed, n))
        before = in_bytes(packed)
        assert engine.is_sound(packed, n, 0, turns) == SOUND
        assert engine.is_sound(packed, n, 0, turns - 1) == TOO_LARGE
        assert in_bytes(packed) == before
        sizes.add(turns)
    assert max(sizes) > 4


def turns_walked(turn: Turn) -> int:
    return 1 + sum(turns_walked(reply.turn) for reply in turn.replies if reply.turn is not None)


# --- one line --------------------------------------------------------------------------------------


def slow_keeps_line(packed: PackedPosition, line: Moves) -> bool:
    """Whether each check of a line is the only one in time and each answer a longest defence."""
    twin, n = IterativeEngine(table_bits=BITS), len(line)
    if n > 1 and twin.mates(packed, n - 2):
        return False
    return all(_fits(twin, record_after(packed, line[:ply]), move, n, ply) for ply, move in enumerate(line))


def _fits(twin: IterativeEngine, packed: PackedPosition, move: int, n: int, ply: int) -> bool:
    left = n - ply
    if ply % 2:
        return move in slow_defences(twin, packed, left)
    mating = [
        check
        for check in legal_checks(packed)
        if twin.mates_after(packed, check, left) and not twin.leaves_same_position(packed, move, check, left)
    ]
    return move in mating and (mating == [move] or (left == 1 and n > 1))


def lines_of(packed: PackedPosition, line: Moves) -> Iterator[Moves]:
    """A line, and the line with one of its moves replaced by another legal one."""
    yield line
    for ply, move in enumerate(line):
        here = record_after(packed, line[:ply])
        for other in legal_evasions(here) if ply % 2 else legal_checks(here):
            if other != move:
                yield (*line[:ply], other, *line[ply + 1 :])


def test_a_line_is_kept_as_the_slow_twin_keeps_it(engine: DfPnEngine) -> None:
    seen: Counter[bool] = Counter()
    for candidate in (candidate for length in (1, 3, 5) for candidate in grown(length)[:3]):
        position, solved = unpack(candidate.packed), list(lines_of(candidate.packed, candidate.line))[:25]
        for reduced in (position, *(smaller for _, smaller in each_piece_removed(position))):
            packed = pack(reduced)
            for line in solved if reduced is position else solved[:1]:
                before = in_bytes(packed)
                found = engine.keeps_line(packed, line)
                assert found == slow_keeps_line(packed, line), (format_sfen(reduced), line)
                assert in_bytes(packed) == before
                seen[found] += 1
    assert min(seen[True], seen[False]) > 10


# --- limits ----------------------------------------------------------------------------------------


def asking(packed: PackedPosition) -> list[Callable[[DfPnEngine], object]]:
    """All questions about a long mate, except for its key: they need a few thousand nodes."""
    line = TreeBuilder(DfPnEngine(table_bits=BITS)).turn(packed, 11).line()
    checks = legal_checks(packed)
    return [
        lambda engine: engine.refute_each(packed, checks, 11),
        lambda engine: engine.mating(packed, checks, 11),
        lambda engine: engine.is_sound(packed, 11, 2, MANY),
        lambda engine: engine.keeps_line(packed, line),
    ]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("nodes", [0, 1, 2, 7, 40, 90])
def test_a_limit_anywhere_leaves_the_position_as_it_was(number: int, nodes: int) -> None:
    packed = record_of(LONG)
    before, question = in_bytes(packed), asking(packed)[number]
    stopped, fresh = DfPnEngine(table_bits=BITS), DfPnEngine(table_bits=BITS)
    with pytest.raises(LimitReached), stopped.within(Limits(nodes=nodes)):
        question(stopped)
    assert in_bytes(packed) == before
    assert question(stopped) == question(fresh)
    assert in_bytes(packed) == before


@pytest.mark.parametrize("nodes", [0, 1, 5, 40])
def test_a_limit_may_be_reached_between_the_defences(nodes: int) -> None:
    packed = record_of(LONG)
    key = TreeBuilder(DfPnEngine(table_bits=BITS)).turn(packed, 11).key
    before = in_bytes(packed)
    engine, fresh = DfPnEngine(table_bits=BITS), DfPnEngine(table_bits=BITS)
    with played(packed, key, Side.ATTACKER):
        here = in_bytes(packed)
        with pytest.raises(LimitReached), engine.within(Limits(nodes=nodes)):
            engine.longest_defences(packed, 10)
        assert in_bytes(packed) == here
        assert sorted(engine.longest_defences(packed, 10)) == sorted(fresh.longest_defences(packed, 10))
    assert in_bytes(packed) == before
