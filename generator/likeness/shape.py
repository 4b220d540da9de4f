# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of a position: what stands on the board and in hand, and how it is arranged.

It is invariant under mirroring.
"""

from __future__ import annotations

from collections import Counter

from generator.replay.board import CELL_OF, Cells, attackers_of_cell, cells_around, cells_of
from generator.replay.geometry import (
    HOME,
    KINDS,
    cells_of_pieces,
    file_and_rank,
    is_on_home_square,
    is_piece_of_side,
    king_distance,
)
from tsume_rules.kernel.state import dropped, target_of
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
    WALL,
)
from tsume_rules.packed import legal_checks, pack
from tsume_rules.position import HAND_KINDS, Kind, Position

Features = dict[str, float]
"""Numbers by name; truth values are 0 and 1."""

NEAR, FAR = 2, 4
"""A piece at most this far from the king is near, one at least this far is far away."""
SIDES = (("attacker", ATT), ("defender", DEF))
_SMALL = frozenset(kind + PROMOTION for kind in (PAWN, LANCE, KNIGHT, SILVER))
_BIG = frozenset((BISHOP, ROOK, BISHOP + PROMOTION, ROOK + PROMOTION))


def shape_features(position: Position) -> Features:
    """The features of a position with the attacker to move; the names are the same for every position."""
    cells = cells_of(position)
    king = cells.index(KING + OURS)
    return {
        "pieces": position.piece_count(),
        "attacker's king": cells.count(KING),
        **_piece_count_features(position, cells),
        **_game_resemblance_features(cells),
        **_king_features(king),
        **around_king_features(cells, king),
        **_distance_features(cells, king),
        **_contact_features(cells),
        **_check_features(position, cells),
    }


def around_king_features(cells: Cells, king: int) -> Features:
    """The squares next to the defender's king: empty ones, pieces, ways to flee, attacked ones."""
    beside = [cell for cell in cells_around(king) if cells[cell] != WALL]
    without_king = cells.copy()
    without_king[king] = 0
    attacked = {cell for cell in beside if attackers_of_cell(without_king, cell, ATT)}
    return {
        "empty beside king": sum(not cells[cell] for cell in beside),
        "defenders beside king": sum(is_piece_of_side(cells[cell], DEF) for cell in beside),
        "attackers beside king": sum(is_piece_of_side(cells[cell], ATT) for cell in beside),
        "attacked beside king": len(attacked),
        "flights": sum(cell not in attacked and not is_piece_of_side(cells[cell], DEF) for cell in beside),
        "empty and attacked beside king": sum(not cells[cell] for cell in attacked),
    }


def _piece_count_features(position: Position, cells: Cells) -> Features:
    """Pieces by side and kind, on the board and in the attacker's hand."""
    number = Counter(cells)
    found: Features = {"hand": len(position.attacker_hand)}
    found |= {f"hand {kind_feature_name(kind)}": position.attacker_hand[kind] for kind in HAND_KINDS}
    found["kinds in hand"] = sum(position.attacker_hand[kind] > 0 for kind in HAND_KINDS)
    for name, side in SIDES:
        of_kind = {kind: number[kind + OURS * side] for kind in KINDS}
        found |= {f"{name} {kind_feature_name(kind)}": count for kind, count in of_kind.items()}
        found[f"{name}s"] = sum(of_kind.values())
        found[f"{name} kinds"] = sum(count > 0 for count in of_kind.values())
        found[f"{name} promoted small"] = sum(of_kind[kind] for kind in _SMALL)
        found[f"{name} big"] = sum(of_kind[kind] for kind in _BIG)
    return found


def _game_resemblance_features(cells: Cells) -> Features:
    """Resemblance to a position of a game (実戦形)."""
    files: dict[int, list[int]] = {
        side: [file_and_rank(cell)[0] for cell in CELL_OF if cells[cell] == PAWN + OURS * side]
        for _, side in SIDES
    }
    home = Counter(cells[cell] - OURS for cell in CELL_OF if is_on_home_square(cells, cell))
    mine = cells_of_pieces(cells, ATT)
    return {
        **{f"{kind_feature_name(kind)} at home": home[kind] for kind in HOME},
        "lances and knights at home": home[LANCE] + home[KNIGHT],
        "defender pawns on ranks 3, 4": sum(
            cells[cell] == PAWN + OURS and file_and_rank(cell)[1] in (3, 4) for cell in CELL_OF
        ),
        "pawns facing": len(set(files[ATT]) & set(files[DEF])),
        "attackers in zone": sum(file_and_rank(cell)[1] <= 3 for cell in mine),
        "attackers in zone, unpromoted": sum(
            file_and_rank(cell)[1] <= 3 and cells[cell] < GOLD for cell in mine
        ),
        "attackers on ranks 7 to 9": sum(file_and_rank(cell)[1] >= 7 for cell in mine),
    }


def _king_features(king: int) -> Features:
    file, rank = file_and_rank(king)
    edge = min(file, 10 - file)
    return {
        "king file from edge": edge,
        "king rank": rank,
        "king from corner": max(edge, rank) - 1,
    }


def _distance_features(cells: Cells, king: int) -> Features:
    """Distances of the pieces from the king, and the area that they occupy."""
    found: Features = {}
    far: list[int] = []
    for name, side in SIDES:
        away = [king_distance(king, cell) for cell in cells_of_pieces(cells, side)]
        far += away
        found[f"{name} farthest"] = max(away, default=0)
        found[f"{name} mean distance"] = sum(away) / len(away) if away else 0.0
        found[f"{name}s near"] = sum(steps <= NEAR for steps in away)
        found[f"{name}s far away"] = sum(steps >= FAR for steps in away)
    places = [
        file_and_rank(cell) for cell in [king, *cells_of_pieces(cells, ATT), *cells_of_pieces(cells, DEF)]
    ]
    files, ranks = [file for file, _ in places], [rank for _, rank in places]
    file, rank = file_and_rank(king)
    return found | {
        "farthest": max(far, default=0),
        "mean distance": sum(far) / len(far) if far else 0.0,
        "width": max(files) - min(files) + 1,
        "height": max(ranks) - min(ranks) + 1,
        "lowest rank": max(ranks),
        "pieces above king": sum(other < rank for other in ranks),
        "pieces on king's file": files.count(file) - 1,
        "pieces on king's rank": ranks.count(rank) - 1,
        "pieces on one side of king": max(
            sum(other < file for other in files), sum(other > file for other in files)
        ),
    }


def _contact_features(cells: Cells) -> Features:
    """Isolated pieces, capturable pieces, guarded pieces."""
    found: Features = {}
    for name, side in SIDES:
        own = cells_of_pieces(cells, side)
        found[f"{name}s alone"] = sum(
            all(cells[cell] in (0, WALL) for cell in cells_around(at)) for at in own
        )
        found[f"{name}s attacked"] = sum(bool(attackers_of_cell(cells, at, 1 - side)) for at in own)
        found[f"{name}s guarded"] = sum(bool(attackers_of_cell(cells, at, side)) for at in own)
    return found


def _check_features(position: Position, cells: Cells) -> Features:
    """The attacker's legal checks."""
    codes = legal_checks(pack(position))
    drops = sum(dropped(code) > 0 for code in codes)
    return {
        "checks": len(codes),
        "checks by drop": drops,
        "checks by move": len(codes) - drops,
        "checks that take": sum(cells[target_of(code)] != 0 for code in codes),
    }


def kind_feature_name(kind: int) -> str:
    """A kind in words."""
    return Kind(kind).name.lower().replace("_", " ")
