# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits: whatever they do, the position stays one that a set of shogi pieces allows, and can be restored."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest

from generator.candidate import Candidate
from generator.constraints.options import Effort
from generator.constraints.position import PositionConstraints
from generator.kernel import traits
from generator.kernel.positions import (
    EDIT_ROOM,
    KINDS,
    _shift_all_pieces,
    clear_board,
    edit_position_randomly,
    move_between_hands,
    put_piece_from_hand,
    restore_position,
)
from generator.kernel.traits import TRAITS
from generator.learned.kernel.network import draw_forbidden_drop, draw_learned_mate, draw_symmetric_mate
from generator.learned.search import scratch_for, stored_conditions, stored_network
from generator.local_search.kernel.walk import draw_likely_position
from generator.local_search.search import PositionSampler
from generator.reverse.extender import Extender
from generator.reverse.kernel.final_positions import WHOLE_BOARD, draw_mate, draw_mate_on_cells
from generator.reverse.seeds import _cells_of
from generator.themes.predicates import patterns_of
from solver.engines.dfpn.engine import DfPnEngine
from tests.candidates import grown, plain_model, rates
from tests.generator.kernel import twins
from tests.positions import assert_in_step, assert_sane, checks, evasions, in_bytes, record_of
from tests.sampling import attacks, checked, crowded, promotable, starts
from tsume_rules.kernel.retract import MAX_UNMOVES, captured_of, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import do, lift, put, target_of, undo
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, POSITION
from tsume_rules.moves import Move, position_after
from tsume_rules.packed import PackedPosition, pack, pack_move, unpack, unpack_move
from tsume_rules.position import (
    HAND_KINDS,
    SET_COUNT,
    SQUARES,
    IllegalPosition,
    Kind,
    Piece,
    Position,
    Side,
    file_of,
    structural_faults,
)
from tsume_rules.sfen import format_sfen

EDITS = 150
PIECES = [Piece(side, kind) for side in Side for kind in Kind if kind is not Kind.KING]


@cache
def positions() -> tuple[Position, ...]:
    """Positions without an attacker's king, as composers have them; some with many pieces."""
    drawn = [*attacks(24, "edits"), *crowded(24, "edits")]
    alone = [position for position in drawn if position.king(Side.ATTACKER) is None]
    return (*alone, *(unpack(candidate.packed) for candidate in grown(3)[:8]))


def edited(position: Position, seed: int, number: int = EDITS) -> Iterator[tuple[bool, PackedPosition]]:
    """The same packed position after each of some edits, and whether the edit was possible."""
    packed, squares = pack(position), np.zeros(EDIT_ROOM, dtype=np.int64)
    state = np.array([seed], dtype=np.uint64)
    for _ in range(number):
        yield bool(edit_position_randomly(packed, state, squares)), packed


def test_positions_stay_sane_after_any_edits() -> None:
    possible: Counter[bool] = Counter()
    for seed, position in enumerate(positions()):
        for done, packed in edited(position, seed):
            possible[done] += 1
            assert_sane(packed)
    assert min(possible[True], possible[False]) > 500


def test_edits_change_the_pieces_in_every_way() -> None:
    """By one piece more or less on the board, one more or less in hand, from one to the other; by moves."""
    ways: Counter[tuple[int, int]] = Counter()
    kings: Counter[bool] = Counter()
    for seed, position in enumerate(positions()):
        before = position
        for done, packed in edited(position, seed):
            after = unpack(packed)
            if done:
                hand = len(after.attacker_hand) - len(before.attacker_hand)
                board = after.piece_count() - before.piece_count() - hand
                ways[board, hand] += 1
                kings[after.king(Side.DEFENDER) != before.king(Side.DEFENDER)] += 1
            before = after
    assert set(ways) == {(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1), (0, 0)}
    assert min(ways.values()) > 5
    assert kings[True] > 50


def test_everything_may_move_by_the_same_step() -> None:
    shifted = 0
    for seed, position in enumerate(positions()):
        before = position
        for done, packed in edited(position, seed):
            after = unpack(packed)
            shifted += done and _is_shifted(before, after)
            before = after
    assert shifted > 20


def _is_shifted(before: Position, after: Position) -> bool:
    one, other = ([sq for sq in range(SQUARES) if each.board[sq]] for each in (before, after))
    pieces, others = ([each.board[sq] for sq in there] for each, there in ((before, one), (after, other)))
    by = other[0] - one[0]
    return by != 0 and pieces == others and [sq + by for sq in one] == other and len(one) > 1


def test_the_same_random_numbers_make_the_same_edits() -> None:
    for position in positions()[:5]:
        one = [(done, in_bytes(packed)) for done, packed in edited(position, 5)]
        assert one == [(done, in_bytes(packed)) for done, packed in edited(position, 5)]
        assert one != [(done, in_bytes(packed)) for done, packed in edited(position, 6)]


def test_a_saved_position_is_restored_exactly() -> None:
    saved = np.zeros(1, dtype=POSITION).view(np.recarray)
    for seed, position in enumerate(positions()):
        saved[0] = pack(position)
        changed = 0
        for _, packed in edited(position, seed, 30):
            changed += in_bytes(packed) != in_bytes(saved[0])
        assert changed
        restore_position(packed, saved[0])
        assert in_bytes(packed) == in_bytes(pack(position)), format_sfen(position)
        assert in_bytes(saved[0]) == in_bytes(pack(position))


def with_piece(position: Position, sq: int, piece: Piece) -> Position | None:
    """The slow twin of `put_piece_from_hand`: the position with one more piece, None if it is forbidden."""
    if position.board[sq] is not None:
        return None
    try:
        changed = position.with_piece(sq, piece)
    except IllegalPosition:
        return None
    return None if structural_faults(changed) else changed


def test_a_piece_is_added_wherever_one_may_stand() -> None:
    rng = random.Random(2)
    possible: Counter[bool] = Counter()
    for position in positions():
        for _ in range(150):
            sq, piece = rng.randrange(SQUARES), rng.choice(PIECES)
            packed = pack(position)
            done = bool(put_piece_from_hand(packed, piece.kind + 16 * piece.side, int(CELL[sq])))
            expected, said = with_piece(position, sq, piece), (format_sfen(position), sq, piece)
            assert done == (expected is not None), said
            assert in_bytes(packed) == in_bytes(pack(expected or position)), said
            possible[done] += 1
    assert min(possible[True], possible[False]) > 100


def test_nothing_is_added_off_the_board() -> None:
    for piece in PIECES:
        packed = pack(positions()[0])
        assert not put_piece_from_hand(packed, piece.kind + 16 * piece.side, 0)
        assert in_bytes(packed) == in_bytes(pack(positions()[0]))
    for side in (ATT, DEF):
        packed = record_of(WITH_TWO_KINGS)
        assert not put_piece_from_hand(packed, KING + 16 * side, int(CELL[40]))
        assert_in_step(packed)


def test_the_attacker_gets_all_the_defender_has_and_no_more() -> None:
    for position in positions()[:10]:
        packed = pack(position)
        for kind in HAND_KINDS:
            held = position.defender_hand[kind]
            given = [bool(move_between_hands(packed, int(kind), DEF)) for _ in range(SET_COUNT[kind] + 1)]
            assert given == [True] * held + [False] * (SET_COUNT[kind] + 1 - held)
        assert_sane(packed)
        assert not unpack(packed).defender_hand


# --- all functions that write positions -----------------------------------------------------------

STEPS_OF_KING = 200
WITH_TWO_KINGS = "8l/5Krpp/5B1k1/8L/5p3/9/9/9/9 b G2S 1"
PROBLEM_WITH_TWO_KINGS = "9/1k7/gN1B5/P8/K8/9/9/9/9 b G 1"


def starts_of_all_sorts() -> Iterator[PackedPosition]:
    """Records with one king and two, promoted pieces, and hands from empty to full."""
    yield from map(pack, [*starts(20, "written"), *crowded(20, "written"), *promotable(10, "written")])
    yield record_of(WITH_TWO_KINGS)
    yield record_of("8k/9/9/9/4K4/9/9/9/9 b 2R2B4G4S4N4L18P 1")
    yield record_of("8k/9/9/9/4K4/9/9/9/9 b - 1")


def written_by_edits() -> Iterator[PackedPosition]:
    for seed, packed in enumerate(starts_of_all_sorts()):
        state, squares = np.array([seed], dtype=np.uint64), np.zeros(EDIT_ROOM, dtype=np.int64)
        for _ in range(EDITS):
            edit_position_randomly(packed, state, squares)
            yield packed


def written_by_shifts() -> Iterator[PackedPosition]:
    """Every piece by one step, which most random edits cannot do with many pieces."""
    squares = np.zeros(EDIT_ROOM, dtype=np.int64)
    shifted = 0
    for packed in starts_of_all_sorts():
        for files, ranks in product((-1, 0, 1), repeat=2):
            before = int(packed.king[ATT])
            shifted += bool(_shift_all_pieces(packed, squares, files, ranks)) and before != packed.king[ATT]
            yield packed
    assert shifted > STEPS_OF_KING // 10


def written_by_restoring() -> Iterator[PackedPosition]:
    saved = np.zeros(1, dtype=POSITION).view(np.recarray)
    packed_positions = list(starts_of_all_sorts())
    for packed, other in pairwise(packed_positions):
        saved[0] = other
        restore_position(packed, saved[0])
        yield packed


def written_by_clearing_and_putting() -> Iterator[PackedPosition]:
    """The kings too, each step of the way."""
    for packed in starts_of_all_sorts():
        pieces = [(int(cell), int(packed.board[cell])) for cell in CELL if packed.board[cell]]
        for cell, piece in pieces:
            lift(packed, cell)
            assert packed.king[piece >> 4] == 0 or piece & 15 != KING
            put(packed, cell, piece)
            yield packed
        clear_board(packed)
        assert not any(packed.king)
        for cell, piece in pieces:
            if piece & 15 == KING:
                put(packed, cell, piece)
        yield packed


def written_by_un_moves() -> Iterator[PackedPosition]:
    """Moves taken back and played again, of both sides and of both kings."""
    rng, out = random.Random(3), np.empty(MAX_UNMOVES, dtype=np.int64)
    kings = 0
    for packed in map(pack, [*checked(40, "written"), *starts(40, "written")]):
        for side in (Side.ATTACKER, Side.DEFENDER, Side.ATTACKER):
            generate = un_checks if side is Side.ATTACKER else un_evasions
            found = out[: generate(packed, out, True)].tolist()
            if not found:
                continue
            code = rng.choice(found)
            kings += packed.board[target_of(move_of(code))] & 15 == KING
            undo(packed, move_of(code), int(side), captured_of(code))
            yield packed
            if rng.random() < 0.5:
                do(packed, move_of(code), int(side))
                yield packed
    assert kings


def written_by_draws() -> Iterator[PackedPosition]:
    """Every way of drawing, into a packed position that had a king of the attacker."""
    engine, state = DfPnEngine(table_bits=16), np.array([1], dtype=np.uint64)
    scratch = np.zeros(8192, dtype=np.int64)
    saved = np.zeros(1, dtype=POSITION).view(np.recarray)
    cells = _cells_of(patterns_of("ト")[0], np.random.default_rng(1))
    own_king, none = PositionConstraints(own_king=True).packed(), PositionConstraints().packed()
    for constraints in (own_king, none, own_king):
        packed = record_of(WITH_TWO_KINGS)
        draw_likely_position(engine.arena(packed), 1, 50, 100, rates(), state, constraints)
        yield packed
    packed = record_of(WITH_TWO_KINGS)
    draw_mate(packed, state, scratch, WHOLE_BOARD, 0, KINDS, 50)
    yield packed
    packed = record_of(WITH_TWO_KINGS)
    draw_mate_on_cells(packed, cells, saved, state, scratch, 50)
    yield packed
    network = stored_network()
    kernels = ((draw_learned_mate, ()), (draw_forbidden_drop, (0,)), (draw_forbidden_drop, (1,)))
    for kernel, options in (*kernels, (draw_symmetric_mate, ())):
        for conditions in stored_conditions(3)[:10]:
            packed = record_of(WITH_TWO_KINGS)
            kernel(
                engine.arena(packed), 3, 20, 500, np.array(conditions, dtype=np.int64), *options, network,
                state, scratch_for(network), none,
            )  # fmt: skip
            yield packed


def written_by_walks() -> Iterator[PackedPosition]:
    """Repairs, walks and the removal of pieces, with a king of the attacker, and what searches leave."""
    made = PositionSampler(DfPnEngine(table_bits=16), np.array([2], dtype=np.uint64))
    made.set_constraints(PositionConstraints(own_king=True))
    start = made.with_line(record_of(PROBLEM_WITH_TWO_KINGS), 5, 24_000)
    assert start is not None
    walked = list(made.walks(start, 6, 60, plain_model()))
    assert walked
    for candidate in (start, *walked):
        yield candidate.packed
    repaired = made.repair(walked[-1].packed, 5, 5, 24_000, plain_model())
    if repaired is not None:
        yield repaired.packed


def written_by_extending() -> Iterator[PackedPosition]:
    engine, state = DfPnEngine(table_bits=16), np.array([2], dtype=np.uint64)
    extender = Extender(engine, Effort(nodes=2_000), state, lenient=True)
    candidates = [one for one in grown(1)[:3] if one is not None]
    for parent in candidates:
        with_king = parent.packed.copy()
        put(with_king, int(CELL[80 if with_king.board[CELL[80]] == 0 else 8]), KING)
        for packed in (parent.packed, with_king):
            one = Candidate(packed, 1, parent.line, 0)
            for child in extender.children(one)[:4]:
                yield child.packed
            extender.unnecessary_pieces(one)
            yield packed


@pytest.mark.parametrize("written", [
    written_by_edits, written_by_shifts, written_by_restoring, written_by_clearing_and_putting,
    written_by_un_moves, written_by_draws, written_by_walks, written_by_extending,
])  # fmt: skip
def test_whatever_writes_a_position_keeps_all_its_fields_in_step(
    written: Callable[[], Iterator[PackedPosition]],
) -> None:
    number = 0
    for packed in written():
        assert_in_step(packed)
        number += 1
    assert number


# --- Traits against their slow twins, and what they do not depend on ----------------------------


ROOM = 4096
LONGEST = 7
_MIDDLE = 5

Example = tuple[Position, tuple[Move, ...]]


@cache
def candidate_positions() -> tuple[Position, ...]:
    """Positions of all sorts, the attacker to move."""
    found = [*starts(60, "traits"), *attacks(40, "traits"), *crowded(40, "traits")]
    return (*found, *(unpack(candidate.packed) for length in (1, 3) for candidate in grown(length)))


@cache
def examples() -> tuple[Example, ...]:
    """Positions with legal lines of one ply or more; only those of grown positions are solutions."""
    rng = random.Random(3)
    drawn = [(position, _random_line(position, rng)) for position in candidate_positions()]
    solved = [
        (unpack(candidate.packed), tuple(map(unpack_move, candidate.line)))
        for length in (1, 3, 5)
        for candidate in grown(length)
    ]
    return (*(example for example in drawn if example[1]), *solved)


def _random_line(position: Position, rng: random.Random) -> tuple[Move, ...]:
    """Legal checks and answers that end with a check; none if there is no check."""
    line: list[Move] = []
    while len(line) < LONGEST:
        by_attacker = position.side_to_move is Side.ATTACKER
        legal = checks(position) if by_attacker else evasions(position)
        if not legal:
            break
        line.append(rng.choice(legal))
        position = position_after(position, line[-1])
    return tuple(line if len(line) % 2 else line[:-1])


def position_traits(position: Position, first: int = 0) -> Counter[int]:
    out = np.full(ROOM, -1, dtype=np.int64)
    end = traits.position_traits(pack(position), out, first)
    return Counter(out[first:end].tolist())


def line_traits(position: Position, line: tuple[Move, ...], first: int = 0) -> Counter[int]:
    out, captured = np.full(ROOM, -1, dtype=np.int64), np.zeros(LONGEST, dtype=np.int64)
    moves = np.array([pack_move(move) for move in line], dtype=np.int64)
    end = traits.line_traits(pack(position), moves, len(line), captured, out, first)
    return Counter(out[first:end].tolist())


def difference(found: Counter[int], expected: Counter[int]) -> tuple[dict[int, int], dict[int, int]]:
    """What is too much and what is missing."""
    return dict(found - expected), dict(expected - found)


def seeds() -> dict[int, str]:
    """The number at which each sort of trait begins, in order."""
    names = [name for name in vars(traits) if name.isupper() and not name.startswith("_")]
    others = {"TRAITS", "REACH", "PLACES", "COUNTS", "ATT", "DEF", "PAWN", "BISHOP", "ROOK", "PROMOTES"}
    found = {getattr(traits, name): name for name in names if isinstance(getattr(traits, name), int)}
    return {first: name for first, name in sorted(found.items()) if name not in others}


def sorts(found: Counter[int]) -> Iterator[str]:
    """The sorts of some traits."""
    firsts = seeds()
    for trait in found:
        yield firsts[max(first for first in firsts if first <= trait)]


def test_the_traits_of_positions_are_those_of_the_slow_twin() -> None:
    for position in candidate_positions():
        found = position_traits(position)
        assert difference(found, twins.position_traits(position)) == ({}, {}), format_sfen(position)


def test_the_traits_of_lines_are_those_of_the_slow_twin() -> None:
    for position, line in examples():
        found = line_traits(position, line)
        said = f"{format_sfen(position)} moves {' '.join(move.usi for move in line)}"
        assert difference(found, twins.line_traits(position, line)) == ({}, {}), said
    assert {len(line) for _, line in examples()} == {1, 3, 5, 7}


def test_the_examples_show_all_sorts_of_checks_and_answers() -> None:
    """Else the comparison with the twins says little."""
    found = sum((line_traits(*example) for example in examples()), Counter[int]())
    answers = {trait - traits.ANSWERS for trait in found if 0 <= trait - traits.ANSWERS < 16}
    assert {answer % 8 for answer in answers} == set(range(7))
    flags = {(trait - traits.FLAGS) % 8 for trait in found if 0 <= trait - traits.FLAGS < 24}
    assert flags >= {0, 1, 2, 3, 4, 6}


def test_all_traits_have_numbers_of_their_own() -> None:
    found = Counter[int]()
    for position, line in examples():
        of_position, of_line = position_traits(position), line_traits(position, line)
        assert not set(sorts(of_position)) & set(sorts(of_line))
        found += of_position + of_line
    assert min(found) >= 0
    assert max(found) < TRAITS
    assert set(sorts(found)) == set(seeds().values())


def test_a_list_may_be_continued() -> None:
    for position, line in examples()[::5]:
        assert position_traits(position, 17) == position_traits(position)
        assert line_traits(position, line, 17) == line_traits(position, line)


def test_mirror_images_have_the_same_traits() -> None:
    """With the king on the middle file neither image is preferred; what single pieces add may differ."""
    for position, line in examples():
        king = position.king(Side.DEFENDER)
        assert king is not None
        one, other = position_traits(position), position_traits(position.mirrored)
        if file_of(king) == _MIDDLE:
            one, other = (Counter({t: each[t] for t in each if t >= traits.HANDS}) for each in (one, other))
        said = f"{format_sfen(position)} moves {' '.join(move.usi for move in line)}"
        assert one == other, said
        mirrored = tuple(move.mirrored for move in line)
        assert line_traits(position, line) == line_traits(position.mirrored, mirrored), said


def test_positions_are_left_unchanged() -> None:
    out, captured = np.zeros(ROOM, dtype=np.int64), np.zeros(LONGEST, dtype=np.int64)
    for position, line in examples():
        packed = pack(position)
        before = in_bytes(packed)
        moves = np.array([pack_move(move) for move in line], dtype=np.int64)
        traits.position_traits(packed, out, 0)
        traits.line_traits(packed, moves, len(line), captured, out, 0)
        assert in_bytes(packed) == before
        assert in_bytes(pack(unpack(packed))) == before


def test_king_steps_between_cells() -> None:
    rng = random.Random(1)
    for one, other in ((rng.randrange(81), rng.randrange(81)) for _ in range(200)):
        assert traits.king_steps_between(int(CELL[one]), int(CELL[other])) == twins.steps(one, other)
