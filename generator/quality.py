"""How good a problem is as a composition, from 0 to 100 (docs/themes.md).

A proxy for what composers value: themes, sacrifices, economy, a key that does not
give itself away. It is read off the position and its main line alone; nothing is
searched, and mirror images have the same quality. Difficulty is another question
(`solver.scoring.difficulty`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.themes.attack import BIG, declines
from generator.themes.board import adjacent, around, attackers
from generator.themes.story import Ply, Story, Turn, replay
from generator.themes.table import themes_of
from tsume_rules.kernel.tables import ATT, KING, KNIGHT, OURS, PAWN, WALL
from tsume_rules.moves import Move
from tsume_rules.position import Position

BASE = 22.0
"""What every problem begins with."""
THEME_POINTS = {
    "promotion-sacrifice": 2.0,
    "quiet-move": 10.0,
    "distant-drop": 15.0,
    "discovered-check": 4.0,
    "double-check": 5.0,
    "obstruction-removal": 12.0,
    "switchback": 14.0,
    "knight-mate": 7.0,
    "interposition": 10.0,
    "moved-interposition": 12.0,
    "chuai": 10.0,
    "king-lure": 4.0,
    "decoy": 7.0,
    "block": 12.0,
    "king-returns": 7.0,
    "clean-finish": 4.0,
    "few-pieces": 3.0,
}
"""What a theme adds; the others add nothing by themselves (sacrifices and non-promotions are traits)."""
TRAIT_POINTS = {
    "sacrifices": 24.0,
    "big_sacrifices": 20.0,
    "non_promotions": 12.0,
    "variety": 4.0,
    "plain_key": 7.0,
    "capturing_key": -15.0,
    "captures": -28.0,
    "chasing": -20.0,
    "same_steps": -15.0,
    "surplus_pieces": -3.0,
    "promoted_pieces": -3.5,
    "idle_pieces": -6.0,
}
"""What one unit of each trait adds."""


@dataclass(frozen=True)
class Appraisal:
    """The themes of a problem, its quality, and the points it is made of.

    ``parts`` holds the points by name, those that are not zero: ``base``, themes, traits.
    Their sum, clipped to 0 to 100, is the quality.
    """

    themes: tuple[str, ...]
    quality: float
    parts: dict[str, float]


def appraise(position: Position, line: tuple[Move, ...]) -> Appraisal:
    """Themes and quality of a correct problem with its main line, replayed once."""
    story = replay(position, line)
    themes = themes_of(story)
    parts = _parts(story, themes)
    total = round(sum(parts.values()), 1)
    return Appraisal(themes, min(100.0, max(0.0, total)), parts)


def _parts(story: Story, themes: tuple[str, ...]) -> dict[str, float]:
    points = {name: THEME_POINTS.get(name, 0.0) for name in themes}
    points |= {name: round(TRAIT_POINTS[name] * amount, 2) for name, amount in traits(story).items()}
    return {"base": BASE} | {name: value for name, value in points.items() if value}


def traits(story: Story) -> dict[str, float]:
    """The traits by the names of `TRAIT_POINTS`.

    Shares are of the attacker's moves except the last, so that they do not grow with length.
    """
    earlier = max(1, len(story.turns) - 1)
    key = story.turns[0].check
    return {
        "sacrifices": len(story.sacrifices) / earlier,
        "big_sacrifices": sum(turn.check.kind in BIG for turn in story.sacrifices) / earlier,
        "non_promotions": sum(_surprise(turn.check) for turn in story.turns if declines(story, turn.check)),
        "variety": float(len({turn.check.kind for turn in story.turns}) - 1),
        "plain_key": float(not (key.captured or key.promotes)),
        "capturing_key": float(key.captured != 0),
        "captures": sum(1 for _ in _captures(story)) / len(story.turns),
        "chasing": sum(map(_chases, story.turns, story.turns[1:])) / earlier,
        "same_steps": sum(map(_repeats, story.turns, story.turns[1:])) / earlier,
        "surplus_pieces": float(story.position.piece_count() - expected_pieces(len(story.plies))),
        "promoted_pieces": float(sum(KING < code < OURS for code in story.start)),
        "idle_pieces": float(len(idle(story))),
    }


def _surprise(check: Ply) -> float:
    """How surprising it is that a piece does not promote; least for a knight, which often does not."""
    if check.kind == KNIGHT:
        return 0.5
    return 2.0 if check.kind in BIG or check.kind == PAWN else 1.0


def expected_pieces(length: int) -> int:
    """How many pieces a problem of ``length`` plies is expected to need, kings counted."""
    return 3 + length // 2


def _captures(story: Story) -> Iterator[Turn]:
    """The turns at which the attacker captures a piece that the previous answer did not put there."""
    before = [None, *(turn.answer for turn in story.turns)]
    for answer, turn in zip(before, story.turns, strict=False):
        if turn.check.captured and (answer is None or answer.target != turn.check.target):
            yield turn


def _chases(one: Turn, other: Turn) -> bool:
    """Whether one piece gives both checks by moving: it runs after the king."""
    return one.check.who == other.check.who


def _repeats(one: Turn, other: Turn) -> bool:
    """Whether one piece gives both checks by moving, the same way each time."""
    there, here = one.check, other.check
    return _chases(one, other) and there.target - there.origin == here.target - here.origin


def idle(story: Story) -> list[int]:
    """The cells of pieces that have no part in the final position.

    Such a piece never moved nor gave check. If it is the attacker's, it guards neither a
    square on or next to the mated king nor a checking piece; if the defender's, it is not
    next to its king.
    """
    busy = {ply.who for ply in story.plies} | {cell for turn in story.turns for cell in turn.check.checkers}
    still = [cell for cell, who in story.who.items() if who == cell and who not in busy]
    ours = [cell for cell in still if story.end[cell] < OURS and story.end[cell] != KING]
    theirs = [cell for cell in still if story.end[cell] > OURS + KING or OURS < story.end[cell] < OURS + KING]
    guards = _guards(story) if ours else set()
    return [cell for cell in ours if cell not in guards] + [
        cell for cell in theirs if not adjacent(cell, story.mated_king)
    ]


def _guards(story: Story) -> set[int]:
    """The attacker's pieces that guard a square on or next to the mated king, or a checking piece."""
    cells = story.end.copy()
    king = story.mated_king
    watched = {king, *story.plies[-1].checkers, *(cell for cell in around(king) if cells[cell] != WALL)}
    cells[king] = 0
    return {guard for cell in watched for guard in attackers(cells, cell, ATT)}
