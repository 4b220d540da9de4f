"""Themes of the defender's answers and of the king's way; `generator.themes.table` gives the meanings."""

from __future__ import annotations

from generator.themes.board import adjacent, attackers
from generator.themes.story import Ply, Story
from tsume_rules.kernel.tables import ATT, DEF, KING, OURS


def interposition(story: Story) -> bool:
    """合駒: a drop that answers a check is always one."""
    return any(answer.is_drop for answer in story.answers)


def is_moved_interposition(check: Ply, answer: Ply) -> bool:
    """Whether a piece other than the king steps in between: it must, if it takes no checker."""
    return bool(answer.origin) and answer.kind != KING and answer.target not in check.checkers


def moved_interposition(story: Story) -> bool:
    """移動合."""
    return any(is_moved_interposition(check, answer) for check, answer in story.turns if answer)


def is_between(check: Ply, answer: Ply) -> bool:
    """Whether an answer is an interposition, dropped or moved."""
    return answer.is_drop or is_moved_interposition(check, answer)


def guards(answer: Ply) -> list[int]:
    """The cells of the defender's pieces, the king's too, that guard the one that answered."""
    return attackers(answer.after(answer.kind + OURS), answer.target, DEF)


def is_unprotected(check: Ply, answer: Ply) -> bool:
    """Whether a piece is put between where neither the king nor another piece guards it (中合)."""
    return is_between(check, answer) and not guards(answer)


def chuai(story: Story) -> bool:
    """中合."""
    return any(is_unprotected(check, answer) for check, answer in story.turns if answer)


def king_lure(story: Story) -> bool:
    """玉の呼び寄せ."""
    return any(turn.king_takes and turn.check.target == story.mated_king for turn in story.sacrifices)


def decoy(story: Story) -> bool:
    """守備駒の誘導."""
    return any(not turn.king_takes for turn in story.sacrifices)


def block(story: Story) -> bool:
    """退路封鎖."""
    return any(
        answer is not None and answer.kind != KING and _blocks(story, answer)
        for _, answer in story.sacrifices
    )


def _blocks(story: Story, answer: Ply) -> bool:
    """Whether at the mate the piece stands where it went, next to its king, on a square not attacked."""
    if story.who.get(answer.target) != answer.who or not adjacent(answer.target, story.mated_king):
        return False
    cells = story.end.copy()
    cells[story.mated_king] = 0
    return not attackers(cells, answer.target, ATT)


def king_hunt(story: Story) -> bool:
    """追い詰: the king goes to three squares or more."""
    return len({answer.target for answer in story.answers if answer.kind == KING}) >= 3


def king_returns(story: Story) -> bool:
    """還元玉."""
    moved = any(answer.kind == KING for answer in story.answers)
    return moved and story.mated_king == story.plies[0].king
