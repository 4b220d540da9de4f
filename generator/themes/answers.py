"""Themes of the defender's answers and of the king's way; `generator.theme_names` gives the meanings."""

from __future__ import annotations

from generator.themes.board import adjacent, attackers
from generator.themes.defence import guards, is_between
from generator.themes.sacrifices import given_away, gives_away
from generator.themes.story import Ply, Story
from tsume_rules.kernel.tables import DEF, KING, PAWN

HUNTED_OVER = 6
"""A hunted king (追い詰) stands on at least this many squares, the first one counted."""
_SACRIFICES_OF_A_HUNT = 0.25


def is_given(check: Ply, answer: Ply) -> bool:
    """Whether a piece is put between beside the king where only the king guards it."""
    return (
        is_between(check, answer)
        and adjacent(answer.target, check.king)
        and all(cell == check.king for cell in guards(answer))
    )


def gives_between(story: Story, number: int) -> bool:
    """Whether the answer of a turn is given away between: taken at once, and not taken back."""
    check, answer = story.turns[number]
    if answer is None or not is_given(check, answer):
        return False
    taking = story.turns[number + 1]
    return taking.check.target == answer.target and not taking.is_sacrifice


def given_interposition(story: Story) -> bool:
    """捨合."""
    return any(gives_between(story, number) for number in range(len(story.turns)))


def interposed_piece_moves(story: Story) -> bool:
    """合駒動かし."""
    dropped: set[int] = set()
    for answer in story.answers:
        if answer.who in dropped:
            return True
        if answer.is_drop:
            dropped.add(answer.who)
    return False


def pawn_drop_lure(story: Story) -> bool:
    """打歩詰誘致: an answer other than a king's move while the attacker holds a pawn."""
    return any(lures(story, number) for number in range(len(story.turns)))


def lures(story: Story, number: int) -> bool:
    """Whether the answer of a turn is no king's move and the attacker then holds a pawn."""
    answer = story.turns[number].answer
    return answer is not None and answer.kind != KING and story.hand_after(number)[PAWN] > 0


def draws_away(story: Story, number: int) -> bool:
    """Whether a piece other than the king takes a sacrificed one and is not taken there at once."""
    turn = story.turns[number]
    return (
        gives_away(story, number)
        and not turn.king_takes
        and story.turns[number + 1].check.target != turn.check.target
    )


def decoy(story: Story) -> bool:
    """守備駒の誘導."""
    return any(draws_away(story, number) for number in range(len(story.turns)))


def reverse_check(story: Story) -> bool:
    """逆王手: an answer after which the attacker's king is attacked."""
    if KING not in story.start:
        return False
    boards = [*(ply.before for ply in story.plies[2::2]), story.end]
    return any(
        attackers(cells, cells.index(KING), DEF) for cells, _ in zip(boards, story.answers, strict=False)
    )


def king_hunt(story: Story) -> bool:
    """追い詰."""
    stood = {story.plies[0].king, *(answer.target for answer in story.answers if answer.kind == KING)}
    given = len(given_away(story))
    return len(stood) >= HUNTED_OVER and given <= _SACRIFICES_OF_A_HUNT * len(story.turns)
