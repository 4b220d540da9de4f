# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of human problems: a value for each trait of a position and its line.

The likelihood of a position with its line is taken as the exponential of the sum of its traits'
values (`generator.kernel.traits`): a Gibbs distribution over correct problems, fitted so that the
walk (`generator.local_search.kernel.walk`) has each trait as often as published problems have
(`scripts/fit likeness`; docs/composing.md says from what).

Before it stand the features by which composed problems are told from published ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from generator import replay
from generator.kernel.traits import COUNTS, line_traits, position_traits
from generator.themes.predicates import BIG, discovers_check, is_moved_interposition
from generator.themes.table import HEURISTICS, heuristics_of
from solver.scoring import is_contact, is_distant_drop, stays_unpromoted
from tsume_rules.kernel import tables
from tsume_rules.kernel.state import dropped, target_of
from tsume_rules.moves import Move
from tsume_rules.packed import Moves, PackedPosition, legal_checks, pack, pack_move
from tsume_rules.position import HAND_KINDS, Kind, Position, Side, file_of, rank_of

# --- the two views of a problem for comparing composed and published ones --------------------------
#
# Both are numbers by name and invariant under mirroring. `scripts/bench likeness` trains a classifier on each.
# First the shape of a position: what stands on the board and in hand, and how it is arranged.

Features = dict[str, float]
"""Numbers by name; truth values are 0 and 1."""

NEAR, FAR = 2, 4
"""A piece at most this far from the king is near, one at least this far is far away."""
SIDES = (("attacker", tables.ATT), ("defender", tables.DEF))
_SMALL = frozenset(kind + tables.PROMOTION for kind in (tables.PAWN, tables.LANCE, tables.KNIGHT, tables.SILVER))
_BIG = frozenset((tables.BISHOP, tables.ROOK, tables.BISHOP + tables.PROMOTION, tables.ROOK + tables.PROMOTION))


def shape_features(position: Position) -> Features:
    """Return the features of a position with the attacker to move; all positions have the same names."""
    cells = replay.cells_of(position)
    king = cells.index(tables.KING + tables.OURS)
    file, rank = replay.file_and_rank(king)
    edge = min(file, 10 - file)
    found: Features = {
        "pieces": position.piece_count(),
        "attacker's king": cells.count(tables.KING),
        **_piece_count_features(position, cells),
        **_game_resemblance_features(cells),
        "king file from edge": edge,
        "king rank": rank,
        "king from corner": max(edge, rank) - 1,
        **around_king_features(cells, king),
        **_distance_features(cells, king),
    }
    for name, side in SIDES:
        own = replay.cells_of_pieces(cells, side)
        found[f"{name}s alone"] = sum(
            all(cells[cell] in (0, tables.WALL) for cell in replay.cells_around(at)) for at in own
        )
        found[f"{name}s attacked"] = sum(bool(replay.attackers_of_cell(cells, at, 1 - side)) for at in own)
        found[f"{name}s guarded"] = sum(bool(replay.attackers_of_cell(cells, at, side)) for at in own)
    codes = legal_checks(pack(position))
    drops = sum(dropped(code) > 0 for code in codes)
    return found | {
        "checks": len(codes),
        "checks by drop": drops,
        "checks by move": len(codes) - drops,
        "checks that take": sum(cells[target_of(code)] != 0 for code in codes),
    }


def around_king_features(cells: replay.Cells, king: int) -> Features:
    """Return the squares next to the defender's king: empty ones, pieces, ways to flee, attacked ones."""
    beside = [cell for cell in replay.cells_around(king) if cells[cell] != tables.WALL]
    without_king = cells.copy()
    without_king[king] = 0
    attacked = {cell for cell in beside if replay.attackers_of_cell(without_king, cell, tables.ATT)}
    return {
        "empty beside king": sum(not cells[cell] for cell in beside),
        "defenders beside king": sum(replay.is_piece_of_side(cells[cell], tables.DEF) for cell in beside),
        "attackers beside king": sum(replay.is_piece_of_side(cells[cell], tables.ATT) for cell in beside),
        "attacked beside king": len(attacked),
        "flights": sum(
            cell not in attacked and not replay.is_piece_of_side(cells[cell], tables.DEF) for cell in beside
        ),
        "empty and attacked beside king": sum(not cells[cell] for cell in attacked),
    }


def _piece_count_features(position: Position, cells: replay.Cells) -> Features:
    number = Counter(cells)
    found: Features = {"hand": len(position.attacker_hand)}
    found |= {f"hand {kind_feature_name(kind)}": position.attacker_hand[kind] for kind in HAND_KINDS}
    found["kinds in hand"] = sum(position.attacker_hand[kind] > 0 for kind in HAND_KINDS)
    for name, side in SIDES:
        of_kind = {kind: number[kind + tables.OURS * side] for kind in replay.KINDS}
        found |= {f"{name} {kind_feature_name(kind)}": count for kind, count in of_kind.items()}
        found[f"{name}s"] = sum(of_kind.values())
        found[f"{name} kinds"] = sum(count > 0 for count in of_kind.values())
        found[f"{name} promoted small"] = sum(of_kind[kind] for kind in _SMALL)
        found[f"{name} big"] = sum(of_kind[kind] for kind in _BIG)
    return found


def _game_resemblance_features(cells: replay.Cells) -> Features:
    """Resemblance to a position of a game (実戦形)."""
    files: dict[int, list[int]] = {
        side: [
            replay.file_and_rank(cell)[0] for cell in replay.CELL_OF if cells[cell] == tables.PAWN + tables.OURS * side
        ]
        for _, side in SIDES
    }
    home = Counter(cells[cell] - tables.OURS for cell in replay.CELL_OF if replay.is_on_home_square(cells, cell))
    mine = replay.cells_of_pieces(cells, tables.ATT)
    return {
        **{f"{kind_feature_name(kind)} at home": home[kind] for kind in replay.HOME},
        "lances and knights at home": home[tables.LANCE] + home[tables.KNIGHT],
        "defender pawns on ranks 3, 4": sum(
            cells[cell] == tables.PAWN + tables.OURS and replay.file_and_rank(cell)[1] in (3, 4)
            for cell in replay.CELL_OF
        ),
        "pawns facing": len(set(files[tables.ATT]) & set(files[tables.DEF])),
        "attackers in zone": sum(replay.file_and_rank(cell)[1] <= 3 for cell in mine),
        "attackers in zone, unpromoted": sum(
            replay.file_and_rank(cell)[1] <= 3 and cells[cell] < tables.GOLD for cell in mine
        ),
        "attackers on ranks 7 to 9": sum(replay.file_and_rank(cell)[1] >= 7 for cell in mine),
    }


def _distance_features(cells: replay.Cells, king: int) -> Features:
    found: Features = {}
    far: list[int] = []
    for name, side in SIDES:
        away = [replay.king_distance(king, cell) for cell in replay.cells_of_pieces(cells, side)]
        far += away
        found[f"{name} farthest"] = max(away, default=0)
        found[f"{name} mean distance"] = sum(away) / len(away) if away else 0.0
        found[f"{name}s near"] = sum(steps <= NEAR for steps in away)
        found[f"{name}s far away"] = sum(steps >= FAR for steps in away)
    places = [
        replay.file_and_rank(cell)
        for cell in [king, *replay.cells_of_pieces(cells, tables.ATT), *replay.cells_of_pieces(cells, tables.DEF)]
    ]
    files, ranks = [file for file, _ in places], [rank for _, rank in places]
    file, rank = replay.file_and_rank(king)
    return found | {
        "farthest": max(far, default=0),
        "mean distance": sum(far) / len(far) if far else 0.0,
        "width": max(files) - min(files) + 1,
        "height": max(ranks) - min(ranks) + 1,
        "lowest rank": max(ranks),
        "pieces above king": sum(other < rank for other in ranks),
        "pieces on king's file": files.count(file) - 1,
        "pieces on king's rank": ranks.count(rank) - 1,
        "pieces on one side of king": max(sum(other < file for other in files), sum(other > file for other in files)),
    }


def kind_feature_name(kind: int) -> str:
    """Return a kind in words."""
    return Kind(kind).name.lower().replace("_", " ")


# --- where pieces stand: each piece at its offset from the defender's king, the king's square, the hand ---

_MIDDLE = 5


def placement_features(position: Position) -> Features:
    """Return the second view, pieces at offsets from the king; a missing name counts as 0, since most would be 0.

    The same for a position and its mirror image: the king stands on files 1 to 5; if on file 5, most
    pieces stand on its right.
    """

    def preference(image: Position) -> tuple[bool, int, tuple[tuple[int, int, int], ...]]:
        """Return what is greater for the image that is described; equal only if both images are the same."""
        file = file_of(_king_square(image))
        pieces = [(sq, piece) for sq, piece in enumerate(image.board) if piece is not None]
        balance = sum((file_of(sq) < _MIDDLE) - (file_of(sq) > _MIDDLE) for sq, _ in pieces)
        return file <= _MIDDLE, balance * (file == _MIDDLE), tuple((sq, *piece) for sq, piece in pieces)

    position = max(position, position.mirrored, key=preference)
    king = _king_square(position)
    found: Features = {
        f"king on {file_of(king)}{rank_of(king)}": 1.0,
        "king file": file_of(king),
        "king rank": rank_of(king),
    }
    for kind in HAND_KINDS:
        if position.attacker_hand[kind]:
            found[f"hand {kind_feature_name(kind)}"] = position.attacker_hand[kind]
    for sq, piece in enumerate(position.board):
        if piece is not None and sq != king:
            file, rank = file_of(sq) - file_of(king), rank_of(sq) - rank_of(king)
            found[f"{piece.side.name.lower()} {kind_feature_name(piece.kind)} at {file:+d}{rank:+d}"] = 1.0
    return found


def _king_square(position: Position) -> int:
    king = position.king(Side.DEFENDER)
    assert king is not None
    return king


# --- the course of a main line: moves, drops, sacrifices, answers, and the final mate --------------


def line_features(replayed: replay.ReplayedLine) -> Features:
    """Return the features of a replayed line; the names are the same for every line."""
    shown = set(heuristics_of(replayed))
    return {
        **_move_features("key", replayed.plies[0]),
        **_move_features("last", replayed.plies[-1]),
        **_attack_features(replayed),
        **_defence_features(replayed),
        **_end_features(replayed),
        **{f"heuristic {name}": float(name in shown) for name in HEURISTICS},
    }


def _move_features(name: str, check: replay.ReplayedPly) -> Features:
    return {
        f"{name} is drop": float(check.is_drop),
        **{
            f"{name} drops {kind_feature_name(kind)}": float(check.is_drop and check.kind == kind)
            for kind in HAND_KINDS
        },
        **{
            f"{name} moves {kind_feature_name(kind)}": float(not check.is_drop and check.kind == kind)
            for kind in replay.KINDS
        },
        f"{name} takes": float(check.captured != 0),
        f"{name} promotes": float(check.promotes),
        f"{name} stays unpromoted": float(stays_unpromoted(check)),
        f"{name} distance": replay.king_distance(check.target, check.king),
        f"{name} way": replay.king_distance(check.origin, check.target) if check.origin else 0,
        f"{name} discovers": float(discovers_check(check)),
    }


def _attack_features(replayed: replay.ReplayedLine) -> Features:
    checks = [turn.check for turn in replayed.turns]
    dropped = Counter(check.kind for check in checks if check.is_drop)
    moved = Counter(check.kind for check in checks if not check.is_drop)
    return {
        "drops": dropped.total(),
        **{f"drops {kind_feature_name(kind)}": dropped[kind] for kind in HAND_KINDS},
        **{f"moves {kind_feature_name(kind)}": moved[kind] for kind in replay.KINDS},
        "captures": sum(check.captured != 0 for check in checks),
        "recaptures": sum(
            one.answer is not None and other.check.target == one.answer.target
            for one, other in pairwise(replayed.turns)
        ),
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


def _defence_features(replayed: replay.ReplayedLine) -> Features:
    by_king = [answer for answer in replayed.answers if answer.kind == tables.KING]
    cells = [replayed.plies[0].king, *(answer.target for answer in by_king)]
    return {
        "king takes": sum(answer.captured != 0 for answer in by_king),
        "king moves": sum(not answer.captured for answer in by_king),
        "pieces take": sum(answer.captured != 0 and answer.kind != tables.KING for answer in replayed.answers),
        "moves between": sum(
            answer is not None and is_moved_interposition(check, answer) for check, answer in replayed.turns
        ),
        "drops between": sum(answer.is_drop for answer in replayed.answers),
        "answers that promote": sum(answer.promotes for answer in replayed.answers),
        "king's squares": len(set(cells)),
        "king's displacement": replay.king_distance(replayed.plies[0].king, replayed.mated_king),
    }


def _end_features(replayed: replay.ReplayedLine) -> Features:
    drops = sum(turn.check.is_drop for turn in replayed.turns)
    taken = sum(turn.check.captured != 0 for turn in replayed.turns)
    ours, theirs = replay.cells_of_pieces(replayed.end, tables.ATT), replay.cells_of_pieces(replayed.end, tables.DEF)
    moved = {ply.piece for ply in replayed.plies}
    return {
        "end: attackers": len(ours),
        "end: defenders": len(theirs),
        "end: hand": len(replayed.position.attacker_hand) + taken - drops,
        "end: checkers": len(replayed.plies[-1].checkers),
        "end: attackers that never moved": sum(replayed.pieces[cell] not in moved for cell in ours),
        "end: defenders that never moved": sum(replayed.pieces[cell] not in moved for cell in theirs),
        "end: attackers farthest": max((replay.king_distance(cell, replayed.mated_king) for cell in ours), default=0),
        **{f"end: {name}": value for name, value in around_king_features(replayed.end, replayed.mated_king).items()},
    }


def shape_and_line(position: Position, line: tuple[Move, ...]) -> Features:
    """Return the first view: `shape_features` of the position and `line_features` of its main line. The names are the
    same for all problems. The line is legal, begins with the attacker and has at least one ply."""
    return shape_features(position) | line_features(replay.replay_line(position, line))


# --- the data files of this package: arrays for each length that was fitted ------------------------

Fitted = TypeVar("Fitted")


def write_arrays(arrays: Mapping[str, np.ndarray], path: Path) -> None:
    """Write arrays by name to a file, packed."""
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # one of its own options is a bool


def fitted_for_length(fitted: Mapping[int, Fitted], length: int) -> Fitted:
    """Return the fit for a length, or for the nearest length; of two equally near, the shorter."""
    return fitted[min(fitted, key=lambda other: (abs(other - length), other))]


# --- the model of human problems -------------------------------------------------------------------

_VALUES_FILE = Path(__file__).with_name("values.npz")
PERCENTS = range(0, 101, 5)
"""The percentages of published problems at which `LikenessModel.ranks` are given."""


class ModelError(ValueError):
    """A file of models is invalid."""


@dataclass(frozen=True)
class LikenessModel:
    """The ``values`` of all traits (`generator.kernel.traits`) for problems of one length.

    ``rates`` are the average numbers of each in a published problem. Walks seldom change the kind of a
    line, so they start from human-like ones: ``opening`` are values of the traits of a line; lines of
    ``level`` and more are always accepted as starts. ``ranks`` are sums of values in ascending order: the
    percentages of published problems below them are `PERCENTS`.
    """

    values: np.ndarray
    rates: np.ndarray
    opening: np.ndarray
    level: float
    ranks: np.ndarray

    @classmethod
    def of_any_opening(cls, values: np.ndarray, rates: np.ndarray) -> LikenessModel:
        """Return a model whose walks start with any line; its ranks are unknown."""
        return cls(values, rates, np.zeros(len(values)), 0.0, np.zeros(len(PERCENTS)))

    def with_any_opening(self) -> LikenessModel:
        """Return the same, but walks start with any line."""
        return replace(self, opening=np.zeros(len(self.values)), level=0.0)

    def with_ranks(self, sums: np.ndarray) -> LikenessModel:
        """Return the same with the ranks by the ``sums`` of values that published problems have."""
        return replace(self, ranks=np.percentile(sums, PERCENTS))


@cache
def model_for_length(length: int) -> LikenessModel:
    """Return the model for problems of a length: its own, or that of the nearest length that has one."""
    return fitted_for_length(stored_models(), length)


def stored_models(path: Path | None = None) -> dict[int, LikenessModel]:
    """Return the models in a file, by default those the generator uses, by length in plies. Raises `ModelError` if one
    is incomplete."""
    with (path or _VALUES_FILE).open("rb") as file, np.load(file) as data:
        lengths = [name for name in data.files if name.isdigit()]
        missing = [name for length in lengths for name in _model_array_names(length) if name not in data.files]
        if missing:
            raise ModelError(f"{path or _VALUES_FILE.name} has no {', '.join(missing)}: fit it again")
        models: dict[int, LikenessModel] = {}
        for length in lengths:
            arrays = [data[name] for name in _model_array_names(length)]
            values: list[Any] = [one.astype(np.float64) if one.ndim else float(one) for one in arrays]
            models[int(length)] = LikenessModel(*values)
        return models


def write_models(models: Mapping[int, LikenessModel], path: Path | None = None) -> None:
    """Write models to a file, by default to the one they are read from."""
    arrays: dict[str, np.ndarray] = {}
    for length, model in sorted(models.items()):
        small = (
            model.values.round(2).astype(np.float16), model.rates.round(5).astype(np.float16),
            model.opening.round(2).astype(np.float16), np.array(round(model.level, 3)),
            model.ranks.astype(np.float32),
        )  # fmt: skip
        arrays |= dict(zip(_model_array_names(str(length)), small, strict=True))
    write_arrays(arrays, path or _VALUES_FILE)


def _model_array_names(length: str) -> tuple[str, ...]:
    return length, *(f"{field.name} {length}" for field in fields(LikenessModel)[1:])


# --- the likeness of a problem to human ones: its rank among published problems --------------------

_ROOM = 4096
"""An upper bound of the space for the traits of a position and all its checks."""
_OF_PLY = 3
"""At most this many traits come from one ply of a line."""


def traits_of_position(packed: PackedPosition) -> np.ndarray:
    """Return the traits (`generator.kernel.traits`) of a position."""
    found = np.zeros(_ROOM, dtype=np.int64)
    return found[: position_traits(packed, found, 0)]


def traits_of_line(packed: PackedPosition, line: Moves, *, with_position: bool = False) -> np.ndarray:
    """Return the traits of a line, after those of its position if they are wanted too."""
    number = len(line)
    found = np.zeros(_ROOM + _OF_PLY * number + COUNTS, dtype=np.int64)  # kernels do not see the end of an array
    first = position_traits(packed, found, 0) if with_position else 0
    captured = np.zeros(number, dtype=np.int64)
    return found[: line_traits(packed, np.array(line, dtype=np.int64), number, captured, found, first)]


def traits_of_problem(packed: PackedPosition, line: Moves) -> np.ndarray:
    """Return the traits of a position and its line."""
    return traits_of_line(packed, line, with_position=True)


def likeness_of(position: Position, line: tuple[Move, ...]) -> int:
    """Return the share (%) of published problems that the model calls less likely than this one: 0 to 100.

    They are those of the line's length, or of the nearest length that has a model. The line must
    be one of checks and legal answers that ends in mate, the attacker being Black.
    """
    model = model_for_length(len(line))
    traits = traits_of_problem(pack(position), tuple(map(pack_move, line)))
    return round(float(np.interp(model.values[traits].sum(), model.ranks, PERCENTS)))


# --- which of the positions that were composed are looked at further: those that people might have composed ---
#
# Boosted trees (Friedman 2001) over the two views of a problem (`generator.likeness`) tell how
# much likelier it is among published problems than among composed ones. Taking each with that
# chance, up to a factor, is rejection sampling (von Neumann 1951). `scripts/fit choice` grows the trees.

_TREES_FILE = Path(__file__).with_name("trees.npz")
LEAF = -1


@dataclass(frozen=True)
class BoostedTrees:
    """Boosted trees for problems of one length.

    ``names`` are the features; a node goes on to ``below`` if its ``feature`` is at most its ``threshold``, else to
    ``above``. Its feature is `LEAF` where it ends with a ``value``. ``roots`` are the nodes that trees begin with. The
    logarithm of the ratio is ``base`` and the values together; all with at least ``level`` are taken.
    """

    names: list[str]
    feature: list[int]
    threshold: list[float]
    below: list[int]
    above: list[int]
    value: list[float]
    roots: list[int]
    base: float
    level: float

    def log_ratio(self, features: Features) -> float:
        """How much likelier a problem is among published ones than among composed ones, as a logarithm."""
        row = [features.get(name, 0.0) for name in self.names]
        total = self.base
        for root in self.roots:
            node = root
            while self.feature[node] != LEAF:
                low = row[self.feature[node]] <= self.threshold[node]
                node = self.below[node] if low else self.above[node]
            total += self.value[node]
        return total

    def probability_published(self, position: Position, line: tuple[Move, ...]) -> float:
        """Return the chance with which a problem is taken."""
        return exp(min(0.0, self.log_ratio(choice_features(position, line)) - self.level))


def choice_features(position: Position, line: tuple[Move, ...]) -> Features:
    """Return the features of both views."""
    return shape_and_line(position, line) | placement_features(position)


@cache
def trees_for_length(length: int) -> BoostedTrees | None:
    """The trees for problems of a length: its own, or those of the nearest length; None if there are none."""
    trees = stored_trees()
    return fitted_for_length(trees, length) if trees else None


_ARRAYS = ("names", "feature", "threshold", "below", "above", "value", "roots")


def stored_trees(path: Path | None = None) -> dict[int, BoostedTrees]:
    """Return the trees in a file, by default those the generator uses, by length in plies."""
    source = path or _TREES_FILE
    if not source.is_file():
        return {}
    with source.open("rb") as file, np.load(file) as data:
        lengths = {int(name.split()[0]) for name in data.files}
        return {
            n: BoostedTrees(
                **{name: data[f"{n} {name}"].tolist() for name in _ARRAYS},
                base=float(data[f"{n} base"]), level=float(data[f"{n} level"]),
            )
            for n in sorted(lengths)
        }  # fmt: skip


def write_trees(trees: Mapping[int, BoostedTrees], path: Path | None = None) -> None:
    """Write trees to a file, by default to the one they are read from. Thresholds stay in double precision: a feature
    may be exactly at its threshold."""
    arrays: dict[str, np.ndarray] = {}
    for n, one in sorted(trees.items()):
        for name in (*_ARRAYS, "base", "level"):
            found = np.array(getattr(one, name))
            small = {"f": np.float32, "i": np.int16}.get(found.dtype.kind)
            is_exact = small is None or name == "threshold"
            arrays[f"{n} {name}"] = found if is_exact else found.astype(small)
    write_arrays(arrays, path or _TREES_FILE)
