# SPDX-License-Identifier: GPL-3.0-or-later
"""What a problem adds to a collection: its themes, its key, its mate, its king, its pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.line_keys import tail_key
from generator.replay.line import ReplayedLine, ReplayedPly, replay_line
from tsume_rules.kernel.tables import SQUARE
from tsume_rules.moves import Move
from tsume_rules.position import LETTERS, LETTERS_IN_HAND, Kind, Position, file_of, mirrored, rank_of

FEATURE_POINTS = {
    "theme": 20.0,
    "key": 15.0,
    "key_square": 10.0,
    "ending": 20.0,
    "mate": 15.0,
    "mate_square": 10.0,
    "king": 10.0,
    "hand": 10.0,
    "pieces": 5.0,
    "level": 10.0,
}
"""Points of merit that the first problem with a feature is worth, by the kind of the feature.

The second one is worth 0.41 of them, the hundredth 0.05 (`generator.collection.greedy`).
"""
LEVELS = 5
"""Levels of difficulty over which every collection is spread (``level``), if only by points."""
_PIECES_AT_ONCE = 3

Feature = tuple[str, str]
"""The kind of a feature, and what the problem shows."""
Shares = tuple[tuple[Feature, float], ...]
"""Features of a problem; those of one kind have a share of 1 together."""


def collection_features(position: Position, line: tuple[Move, ...], themes: Sequence[str]) -> Shares:
    """The features of a problem but its level; they are those of its mirror image too."""
    shown = sorted(set(themes)) or ["none"]
    ending: Feature = ("ending", tail_key(line, only_targets=True))
    others = tuple((feature, 1.0) for feature in (ending, *_line_features(replay_line(position, line))))
    return (*((("theme", theme), 1 / len(shown)) for theme in shown), *others)


def _line_features(replayed: ReplayedLine) -> Iterator[Feature]:
    key, mate = replayed.turns[0], replayed.plies[-1]
    position = replayed.position
    yield "key", f"{_move_text(key.check)}{'!' * key.is_sacrifice}"
    yield "key_square", _offset_text(key.check)
    yield "mate", f"{_move_text(mate)} {_offset_text(mate)}"
    yield "mate_square", _square_text(mate.king)
    yield "king", _square_text(replayed.plies[0].king)
    yield "hand", "".join(LETTERS_IN_HAND[kind - 1] for kind in position.attacker_hand)
    yield "pieces", str(position.piece_count() // _PIECES_AT_ONCE)


def _move_text(ply: ReplayedPly) -> str:
    """A move without its squares: what it is that moves, and whether it is dropped, captures or promotes."""
    kind = Kind(ply.kind)
    piece = f"{'+' * kind.is_promoted}{LETTERS[kind.base]}"
    return f"{piece}{'*' * ply.is_drop}{'x' * bool(ply.captured)}{'=' * ply.promotes}"


def _offset_text(ply: ReplayedPly) -> str:
    """Where a move leads as seen from the king, left and right alike."""
    one, other = int(SQUARE[ply.target]), int(SQUARE[ply.king])
    return f"{abs(file_of(one) - file_of(other))},{rank_of(one) - rank_of(other)}"


def _square_text(cell: int) -> str:
    """The square of a cell, left and right alike."""
    sq = int(SQUARE[cell])
    return str(min(sq, mirrored(sq)))
