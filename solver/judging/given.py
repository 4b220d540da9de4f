# SPDX-License-Identifier: GPL-3.0-or-later
"""The composer's line (作意): by which reading it is best, or where it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from solver.engines.base import MateEngine
from solver.judging.cooks import (
    Cook,
    CookKind,
    cook_kind,
    decision_points,
    leaves_same_position,
    refute_with_growing_nodes,
    refute_within,
)
from solver.judging.readings import BEYOND, NODES, PURIST_CALLS, PuristReading, is_in_grey_zone
from solver.results import GivenLine, Interposition, Limits
from solver.solving.tree import TreeBuilder, Turn, deeper_recursion
from tsume_rules.kernel.state import packed_hand
from tsume_rules.kernel.tables import ATT
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    first_illegal,
    legal_checks,
    legal_evasions,
    line_played,
    pack,
    played,
    start_faults,
    unpack_move,
)
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position, Side, square_name


def examine_given(engine: MateEngine, packed: PackedPosition, length: int, moves: Moves) -> GivenLine:
    """Evaluate a given line in a position that mates in exactly ``length`` plies. Raises `LimitReached`."""
    told, plies, illegal = tuple(map(unpack_move, moves)), len(moves), first_illegal(packed, moves)
    if illegal is None and plies % 2:
        # The first reading by which the whole line is best.
        if _first_error(engine, packed, moves, plies) is None:
            return GivenLine(told, "narrow")
        if _is_best_purist(PuristReading(engine), packed, moves, plies):
            return GivenLine(told, "purist")
        with engine.reading(Interposition.WIDE):
            if _first_error(engine, packed, moves, plies) is None:
                return GivenLine(told, "wide")
        if length == plies + 2 and _only_leftovers_last_longer(engine, packed, moves):
            return GivenLine(told, "longer")
    at = _first_error(engine, packed, moves[:illegal], length)
    if illegal is None:
        if at is None:
            rest = _continued(engine, packed, length, moves)
            return GivenLine(told, better=rest, beginning_of=length)
        full = engine.answered_within(NODES, partial(_begins_another, engine, packed, length, moves))
        if full:
            return GivenLine(told, beginning_of=full)
    wrong_at = illegal or 0 if at is None else at
    return GivenLine(told, None, wrong_at, _continued(engine, packed, length, moves[:wrong_at]))


def given_without_mate(packed: PackedPosition, moves: Moves) -> GivenLine:
    """Return a line given in a position without a mate; its first move that is no legal check or answer is named."""
    return GivenLine(tuple(map(unpack_move, moves)), wrong_at=first_illegal(packed, moves))


def with_main_line(given: GivenLine, main: tuple[Move, ...], length: int) -> GivenLine:
    """Return the evaluation of a line that breaks off, with the main line as its continuation if it begins that."""
    stop = len(given.moves)
    if given.reading or stop >= len(main) or main[:stop] != given.moves:
        return given
    return GivenLine(given.moves, better=main[stop:], beginning_of=given.beginning_of or length)


def _begins_another(engine: MateEngine, packed: PackedPosition, length: int, moves: Moves) -> int | None:
    """Return the length by the purist or the wide reading, if the moves begin a best line by that reading alone."""
    purist = PuristReading(engine)
    with deeper_recursion(PURIST_CALLS * length):
        n = next((n for n in range(length, length + BEYOND + 1, 2) if purist.mates(packed, n)), 0)
        if len(moves) < n and _is_best_purist(purist, packed, moves, n):
            return n
    with engine.reading(Interposition.WIDE):
        n = next(n for n in range(1, length + 1, 2) if n == length or engine.mates(packed, n))
        return n if len(moves) < n and _first_error(engine, packed, moves, n) is None else None


def _first_error(engine: MateEngine, packed: PackedPosition, moves: Moves, length: int) -> int | None:
    """Return the index of the first move that is not best by the current reading; None if all are. The
    position mates in ``length`` plies, if the moves are best."""
    for ply, move in enumerate(moves):
        n = length - ply
        with line_played(packed, moves[:ply]):
            if ply % 2:
                good = n > 0 and move in engine.longest_defences(packed, n)
            else:
                good = engine.mates_after(packed, move, n) and not (n > 1 and engine.mates(packed, n - 2))
        if not good:
            return ply
    return None


def _is_best_purist(purist: PuristReading, packed: PackedPosition, moves: Moves, length: int) -> bool:
    for ply, move in enumerate(moves):
        n = length - ply
        with line_played(packed, moves[:ply]):
            if ply % 2 == 0:
                if purist.mates(packed, n - 2) or not purist.mates_after(packed, move, n):
                    return False
                continue
            with played(packed, move, Side.DEFENDER):
                if purist.mates(packed, n - 3) or not purist.mates(packed, n - 1):
                    return False
    return True


def _only_leftovers_last_longer(engine: MateEngine, packed: PackedPosition, moves: Moves) -> bool:
    """Return whether a line is best when defences two plies longer that leave pieces do not count (変長)."""
    with line_played(packed, moves):
        if packed_hand(packed) != 0:
            return False
    builder = TreeBuilder(engine, main_line=False)
    for ply, move in enumerate(moves):
        n = len(moves) - ply
        with line_played(packed, moves[:ply]):
            if ply % 2 == 0:
                if not engine.mates_after(packed, move, n + 2) or (n > 1 and engine.mates(packed, n - 2)):
                    return False
                if not _mates_but_for_leftovers(engine, builder, packed, move, n):
                    return False
            else:
                with played(packed, move, Side.DEFENDER):
                    if n > 2 and engine.mates(packed, n - 3):
                        return False
    return True


def _mates_but_for_leftovers(
    engine: MateEngine, builder: TreeBuilder, packed: PackedPosition, check: int, n: int
) -> bool:
    """Return whether a check mates within n plies, or within two more where that leaves pieces in hand."""
    return engine.mates_after(packed, check, n) or (n > 1 and builder.after(packed, check, n + 2).leftover)


def line_without_longer(engine: MateEngine, packed: PackedPosition, length: int) -> Moves:
    """Return a line two plies shorter, best when longer defences that leave pieces do not count (変長).

    Empty if there is none. Raises `LimitReached`.
    """
    line = _shorter_line(engine, TreeBuilder(engine, main_line=False), packed, length - 2)
    return line if line and _only_leftovers_last_longer(engine, packed, line) else ()


def _shorter_line(engine: MateEngine, builder: TreeBuilder, packed: PackedPosition, n: int) -> Moves:
    """Return a line of n plies that leaves nothing in hand, each check mating within two plies more."""
    if int(packed.hand[ATT].sum()) > (n + 1) // 2:
        return ()  # more pieces than moves are left
    for check in legal_checks(packed) if n > 0 else ():
        if not engine.mates_after(packed, check, n + 2):
            continue
        if not _mates_but_for_leftovers(engine, builder, packed, check, n):
            continue
        with played(packed, check, Side.ATTACKER):
            if n == 1 and packed_hand(packed) == 0:
                return (check,)
            for answer in legal_evasions(packed) if n > 1 else ():
                with played(packed, answer, Side.DEFENDER):
                    lasts = not (n > 4 and engine.mates(packed, n - 4)) and engine.mates(packed, n - 2)
                    rest = _shorter_line(engine, builder, packed, n - 2) if lasts else ()
                if rest:
                    return (check, answer, *rest)
    return ()


def _continued(engine: MateEngine, packed: PackedPosition, length: int, path: Moves) -> tuple[Move, ...]:
    """Return the best line after good moves; empty if there is no mate in the remaining plies."""
    ask: Callable[[PackedPosition, int], bool] = engine.is_mated if len(path) % 2 else engine.mates
    with line_played(packed, path):
        builder = TreeBuilder(engine, complete=False)
        first = len(path) % 2 ^ 1
        n = next((n for n in range(first, length + 1, 2) if ask(packed, n)), 0)
        if first and n:
            return tuple(map(unpack_move, builder.turn(packed, n).line()))
        replies = builder.replies(packed, n) if n else []
        return tuple(map(unpack_move, replies[0].line())) if replies else ()


# --- unnecessary pieces (不要駒): those without which the problem is the same -------------------------

MARGINS = (0, 2, 4, 8)
"""How far beyond the end to search for second solutions of a reduced problem, in plies."""
_NEAR = 2
"""So many of the margins are searched before other lengths."""


class RemovedPiece(NamedTuple):
    """A removed piece, from a square or (None) from the attacker's hand."""

    piece: Piece
    square: int | None

    @property
    def name(self) -> str:
        """Return the piece and its place, in English."""
        kind = self.piece.kind.name.lower().replace("_", " ")
        if self.square is None:
            return f"{kind} in hand"
        return f"{self.piece.side.name.lower()}'s {kind} on {square_name(self.square)}"


def each_piece_removed(position: Position) -> Iterator[tuple[RemovedPiece, Position]]:
    """Each piece that can be moved to the defender's hand, with the resulting position."""
    for sq, piece in enumerate(position.board):
        if piece is not None and piece.kind is not Kind.KING:
            yield RemovedPiece(piece, sq), position.with_piece(sq, None)
    for kind in HAND_KINDS:
        if position.attacker_hand[kind]:
            hand = position.attacker_hand.plus(kind, -1)
            yield RemovedPiece(Piece(Side.ATTACKER, kind), None), position.with_attacker_hand(hand)


def is_same_problem(
    engine: MateEngine,
    reduced: Position,
    line: Moves,
    margins: tuple[int, ...] = MARGINS,
    unbounded: Limits | None = None,
) -> bool:
    """Return whether a position is a correct problem (except for rule 7) with this line as a best line.

    Second solutions are searched for within the first two ``margins``, at any length within the
    ``unbounded`` limits, if given, and within the other margins. A detour is none. Raises `LimitReached`.
    """
    packed, length = pack(reduced), len(line)
    if not engine.keeps_line(packed, line) or start_faults(reduced):  # the first is true of nearly all
        return False
    if not engine.mates(packed, length) or (length > 1 and engine.mates(packed, length - 2)):
        return False
    root = TreeBuilder(engine, main_line=False).turn(packed, length)
    if root.leftover or not contains_line(root, line):
        return False
    points = decision_points(packed, root)
    cooks = chain(
        refute_within(engine, packed, points, margins[:_NEAR]),
        refute_with_growing_nodes(engine, packed, points, unbounded) if unbounded is not None else (),
        refute_within(engine, packed, points, margins[_NEAR:]),
    )
    return _second_solution(engine, packed, cooks) is None and not is_in_grey_zone(engine, packed, line)


def cook_at_any_length(engine: MateEngine, reduced: Position, line: Moves, limits: Limits) -> Cook | None:
    """Return a second solution of a position of which ``line`` is a best line, other than a detour, if found.

    Raises `LimitReached` only for outer limits.
    """
    packed = pack(reduced)
    root = TreeBuilder(engine, main_line=False).turn(packed, len(line))
    cooks = refute_with_growing_nodes(engine, packed, decision_points(packed, root), limits)
    return _second_solution(engine, packed, cooks)


def _second_solution(engine: MateEngine, packed: PackedPosition, cooks: Iterable[Cook]) -> Cook | None:
    """Return the first that is not only a detour or another form of the key that leaves the same position."""
    for cook in cooks:
        with line_played(packed, cook.path):
            same = leaves_same_position(engine, packed, cook)
        if not same and cook_kind(engine, packed, cook, MARGINS[-1]) is CookKind.COOK:
            return cook
    return None


def contains_line(root: Turn, line: Moves) -> bool:
    """Return whether a line is one of the best lines of a main tree."""
    turn: Turn | None = root
    rest = line
    while turn is not None and rest:
        if rest[0] != turn.key and rest[0] not in turn.finals:
            return False
        rest = rest[1:]
        reply = next((r for r in turn.replies if rest and rest[: len(r.moves)] == r.moves), None)
        if reply is None:
            return not rest and not turn.replies
        rest = rest[len(reply.moves) :]
        turn = reply.turn
    return turn is None and not rest
