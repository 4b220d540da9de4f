# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of a main line: moves, drops, sacrifices, answers, and the final mate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from generator.heuristics.attack import BIG, discovers_check
from generator.heuristics.defence import is_moved_interposition
from generator.heuristics.table import HEURISTICS, heuristics_of
from generator.likeness.shape import Features, around_king_features, kind_feature_name
from generator.replay.geometry import KINDS, cells_of_pieces, king_distance
from generator.replay.line import ReplayedLine, ReplayedPly
from solver.scoring.check_kinds import is_contact, is_distant_drop, stays_unpromoted
from tsume_rules.kernel.tables import ATT, DEF, KING
from tsume_rules.position import HAND_KINDS


def line_features(replayed: ReplayedLine) -> Features:
    """The features of a replayed line; the names are the same for every line."""
    shown = set(heuristics_of(replayed))
    return {
        **_move_features("key", replayed.plies[0]),
        **_move_features("last", replayed.plies[-1]),
        **_attack_features(replayed),
        **_defence_features(replayed),
        **_end_features(replayed),
        **{f"theme {name}": float(name in shown) for name in HEURISTICS},
    }


def _move_features(name: str, check: ReplayedPly) -> Features:
    """The features of a single move of the attacker; ``name`` is its place in the line."""
    return {
        f"{name} is drop": float(check.is_drop),
        **{
            f"{name} drops {kind_feature_name(kind)}": float(check.is_drop and check.kind == kind)
            for kind in HAND_KINDS
        },
        **{
            f"{name} moves {kind_feature_name(kind)}": float(not check.is_drop and check.kind == kind)
            for kind in KINDS
        },
        f"{name} takes": float(check.captured != 0),
        f"{name} promotes": float(check.promotes),
        f"{name} stays unpromoted": float(stays_unpromoted(check)),
        f"{name} distance": king_distance(check.target, check.king),
        f"{name} way": king_distance(check.origin, check.target) if check.origin else 0,
        f"{name} discovers": float(discovers_check(check)),
    }


def _attack_features(replayed: ReplayedLine) -> Features:
    checks = [turn.check for turn in replayed.turns]
    dropped = Counter(check.kind for check in checks if check.is_drop)
    moved = Counter(check.kind for check in checks if not check.is_drop)
    return {
        "drops": dropped.total(),
        **{f"drops {kind_feature_name(kind)}": dropped[kind] for kind in HAND_KINDS},
        **{f"moves {kind_feature_name(kind)}": moved[kind] for kind in KINDS},
        "captures": sum(check.captured != 0 for check in checks),
        "recaptures": sum(1 for _ in _recaptures(replayed)),
        "promotions": sum(check.promotes for check in checks),
        "non-promotions": sum(map(stays_unpromoted, checks)),
        "distant checks": sum(not is_contact(check) for check in checks),
        "distant drops": sum(map(is_distant_drop, checks)),
        "double checks": sum(len(check.checkers) > 1 for check in checks),
        "discovered checks": sum(map(discovers_check, checks)),
        "sacrifices": len(replayed.sacrifices),
        "big sacrifices": sum(turn.check.kind in BIG for turn in replayed.sacrifices),
        "sacrifices of drops": sum(turn.check.is_drop for turn in replayed.sacrifices),
        "sacrifices that take": sum(turn.check.captured != 0 for turn in replayed.sacrifices),
        "key is sacrifice": float(replayed.turns[0].is_sacrifice),
        "same piece again": sum(one.piece == other.piece for one, other in pairwise(checks)),
        "pieces that check": len({check.piece for check in checks}),
        "kinds that check": len({check.kind for check in checks}),
        "squares of checks": len({check.target for check in checks}),
    }


def _recaptures(replayed: ReplayedLine) -> Iterator[ReplayedPly]:
    """The attacker's captures of the piece that the previous answer moved."""
    for one, other in pairwise(replayed.turns):
        if one.answer is not None and other.check.target == one.answer.target:
            yield other.check


def _defence_features(replayed: ReplayedLine) -> Features:
    by_king = [answer for answer in replayed.answers if answer.kind == KING]
    between = [
        answer
        for check, answer in replayed.turns
        if answer is not None and is_moved_interposition(check, answer)
    ]
    cells = [replayed.plies[0].king, *(answer.target for answer in by_king)]
    return {
        "king takes": sum(answer.captured != 0 for answer in by_king),
        "king moves": sum(not answer.captured for answer in by_king),
        "pieces take": sum(answer.captured != 0 and answer.kind != KING for answer in replayed.answers),
        "moves between": len(between),
        "drops between": sum(answer.is_drop for answer in replayed.answers),
        "answers that promote": sum(answer.promotes for answer in replayed.answers),
        "king's squares": len(set(cells)),
        "king's displacement": king_distance(replayed.plies[0].king, replayed.mated_king),
    }


def _end_features(replayed: ReplayedLine) -> Features:
    """The position at the mate."""
    drops = sum(turn.check.is_drop for turn in replayed.turns)
    taken = sum(turn.check.captured != 0 for turn in replayed.turns)
    ours, theirs = cells_of_pieces(replayed.end, ATT), cells_of_pieces(replayed.end, DEF)
    moved = {ply.piece for ply in replayed.plies}
    return {
        "end: attackers": len(ours),
        "end: defenders": len(theirs),
        "end: hand": len(replayed.position.attacker_hand) + taken - drops,
        "end: checkers": len(replayed.plies[-1].checkers),
        "end: attackers that never moved": sum(replayed.pieces[cell] not in moved for cell in ours),
        "end: defenders that never moved": sum(replayed.pieces[cell] not in moved for cell in theirs),
        "end: attackers farthest": max(
            (king_distance(cell, replayed.mated_king) for cell in ours), default=0
        ),
        **{
            f"end: {name}": value
            for name, value in around_king_features(replayed.end, replayed.mated_king).items()
        },
    }
