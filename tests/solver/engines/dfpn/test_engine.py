# SPDX-License-Identifier: GPL-3.0-or-later
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import astuple
from functools import partial
from io import BytesIO
from zipfile import BadZipFile, ZipFile

import numpy as np
import pytest

from solver import results
from solver.engines.base import MateEngine
from solver.engines.dfpn import engine as dfpn
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import LINK_PENDING
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE
from solver.engines.dfpn.unbounded_search import Node
from solver.judging.readings import ReadingComparer
from solver.scoring.difficulty import MeasuredSubtrees, measure_proof_tree
from solver.solving import deepening
from solver.solving.deepening import defence_length, search_length
from solver.solving.tree import TreeBuilder
from tests import naive
from tests.places import COMPOSED
from tests.positions import in_bytes, random_attack, record_of
from tests.sampling import attacks, checked, crowded
from tests.solver.questions import LENGTHS, READINGS, answered, expected, with_neighbours
from tsume_rules.moves import parse_move
from tsume_rules.packed import (
    PackedPosition,
    legal_checks,
    legal_evasions,
    pack,
    pack_move,
    played,
    record_after,
    unpack,
)
from tsume_rules.position import HAND_KINDS, Hand, Kind, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"
"""A mate in 11, which needs some hundred nodes at least."""
SHORT = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"


@pytest.mark.parametrize("reading", READINGS)
def test_mates_are_those_of_the_slow_twin(reading: results.Interposition) -> None:
    """With a table kept for all positions, one emptied before each, and one far too small."""
    shared, emptied, tiny = (DfPnEngine(table_bits=bits, interposition=reading) for bits in (16, 16, 6))
    for position in attacks(16, seed=f"mates {reading.name}"):
        twin, packed = expected(position, READINGS[reading]), pack(position)
        before = in_bytes(packed)
        emptied.forget()
        for engine in (shared, emptied, tiny):
            assert answered(engine, packed) == twin, format_sfen(position)
            for n in LENGTHS:
                assert engine.mates(packed, n) == bool(twin[n]), format_sfen(position)
        assert in_bytes(packed) == before
    assert tiny._search.evicted > 0


@pytest.mark.parametrize("reading", READINGS)
def test_entries_of_other_hands_do_not_mislead(reading: results.Interposition) -> None:
    shared = DfPnEngine(table_bits=16, interposition=reading)
    rng = random.Random(1)
    for position in attacks(10, seed=f"hands {reading.name}"):
        neighbours = list(with_neighbours(position))
        rng.shuffle(neighbours)
        for other in neighbours:
            found = answered(shared, pack(other), (3,))
            assert found == expected(other, READINGS[reading], (3,)), format_sfen(other)


def test_a_piece_the_defender_lacks_cannot_be_dropped() -> None:
    """A proof or disproof found when he holds one or two kinds is not used when he holds others."""
    rng, shared = random.Random(1), DfPnEngine(table_bits=16)
    for position in checked(24, seed="lacks"):
        for _ in range(6):
            left = _left_to_the_defender(position, rng.sample(HAND_KINDS, 2), rng)
            mated = naive.mated_within(naive.board_of(format_sfen(left)), 2)
            assert shared.is_mated(pack(left), 2) == mated, format_sfen(left)


def _left_to_the_defender(position: Position, kinds: list[Kind], rng: random.Random) -> Position:
    """The same board, the defender holding at most one of some kinds and nothing else."""
    held = {kind: position.attacker_hand[kind] + position.defender_hand[kind] for kind in HAND_KINDS}
    kept = {kind: rng.choice((0, 1)) for kind in kinds if held[kind]}
    return position.with_attacker_hand(Hand.of({k: held[k] - kept.get(k, 0) for k in HAND_KINDS}))


def test_a_refutation_for_good_holds_at_any_length() -> None:
    engine, refuted = DfPnEngine(table_bits=14), 0
    for position in attacks(60, seed="for good"):
        packed = pack(position)
        if not engine.mates(packed, 3) and engine.refuted_for_good:
            refuted += 1
            assert engine.length >= FOREVER
            fresh = DfPnEngine(table_bits=14)
            assert not any(fresh.mates(packed, n) for n in (5, 7, 9)), format_sfen(position)
            assert not any(expected(position, "narrow")[5]), format_sfen(position)
    assert refuted


def test_the_answer_comes_with_its_length() -> None:
    engine, packed = DfPnEngine(table_bits=12), record_of(SHORT)
    assert engine.mates(packed, 7)
    assert engine.length in (3, 5, 7)
    assert not engine.mates(packed, 1)
    assert engine.length == 1
    assert not engine.refuted_for_good
    after_the_key = record_of("4k4/2R1R4/9/9/9/9/9/9/9 b 2b4g4s4n4l18p 1")
    assert defence_length(engine, after_the_key, 6) == 2
    assert defence_length(engine, after_the_key, 2) == 2
    assert defence_length(engine, record_of("4k4/4G4/4G4/9/9/9/9/9/9 b 2r2b2g4s4n4l18p 1"), 6) == 0


def test_known_after_searches_nothing() -> None:
    engine, packed = DfPnEngine(table_bits=12), record_of(SHORT)
    check = next(c for c in legal_checks(packed) if DfPnEngine(table_bits=12).mates_after(packed, c, 3))
    nodes = engine.nodes
    assert not engine.known_after(packed, check, 3)
    assert engine.nodes == nodes
    assert engine.mates_after(packed, check, 3)
    assert engine.known_after(packed, check, 3)


# --- limits ---------------------------------------------------------------------------------------
def test_a_search_stopped_by_its_nodes_restores_the_position_and_resumes_later() -> None:
    packed, engine = record_of(LONG), DfPnEngine(table_bits=16)
    before = in_bytes(packed)
    for _ in range(3):
        with pytest.raises(results.LimitReached) as limit, engine.within(results.Limits(nodes=7)):
            engine.mates(packed, 11)
        assert limit.value.reason is results.Reason.NODES
        assert in_bytes(packed) == before
    assert engine.mates(packed, 11)
    assert in_bytes(packed) == before


def test_a_stop_anywhere_leaves_the_position_as_it_was() -> None:
    for position in attacks(40, seed="stops"):
        packed = pack(position)
        before = in_bytes(packed)
        whole = DfPnEngine(table_bits=14).mates(packed, 7)
        for nodes in (0, 1, 2, 3, 5, 8, 13, 40):
            engine = DfPnEngine(table_bits=10)
            try:
                with engine.within(results.Limits(nodes=nodes)):
                    engine.mates(packed, 7)
            except results.LimitReached:
                pass
            assert in_bytes(packed) == before
            assert engine.mates(packed, 7) == whole, format_sfen(position)


def test_the_tighter_limit_holds_inside_and_ends_with_its_block() -> None:
    engine = DfPnEngine(table_bits=12)
    with engine.within(results.Limits(nodes=10)):
        with engine.within(results.Limits(nodes=1000)):
            assert engine._meter.next_slice(5000) == 10
        with engine.within(results.Limits(nodes=1)):
            assert engine._meter.next_slice(5000) == 1
        assert engine._meter.next_slice(5000) == 10
    assert engine._meter.next_slice(5000) == 5000
    engine.check_limits()
    with engine.within(results.Limits(seconds=-1.0)), pytest.raises(results.LimitReached) as limit:
        engine.check_limits()
    assert limit.value.reason is results.Reason.SECONDS


def _interrupted(*_: object) -> int:
    raise KeyboardInterrupt


@pytest.mark.parametrize("ask", [lambda s, r: s.mates(r, 9), lambda s, r: s.mates_after(r, legal_checks(r)[0], 9)])
def test_an_interrupt_leaves_the_position_as_it_was(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[DfPnEngine, PackedPosition], bool]
) -> None:
    packed, engine = record_of(LONG), DfPnEngine(table_bits=14)
    before = in_bytes(packed)
    monkeypatch.setattr(dfpn, "SLICE", 5)
    with monkeypatch.context() as patch:
        patch.setattr(results.LimitMeter, "check", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            ask(engine, packed)
    assert in_bytes(packed) == before
    assert engine.mates(packed, 3) == DfPnEngine(table_bits=14).mates(packed, 3)


# --- the table's generations ----------------------------------------------------------------------
def nodes_for(engine: DfPnEngine, packed: PackedPosition, n: int) -> int:
    before = engine.nodes
    engine.mates(packed, n)
    return engine.nodes - before


def test_forgetting_is_as_good_as_a_new_engine() -> None:
    engine, packed = DfPnEngine(table_bits=14), record_of(LONG)
    first = nodes_for(engine, packed, 5)
    assert nodes_for(engine, packed, 5) < first
    engine.forget()
    assert engine.peak_proof_number == 0
    assert nodes_for(engine, packed, 5) == first
    engine._search.stamp = 65535
    assert nodes_for(engine, packed, 5) == first
    engine.forget()
    assert engine._search.stamp == 1
    assert not engine._table.stamp.any()
    assert nodes_for(engine, packed, 5) == first


# --- readings and barred positions ----------------------------------------------------------------
def test_another_reading_holds_inside_its_block() -> None:
    engine, packed = DfPnEngine(table_bits=12), record_of("9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1")
    assert not engine.mates(packed, 1)
    with engine.reading(results.Interposition.WIDE):
        assert engine.mates(packed, 1)
        assert engine.mode == results.Interposition.WIDE.value
    assert not engine.mates(packed, 1)


def test_a_return_to_a_barred_position_does_not_mate() -> None:
    engine, packed = DfPnEngine(table_bits=14), record_of(SHORT)
    key = next(check for check in legal_checks(packed) if engine.mates_after(packed, check, 3))
    with played(packed, key, Side.ATTACKER):
        answers = legal_evasions(packed)
    with engine.barring([record_after(packed, (key, answer)) for answer in answers]):
        assert not engine.mates_after(packed, key, 3)
    assert engine.mates_after(packed, key, 3)
    # more positions can be barred than a short line has
    engine = DfPnEngine(table_bits=10)
    far = [pack(position) for position in attacks(150, seed="barred")]
    with engine.barring([*far, packed]):
        assert len(engine._barred) >= engine._search.barred
        assert not engine.mates(packed, 3)
    assert engine.mates(packed, 3)


def test_repeated_positions_are_returned_complete() -> None:
    """A field missing from a candidate's record would be missing from its search."""
    engine = DfPnEngine(table_bits=14)
    packed = record_of("9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1")
    search = engine._unbounded(engine.arena(packed))
    assert not search.prove(Node(packed, attacker=True))
    handed = 0
    while (node := search.next_candidate()) is not None:
        assert in_bytes(node.packed) == in_bytes(pack(unpack(node.packed)))
        handed += 1
    assert handed > 100


def test_taking_the_memory_empties_the_table() -> None:
    engine, fresh = DfPnEngine(table_bits=12), DfPnEngine(table_bits=12)
    packed = record_of(LONG)
    assert engine.mates(packed, 11)
    engine.take_memory()
    before = engine.nodes
    assert engine.mates(packed, 11)
    assert fresh.mates(packed, 11)
    assert engine.nodes - before == fresh.nodes


# --- what a search has learned is written in the middle of it; another engine goes on with it ------

BITS = 12
REPEATING = "+rkB1K4/1lpp5/1R7/9/9/6P2/9/9/9 b b4g4s4n3l15p 1"
"""Many positions repeat, none of which has been searched for itself when the first disproofs rest on them."""
CIRCLES = "7nl/6s2/5N2k/6G2/9/9/9/9/9 b 2RG2b2g3s2n3l18p 1"


def written(engine: DfPnEngine) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        engine.write_learned(archive)
    return file.getvalue()


def new_engine(bits: int = BITS) -> DfPnEngine:
    return DfPnEngine(table_bits=bits)


def read(data: bytes, make: Callable[[], DfPnEngine] = new_engine) -> DfPnEngine:
    engine = make()
    with ZipFile(BytesIO(data)) as archive:
        engine.read_learned(archive)
    return engine


def in_pieces(
    packed: PackedPosition, nodes: int, pieces: int, make: Callable[[], DfPnEngine] = new_engine
) -> results.SearchResult:
    """The length, ``nodes`` nodes at a time, each time by a new engine.

    It gets what the one before had written in the middle of its search: no question has ended then.
    """
    data = None
    known: results.MateBounds | None = None
    for _ in range(pieces):
        engine = make() if data is None else read(data, make)
        steps: list[results.MateBounds] = []
        kept = [written(engine)]

        def look(engine: DfPnEngine = engine, kept: list[bytes] = kept) -> None:
            kept.append(written(engine))

        with engine.watched(look):
            found = search_length(engine, packed, results.Limits(nodes=nodes), steps.append, known)
        if not isinstance(found, results.Unresolved) or found.reason is results.Reason.LENGTH:
            return found
        known = steps[-1] if steps else known
        data = None if known is None else kept[-1]
    return found


@pytest.fixture
def from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every length is found from above, by short slices."""
    monkeypatch.setattr(deepening, "QUICKLY", 1)
    monkeypatch.setattr(deepening, "LAST_RAISED", 1)
    monkeypatch.setattr("solver.engines.dfpn.engine.SLICE", 150)


def test_a_search_in_pieces_gives_the_same_lengths(from_above: None) -> None:  # noqa: ARG001
    found = Counter[str]()
    positions = list(attacks(50, "kept"))
    for position in positions:
        whole = search_length(DfPnEngine(table_bits=BITS), pack(position), results.Limits(nodes=4000))
        parts = in_pieces(pack(position), 400, 12)
        for one, other in ((whole, parts), (parts, whole)):
            if isinstance(one, results.Mate | results.NoMate) and not isinstance(other, results.Unresolved):
                assert one == other, format_sfen(position)
        found[type(parts).__name__] += 1
    assert found["Mate"] > 5
    assert found["NoMate"] > 5


def test_it_goes_on_from_what_was_known(from_above: None) -> None:  # noqa: ARG001
    packed = pack(parse_sfen(CIRCLES).position)
    engine = DfPnEngine(table_bits=BITS)
    whole = search_length(engine, packed, results.Limits())
    assert isinstance(whole, results.Mate)
    spent = engine.nodes
    again = read(written(engine))
    assert again.nodes == spent
    assert search_length(again, packed, results.Limits(), since=results.MateBounds(1, whole.length)) == whole
    assert again.nodes < spent + spent // 2


def test_what_rests_on_the_path_is_not_kept(from_above: None) -> None:  # noqa: ARG001
    """Links of positions on the path are never followed again; the table is the same."""
    engine = DfPnEngine(table_bits=BITS)
    pending = 0

    def look() -> None:
        nonlocal pending
        other = read(written(engine))
        before, after = engine._search, other._search
        on_path = before.link_state == LINK_PENDING
        pending += int(on_path.sum())
        assert not (after.link_state == LINK_PENDING).any()
        assert (after.link_uses[on_path] != before.link_uses[on_path]).all()
        assert (after.link_uses[on_path] > 0).all()
        assert not after.path.any()
        used = engine._table.stamp == before.stamp
        assert np.array_equal(engine._table[used], other._table[used])
        assert (other._table.stamp[~used] != before.stamp).all()

    with engine.watched(look):
        search_length(engine, pack(parse_sfen(CIRCLES).position), results.Limits(nodes=6000))
    assert pending


def test_disproofs_that_wait_for_repeated_positions_are_dropped(from_above: None) -> None:  # noqa: ARG001
    """They are accepted when all those positions are disproved too, and these are not kept."""
    engine = DfPnEngine(table_bits=BITS)
    kept: list[bytes] = []

    def look() -> None:
        table, search = engine._table, engine._search
        waiting = (table.dn == 0) & (table.pn == INFINITE) & (table.taint == search.epoch)
        if search.candidates and (waiting & (table.stamp == search.stamp)).any():
            kept.append(written(engine))

    with engine.watched(look), suppress(results.LimitReached), engine.within(results.Limits(nodes=50_000)):
        engine.mates_ever(pack(parse_sfen(REPEATING).position))
    assert kept
    other = read(kept[-1])
    assert not other._search.candidates
    assert not (other._table.taint[other._table.dn == 0] == other._search.epoch).any()


def test_a_damaged_archive_is_refused() -> None:
    engine = DfPnEngine(table_bits=BITS)
    engine.mates(pack(parse_sfen(CIRCLES).position), 5)
    data = written(engine)
    faults = (BadZipFile, ValueError, KeyError, EOFError)
    with pytest.raises(faults):
        read(data[: len(data) // 2])
    for place in range(200, len(data) - 2000, 9973):
        damaged = bytearray(data)
        damaged[place] ^= 1
        with pytest.raises(faults):
            read(bytes(damaged))


# --- Many questions answered in one call, against the same questions one by one --------------------


def problems(number: int, seed: str) -> Iterator[tuple[PackedPosition, int]]:
    """Positions that mate within 9 plies, with their lengths."""
    engine = DfPnEngine(table_bits=16)
    composed = (parse_sfen(line).position for line in COMPOSED.read_text().splitlines()[1::7])
    for position in [*composed, *attacks(number, seed), *crowded(number // 3, seed)]:
        packed = pack(position)
        found = search_length(engine, packed, results.Limits(nodes=20_000, max_length=9))
        if isinstance(found, results.Mate):
            yield packed, found.length


def test_checks_that_never_mate_are_those_the_check_search_refutes() -> None:
    settled = 0
    for position in [*attacks(60, seed="ever"), *crowded(30, seed="ever")]:
        packed, few, one = pack(position), DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
        before, checks = np.asarray(packed).tobytes(), legal_checks(packed)
        for nodes in (200, 5_000):
            mating, refuted, open_still = few.refute_each_ever(packed, checks, nodes)
            twin, twin_refuted, twin_open = MateEngine.refute_each_ever(one, packed, checks, nodes)
            assert np.asarray(packed).tobytes() == before
            asked = checks if mating is None else checks[: checks.index(mating)]
            assert sorted([*refuted, *open_still]) == asked
            assert not set(refuted) & {twin}
            assert not set(twin_refuted) & {mating}
            if not open_still and not twin_open:
                assert (mating, refuted) == (twin, twin_refuted)
                settled += 1
    assert settled > 60


def test_the_length_after_a_mate_is_that_of_the_mate() -> None:
    mates = 0
    for packed, length in problems(40, "length"):
        engine = DfPnEngine(table_bits=16)
        check, _, _ = engine.refute_each_ever(packed, legal_checks(packed), 50_000)
        if check is not None:
            mates += 1
            assert engine.length + 1 >= length
            assert engine.mates_after(packed, check, engine.length + 1)
    assert mates > 20


def test_an_empty_list_asks_nothing() -> None:
    engine = DfPnEngine(table_bits=10)
    packed = pack(next(attacks(1)))
    assert engine.refute_each_ever(packed, [], 100) == (None, [], [])
    assert engine.refute_each_ever(packed, legal_checks(packed), 0) == (None, [], legal_checks(packed))
    assert engine.refutation_work(packed, [], 5, 100) == ([], [])
    assert engine.nodes == 0


def test_proof_trees_are_those_counted_step_by_step() -> None:
    larger = 0
    for packed, length in problems(120, "proof trees"):
        step_by_step = measure_proof_tree(DfPnEngine(table_bits=16), packed, length, MeasuredSubtrees())
        assert DfPnEngine(table_bits=16).proof_tree(packed, length) == astuple(step_by_step)
        larger += step_by_step.nodes > 10
    assert larger > 10


def test_a_proof_tree_without_room_is_given_up() -> None:
    packed, length = next(one for one in problems(0, "") if one[1] == 9)
    engine = DfPnEngine(table_bits=16)
    before = np.asarray(packed).tobytes()
    sums = engine.proof_tree(packed, length)
    assert sums is not None
    assert engine.proof_tree(packed, length, room=1) is None
    assert np.asarray(packed).tobytes() == before
    assert engine.proof_tree(packed, length) == sums


def test_the_work_of_refutations_is_that_of_single_questions() -> None:
    for nodes in (150, 200_000):
        for packed, length in problems(30, "refutations"):
            engine, twin = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
            checks = legal_checks(packed)
            assert engine.refutation_work(packed, checks, length, nodes) == _by_single_questions(
                twin, packed, checks, length, nodes
            )


def _by_single_questions(
    engine: DfPnEngine, packed: PackedPosition, checks: list[int], length: int, nodes: int
) -> tuple[list[int], list[int]]:
    depths, works = [], []
    for check in checks:
        engine.forget()
        before = engine.nodes
        depth = engine.answered_within(nodes, partial(_depth, engine, packed, check, length))
        depths.append(length if depth is None else depth)
        works.append(engine.nodes - before)
    return depths, works


def _depth(engine: DfPnEngine, packed: PackedPosition, check: int, length: int) -> int:
    for n in range(1, length + 1, 2):
        if not engine.mates_after(packed, check, n) and engine.refuted_for_good:
            return n
    return length


def test_where_the_readings_plainly_agree_they_do() -> None:
    agreed = 0
    for packed, length in problems(120, "readings"):
        engine = DfPnEngine(table_bits=16)
        root = TreeBuilder(engine, order=int).turn(packed, length)
        if len(root.line()) != length:
            continue
        turns = engine.readings_agree(packed, root.line())
        agreed += turns
        before = np.asarray(packed).tobytes()
        engine.readings_agree = lambda *_: 0  # type: ignore[method-assign]
        split = ReadingComparer(engine, packed, root).split()
        assert split is None or len(split.path) // 2 >= turns
        assert np.asarray(packed).tobytes() == before
    assert agreed > 50


# --- Mate at any length ----------------------------------------------------------------------------


def test_mates_ever_agrees_with_bounded_answers() -> None:
    rng = random.Random(3)
    bounded, unbounded = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
    decided = 0
    for _ in range(150):
        packed = pack(random_attack(rng))
        within = bounded.mates(packed, 7)
        for_good = bounded.refuted_for_good
        try:
            with unbounded.within(results.Limits(nodes=20_000)):
                ever = unbounded.mates_ever(packed)
        except results.LimitReached:
            continue
        if within or for_good:
            assert ever == within
            decided += 1
    assert decided > 50


def test_perpetual_checks_and_long_cooks() -> None:
    packed = pack(parse_sfen("9/9/9/9/4k4/9/9/4R4/9 b r2b4g4s4n4l18p 1").position)
    engine = DfPnEngine()
    assert not engine.mates_ever(packed)
    assert not engine.mates(packed, 31)
    packed = pack(parse_sfen("3R5/2k6/S8/9/3N5/9/9/9/3+R5 b 2b4g3s3n4l18p 1").position)
    assert DfPnEngine().mates_ever(record_after(packed, (pack_move(parse_move("9c8b+")),)), attacker=False)


def test_an_interrupted_question_leaves_nothing_behind() -> None:
    """The pawn at 5e prevents the mate, but that needs many nodes."""
    packed = pack(parse_sfen("9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1").position)
    before = packed.tobytes()
    engine = DfPnEngine()
    with pytest.raises(results.LimitReached), engine.within(results.Limits(nodes=500)):
        engine.mates_ever(packed)
    assert packed.tobytes() == before
    assert not engine.mates(packed, 3)
