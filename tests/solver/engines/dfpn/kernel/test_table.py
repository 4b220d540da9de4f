# SPDX-License-Identifier: GPL-3.0-or-later
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.engines.base import SparedDrop
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import ACCEPTED, ALL, CHILD, FRAME, MIXED, TCA
from solver.engines.dfpn.kernel.frontier import restore_effects, save_effects, take_back
from solver.engines.dfpn.kernel.outcome import LARGEST, answer_cost, attack_cost
from solver.engines.dfpn.kernel.search import _phi_and_delta, proof_number_with_cost
from solver.engines.dfpn.kernel.table import (
    FOREVER,
    FULL_HAND,
    INFINITE,
    WINDOW,
    hand_before_attack,
    hand_capped_for_drop,
    largest_disproof_hand,
    look_up,
    slot_after,
    store,
)
from solver.engines.iterative.engine import IterativeEngine
from solver.results import LimitReached, Limits
from tests import naive, naive_restoring
from tests.sampling import attacks, crowded, promotable
from tests.tsume_rules.kernel.hands import Plain, as_packed, hands
from tsume_rules.kernel.move_generation import evasions, pseudo_checks
from tsume_rules.kernel.state import do, make_drop, make_move, packed_hand, undo
from tsume_rules.kernel.tables import ATT, DEF, POSITION
from tsume_rules.moves import parse_move
from tsume_rules.packed import (
    PackedPosition,
    dropped,
    legal_checks,
    legal_evasions,
    pack,
    pack_move,
    played,
    unpack_move,
)
from tsume_rules.position import HAND_KINDS, PROMOTION, SET_COUNT, Kind, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

BITS = 4
KEY, OTHER_KEY = np.uint64(2**63 + 11), np.uint64(2**63 + 12)
SLOT = np.uint64(2**64 - 1)
"""The last slot of the mask: its window ends beyond it."""
NOTHING = (0, 0)
SMALL = as_packed(Counter({Kind.PAWN: 1, Kind.GOLD: 1}))
LARGE = as_packed(Counter({Kind.PAWN: 2, Kind.GOLD: 1}))
CROSSED = as_packed(Counter({Kind.PAWN: 3}))


class Table:
    """A tiny table with the search state it belongs to."""

    def __init__(self) -> None:
        self.arena = DfPnEngine(table_bits=BITS).arena(pack(parse_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").position))
        self.entries, self.search = self.arena.table, self.arena.search

    def store(self, pn: int, dn: int, length: int, hand: int, *, key: Any = KEY, work: int = 1) -> None:
        store(self.arena, key, SLOT, hand, pn, dn, length, hand, 0, work)

    def mate(self, length: int, hand: int, **more: Any) -> None:
        self.store(0, INFINITE, length, hand, **more)

    def no_mate(self, length: int, hand: int, **more: Any) -> None:
        self.store(INFINITE, 0, length, hand, **more)

    def look(self, n: int, hand: int, key: Any = KEY) -> tuple[int, int]:
        pn, dn, _, _, _ = look_up(self.arena, key, SLOT, hand, n)
        return int(pn), int(dn)


@pytest.fixture
def table() -> Table:
    return Table()


MATE, NO_MATE = (0, INFINITE), (INFINITE, 0)


def test_a_mate_holds_for_larger_hands_and_more_plies(table: Table) -> None:
    table.mate(5, SMALL)
    assert table.look(5, SMALL) == table.look(7, LARGE) == MATE
    assert table.look(3, LARGE) == NOTHING
    assert table.look(9, CROSSED) == table.look(9, 0) == NOTHING
    table.mate(5, SMALL)
    assert look_up(table.arena, KEY, SLOT, LARGE, 9)[2:4] == (5, SMALL)


def test_a_refutation_holds_for_smaller_hands_and_fewer_plies(table: Table) -> None:
    table.no_mate(5, LARGE)
    assert table.look(5, LARGE) == table.look(3, SMALL) == table.look(1, 0) == NO_MATE
    assert table.look(7, SMALL) == NOTHING
    assert table.look(3, CROSSED) == NOTHING
    table.no_mate(FOREVER, LARGE)
    assert table.look(31999, SMALL) == NO_MATE


def test_open_numbers_hold_for_their_hand_and_length_only(table: Table) -> None:
    table.store(3, 7, 5, SMALL)
    assert table.look(5, SMALL) == (3, 7)
    assert table.look(7, SMALL) == table.look(3, SMALL) == table.look(5, LARGE) == NOTHING
    table.store(4, 8, 5, SMALL)  # new numbers replace old ones of the same case
    assert table.look(5, SMALL) == (4, 8)
    assert np.count_nonzero(table.entries.stamp) == 1
    table.store(3, 7, 5, LARGE)
    table.mate(5, SMALL)
    assert table.look(5, LARGE) == MATE, "proofs and disproofs come before open numbers"


def test_open_numbers_do_not_replace_proofs_and_disproofs(table: Table) -> None:
    table.no_mate(3, SMALL)
    table.store(3, 7, 5, SMALL)
    assert table.look(3, SMALL) == NO_MATE
    assert table.look(5, SMALL) == (3, 7)


def test_boards_in_one_window_are_told_apart(table: Table) -> None:
    table.mate(5, SMALL)
    table.no_mate(5, SMALL, key=OTHER_KEY)
    assert table.look(5, SMALL) == MATE
    assert table.look(5, SMALL, OTHER_KEY) == NO_MATE


def test_a_full_window_loses_what_took_the_least_work(table: Table) -> None:
    for i in range(WINDOW):
        table.mate(5, SMALL, key=np.uint64(100 + i), work=50 + i)
    assert table.search.evicted == 0
    table.mate(5, SMALL, work=1)
    assert table.search.evicted == 1
    assert table.look(5, SMALL) == MATE
    assert table.look(5, SMALL, np.uint64(100)) == NOTHING
    assert all(table.look(5, SMALL, np.uint64(100 + i)) == MATE for i in range(1, WINDOW))


def test_entries_of_another_stamp_are_empty(table: Table) -> None:
    table.mate(5, SMALL)
    table.search.stamp = 2
    assert table.look(5, SMALL) == NOTHING
    table.no_mate(5, SMALL)
    assert table.look(5, SMALL) == NO_MATE
    assert table.search.evicted == 0


def test_a_tainted_disproof_serves_its_own_question_only(table: Table) -> None:
    table.search.epoch = 5
    store(table.arena, KEY, SLOT, SMALL, INFINITE, 0, FOREVER, SMALL, 1, 1)
    assert look_up(table.arena, KEY, SLOT, SMALL, FOREVER)[4] == 1
    assert table.look(7, SMALL) == NOTHING, "a bounded question may not use it"
    table.search.epoch = 6
    assert table.look(FOREVER, SMALL) == NOTHING, "the question was dropped"
    table.search.epochs[5] = ACCEPTED
    assert table.look(7, SMALL) == table.look(FOREVER, SMALL) == NO_MATE


def test_the_least_depth_is_that_of_the_question(table: Table) -> None:
    """An open node's numbers are kept for the next question; how near to the root it was seen is not."""
    table.search.loops = TCA
    table.search.age = 7
    for depth in (9, 4, 6):
        table.search.depth = depth
        table.store(2, 3, 15, SMALL)
    assert table.look(15, SMALL) == (2, 3)
    assert table.search.met == 4
    table.search.age = 8
    assert table.look(13, SMALL) == (2, 3)
    assert table.search.met == 0
    table.search.depth = 12
    table.store(4, 5, 13, SMALL)
    assert table.look(13, SMALL) == (4, 5)
    assert table.search.met == 12


# --- The hands that proofs and disproofs rest on ---------------------------------------------------

CELL = 20
DEFENDERS = 16
kinds = st.sampled_from(HAND_KINDS)


@given(hands, kinds, st.booleans())
def test_before_a_drop_there_was_one_more(hand: Plain, kind: Kind, full: bool) -> None:
    found = hand_before_attack(as_packed(hand), make_drop(kind, CELL), 0, full)
    more = hand + Counter({kind: 1})
    if full:
        more &= Counter(SET_COUNT)
    if more[kind] <= SET_COUNT[kind]:
        assert found == as_packed(more)


@given(hands, kinds, st.booleans(), st.booleans())
def test_before_a_capture_there_was_one_fewer(hand: Plain, kind: Kind, promoted: bool, full: bool) -> None:
    captured = kind + DEFENDERS + PROMOTION * (promoted and kind is not Kind.GOLD)
    found = hand_before_attack(as_packed(hand), make_move(CELL, CELL + 1, False), captured, full)
    assert found == as_packed(hand - Counter({kind: 1}))


@given(hands)
def test_a_plain_move_leaves_the_hand_and_a_disproof_begins_with_all_of_the_kinds_held(hand: Plain) -> None:
    assert hand_before_attack(as_packed(hand), make_move(CELL, CELL + 1, True), 0, False) == as_packed(hand)
    assert largest_disproof_hand(as_packed(hand)) == as_packed(Counter({kind: SET_COUNT[kind] for kind in hand}))
    assert as_packed(Counter(SET_COUNT)) == FULL_HAND


@given(hands, hands, kinds)
def test_the_defender_keeps_one_to_drop(hand: Plain, held: Plain, kind: Kind) -> None:
    packed = np.zeros(1, dtype=POSITION).view(np.recarray)[0]
    packed.hand[Side.ATTACKER, kind] = held[kind]
    packed.hand[Side.DEFENDER, kind] = 1
    expected = hand.copy()
    expected[kind] = min(hand[kind], held[kind])
    assert hand_capped_for_drop(as_packed(hand), kind, packed) == as_packed(expected)


# --- Proof and disproof numbers at the edge of their range -----------------------------------------


def test_open_children_with_very_large_numbers_can_be_entered() -> None:
    """The cost of a move must not make a child look disproven: then no child would be left to enter."""
    frames, kids = np.zeros(1, dtype=FRAME).view(np.recarray), np.zeros(3, dtype=CHILD).view(np.recarray)
    frame = frames[0]
    frame.attacker, frame.n, frame.first, frame.count = 1, FOREVER, 1, 1
    kids[1].pn, kids[1].dn, kids[1].cost = LARGEST, 2, 5
    assert proof_number_with_cost(kids[1]) == LARGEST < INFINITE
    assert tuple(_phi_and_delta(frame, kids, ALL)) == (LARGEST, INFINITE, 2, 0, 1)
    # where sums are capped its threshold is above its number, whatever the numbers of the others are
    kids[1].cost, frame.first, frame.count = 0, 0, 3
    for attacker in (0, 1):
        frame.attacker = attacker
        for i, number in enumerate((LARGEST // 2, LARGEST // 2 + 1, LARGEST // 2 + 2)):
            kids[i].pn, kids[i].dn = (i + 1, number) if attacker else (number, i + 1)
        _, _, delta, others, best = _phi_and_delta(frame, kids, MIXED)
        assert best == 0
        assert delta < INFINITE
        assert INFINITE - others > LARGEST // 2


# --- The cost of moves in df-pn+, in positions where it can be counted by eye ----------------------

ALONE = "4k4/9/9/9/9/9/9/9/4R4 b RBGSNLPb3g3s3n3l17p 1"
"""Only the king can capture a piece put beside him."""
GUARDED = "3gk4/3r5/9/9/9/9/9/9/4L4 b RBGSNLPb2g3s3n2l17p 1"
"""The gold guards 5b and 6b, the rook the second rank, the king the squares beside him."""


def cost_of_check(sfen: str, usi: str) -> int:
    return int(attack_cost(pack(parse_sfen(sfen).position), pack_move(parse_move(usi))))


def test_a_check_costs_what_is_given_away() -> None:
    alone, guarded = (
        {
            "P*5b": 0,  # guarded by the king, supported by the rook: not given away
            "G*4b": 8,  # guarded by the king, not supported
            "S*4b": 4, "N*4c": 0, "L*5c": 0,  # the last two out of the king's reach
            "B*6b": 6, "R*4a": 6,
            "5i5b": 6,  # the rook itself does not count as its own support
            "5i5b+": 8,  # a dragon costs more
            "5i5c+": 0,  # not guarded
        },
        {"P*5b": 1, "L*5b": 4, "G*5b": 8, "S*4b": 4, "R*4a": 6, "N*4c": 0},
    )  # fmt: skip
    assert {usi: cost_of_check(ALONE, usi) for usi in alone} == alone
    assert {usi: cost_of_check(GUARDED, usi) for usi in guarded} == guarded
    # a silver at 5b, guarded by the king: supported by the rook, by no piece, by a gold as well
    assert cost_of_check("4k4/9/9/9/9/9/9/9/4R4 b Sr2b4g3s4n4l18p 1", "S*5b") == 0
    assert cost_of_check("4k4/9/9/9/9/9/9/9/9 b S2r2b4g3s4n4l18p 1", "S*5b") == 4
    assert cost_of_check("3gk4/9/9/9/9/9/9/9/4R4 b Sr2b3g3s4n4l18p 1", "S*5b") == 4
    assert cost_of_check("3gk4/9/5G3/9/9/9/9/9/4R4 b Sr2b2g3s4n4l18p 1", "S*5b") == 4 - 4


def test_an_answer_is_the_cheaper_the_more_it_gives_away() -> None:
    rook, both = "4k4/9/9/9/9/9/9/9/4R4 b r2b4g4s4n4l18p 1", "4k4/9/9/9/9/9/9/3r5/4R4 b 2b4g4s4n4l18p 1"
    for sfen, usi, cost in (
        ("4k4/9/9/9/9/9/9/9/4R4 b Prb3g4s4n4l17p 1", "P*5e", 0),  # a pawn costs nothing
        (rook, "G*5e", -2),  # the rook attacks it
        (rook, "N*5e", -1),
        (rook, "L*5e", -1),
        (rook, "R*5e", -2),
        (rook, "G*5b", 0),  # the king supports it
        (rook, "5a4a", 0),  # a king gives nothing away
        (both, "6h5h", -2),  # it moves before the rook
        (both, "6h5h+", -3),  # as a dragon
    ):
        found = int(answer_cost(pack(parse_sfen(sfen).position), pack_move(parse_move(usi))))
        assert found == cost, (sfen, usi)


# --- Taking back moves by copying, and the places of children in the table -------------------------


def test_a_check_and_its_answers_are_taken_back() -> None:
    saved, checks, answers = (np.zeros(2000, dtype=np.int64) for _ in range(3))
    tried = 0
    for position in [*attacks(60, seed="back"), *crowded(30, seed="back"), *promotable(30, seed="back")]:
        packed: Any = pack(position)
        before = np.asarray(packed).tobytes()
        key, slot = packed.key, packed.slot
        save_effects(packed, saved, 10)
        for check in checks[: pseudo_checks(packed, True, checks, 0)].tolist():
            captured = do(packed, check, ATT)
            for answer in answers[: evasions(packed, answers, 0)].tolist():
                taken = do(packed, answer, DEF)
                take_back(packed, answer, DEF, taken)
                take_back(packed, check, ATT, captured)
                restore_effects(packed, saved, 10, key, slot)
                assert np.asarray(packed).tobytes() == before, format_sfen(position)
                do(packed, check, ATT)
                tried += 1
            undo(packed, check, ATT, captured)
    assert tried > 200


def test_the_place_of_a_child_is_known_before_its_move_is_done() -> None:
    moves = np.zeros(2000, dtype=np.int64)
    for position in [*attacks(40, seed="place"), *promotable(40, seed="place")]:
        packed: Any = pack(position)
        for check in moves[: pseudo_checks(packed, True, moves, 0)].tolist():
            expected = slot_after(packed, check, ATT)
            captured = do(packed, check, ATT)
            assert packed.slot == expected, format_sfen(position)
            answers = moves[1000 : evasions(packed, moves, 1000)].tolist()
            for answer in answers:
                expected = slot_after(packed, answer, DEF)
                taken = do(packed, answer, DEF)
                assert packed.slot == expected, format_sfen(position)
                undo(packed, answer, DEF, taken)
            undo(packed, check, ATT, captured)


# --- Drops that a search leaves out, against the slow twin -----------------------------------------

LONGEST = 5
SAVED_BY_A_DROP = "9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1"
"""After 7g7e only a pawn dropped on 5e saves the defender."""


def drops_of(packed: PackedPosition) -> Iterator[tuple[int, list[int]]]:
    """The checks that interpositions answer, with these."""
    for check in legal_checks(packed):
        with played(packed, check, Side.ATTACKER):
            found = [answer for answer in legal_evasions(packed) if dropped(answer)]
        if found:
            yield check, found


def left_out(packed: PackedPosition, check: int, drops: list[int], hand: int | None) -> list[SparedDrop]:
    with played(packed, check, Side.ATTACKER):
        least = int(packed_hand(packed)) if hand is None else hand
        return [SparedDrop(int(packed.key), drop, least) for drop in drops]


def twin_of(sfen: str, check: int, drops: list[int], *, any_hand: bool) -> naive_restoring.Search:
    board = naive.board_of(sfen)
    board.push_usi(unpack_move(check).usi)
    hand = {} if any_hand else naive_restoring.attackers_hand(board)
    part = naive_restoring.board_part(board)
    return naive_restoring.Search({(part, unpack_move(drop).usi): [hand] for drop in drops})


def agree(position: Position, *, any_hand: bool, most: int = 2) -> Iterator[bool]:
    """Whether leaving out the drops after one check changes an answer; asserts that the twin agrees."""
    sfen, packed, engine = format_sfen(position), pack(position), DfPnEngine(table_bits=14)
    for check, drops in list(drops_of(packed))[:most]:
        twin = twin_of(sfen, check, drops, any_hand=any_hand)
        with engine.sparing(left_out(packed, check, drops, 0 if any_hand else None)):
            for n in range(1, LONGEST + 1, 2):
                try:
                    with engine.within(Limits(nodes=500)):
                        mates = engine.mates(packed, n)
                except LimitReached:
                    break
                assert mates == twin.mate_within(naive.board_of(sfen), n), (sfen, check, n)
        yield mates != engine.mates(packed, n)


@pytest.mark.parametrize("any_hand", [False, True])
def test_the_search_leaves_out_the_drops_that_the_slow_twin_leaves_out(any_hand: bool) -> None:
    for position in attacks(40, seed=f"sparing {any_hand}"):
        list(agree(position, any_hand=any_hand))
    assert any(agree(parse_sfen(SAVED_BY_A_DROP).position, any_hand=any_hand, most=20))


def test_what_is_left_out_counts_again_afterwards() -> None:
    packed, engine = pack(parse_sfen(SAVED_BY_A_DROP).position), DfPnEngine(table_bits=14)
    before = [engine.mates_after(packed, check, 3) for check in legal_checks(packed)]
    check, drops = next(iter(drops_of(packed)))
    with engine.sparing(left_out(packed, check, drops, 0)):
        engine.mates(packed, 3)
    assert [engine.mates_after(packed, check, 3) for check in legal_checks(packed)] == before


def test_a_drop_is_left_out_with_the_least_hand_and_larger_ones_on_its_board_only() -> None:
    drop = SparedDrop(key=7, move=3, hand=1)
    asked = [(7, 3, 1), (7, 3, 2), (7, 3, 0), (8, 3, 1), (7, 4, 1)]
    assert [one for one in asked if drop.includes(SparedDrop(*one))] == asked[:2]
    engine = IterativeEngine()
    assert not engine.spares_drops
    with pytest.raises(ValueError, match="IterativeEngine"), engine.sparing([]):
        pass
