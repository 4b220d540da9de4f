"""Themes of the first position (図式); `generator.theme_names` gives the meanings."""

from __future__ import annotations

from generator.themes.board import CELL_OF, around
from generator.themes.geometry import distance, has, is_at_home, pieces, place
from generator.themes.story import Story
from tsume_rules.kernel.tables import ATT, BISHOP, DEF, KING, OURS, PROMOTION, ROOK

ONE_KIND_FROM, BIG_FROM, SYMMETRIC_FROM = 3, 2, 3
"""From this many pieces beside the kings on, a position has the theme; fewer have it by chance."""
_BIG = frozenset((BISHOP, ROOK))


def bare_king(story: Story) -> bool:
    """裸玉."""
    return sum(1 for cell in CELL_OF if story.start[cell]) == 1


def lone_king(story: Story) -> bool:
    """無防備."""
    return not pieces(story.start, DEF)


def empty_attack(story: Story) -> bool:
    """無仕掛."""
    return not pieces(story.start, ATT)


def _kinds(story: Story) -> list[int]:
    """The unpromoted kinds of all pieces on the board and in the attacker's hand, the kings apart."""
    codes = [story.start[cell] & 15 for side in (ATT, DEF) for cell in pieces(story.start, side)]
    on_board = [code - PROMOTION if code > KING else code for code in codes]
    return on_board + [int(kind) for kind in story.position.attacker_hand]


def one_kind(story: Story) -> bool:
    """一色図式."""
    kinds = _kinds(story)
    return len(kinds) >= ONE_KIND_FROM and len(set(kinds)) == 1


def small_pieces(story: Story) -> bool:
    """小駒図式."""
    return _BIG.isdisjoint(_kinds(story))


def big_pieces(story: Story) -> bool:
    """大駒図式."""
    kinds = _kinds(story)
    return len(kinds) >= BIG_FROM and _BIG.issuperset(kinds)


def symmetric(story: Story) -> bool:
    """対称形: some pieces stand beside the king's file, and each has its twin."""
    start = story.start
    beside = 0
    for cell in CELL_OF:
        if not start[cell]:
            continue
        twin = _twin(cell, story.plies[0].king)
        if twin is None or start[twin] != start[cell]:
            return False
        beside += twin != cell
    return beside > 0 and sum(1 for cell in CELL_OF if start[cell]) >= SYMMETRIC_FROM


_CELL = {place(cell): cell for cell in CELL_OF}


def _twin(cell: int, king: int) -> int | None:
    """The cell as far on the other side of the king's file."""
    file, rank = place(cell)
    return _CELL.get((2 * place(king)[0] - file, rank))


_DEEP, _FAR = 3, 3
_LEAST_DEFENDERS = 3


def game_like(story: Story) -> bool:
    """実戦形.

    The king stands where castles are, or on its first rank; three or more defenders, none promoted, stand
    near it, one of them next to it and one where it stood when the game began; the attacker's promoted
    pieces are dragons, horses and at most one other; all attackers are on the king's half of the board.
    """
    start, king = story.start, story.plies[0].king
    file, rank = place(king)
    if rank > _DEEP or (4 <= file <= 6 and rank > 2):
        return False
    ours, theirs = pieces(start, ATT), pieces(start, DEF)
    near = [cell for cell in theirs if distance(cell, king) <= _FAR]
    return (
        len(near) >= _LEAST_DEFENDERS
        and not any(start[cell] - OURS > KING for cell in theirs)
        and any(has(start[cell], DEF) for cell in around(king))
        and any(is_at_home(start, cell) for cell in theirs)
        and sum(KING < start[cell] < BISHOP + PROMOTION for cell in ours) <= 1
    )
