# SPDX-License-Identifier: GPL-3.0-or-later
"""Composed problems compared with published ones: `scripts/bench likeness`, `contrasts` and `nearest`."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import click
import numpy as np

from generator.likeness import Features, placement_features, shape_and_line
from generator.quality import has_two_last_moves
from generator.replay import replay_line
from scripts.measuring import FILE, LinedProblem, auc, read_problems
from solver.engines.dfpn.engine import DfPnEngine
from solver.scoring.difficulty import TABLE_BITS, checks_beyond_glance, resistance, surprise
from tsume_rules.kernel.tables import GOLD, KING
from tsume_rules.packed import dropped, legal_checks, pack
from tsume_rules.position import Side, Square, file_of, rank_of

# --- how well two sets of problems are told apart by their features, and by which ------------------

FOLDS = 5
FEWEST = 4 * FOLDS
"""With fewer problems of a set nothing is trained."""
MIN_PROBLEMS = 4
"""A feature that is not 0 in fewer problems than this, both sets together, is left out."""
_TREES = {
    "learning_rate": 0.05,
    "max_iter": 200,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 5,
    "l2_regularization": 1.0,
    "max_features": 0.3,
}
"""For some hundred problems: each split sees a part of the features."""
_STRENGTH = 0.01
"""Of the logistic regression; the smaller, the closer all weights are to 0."""


@dataclass(frozen=True)
class TellingSign:
    """One feature: its mean in both sets, and the AUC by it alone, above 0.5 if composed ones have more."""

    name: str
    auc: float
    published: float
    composed: float


def cross_validated_auc(
    published: Sequence[Features], composed: Sequence[Features], most: int, seeds: Iterable[int]
) -> tuple[list[float], list[float]]:
    """Train on the same number of problems of both sets, at most ``most``, and test by cross-validation.

    Each seed draws other problems of the larger set, other folds and other trees. Returns the AUC for each seed and
    fold, by trees and by a linear model: the chance that of a published and a composed problem the right one is taken
    for composed, 0.5 if the sets cannot be told apart, 1 if they always can.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415  (loading takes a second)
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    size = min(len(published), len(composed), most)
    labels = np.repeat([0, 1], size)
    trees, linear = list[float](), list[float]()
    for seed in seeds:
        draw = random.Random(seed)
        _, table = feature_table(draw.sample(published, size), draw.sample(composed, size))
        trees += _aucs(HistGradientBoostingClassifier(random_state=seed, **_TREES), table, labels, seed)
        model = make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH, max_iter=2000))
        linear += _aucs(model, table, labels, seed)
    return trees, linear


def _aucs(model: Any, table: np.ndarray, labels: np.ndarray, seed: int) -> list[float]:
    from sklearn.model_selection import StratifiedKFold, cross_val_score  # noqa: PLC0415
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    split = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    with threadpool_limits(1):
        return [float(auc) for auc in cross_val_score(model, table, labels, scoring="roc_auc", cv=split)]


def telling_signs(published: Sequence[Features], composed: Sequence[Features], number: int) -> list[TellingSign]:
    """Return the features that alone tell the sets apart best, the best first."""
    names, table = feature_table(published, composed)
    found = [
        TellingSign(name, auc(other, one), float(one.mean()), float(other.mean()))
        for name, one, other in zip(names, table[: len(published)].T, table[len(published) :].T, strict=True)
    ]
    return sorted(found, key=lambda sign: (-abs(sign.auc - 0.5), sign.name))[:number]


def feature_table(
    published: Sequence[Features], composed: Sequence[Features], least: float = MIN_PROBLEMS
) -> tuple[list[str], np.ndarray]:
    """Names of features and a table [problem, feature], the published first; a missing name counts as 0."""
    problems = [*published, *composed]
    number = Counter(name for problem in problems for name, value in problem.items() if value)
    names = sorted(name for name, count in number.items() if count >= least)
    table = [[problem.get(name, 0.0) for name in names] for problem in problems]
    return names, np.array(table, dtype=np.float64)


# --- `scripts/bench likeness`: can composed problems be told from published ones? ------------------

VIEWS: dict[str, Callable[[LinedProblem], Features]] = {
    "shape and line": lambda problem: shape_and_line(problem.position, problem.line),
    "where pieces stand": lambda problem: placement_features(problem.position),
}
_FILES = ("--published", "--composed")

Compared = tuple[list[float], list[float], list[TellingSign]]
"""AUC by trees and by a linear model, and the features that tell most."""


class ManyFilesCommand(click.Command):
    """A command whose options of files may be followed by several files."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        repeated: list[str] = []
        option: str | None = None
        for arg in args:
            if arg in _FILES:
                option = arg
            elif option is None or arg.startswith("-"):
                option = None
                repeated.append(arg)
            else:
                repeated += [option, arg]
        return super().parse_args(ctx, repeated)


def set_options(command: Callable[..., Any]) -> Callable[..., Any]:
    published, composed = (
        click.option(name, metavar="FILE...", multiple=True, required=True, type=FILE) for name in _FILES
    )
    return published(composed(command))


def length_options(command: Callable[..., Any]) -> Callable[..., Any]:
    moves = click.option("--moves", multiple=True, type=int, help="Only this length; repeatable.")
    solve = click.option("--solve", "solve_all", is_flag=True, help="Use the program's main lines for all.")
    jsonl = click.option("--jsonl", is_flag=True, help="Print one JSON object for each length.")
    return set_options(moves(solve(jsonl(command))))


def sets_by_length(
    published: tuple[Path, ...], composed: tuple[Path, ...], moves: tuple[int, ...], solve_all: bool
) -> Iterator[tuple[int, list[LinedProblem], list[LinedProblem]]]:
    """Yield each length of composed problems with the published and the composed ones."""
    ours, theirs = ([*read_problems(files, solve_all=solve_all)] for files in (composed, published))
    for length in sorted({one.length for one in ours}):
        if not moves or length in moves:
            here, there = ([one for one in some if one.length == length] for some in (theirs, ours))
            yield length, here, there


@click.command(cls=ManyFilesCommand)
@length_options
@click.option("--most", default=400, show_default=True, type=click.IntRange(FEWEST),
              help="Problems of a set and length.")  # fmt: skip
@click.option("--seeds", default=2, show_default=True, type=click.IntRange(1))
@click.option("--features", "shown", default=12, show_default=True, help="How many features are shown.")
def likeness(
    published: tuple[Path, ...], composed: tuple[Path, ...], moves: tuple[int, ...], most: int, seeds: int,
    shown: int, solve_all: bool, jsonl: bool,
) -> None:  # fmt: skip
    """Whether classifiers tell composed problems from published ones of the same length.

    They are trained on as many of one set as of the other and tested on problems they have not seen,
    once by shape and line, once by where the pieces stand. AUC 0.5: they cannot be told apart; 1: always.
    """
    for length, theirs, ours in sets_by_length(published, composed, moves, solve_all):
        size = min(most, len(theirs), len(ours))
        if size < FEWEST:
            told = f"{length} moves: {len(theirs)} published, {len(ours)} composed: too few"
            click.echo(told, err=True)
            continue
        found = {}
        for name, view in VIEWS.items():
            features = [view(one) for one in theirs], [view(one) for one in ours]
            found[name] = (*cross_validated_auc(*features, most, range(1, seeds + 1)), telling_signs(*features, shown))
        text = _likeness_json(length, size, found) if jsonl else _likeness_text(length, size, found)
        print(text, flush=True)


def _likeness_text(length: int, size: int, found: dict[str, Compared]) -> str:
    lines = [f"{length} moves: {size} published, {size} composed"]
    for name, (trees, linear, told) in found.items():
        lines.append(
            f"  {name}: AUC {fmean(trees):.3f} by trees ({min(trees):.2f} to {max(trees):.2f}), "
            f"{fmean(linear):.3f} linear"
        )
        lines.append(f"    {'':40} {'AUC':>6} {'published':>10} {'composed':>10}")
        lines += [f"    {sign.name:40} {sign.auc:6.3f} {sign.published:10.3f} {sign.composed:10.3f}" for sign in told]
    return "\n".join(lines)


def _likeness_json(length: int, size: int, found: dict[str, Compared]) -> str:
    views = {
        name: {
            "auc": round(fmean(trees), 4),
            "auc_linear": round(fmean(linear), 4),
            "features": [
                {name: round(value, 4) if isinstance(value, float) else value for name, value in vars(sign).items()}
                for sign in told
            ],
        }
        for name, (trees, linear, told) in found.items()
    }
    return json.dumps({"length": length, "number": size, "views": views}, ensure_ascii=False)


# --- `scripts/bench contrasts`: differences that a solver notices ----------------------------------


@dataclass(frozen=True)
class Contrasts:
    two_last_moves: bool
    captures: bool
    first_checks: int
    others: int
    """First checks other than the key."""
    tries: int
    """Those of them that take more than a glance to refute."""
    only_king_answers: bool
    ends_with_a_gold: bool
    resistance: float
    surprise: float


ROWS: dict[str, Callable[[Sequence[Contrasts]], float]] = {
    "two last moves mate": lambda some: fmean(one.two_last_moves for one in some),
    "some check captures": lambda some: fmean(one.captures for one in some),
    "legal first checks": lambda some: fmean(one.first_checks for one in some),
    "first checks that take more than a glance": lambda some: (
        sum(one.tries for one in some) / max(1, sum(one.others for one in some))
    ),
    "some first check takes more than a glance": lambda some: fmean(one.tries > 0 for one in some),
    "only the king answers": lambda some: fmean(one.only_king_answers for one in some),
    "a gold drop mates": lambda some: fmean(one.ends_with_a_gold for one in some),
    "resistance": lambda some: fmean(one.resistance for one in some),
    "surprise": lambda some: fmean(one.surprise for one in some),
}
"""The figures of problems of one length: shares, but means of legal first checks and of the last two."""


@click.command(cls=ManyFilesCommand)
@length_options
def contrasts(
    published: tuple[Path, ...], composed: tuple[Path, ...], moves: tuple[int, ...], solve_all: bool,
    jsonl: bool,
) -> None:  # fmt: skip
    """What solvers notice first: tries, captures, last moves, in published and in composed problems.

    A first check takes more than a glance if no answer makes the attacker run out of checks within three plies of it.
    """
    engine = DfPnEngine(table_bits=TABLE_BITS)
    for length, *problems in sets_by_length(published, composed, moves, solve_all):
        sets = [[contrasts_of(one, engine) for one in some] for some in problems]
        if jsonl:
            figures = {
                side: {"number": len(some)} | {name: round(figure(some), 4) for name, figure in ROWS.items() if some}
                for side, some in zip(("published", "composed"), sets, strict=True)
            }
            print(json.dumps({"length": length} | figures), flush=True)
            continue
        print(f"{length} moves:{'':33} {'published':>10} {'composed':>10}")
        print(f"  {'problems':40} {len(sets[0]):10} {len(sets[1]):10}")
        for name, figure in ROWS.items():
            cells = " ".join(f"{figure(some):10.3f}" if some else "         -" for some in sets)
            print(f"  {name:41}{cells}", flush=True)


def contrasts_of(problem: LinedProblem, engine: DfPnEngine) -> Contrasts:
    packed, line = pack(problem.position), problem.moves
    replayed = replay_line(problem.position, problem.line)
    first = legal_checks(packed)
    others = [check for check in first if check != line[0]]
    return Contrasts(
        two_last_moves=has_two_last_moves(packed, line),
        captures=any(turn.check.captured for turn in replayed.turns),
        first_checks=len(first),
        others=len(others),
        tries=len(checks_beyond_glance(packed, others)),
        only_king_answers=bool(replayed.answers) and all(answer.kind == KING for answer in replayed.answers),
        ends_with_a_gold=dropped(line[-1]) == GOLD,
        resistance=resistance(engine, packed, others),
        surprise=surprise(packed, line[0], first),
    )


# --- `scripts/bench nearest`: distance to published problems, so whether any is a copy -------------

_REACH = 8
"""Files or ranks from the king to the farthest square there can be."""
_WIDTH = 2 * _REACH + 1
_HANDS = _WIDTH * _WIDTH
"""The squares around the king come first in a row, then the attacker's hand."""
_MAX_DIFFERENCES = 4
"""Differences from this number on are counted together."""

Squares = tuple[tuple[int, int], ...]
"""Where the moves of a line lead, each as files and ranks from the king's first square."""


@dataclass(frozen=True)
class NearestPublished:
    """The nearest published problem: its index, how many squares and hand pieces differ, and whether the
    moves of both lines lead to the same squares."""

    index: int
    differing: int
    same_squares: bool


class PublishedProblems:
    """Published problems and their mirror images, as rows of squares around the king and of hands."""

    def __init__(self, problems: Sequence[LinedProblem]) -> None:
        rows = np.array([position_row(problem) for problem in problems])
        self._rows = np.concatenate([rows, np.array([mirrored_row(row) for row in rows])])
        lines = [squares_of(problem) for problem in problems]
        self._lines = [*lines, *(tuple((-files, ranks) for files, ranks in line) for line in lines)]
        self._size = len(problems)

    def nearest(self, problem: LinedProblem, without: int | None = None) -> NearestPublished:
        """Return the nearest problem; of equally near ones one with the same squares, else the first.

        ``without`` is the index of a problem to pass over.
        """
        row, line = position_row(problem), squares_of(problem)
        differing = np.count_nonzero(self._rows[:, :_HANDS] != row[:_HANDS], axis=1)
        differing += np.abs(self._rows[:, _HANDS:] - row[_HANDS:]).sum(axis=1, dtype=np.int64)
        if without is not None:
            differing[without :: self._size] = len(row) * _WIDTH
        least = np.flatnonzero(differing == differing.min())
        same = [int(i) for i in least if self._lines[i] == line]
        found = same[0] if same else int(least[0])
        return NearestPublished(found % self._size, int(differing[found]), bool(same))


def position_row(problem: LinedProblem) -> np.ndarray:
    """Return the pieces on the squares around the king, file by file, then the attacker's hand by kind."""
    king = _king(problem)
    around = np.zeros((_WIDTH, _WIDTH), dtype=np.int8)
    for sq, piece in enumerate(problem.position.board):
        if piece is not None:
            files, ranks = _offset(sq, king)
            around[files + _REACH, ranks + _REACH] = 1 + 2 * int(piece.kind) + (piece.side is Side.DEFENDER)
    hand = problem.position.attacker_hand.counts
    return np.concatenate([around.ravel(), np.array(hand, dtype=np.int8)])


def mirrored_row(row: np.ndarray) -> np.ndarray:
    around = row[:_HANDS].reshape(_WIDTH, _WIDTH)
    return np.concatenate([around[::-1].ravel(), row[_HANDS:]])


def squares_of(problem: LinedProblem) -> Squares:
    king = _king(problem)
    return tuple(_offset(move.target, king) for move in problem.line)


def _king(problem: LinedProblem) -> Square:
    king = problem.position.king(Side.DEFENDER)
    if king is None:
        raise ValueError("a problem without the defender's king")
    return king


def _offset(sq: Square, king: Square) -> tuple[int, int]:
    return file_of(sq) - file_of(king), rank_of(sq) - rank_of(king)


@click.command(cls=ManyFilesCommand)
@set_options
@click.option("--pairs", default=5, show_default=True, help="How many of the nearest pairs are named.")
def nearest(published: tuple[Path, ...], composed: tuple[Path, ...], pairs: int) -> None:
    """How many squares and hand pieces differ between a composed problem and the nearest published one.

    The kings are brought to the same square; of the two mirror images the nearer one counts. Published
    problems of the same lengths, each beside the others, show how near people's problems are to one another.
    """
    theirs, ours = read_problems(published), read_problems(composed)
    field = PublishedProblems(theirs)
    heads = "".join(f"{number:>8}" for number in (*range(_MAX_DIFFERENCES), f"{_MAX_DIFFERENCES}+"))
    for length in sorted({problem.length for problem in ours}):
        found = {i: field.nearest(one) for i, one in enumerate(ours) if one.length == length}
        same = [i for i, one in enumerate(theirs) if one.length == length and len(theirs) > 1]
        among = [field.nearest(theirs[i], without=i) for i in same]
        click.echo(f"{length} moves: {len(found)} composed, {len(among)} published")
        click.echo(f"  {'squares and hand pieces that differ':36}{heads}   same squares in the line")
        for name, some in (("composed", list(found.values())), ("published", among)):
            number = Counter(min(near.differing, _MAX_DIFFERENCES) for near in some)
            shares = [number[differing] for differing in range(_MAX_DIFFERENCES + 1)]
            shares.append(sum(near.same_squares for near in some))
            click.echo(f"  {name:36}" + "".join(f"{share / max(len(some), 1):8.1%}" for share in shares))
        for i, near in sorted(found.items(), key=lambda one: (one[1].differing, one[0]))[:pairs]:
            pair = f"composed {i + 1}, published {near.index + 1}"
            line = "the same" if near.same_squares else "other"
            click.echo(f"  {pair}: {near.differing} differ, {line} squares in the line")
