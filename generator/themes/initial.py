# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes of the initial position (図式); `generator.theme_names` has the definitions."""

from __future__ import annotations

from generator.replay.board import CELL_OF, Cells
from generator.replay.geometry import cells_of_pieces, file_and_rank, is_on_home_square, king_distance
from generator.replay.line import ReplayedLine
from tsume_rules.kernel.tables import (
    ATT,
    BISHOP,
    DEF,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    OURS,
    PAWN,
    PROMOTION,
    ROOK,
    SILVER,
)

ONE_KIND_FROM, BIG_FROM, SYMMETRIC_FROM = 3, 2, 3
"""A position needs this many pieces besides the kings to have the theme; fewer have it by chance."""
_BIG = frozenset((BISHOP, ROOK))


def bare_king(replayed: ReplayedLine) -> bool:
    """裸玉."""
    return sum(1 for cell in CELL_OF if replayed.start[cell]) == 1


def lone_king(replayed: ReplayedLine) -> bool:
    """無防備."""
    return not cells_of_pieces(replayed.start, DEF)


def empty_attack(replayed: ReplayedLine) -> bool:
    """無仕掛."""
    return not cells_of_pieces(replayed.start, ATT)


def _kinds_on_board(replayed: ReplayedLine) -> list[int]:
    """The unpromoted kinds of all pieces on the board and in the attacker's hand, without the kings."""
    codes = [
        replayed.start[cell] & 15 for side in (ATT, DEF) for cell in cells_of_pieces(replayed.start, side)
    ]
    on_board = [code - PROMOTION if code > KING else code for code in codes]
    return on_board + [int(kind) for kind in replayed.position.attacker_hand]


def one_kind(replayed: ReplayedLine) -> bool:
    """一色図式."""
    kinds = _kinds_on_board(replayed)
    return len(kinds) >= ONE_KIND_FROM and len(set(kinds)) == 1


def small_pieces(replayed: ReplayedLine) -> bool:
    """小駒図式."""
    return _BIG.isdisjoint(_kinds_on_board(replayed))


def big_pieces(replayed: ReplayedLine) -> bool:
    """大駒図式."""
    kinds = _kinds_on_board(replayed)
    return len(kinds) >= BIG_FROM and _BIG.issuperset(kinds)


def symmetric(replayed: ReplayedLine) -> bool:
    """対称形: some pieces stand off the king's file, and each has its mirror image."""
    start = replayed.start
    beside = 0
    for cell in CELL_OF:
        if not start[cell]:
            continue
        twin = _mirrored_cell(cell, replayed.plies[0].king)
        if twin is None or start[twin] != start[cell]:
            return False
        beside += twin != cell
    return beside > 0 and sum(1 for cell in CELL_OF if start[cell]) >= SYMMETRIC_FROM


_CELL = {file_and_rank(cell): cell for cell in CELL_OF}


def _mirrored_cell(cell: int, king: int) -> int | None:
    """The cell mirrored at the king's file."""
    file, rank = file_and_rank(cell)
    return _CELL.get((2 * file_and_rank(king)[0] - file, rank))


_DEEP, _NEAR = 3, 3
"""Ranks on which a king is at home; distance in king moves within which a piece is near it."""
_LEAST_NEAR, _LEAST_SMALL = 3, 2
_ODD = 1
"""Maximum numbers of near defenders on unusual squares, and of promoted small pieces of the attacker."""
_RANKS = {PAWN: (3, 4), SILVER: (1, 2, 3), GOLD: (1, 2, 3), BISHOP: (1, 2, 3, 4), ROOK: (1, 2, 3)}
_KNIGHTS = {(2, 1), (8, 1), (1, 3), (3, 3), (7, 3), (9, 3)}


def game_like(replayed: ReplayedLine) -> bool:
    """実戦形.

    The king stands where castles are, or in the middle of its first two ranks. Three or more defenders are
    near it; all of these but one stand unpromoted where they do in games, two of them neither rook nor
    bishop, one at least on the square where lances, knights, silvers and golds begin. The attacker has at
    most one promoted small piece.
    """
    start, king = replayed.start, replayed.plies[0].king
    ours, theirs = cells_of_pieces(start, ATT), cells_of_pieces(start, DEF)
    near = [cell for cell in theirs if king_distance(cell, king) <= _NEAR]
    natural = [cell for cell in near if _is_natural(start, cell)]
    return (
        _is_at_home(king)
        and len(near) >= _LEAST_NEAR
        and len(near) - len(natural) <= _ODD
        and sum(start[cell] - OURS not in _BIG for cell in natural) >= _LEAST_SMALL
        and any(is_on_home_square(start, cell) for cell in near)
        and sum(KING < start[cell] < BISHOP + PROMOTION for cell in ours) <= _ODD
    )


def _is_at_home(king: int) -> bool:
    file, rank = file_and_rank(king)
    return rank <= (_DEEP if not 4 <= file <= 6 else _DEEP - 1)


def _is_natural(start: Cells, cell: int) -> bool:
    """Whether an unpromoted defender stands on a usual square of its kind in games."""
    kind = start[cell] - OURS
    if kind == LANCE:
        return file_and_rank(cell)[0] in (1, 9) and file_and_rank(cell)[1] <= _DEEP
    return (
        file_and_rank(cell) in _KNIGHTS if kind == KNIGHT else file_and_rank(cell)[1] in _RANKS.get(kind, ())
    )
