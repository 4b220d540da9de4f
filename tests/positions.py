# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded random positions for tests: small, structurally legal, rich in odd cases.

Everything is drawn from the ``random.Random`` that is passed in. Whether a king
stands in check is asked of `tests.naive`.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from tests import naive
from tsume_rules.kernel import move_generation as attack
from tsume_rules.kernel import move_generation as defence
from tsume_rules.kernel import retract
from tsume_rules.kernel.move_generation import MAX_MOVES
from tsume_rules.kernel.state import undo
from tsume_rules.moves import Move
from tsume_rules.packed import PackedPosition, pack, unpack, unpack_move
from tsume_rules.position import (
    HAND_KINDS,
    SET_COUNT,
    SQUARES,
    Hand,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    file_of,
    is_dead,
    rank_of,
    square,
    structural_faults,
)
from tsume_rules.sfen import format_sfen, parse_sfen

_LINES = [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if df or dr]
_SLIDERS = (Kind.ROOK, Kind.BISHOP, Kind.LANCE)


def random_position(rng: random.Random, with_attacker_king: bool) -> Position:
    """Pieces of both sides scattered anywhere; attacker to move, defender's king not in check."""
    return _first(lambda: _scattered(rng, with_attacker_king), _may_start)


def random_attack(rng: random.Random, with_attacker_king: bool = False) -> Position:
    """A position like a tsume problem; attacker to move, defender's king not in check.

    The king is near an edge, one to six attackers and up to four defenders are near
    it, the hand is small and sometimes large, and some pieces are pinned. An
    attacker's king may stand in check.
    """
    return _first(lambda: _attack(rng, with_attacker_king).position(rng), _may_start)


def crowded_position(rng: random.Random, with_attacker_king: bool = False) -> Position:
    """Many pieces around the defender's king; attacker to move, defender's king not in check.

    Long lines, batteries, pins and discovered checks are common, and so are mates in one.
    """
    return _first(lambda: _crowded(rng, with_attacker_king).position(rng), _may_start)


def promotable_position(rng: random.Random, with_attacker_king: bool = False) -> Position:
    """Attacker's pawns, bishops and rooks that can promote near the king, and pawns in hand."""
    return _first(lambda: _promotable(rng, with_attacker_king), _may_start)


def random_checked_position(rng: random.Random, with_attacker_king: bool) -> Position:
    """Defender to move and in check by one piece or two; the attacker's king is not attacked.

    A third each: a single check that may be interposed, one that may not, a double check.
    """
    number, from_afar = rng.choice(((1, True), (1, False), (2, False)))
    return _first(
        lambda: _checked(rng, with_attacker_king, number), lambda position: _is_checked(position, number, from_afar)
    )


def _first(draw: Callable[[], Position], accept: Callable[[Position], bool]) -> Position:
    while True:
        position = draw()
        if not structural_faults(position) and accept(position):
            return position


def _may_start(position: Position) -> bool:
    return not naive.is_check(naive.board_of(format_sfen(position)))


def _is_checked(position: Position, number: int, from_afar: bool) -> bool:
    board = naive.board_of(format_sfen(position))
    return (
        len(naive.checkers(board)) == number
        and bool(naive.interposition_squares(board)) == from_afar
        and not naive.attackers_king_attacked(board)
    )


def _full_set() -> list[Kind]:
    return [kind for kind in HAND_KINDS for _ in range(SET_COUNT[kind])]


@dataclass
class _Setup:
    """A board being filled from one set of pieces."""

    king: Square
    board: list[Piece | None] = field(default_factory=lambda: [None] * SQUARES)
    left: list[Kind] = field(default_factory=_full_set)

    def __post_init__(self) -> None:
        self.board[self.king] = Piece(Side.DEFENDER, Kind.KING)

    def put(
        self,
        rng: random.Random,
        side: Side,
        squares: Iterable[Square],
        kinds: Iterable[Kind] = HAND_KINDS,
        *,
        promoted: float = 0.3,
    ) -> None:
        """Put a random piece of some kinds on one of the squares that is empty, if any can go there."""
        wanted = set(kinds)
        there = [sq for sq in squares if self.board[sq] is None]
        kinds_left = [kind for kind in self.left if kind in wanted]
        if not there or not kinds_left:
            return
        kind, sq = _evenly(rng, kinds_left), rng.choice(there)
        self.left.remove(kind)
        self.board[sq] = Piece(side, kind.promoted if rng.random() < promoted else kind)

    def promote_faults(self) -> None:
        """Promote the pieces that must not stand where they do unpromoted."""
        pawns: set[tuple[Side, int]] = set()
        for sq, piece in enumerate(self.board):
            if piece is None:
                continue
            doubled = piece.kind is Kind.PAWN and (piece.side, file_of(sq)) in pawns
            if doubled or is_dead(piece, sq):
                self.board[sq] = Piece(piece.side, piece.kind.promoted)
            elif piece.kind is Kind.PAWN:
                pawns.add((piece.side, file_of(sq)))

    def put_attacker_king(self, rng: random.Random, squares: Iterable[Square]) -> None:
        """Put the attacker's king on one of the squares that is empty and not next to the other king."""
        far = [sq for sq in squares if self.board[sq] is None and _distance(sq, self.king) > 1]
        if far:
            self.board[rng.choice(far)] = Piece(Side.ATTACKER, Kind.KING)

    def position(self, rng: random.Random, turn: Side = Side.ATTACKER) -> Position:
        """The position, with a hand for the attacker drawn from what is left."""
        size = rng.choice((0, 0, 0, 1, 1, 1, 2, 2, 3, rng.randint(4, 10)))
        counts = dict.fromkeys(HAND_KINDS, 0)
        for _ in range(min(size, len(self.left))):
            kind = _evenly(rng, self.left)
            self.left.remove(kind)
            counts[kind] += 1
        return Position.completed(tuple(self.board), Hand.of(counts), turn)


def _scattered(rng: random.Random, with_attacker_king: bool) -> Position:
    setup = _Setup(rng.randrange(SQUARES))
    for _ in range(rng.randint(2, 16)):
        setup.put(rng, rng.choice(list(Side)), range(SQUARES))
    if with_attacker_king:
        setup.put_attacker_king(rng, range(SQUARES))
    return setup.position(rng)


def _attack(rng: random.Random, with_attacker_king: bool) -> _Setup:
    king = square(rng.choice((1, 1, 2, 3, 5, 7, 8, 9, 9)), rng.choice((1, 1, 1, 2, 2, 3, 4, 9)))
    setup = _Setup(king)
    if with_attacker_king:
        setup.put_attacker_king(rng, _around(king, rng.choice((3, 9))))
    if rng.random() < 0.3:
        _pin(rng, setup, king, Side.DEFENDER)
    attackers_king = next((sq for sq, p in enumerate(setup.board) if p == (Side.ATTACKER, Kind.KING)), None)
    if attackers_king is not None and rng.random() < 0.5:
        _pin(rng, setup, attackers_king, Side.ATTACKER)
    for _ in range(rng.choice((1, 2, 2, 3, 3, 3, 4, 5, 6))):
        setup.put(rng, Side.ATTACKER, _around(king, rng.choice((2, 3, 3, 9))))
    for _ in range(rng.randint(0, 4)):
        setup.put(rng, Side.DEFENDER, _around(king, rng.choice((1, 1, 2, 9))))
    return setup


def _crowded(rng: random.Random, with_attacker_king: bool) -> _Setup:
    setup = _Setup(square(rng.choice((1, 1, 2, 4, 5, 9, 9)), rng.choice((1, 1, 2, 3, 5, 9))))
    centres = [setup.king]
    if with_attacker_king:
        setup.put_attacker_king(rng, _around(setup.king, rng.choice((2, 3, 9))))
        centres += [sq for sq, piece in enumerate(setup.board) if piece == (Side.ATTACKER, Kind.KING)]
    share = rng.uniform(0.35, 0.75)
    for _ in range(rng.randint(8, 34)):
        side = Side.ATTACKER if rng.random() < share else Side.DEFENDER
        centre = rng.choice((setup.king, *centres))
        squares = rng.choice((_around(centre, 2), rng.choice(_rays(centre)), _around(centre, 9)))
        kinds = rng.choice((HAND_KINDS, HAND_KINDS, _SLIDERS))
        setup.put(rng, side, squares, kinds)
        setup.promote_faults()
    return setup


def _promotable(rng: random.Random, with_attacker_king: bool) -> Position:
    king = square(rng.choice((1, 1, 2, 3, 5, 8, 9)), rng.choice((1, 1, 2, 2, 3, 4)))
    setup = _Setup(king)
    if with_attacker_king:
        setup.put_attacker_king(rng, _around(king, 4))
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice((Kind.PAWN, Kind.BISHOP, Kind.BISHOP, Kind.ROOK, Kind.ROOK))
        setup.put(rng, Side.ATTACKER, rng.choice((_around(king, 3), _around(king, 9))), (kind,), promoted=0.0)
    for _ in range(rng.randint(0, 3)):
        setup.put(rng, Side.ATTACKER, _around(king, 2))
    for _ in range(rng.randint(0, 5)):
        setup.put(rng, Side.DEFENDER, _around(king, rng.choice((1, 1, 2))))
    setup.promote_faults()
    position = setup.position(rng)
    return position.with_attacker_hand(position.attacker_hand.plus(Kind.PAWN))


def _checked(rng: random.Random, with_attacker_king: bool, number: int) -> Position:
    setup = _attack(rng, with_attacker_king)
    for _ in range(number):
        if rng.random() < 0.7:
            setup.put(rng, Side.ATTACKER, rng.choice(_rays(setup.king)), _SLIDERS)
        else:
            setup.put(rng, Side.ATTACKER, _around(setup.king, 2))
    return setup.position(rng, Side.DEFENDER)


def _pin(rng: random.Random, setup: _Setup, king: Square, side: Side) -> None:
    """Put a side's piece in front of its king, and behind it on the line an enemy slider."""
    ray = rng.choice(_rays(king))
    near = rng.randrange(len(ray))
    setup.put(rng, side, [ray[near]])
    setup.put(rng, side.other, ray[near + 1 :], _SLIDERS)


def _evenly(rng: random.Random, pieces: list[Kind]) -> Kind:
    """One of the kinds, each equally likely, however many pieces there are of it."""
    return rng.choice(sorted(set(pieces)))


@cache
def _around(centre: Square, reach: int) -> tuple[Square, ...]:
    return tuple(sq for sq in range(SQUARES) if sq != centre and _distance(sq, centre) <= reach)


@cache
def _rays(start: Square) -> list[list[Square]]:
    """The squares in each of the eight directions, nearest first; no empty rays."""
    rays = [
        [
            square(file_of(start) + i * df, rank_of(start) + i * dr)
            for i in range(1, 9)
            if 1 <= file_of(start) + i * df <= 9 and 1 <= rank_of(start) + i * dr <= 9
        ]
        for df, dr in _LINES
    ]
    return [ray for ray in rays if ray]


def _distance(one: Square, other: Square) -> int:
    return max(abs(file_of(one) - file_of(other)), abs(rank_of(one) - rank_of(other)))


# --- What tests ask of packed positions ---------------------------------------------------------


def position_of(sfen: str) -> Position:
    return parse_sfen(sfen).position


def record_of(sfen: str) -> PackedPosition:
    return pack(position_of(sfen))


def in_bytes(packed: PackedPosition) -> bytes:
    """All of ``packed`` (board, hands, kings, keys, effects) except padding, which a copy may leave out."""
    return b"".join(np.asarray(packed[name]).tobytes() for name in packed.dtype.names)


def assert_sane(packed: PackedPosition) -> None:
    """A legal placement without an attacker's king, of one set of pieces, and all its tables fit it."""
    position = unpack(packed)
    said = format_sfen(position)
    assert structural_faults(position) == [], said
    assert position.king(Side.ATTACKER) is None, said
    assert Position.completed(position.board, position.attacker_hand) == position, said
    assert in_bytes(packed) == in_bytes(pack(position)), said


def assert_in_step(packed: PackedPosition) -> None:
    """Every field of ``packed`` is what its board and its hands give: nothing derived was left behind."""
    position = unpack(packed)
    fresh = pack(position)
    for name in packed.dtype.names:
        assert np.array_equal(np.asarray(packed[name]), np.asarray(fresh[name])), (name, format_sfen(position))


# --- The kernels' lists of moves and of moves taken back, in readable types ---------------------


@dataclass(frozen=True)
class UnMove:
    """A move taken back: ``before`` is the position in which ``move`` was played."""

    move: Move
    before: Position


def checks(position: Position) -> list[Move]:
    """All legal checks of the attacker, who is to move."""
    return _moves(position, attack.checks)


def evasions(position: Position) -> list[Move]:
    """All legal answers of the defender, who is to move and in check."""
    return _moves(position, defence.evasions)


def un_evasions(position: Position, *, captures: bool = True) -> list[UnMove]:
    """The answers to a check that may have led here (the attacker to move, no check on the defender)."""
    return _retracted(position, Side.DEFENDER, retract.un_evasions, captures)


def un_checks(position: Position, *, captures: bool = True) -> list[UnMove]:
    """The checks that may have led here (the defender to move and in check)."""
    return _retracted(position, Side.ATTACKER, retract.un_checks, captures)


def _moves(position: Position, list_moves: Callable[..., int]) -> list[Move]:
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return [unpack_move(code) for code in out[: list_moves(pack(position), out, 0)].tolist()]


def _retracted(position: Position, side: Side, list_unmoves: Callable[..., int], captures: bool) -> list[UnMove]:
    out = np.empty(retract.MAX_UNMOVES, dtype=np.int64)
    number = list_unmoves(pack(position), out, captures)
    found = []
    for code in out[:number].tolist():
        packed = pack(position)
        move = retract.move_of(code)
        undo(packed, move, int(side), retract.captured_of(code))
        found.append(UnMove(unpack_move(move), unpack(packed, side)))
    return found
