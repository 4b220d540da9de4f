# SPDX-License-Identifier: GPL-3.0-or-later
"""Hard constraints on every position of a walk, as readable values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from generator.constraints.line_pattern import MovePattern, king_steps, parse_line_pattern
from generator.constraints.options import ComposingOptions
from generator.constraints.problem import (
    KingRegion,
    ProblemConstraints,
    has_promoted,
    parse_area,
    parse_hand,
    parse_kinds,
    parse_mate_squares,
    stands_in,
)
from generator.kernel.positions import KINDS, POSITION_CONSTRAINTS
from generator.replay import replay_line
from generator.theme_names import limits_of_themes
from generator.themes.predicates import draws
from generator.themes.table import shows_details
from solver.engines.dfpn.kernel.sound import STACK
from solver.engines.kernel.mate import NARROW, is_mated
from tsume_rules.kernel.tables import CELL, OURS
from tsume_rules.moves import Move, position_after, position_after_all
from tsume_rules.packed import PackedPosition, is_in_check, legal_checks, legal_evasions, pack, unpack_move
from tsume_rules.position import (
    ALL_PIECES,
    HAND_KINDS,
    LETTERS_IN_HAND,
    SQUARES,
    Hand,
    IllegalPosition,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    mirrored,
    rank_of,
)
from tsume_rules.sfen import parse_sfen


@dataclass(frozen=True)
class PositionConstraints:
    """Hard constraints on a position; the defaults allow any.

    The attacker's ``hand`` is exactly this, and has at least ``min_hand`` and only ``hand_kinds``; ``kinds`` has a bit
    for each unpromoted kind that may be on the board or in that hand; at most ``pieces`` are there, and ``attackers``
    and ``defenders`` beside the kings on the board. The defender's king stands on one of ``king_squares``. ``kept``
    says what stands on some squares; with ``own_king`` the attacker's king is on the board.
    """

    hand: Hand | None = None
    min_hand: Hand = field(default_factory=Hand)
    hand_kinds: frozenset[Kind] = field(default_factory=lambda: frozenset(HAND_KINDS))
    kinds: int = KINDS
    promoted: bool = True
    pieces: int = ALL_PIECES
    king_squares: frozenset[Square] = field(default_factory=lambda: frozenset(range(SQUARES)))
    attackers: int = ALL_PIECES
    defenders: int = ALL_PIECES
    own_king: bool = False
    kept: Mapping[Square, Piece | None] = field(default_factory=dict)

    def packed(self) -> PackedPosition:
        """Return the same as a packed position for the kernels (`generator.kernel.positions`)."""
        packed = np.zeros(1, dtype=POSITION_CONSTRAINTS).view(np.recarray)[0]
        packed.asks = self != PositionConstraints()
        for kind in HAND_KINDS:
            packed.hand[kind] = -1 if self.hand is None else self.hand[kind]
            packed.hand_bounds[0, kind] = self.min_hand[kind]
            packed.hand_bounds[1, kind] = ALL_PIECES if kind in self.hand_kinds else 0
        packed.kinds = self.kinds
        packed.promoted = self.promoted
        packed.pieces = self.pieces
        for square in range(SQUARES):
            packed.king_may_stand[CELL[square]] = square in self.king_squares
        packed.most[:] = self.attackers, self.defenders
        packed.own_king = self.own_king
        packed.kept[:] = -1
        for square, piece in self.kept.items():
            packed.kept[CELL[square]] = 0 if piece is None else piece.kind + OURS * piece.side
        return packed


def position_constraints(options: ComposingOptions, index: int = 0) -> PositionConstraints:
    """Return the constraints on every position of a root's walk.

    If problems of one kind of piece are required, the roots take the kinds in turn. The hand of a given
    position is kept if it is not empty, unless another one is required.
    """
    constraints, of_themes = options.wishes, limits_of_themes(options.wishes.themes)
    given = parse_sfen(options.around).position if options.around else None
    hand = None if given is None else given.attacker_hand or None
    kinds = allowed_kind_bits(constraints)
    outside = frozenset(range(SQUARES)) - parse_area(constraints.area or "9x9")
    most_defenders = [] if constraints.max_defenders is None else [constraints.max_defenders]
    if any(limits.one_kind for limits in of_themes):
        in_turn = sorted(constraints.kinds)
        kinds = 1 << in_turn[index % len(in_turn)]
    return PositionConstraints(
        hand=hand if constraints.hand is None else parse_hand(constraints.hand),
        min_hand=hand_for_line(constraints, options.length),
        hand_kinds=parse_kinds(LETTERS_IN_HAND if constraints.hand_only is None else constraints.hand_only),
        kinds=kinds,
        promoted=not constraints.no_promoted,
        pieces=fewest_pieces_allowed(constraints),
        attackers=min((limits.attackers for limits in of_themes), default=ALL_PIECES),
        defenders=min((*most_defenders, *(limits.defenders for limits in of_themes)), default=ALL_PIECES),
        own_king=any(limits.own_king for limits in of_themes),
        king_squares=king_squares(constraints, options.length),
        kept={
            **dict.fromkeys(outside),
            **pieces_for_line(constraints, options.length),
            **({} if given is None else {square: given.board[square] for square in options.fixed}),
        },
    )


def king_squares(constraints: ProblemConstraints, length: int) -> frozenset[Square]:
    """Return where the defender's king may stand at the start of a problem; it makes at most one step in an answer."""
    squares = frozenset(range(SQUARES)) if constraints.region is None else KingRegion(constraints.region).squares
    if constraints.area is not None:
        squares &= parse_area(constraints.area)
    near = []
    if constraints.mate_on is not None:
        near.append((parse_mate_squares(constraints.mate_on), length // 2))
    for side, answers, move in _sole_moves(constraints, length):
        steps = 0 if side is Side.DEFENDER and move.kind is Kind.KING else None
        if move.drops and move.kind is not None:
            steps = _REACHES.get(move.kind)
        if move.target is not None and steps is not None:
            near.append((frozenset({move.target}), answers + steps))
    return frozenset(sq for sq in squares if all(min(king_steps(sq, one) for one in some) <= n for some, n in near))


_REACHES = {Kind.PAWN: 1, Kind.KNIGHT: 2, Kind.SILVER: 1, Kind.GOLD: 1}
"""King's steps within which a dropped piece gives check."""


def _sole_moves(constraints: ProblemConstraints, length: int) -> Iterator[tuple[Side, int, MovePattern]]:
    """Yield the moves that are asked for, of the line and the last one."""
    for pattern in (constraints.line, None if constraints.last is None else f"... {constraints.last}"):
        if pattern is not None:
            yield from parse_line_pattern(pattern).sole_moves(length)


def hand_for_line(constraints: ProblemConstraints, length: int) -> Hand:
    """Return the least hand with which a search for constraints on the line begins: what is dropped comes from it."""
    least = parse_hand(constraints.min_hand or "-")
    moves = [move for side, _, move in _sole_moves(constraints, length) if side is Side.ATTACKER]
    dropped = Counter(move.kind for move in moves if move.drops and move.kind is not None)
    if constraints.hand is not None or any(move.captures for move in moves):
        return least
    return Hand.of({kind: max(least[kind], dropped[kind]) for kind in HAND_KINDS})


def pieces_for_line(constraints: ProblemConstraints, length: int) -> dict[Square, Piece | None]:
    """Return what stands on some squares where a search for constraints on the line begins: pieces that move from there
    later, and nothing where one is dropped at once."""
    found: dict[Square, Piece | None] = {}
    reached: set[Square | None] = set()
    for side, answers, move in _sole_moves(constraints, length):
        origin = move.origin
        if origin is None and move.kind is Kind.PAWN and not move.drops and move.target is not None:
            step = 1 if side is Side.ATTACKER else -1
            origin = move.target + step if 1 <= rank_of(move.target) + step <= 9 else None
        if origin is not None and move.kind not in (None, Kind.KING) and origin not in reached:
            found.setdefault(origin, Piece(side, move.kind))
        if answers == 0 and move.drops and move.target is not None:
            found.setdefault(move.target, None)
        reached.add(move.target)
    return found


def fewest_pieces_allowed(constraints: ProblemConstraints) -> int:
    """Return the number of pieces that must not be exceeded."""
    few = [limits.pieces for limits in limits_of_themes(constraints.themes)]
    return min(few if constraints.max_pieces is None else [*few, constraints.max_pieces], default=ALL_PIECES)


def allowed_kind_bits(constraints: ProblemConstraints) -> int:
    """Return a bit for each kind that may occur."""
    kinds = constraints.kinds
    for limits in limits_of_themes(constraints.themes):
        kinds = kinds & parse_kinds(limits.kinds) if limits.kinds else kinds
    return sum(1 << kind for kind in kinds)


# --- given final positions -------------------------------------------------------------------------

_OTHER = {"b": "w", "w": "b"}
"""The other side, as SFEN names sides."""


class GivenError(ValueError):
    """A position from which nothing can be composed; the text says why."""


def parse_final_position(sfen: str) -> Position:
    """Return the final position of an SFEN whose side to move is mated, the attacker as Black.

    Raises ``ValueError`` if ``sfen`` is no SFEN, `GivenError` if it is not mate (the text names an answer,
    in USI as ``sfen`` is given), or with pieces in the attacker's hand: a problem uses them up.
    """
    fields = sfen.split()
    turn = 2 if fields[:1] == ["sfen"] else 1
    fields[turn : turn + 1] = [_OTHER.get(side, side) for side in fields[turn : turn + 1]]
    parsed = parse_sfen(" ".join(fields))
    position = parsed.position
    if position.attacker_hand:
        raise GivenError("pieces are left in the attacker's hand")
    if not is_mate(position):
        answer = escape_from_check(position)
        why = "it is not in check" if answer is None else f"{parsed.outward(answer).usi} answers the check"
        raise GivenError(f"the side to move is not mated: {why}")
    return position


def escape_from_check(position: Position) -> Move | None:
    """The defender's answer to a check that is no mate, a move on the board if there is one; else None."""
    if is_mate(position) or not is_in_check(position, Side.DEFENDER):
        return None
    turned = replace(position, side_to_move=Side.DEFENDER)
    moves = [unpack_move(code) for code in legal_evasions(pack(position))]
    for move in moves:
        if not move.drop:
            return move
        # A drop is futile if some check that takes the piece is mate.
        after = position_after(turned, move)
        checks = (check for check in map(unpack_move, legal_checks(pack(after))) if check.target == move.target)
        if not any(is_mate(position_after(after, check)) for check in checks):
            return move
    return moves[0]


def is_mate(position: Position) -> bool:
    """Return whether the defender is in check and has no answer but futile interpositions."""
    packed = pack(position)
    stack = np.zeros(STACK, dtype=np.int64)
    return is_in_check(position, Side.DEFENDER) and bool(is_mated(packed, NARROW, stack, 0))


# --- given pieces and pictures: whether a problem can have them, and has them ----------------------


def shows_as_required(constraints: ProblemConstraints, position: Position, line: tuple[Move, ...]) -> bool:
    """Whether a line shows themes with the pieces required, and its final position draws the picture."""
    picture = constraints.picture
    if not constraints.theme_details and picture is None:
        return True
    replayed = replay_line(position, line)
    return shows_details(replayed, constraints.theme_details) and (picture is None or draws(replayed, picture))


def has_given_pieces(options: ComposingOptions, position: Position, line: tuple[Move, ...]) -> bool:
    """Return whether a problem, or its mirror image, has what the options give; true if they give nothing."""
    if options.around:
        return _has_pieces_on(position, parse_sfen(options.around).position, options.fixed)
    if options.final:
        final = parse_final_position(options.final)
        occupied = [square for square, piece in enumerate(final.board) if piece is not None]
        end = position_after_all(position, line)
        return _has_pieces_on(end, final, range(SQUARES) if options.exact else occupied)
    return True


def fault_of_given_start(given: Position, fixed: Iterable[Square], constraints: ProblemConstraints) -> str | None:
    """Return why no problem can have the pieces on the ``fixed`` squares; None if no reason is obvious."""
    squares = frozenset(fixed)
    board = tuple(piece if square in squares else None for square, piece in enumerate(given.board))
    hand = given.attacker_hand if constraints.hand is None else parse_hand(constraints.hand)
    try:
        kept = Position.completed(board, hand)
    except IllegalPosition as error:
        return f"with the hand {constraints.hand}: {error}"
    king = kept.king(Side.DEFENDER)
    # The king stays in check even with a piece on every square that is not kept.
    other = Piece(Side.DEFENDER, Kind.PAWN)
    filled = tuple(piece if square in squares else other for square, piece in enumerate(kept.board))
    if king is not None and is_in_check(replace(kept, board=filled), Side.DEFENDER):
        return "the defender's king is in check, and nothing can be interposed"
    if king is not None and constraints.region is not None and not KingRegion(constraints.region).contains_king(king):
        return f"the defender's king is not in the region {constraints.region}"
    if constraints.area is not None and not stands_in(parse_area(constraints.area), kept):
        return f"it keeps a piece outside the area {constraints.area}"
    if not constraints.allow_kinds(kept):
        return "it keeps a kind of piece that the conditions exclude"
    if constraints.no_promoted and has_promoted(kept):
        return "it keeps a promoted piece"
    number = kept.piece_count() + (king is None)
    if constraints.max_pieces is not None and number > constraints.max_pieces:
        return f"it keeps {number} pieces including the king, more than {constraints.max_pieces}"
    return None


def _has_pieces_on(position: Position, given: Position, squares: Iterable[Square]) -> bool:
    wanted = [(square, given.board[square]) for square in squares]
    images = wanted, [(mirrored(square), piece) for square, piece in wanted]
    return any(all(position.board[square] == piece for square, piece in image) for image in images)
