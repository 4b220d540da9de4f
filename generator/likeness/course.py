"""The course of a main line: moves, drops, sacrifices, answers, and the mate it ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from generator.likeness.shape import Features, around_king, name_of
from generator.themes.attack import BIG, discovers
from generator.themes.defence import is_moved_interposition
from generator.themes.geometry import KINDS, distance, pieces
from generator.themes.signs import SIGNS, signs_of
from generator.themes.story import Ply, Story
from solver.scoring.check_kinds import is_contact, is_distant_drop, stays_unpromoted
from tsume_rules.kernel.tables import ATT, DEF, KING
from tsume_rules.pieces import HAND_KINDS


def course(story: Story) -> Features:
    """The features of a replayed line; the names are the same for every line."""
    shown = set(signs_of(story))
    return {
        **_move("key", story.plies[0]),
        **_move("last", story.plies[-1]),
        **_attack(story),
        **_defence(story),
        **_end(story),
        **{f"theme {name}": float(name in shown) for name in SIGNS},
    }


def _move(name: str, check: Ply) -> Features:
    """A single move of the attacker, by the name of its place in the line."""
    return {
        f"{name} is drop": float(check.is_drop),
        **{
            f"{name} drops {name_of(kind)}": float(check.is_drop and check.kind == kind)
            for kind in HAND_KINDS
        },
        **{
            f"{name} moves {name_of(kind)}": float(not check.is_drop and check.kind == kind) for kind in KINDS
        },
        f"{name} takes": float(check.captured != 0),
        f"{name} promotes": float(check.promotes),
        f"{name} stays unpromoted": float(stays_unpromoted(check)),
        f"{name} distance": distance(check.target, check.king),
        f"{name} way": distance(check.origin, check.target) if check.origin else 0,
        f"{name} discovers": float(discovers(check)),
    }


def _attack(story: Story) -> Features:
    checks = [turn.check for turn in story.turns]
    dropped = Counter(check.kind for check in checks if check.is_drop)
    moved = Counter(check.kind for check in checks if not check.is_drop)
    return {
        "drops": dropped.total(),
        **{f"drops {name_of(kind)}": dropped[kind] for kind in HAND_KINDS},
        **{f"moves {name_of(kind)}": moved[kind] for kind in KINDS},
        "captures": sum(check.captured != 0 for check in checks),
        "recaptures": sum(1 for _ in _recaptures(story)),
        "promotions": sum(check.promotes for check in checks),
        "non-promotions": sum(map(stays_unpromoted, checks)),
        "distant checks": sum(not is_contact(check) for check in checks),
        "distant drops": sum(map(is_distant_drop, checks)),
        "double checks": sum(len(check.checkers) > 1 for check in checks),
        "discovered checks": sum(map(discovers, checks)),
        "sacrifices": len(story.sacrifices),
        "big sacrifices": sum(turn.check.kind in BIG for turn in story.sacrifices),
        "sacrifices of drops": sum(turn.check.is_drop for turn in story.sacrifices),
        "sacrifices that take": sum(turn.check.captured != 0 for turn in story.sacrifices),
        "key is sacrifice": float(story.turns[0].is_sacrifice),
        "same piece again": sum(one.who == other.who for one, other in pairwise(checks)),
        "pieces that check": len({check.who for check in checks}),
        "kinds that check": len({check.kind for check in checks}),
        "squares of checks": len({check.target for check in checks}),
    }


def _recaptures(story: Story) -> Iterator[Ply]:
    """The attacker's moves that take what the answer before put there."""
    for one, other in pairwise(story.turns):
        if one.answer is not None and other.check.target == one.answer.target:
            yield other.check


def _defence(story: Story) -> Features:
    by_king = [answer for answer in story.answers if answer.kind == KING]
    between = [
        answer
        for check, answer in story.turns
        if answer is not None and is_moved_interposition(check, answer)
    ]
    cells = [story.plies[0].king, *(answer.target for answer in by_king)]
    return {
        "king takes": sum(answer.captured != 0 for answer in by_king),
        "king moves": sum(not answer.captured for answer in by_king),
        "pieces take": sum(answer.captured != 0 and answer.kind != KING for answer in story.answers),
        "moves between": len(between),
        "drops between": sum(answer.is_drop for answer in story.answers),
        "answers that promote": sum(answer.promotes for answer in story.answers),
        "king's squares": len(set(cells)),
        "king's displacement": distance(story.plies[0].king, story.mated_king),
    }


def _end(story: Story) -> Features:
    """The position at the mate."""
    drops = sum(turn.check.is_drop for turn in story.turns)
    taken = sum(turn.check.captured != 0 for turn in story.turns)
    ours, theirs = pieces(story.end, ATT), pieces(story.end, DEF)
    moved = {ply.who for ply in story.plies}
    return {
        "end: attackers": len(ours),
        "end: defenders": len(theirs),
        "end: hand": len(story.position.attacker_hand) + taken - drops,
        "end: checkers": len(story.plies[-1].checkers),
        "end: attackers that never moved": sum(story.who[cell] not in moved for cell in ours),
        "end: defenders that never moved": sum(story.who[cell] not in moved for cell in theirs),
        "end: attackers farthest": max((distance(cell, story.mated_king) for cell in ours), default=0),
        **{f"end: {name}": value for name, value in around_king(story.end, story.mated_king).items()},
    }
