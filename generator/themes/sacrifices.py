"""Themes of pieces given away: what a composer calls a sacrifice, not every piece that is taken."""

from __future__ import annotations

from generator.themes.attack import BIG, discovers, uses
from generator.themes.board import adjacent, attackers
from generator.themes.story import Story, Turn
from tsume_rules.kernel.tables import (
    BISHOP,
    DEF,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTION,
    ROOK,
    SILVER,
)

_WORTH = {PAWN: 1, LANCE: 2, KNIGHT: 2, SILVER: 3, GOLD: 4, BISHOP: 5, ROOK: 5}
"""The usual order of the kinds in hand, where a taken piece goes."""


def worth(code: int) -> int:
    """The worth of a piece's unpromoted kind; ``code``: of either side."""
    kind = code & 15
    return _WORTH[kind - PROMOTION if kind > KING else kind]


def gives_away(story: Story, number: int) -> bool:
    """Whether the next answer takes the piece that a turn moves, and it is no exchange.

    An exchange takes back, or takes a piece worth as much.
    """
    turn = story.turns[number]
    if not turn.is_sacrifice:
        return False
    check = turn.check
    if not check.captured:
        return True
    takes_back = number > 0 and story.turns[number - 1].answer_cell == check.target
    return not takes_back and worth(check.captured) < worth(check.kind)


def given_away(story: Story) -> list[Turn]:
    """The turns that give a piece away."""
    return [turn for number, turn in enumerate(story.turns) if gives_away(story, number)]


def sacrifice(story: Story) -> bool:
    """捨駒."""
    return bool(given_away(story))


def big_piece_sacrifice(story: Story) -> bool:
    """大駒捨て."""
    return any(turn.check.kind in BIG for turn in given_away(story))


def promotion_sacrifice(story: Story) -> bool:
    """成捨て."""
    return any(turn.check.promotes for turn in given_away(story))


def serial_sacrifice(story: Story) -> bool:
    """連続捨駒."""
    return any(
        gives_away(story, number) and gives_away(story, number + 1) for number in range(len(story.turns) - 1)
    )


def is_on_a_focus(story: Story, number: int) -> bool:
    """Whether two pieces other than the king guard the square on which a turn gives a piece away."""
    if not gives_away(story, number):
        return False
    check = story.turns[number].check
    cells = check.after(check.stands)
    return sum(cells[cell] & 15 != KING for cell in attackers(cells, check.target, DEF)) > 1


def focal_sacrifice(story: Story) -> bool:
    """焦点の捨駒."""
    return any(is_on_a_focus(story, number) for number in range(len(story.turns)))


def lures(story: Story, number: int) -> bool:
    """Whether the king takes a piece given away where it is mated later (玉の呼び寄せ)."""
    turn = story.turns[number]
    return turn.king_takes and turn.check.target == story.mated_king and gives_away(story, number)


def king_lure(story: Story) -> bool:
    """玉の呼び寄せ."""
    return any(lures(story, number) for number in range(len(story.turns)))


def blocks(story: Story, number: int) -> bool:
    """Whether the piece that takes one given away stands beside its king at the mate (退路封鎖)."""
    answer = story.turns[number].answer
    return (
        answer is not None
        and answer.kind != KING
        and gives_away(story, number)
        and story.who.get(answer.target) == answer.who
        and adjacent(answer.target, story.mated_king)
    )


def block(story: Story) -> bool:
    """退路封鎖."""
    return any(blocks(story, number) for number in range(len(story.turns)))


def leaving(story: Story, number: int) -> int | None:
    """The turn at which a piece sacrificed at turn ``number`` last left the square where it began.

    None if it was dropped, discovers a check since, or the square is not used after the sacrifice.
    """
    given = story.turns[number].check
    if not gives_away(story, number) or given.who <= 0:
        return None
    checks = [turn.check for turn in story.turns]
    left = max(turn for turn, check in enumerate(checks[: number + 1]) if check.origin == given.who)
    is_plain = not any(discovers(check) for check in checks[left : number + 1] if check.who == given.who)
    is_used = any(uses(check, given.who) for check in checks[number + 1 :])
    return left if is_plain and is_used else None


def obstruction_removal(story: Story) -> bool:
    """邪魔駒消去."""
    return any(leaving(story, number) is not None for number in range(len(story.turns)))


def replaces(story: Story, number: int) -> bool:
    """Whether another kind is dropped later where the piece sacrificed at a turn came from (打ち換え)."""
    turn = story.turns[number]
    left = turn.check.origin
    return (
        gives_away(story, number)
        and left != 0
        and any(
            check.is_drop and check.target == left and check.kind != turn.check.kind
            for check, _ in story.turns[number + 1 :]
        )
    )


def replacement(story: Story) -> bool:
    """打ち換え."""
    return any(replaces(story, number) for number in range(len(story.turns)))
