"""Themes of the attacker's moves."""

from __future__ import annotations

from itertools import pairwise

from generator.themes.board import DIST, attackers, crosses
from generator.themes.story import Ply, Story, Turn
from tsume_rules.kernel.tables import ATT, BISHOP, KING, KNIGHT, PROMOTION, RANK, ROOK, SLIDES

BIG = frozenset((BISHOP, ROOK, BISHOP + PROMOTION, ROOK + PROMOTION))
"""Rook, bishop, dragon, horse (大駒)."""
_RANK: list[int] = RANK.tolist()
_SLIDERS = frozenset(kind for kind in range(1, KING) if SLIDES[kind])


def sacrifice(story: Story) -> bool:
    """捨駒."""
    return bool(story.sacrifices)


def big_piece_sacrifice(story: Story) -> bool:
    """大駒捨て."""
    return any(turn.check.kind in BIG for turn in story.sacrifices)


def promotion_sacrifice(story: Story) -> bool:
    """成捨て."""
    return any(turn.check.promotes for turn in story.sacrifices)


def serial_sacrifice(story: Story) -> bool:
    """連続捨駒."""
    return any(one.is_sacrifice and other.is_sacrifice for one, other in pairwise(story.turns))


def is_contact(check: Ply) -> bool:
    """Whether the piece that moved is next to the king afterwards, or a knight's jump away."""
    return DIST[check.target][check.king] == 1


def is_quiet(turn: Turn) -> bool:
    """Neither in contact with the king, nor a capture, nor a sacrifice: as `solver.scoring` counts."""
    return not (is_contact(turn.check) or turn.check.captured or turn.is_sacrifice)


def quiet_move(story: Story) -> bool:
    """静かな王手, before the last move: there every check from a distance is a plain mate."""
    return any(is_quiet(turn) for turn in story.turns[:-1])


def could_promote(check: Ply) -> bool:
    """Whether the move was one that may promote, done or not."""
    return check.origin > 0 and check.kind <= ROOK and min(_RANK[check.origin], _RANK[check.target]) < 3


def declines(story: Story, check: Ply) -> bool:
    """Whether a promotion is declined for a reason.

    Before the last move the promotion would not mate, or the problem were no correct one.
    The last move may have alternatives: it counts if the promoted piece would give no check.
    """
    if check.promotes or not could_promote(check):
        return False
    return check is not story.plies[-1] or not _checks_promoted(story, check)


def _checks_promoted(story: Story, check: Ply) -> bool:
    cells = story.end.copy()
    cells[check.target] = check.kind + PROMOTION
    return bool(attackers(cells, check.king, ATT))


def non_promotion(story: Story) -> bool:
    """不成."""
    return any(declines(story, turn.check) for turn in story.turns)


def is_distant_drop(check: Ply) -> bool:
    """Whether a lance, bishop or rook is dropped away from the king."""
    return check.is_drop and check.kind in _SLIDERS and not is_contact(check)


def distant_drop(story: Story) -> bool:
    """限定打: not the last move, which may have alternatives."""
    return any(is_distant_drop(turn.check) for turn in story.turns[:-1])


def discovers(check: Ply) -> bool:
    """Whether a piece that did not move gives check."""
    return any(cell != check.target for cell in check.checkers)


def discovered_check(story: Story) -> bool:
    """開き王手."""
    return any(discovers(turn.check) for turn in story.turns)


def double_check(story: Story) -> bool:
    """両王手."""
    return any(len(turn.check.checkers) > 1 for turn in story.turns)


def obstruction_removal(story: Story) -> bool:
    """邪魔駒消去: the way is used when the king stands again where it did with the piece in the way."""
    return any(
        _was_in_the_way(turn.check) and _is_used(turn.check, story.turns[number + 1 :])
        for number, turn in enumerate(story.turns)
        if turn.is_sacrifice
    )


def _was_in_the_way(check: Ply) -> bool:
    """A piece that moves from where it stood at the start, and opens no line to the king by it."""
    return check.who == check.origin and not discovers(check)


def _is_used(removal: Ply, later: tuple[Turn, ...]) -> bool:
    """Whether the attacker goes to the square left, over it, or gives check across it."""
    cell = removal.origin
    return any(
        check.target == cell
        or bool(check.origin and crosses(check.origin, check.target, cell))
        or any(crosses(checker, check.king, cell) for checker in check.checkers)
        for check, _ in later
        if check.king == removal.king
    )


def switchback(story: Story) -> bool:
    """スイッチバック."""
    left: set[tuple[int, int]] = set()
    for check, _ in story.turns:
        if (check.who, check.target) in left:
            return True
        left.add((check.who, check.origin))
    return False


def knight_mate(story: Story) -> bool:
    """吊し桂."""
    last = story.plies[-1]
    return last.stands == KNIGHT and last.target in last.checkers
