# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of the rules and of the difficulty: `scripts/fit main-line`, `surprise` and `difficulty`."""

from __future__ import annotations

import csv
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from math import log
from pathlib import Path
from typing import Any

import click
import numpy as np
from scipy.stats import rankdata, spearmanr

from scripts.fitting import Choice, accuracy, choice_chances, cross_validated, fit_choice_weights, fit_equal_weights
from scripts.measuring import LinedProblem, gamma_within, read_published
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.given import examine_given
from solver.judging.judge import mirror_order
from solver.results import Difficulty, LimitReached, Limits, Mate, steps_of_length
from solver.scoring.difficulty import BASE, WEIGHTS, Scorer, check_traits
from solver.scoring.difficulty import TRAIT_WEIGHTS as HABIT_WEIGHTS
from solver.solving.deepening import search_length
from solver.solving.tree import WEIGHTS as LINE_WEIGHTS
from solver.solving.tree import Reply, TreeBuilder, defence_features
from tsume_rules.packed import PackedPosition, legal_checks, line_played, pack, played
from tsume_rules.position import Side
from tsume_rules.sfen import parse_sfen

# --- `scripts/fit main-line`: which of several longest defences published lines follow -------------

LINE_NAMES = tuple(LINE_WEIGHTS)
_MAX_TURNS = 400


class DefenceChoiceFinder:
    """Finds the choices among longest defences that published lines make."""

    def __init__(self, seconds: float) -> None:
        self._engine = DfPnEngine()
        self._limits = Limits(seconds=seconds)
        self.choices: list[Choice] = []
        self.agreeing: Counter[int] = Counter()
        self.compared: Counter[int] = Counter()

    def look_at(self, problem: LinedProblem) -> None:
        """Collect a problem's choices; one whose line is not a best line, or takes too long, has none."""
        packed, line, n = pack(problem.position), problem.moves, problem.length
        self._engine.forget()
        with suppress(LimitReached), self._engine.within(self._limits):
            if not self._engine.mates(packed, n):
                return
            if examine_given(self._engine, packed, n, line).reading != "narrow":
                return
            order = mirror_order(problem.position)
            builder = TreeBuilder(self._engine, most_turns=_MAX_TURNS, complete=False, order=order)
            self.compared[n] += 1
            self.agreeing[n] += builder.turn(packed, n).line()[: n - 1] == line[: n - 1]
            for ply in range(0, n - 1, 2):
                with line_played(packed, line[:ply]):
                    found = builder.after(packed, line[ply], n - ply).replies
                    fitting = [one for one in found if one.turn and not one.turn.leftover]
                    chosen = next((i for i, one in enumerate(fitting) if one.moves == (line[ply + 1],)), None)
                    if chosen is not None and len(fitting) > 1:
                        with played(packed, line[ply], Side.ATTACKER):
                            rows = np.array([self._row(packed, reply) for reply in fitting])
                        self.choices.append(Choice(rows, chosen))

    def _row(self, packed: PackedPosition, reply: Reply) -> list[float]:
        assert reply.turn is not None
        turn, answer = reply.turn, reply.moves[0]
        found = Counter(defence_features(self._engine, packed, answer, turn.n, turn.key, len(turn.replies)))
        return [float(found[name]) for name in LINE_NAMES]


@click.command("main-line")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--time", "seconds", type=float, default=30.0, help="Seconds for each problem.")
def main_line(files: tuple[str, ...], seconds: float) -> None:
    """Fit the weights of `solver.solving.tree` on problems with lines.

    FILES hold lines of ``SFEN moves USI...``, or an SFEN, a tab and the line.
    """
    chooser = DefenceChoiceFinder(seconds)
    for problem in read_published(files):
        chooser.look_at(problem)
    for n, number in sorted(chooser.compared.items()):
        share = chooser.agreeing[n] / number
        click.echo(f"{n:2} plies: {number} problems, {share:.0%} with the line as published but for its last move")
    if not (choices := chooser.choices):
        click.echo("no choice between longest defences")
        return
    now, new = np.array([LINE_WEIGHTS[name] for name in LINE_NAMES]), fit_choice_weights(choices)
    click.echo(f"{len(choices)} choices; made as published:")
    click.echo(f"  weights in force      {accuracy(choices, now):.2f}")
    click.echo(f"  fitted                {accuracy(choices, new):.2f}")
    click.echo(f"  fitted, on other data {cross_validated(choices):.2f}")
    click.echo("weight in force, fitted:")
    for name, old, fresh in zip(LINE_NAMES, now, new, strict=True):
        click.echo(f"  {name:24} {old:6.2f} {fresh:6.2f}")


# --- `scripts/fit surprise`: habits by which a first move is expected or surprising ----------------

HABIT_NAMES = tuple(HABIT_WEIGHTS)
HABIT_PENALTY = 1.0
"""Of the squared weights, halved: it keeps rare traits small."""
_HELD = 5
"""One choice in so many is held back."""


@click.command("surprise")
@click.option(
    "--games", multiple=True, required=True, type=click.Path(exists=True),
    help="Mates that occurred in games, with a line each.",
)  # fmt: skip
@click.option("--published", multiple=True, type=click.Path(exists=True), help="Problems to compare with; not fitted.")
@click.option("--most", default=1000, show_default=True, help="At most this many positions of a file.")
def surprise(games: tuple[str, ...], published: tuple[str, ...], most: int) -> None:
    """Fit the weights of `solver.scoring.difficulty` to the first moves of mates in games."""
    choices = [one for path in games for one in first_check_choices(islice(read_published([path]), most))]
    random.Random(1).shuffle(choices)
    held, rest = choices[::_HELD], [one for i, one in enumerate(choices) if i % _HELD]
    click.echo(f"{len(choices)} positions with two checks or more")
    for name, weights in (
        ("no habits", np.zeros(len(HABIT_NAMES))),
        ("weights in force", np.array(list(HABIT_WEIGHTS.values()))),
        ("fitted on the others", fit_choice_weights(rest, HABIT_PENALTY).round(2)),
    ):
        click.echo(f"  {name:22} on {len(held)} held back: {_habit_report(held, weights)}")
    weights = fit_choice_weights(choices, HABIT_PENALTY).round(2)
    click.echo("weight in force, fitted, share of the checks with the trait:")
    shares = np.concatenate([one.rows for one in choices]) != 0
    for name, fresh, share in zip(HABIT_NAMES, weights, shares.mean(axis=0), strict=True):
        click.echo(f"  {name:18} {HABIT_WEIGHTS[name]:6.2f} {fresh:6.2f} {share:6.3f}")
    by_length = defaultdict(list)
    for problem in read_published(published):
        by_length[problem.length].append(problem)
    for length, some in sorted(by_length.items()):
        click.echo(f"  published, {length:2} plies: {_habit_report(first_check_choices(some[:most]), weights)}")


def first_check_choices(problems: Iterable[LinedProblem]) -> list[Choice]:
    """Return the choice of each problem's first check; one check, or an illegal line, is no choice."""
    found = []
    for problem in problems:
        packed, key = pack(problem.position), problem.moves[0]
        checks = legal_checks(packed)
        if key in checks and len(checks) > 1:
            traits = [Counter(check_traits(packed, check)) for check in checks]
            rows = np.array([[one[name] for name in HABIT_NAMES] for one in traits])
            found.append(Choice(rows, checks.index(key)))
    return found


def _habit_report(choices: Sequence[Choice], weights: np.ndarray) -> str:
    bits = [-log(choice_chances(one, weights)[one.chosen]) / log(2) for one in choices]
    return (
        f"surprise {np.mean(bits):.2f} (median {np.median(bits):.2f}), "
        f"the likeliest check is the key in {accuracy(choices, weights):.0%}"
    )


# --- results of solving (`tsume results export`) and the ratings of problems that they show --------

MIN_PLAYS, MIN_PROBLEMS = 5, 30
"""Rated results of a problem, and problems with so many, without which a fit says nothing."""
_NEEDED = ("sfen", "person", "success", "mistakes", "hints", "rated")
_CENTRE, _POINTS = 1500.0, 400.0 / math.log(10)
"""The scale of ratings: points for each unit of the logarithm of odds."""
_SPREAD = 350.0
"""Before any result, persons and problems have ratings of this standard deviation."""
_STEPS = 200


@dataclass(frozen=True)
class PlayedProblem:
    """A problem, the number of its rated results, and the rating that they show."""

    sfen: str
    plays: int
    rating: float


def read_played_problems(paths: Iterable[str]) -> list[PlayedProblem]:
    """Return the problems of exported results with at least `MIN_PLAYS` rated results.

    Raises `click.ClickException` for a file that cannot be read and for fewer than `MIN_PROBLEMS`.
    """
    games = [game for path in paths for game in _read_games(path)]
    found = [one for one in rated_problems(games) if one.plays >= MIN_PLAYS]
    if len(found) < MIN_PROBLEMS:
        raise click.ClickException(
            f"{len(games)} rated results are too few: {len(found)} problems have at least {MIN_PLAYS} "
            f"of them, and {MIN_PROBLEMS} such problems are needed"
        )
    return found


def _read_games(path: str) -> Iterator[tuple[str, str, bool]]:
    """Yield person, SFEN and success of the rated results of a file, CSV or JSON lines."""
    text = Path(path).read_text(encoding="utf-8")
    try:
        lines = text.splitlines()
        rows: list[dict[str, Any]] = list(map(json.loads, lines)) if text.startswith("{") else [*csv.DictReader(lines)]
    except ValueError as error:
        raise click.ClickException(f"{path}: {error}") from None
    for number, row in enumerate(rows, start=1):
        if missing := [name for name in _NEEDED if row.get(name) is None]:
            raise click.ClickException(f"{path}: result {number} has no {missing[0]} (tsume results export)")
        rated, success = (row[name] in (True, "true") for name in ("rated", "success"))
        if rated:
            is_plain = all(str(row[name]) == "0" for name in ("mistakes", "hints"))
            yield str(row["person"]), str(row["sfen"]), success and is_plain


def rated_problems(games: Sequence[tuple[str, str, bool]]) -> list[PlayedProblem]:
    """Return the ratings of problems that make the results of games the likeliest, those of persons too.

    The chance to win is that of Elo's formula; ratings have a normal prior. Newton's method, persons and
    problems by turns.
    """
    persons, problems = ({name: i for i, name in enumerate(dict.fromkeys(names))} for names in (
        (person for person, _, _ in games), (sfen for _, sfen, _ in games),
    ))  # fmt: skip
    who = np.array([persons[person] for person, _, _ in games], dtype=np.int64)
    what = np.array([problems[sfen] for _, sfen, _ in games], dtype=np.int64)
    won = np.array([won for _, _, won in games], dtype=float)
    strengths, levels = np.zeros(len(persons)), np.zeros(len(problems))

    def chances() -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(levels[what] - strengths[who])))

    for _ in range(_STEPS if games else 0):
        strengths += _step(strengths, who, won - chances())
        levels += _step(levels, what, chances() - won)
    plays = np.bincount(what, minlength=len(problems))
    ratings = _CENTRE + _POINTS * levels
    found = zip(problems, plays.tolist(), ratings.tolist(), strict=True)
    return [PlayedProblem(*one) for one in found]


def _step(values: np.ndarray, indices: np.ndarray, surplus: np.ndarray) -> np.ndarray:
    """Return one step towards the values that explain the surplus of wins, with a bound on the curvature."""
    prior = (_POINTS / _SPREAD) ** 2
    slope = np.bincount(indices, surplus, len(values)) - prior * values
    curvature = np.bincount(indices, minlength=len(values)) / 4 + prior
    return np.asarray(slope / curvature)


# --- weights of the score, fifths of published problems --------------------------------------------

NAMES = tuple(WEIGHTS)
"""The length is the first."""
SCALE = ((3, 30.0), (11, 70.0))
"""The score's scale is free: published problems of these lengths have these means."""
_RESAMPLES = 1000


class ScoredTable:
    """Scored problems: features by name of `WEIGHTS`, lengths, levels (0 where there is none), their files' numbers."""

    def __init__(self, files: Iterable[Iterable[tuple[Difficulty, int, float]]]) -> None:
        found = [(*one, file) for file, some in enumerate(files) for one in some]
        self.rows = np.array([[one.features[name] for name in NAMES] for one, _, _, _ in found])
        self.lengths = np.array([length for _, length, _, _ in found])
        self.levels = np.array([level for _, _, level, _ in found])
        self.files = np.array([file for _, _, _, file in found])

    def fitted(self, some: np.ndarray | slice = np.s_[:]) -> np.ndarray:
        """Weights on the ranks of the levels, as shares of their number: a site's levels are uneven steps."""
        ranks = rankdata(self.levels[some]) / len(self.levels[some])
        return fit_equal_weights(self.rows[some, 1:], self.lengths[some], ranks)

    def agreement(self, scores: np.ndarray) -> str:
        """Return how scores agree with the levels, gamma with the interval of 95% of resamples of the works."""
        scores = scores.round(6)  # the order of a sum does not part ties
        drawn = np.random.default_rng(1).integers(0, len(scores), (_RESAMPLES, len(scores)))
        gammas = [gamma_within(scores[some], self.levels[some], self.lengths[some]) for some in drawn]
        low, high = np.quantile(gammas, (0.025, 0.975))
        every = np.ones(len(scores), dtype=bool)
        told = []
        for some in (every, *(self.files == file for file in np.unique(self.files))):
            within = gamma_within(scores[some], self.levels[some], self.lengths[some])
            varies = min(np.ptp(scores[some]), np.ptp(self.levels[some])) > 0
            told.append(f"{within:.2f} {spearmanr(scores[some], self.levels[some])[0] if varies else 0.0:.2f}")
        return f"{told[0]} (gamma {low:.2f} to {high:.2f}; by file {', '.join(told[1:])})"

    def left_out(self, groups: np.ndarray) -> np.ndarray:
        """Scores of each group of works by weights and mean that were fitted on the others."""
        scores = np.empty(len(self.levels))
        for group in np.unique(groups):
            rest = groups != group
            # the mean rank among the rest, put on the scale of all
            level = rankdata(self.levels)[rest].mean() / len(rest)
            scores[~rest] = level + (self.rows[~rest] - self.rows[rest].mean(axis=0)) @ self.fitted(rest)
        return scores


def score_problems(
    problems: Iterable[LinedProblem | PlayedProblem], seconds: float, most: float = math.inf
) -> Iterator[tuple[Difficulty, int, float]]:
    """Difficulty, length and level (the third column, or the rating) of problems, at most ``most`` of a length.

    A problem that takes too long, or whose length is not that of its line, is left out.
    """
    engine, scorer, limits = DfPnEngine(), Scorer(), Limits(seconds=seconds)
    taken: Counter[int] = Counter()
    for problem in problems:
        if isinstance(problem, LinedProblem):
            position, said = problem.position, problem.length
            level = float(problem.columns[0]) if problem.columns else 0.0
        else:
            position, said, level = parse_sfen(problem.sfen).position, None, problem.rating
        if said is not None and taken[said] >= most:
            continue
        engine.forget()
        result = search_length(engine, pack(position), limits)
        if isinstance(result, Mate) and said in (None, result.length):
            try:
                found = scorer.score(position, result.length, limits)
            except LimitReached:
                continue
            taken[result.length] += 1
            yield found, result.length, level


@click.command("difficulty")
@click.option(
    "--levels", multiple=True, type=click.Path(exists=True),
    help="Works with a level each: SFEN, line, level.",
)  # fmt: skip
@click.option(
    "--results", multiple=True, type=click.Path(exists=True),
    help="Results of solving instead of levels, as `tsume results export` writes them.",
)  # fmt: skip
@click.option(
    "--published", multiple=True, type=click.Path(exists=True),
    help="Published problems with lines, for the scale and the fifths; needed with --levels.",
)  # fmt: skip
@click.option("--most", default=300, help="At most this many published problems of a length.")
@click.option("--time", "seconds", default=60.0, help="Seconds for each problem.")
def difficulty(
    levels: tuple[str, ...], results: tuple[str, ...], published: tuple[str, ...], most: int, seconds: float
) -> None:
    """Fit the weights of `solver.scoring.difficulty` and the fifths of published problems in `solver.results`."""
    if bool(levels) == bool(results) or (levels and not published):
        raise click.UsageError("give --levels and --published, or --results")
    sources = [read_played_problems(results)] if results else [read_published([path]) for path in levels]
    works = ScoredTable(score_problems(source, seconds) for source in sources)
    known = ScoredTable([score_problems(read_published(published), seconds, most)]) if published else None
    click.echo(f"{len(works.levels)} works with levels or ratings; gamma within a length and Spearman's correlation:")
    click.echo(f"  length alone               {works.agreement(works.lengths.astype(float))}")
    click.echo(f"  weights in force           {works.agreement(works.rows @ np.array(list(WEIGHTS.values())))}")
    click.echo(f"  fitted                     {works.agreement(works.rows @ works.fitted())}")
    click.echo(f"  fitted without its length  {works.agreement(works.left_out(works.lengths))}")
    if len(sources) > 1:
        click.echo(f"  fitted without its file    {works.agreement(works.left_out(works.files))}")
    weights, base = scaled_by_works(works) if known is None else scaled_by_published(works.fitted(), known)
    click.echo("weight in force, fitted:")
    click.echo(f"  {'base':24} {BASE:6.2f} {base:6.2f}")
    for name, fresh in zip(NAMES, weights, strict=True):
        click.echo(f"  {name:24} {WEIGHTS[name]:6.2f} {fresh:6.2f}")
    if known is not None:
        # Quintiles by length of the scores with the fitted weights, and the steps in force.
        scores = base + known.rows @ weights
        of_length = defaultdict(list)
        for length, score in zip(known.lengths.tolist(), scores.tolist(), strict=True):
            of_length[length].append(score)
        click.echo("quintiles of the scores as fitted; the steps in force:")
        for length, some in sorted(of_length.items()):
            steps = ", ".join(f"{value:.1f}" for value in np.quantile(some, (0.2, 0.4, 0.6, 0.8)))
            force = ", ".join(f"{value:.1f}" for value in steps_of_length(length))
            click.echo(f"  {length:2} plies, {len(some):4} problems: {steps}; {force}")


def scaled_by_published(weights: np.ndarray, known: ScoredTable) -> tuple[np.ndarray, float]:
    """Return the weights and the base with which published problems have the means of `SCALE`."""
    (short, low), (long, high) = SCALE
    means = [float((known.rows[known.lengths == n] @ weights).mean()) for n in (short, long)]
    unit = (high - low) / (means[1] - means[0])
    return np.round(weights * unit, 2), round(low - means[0] * unit, 1)


def scaled_by_works(works: ScoredTable) -> tuple[np.ndarray, float]:
    """Return weights and base with which works have the mean and the spread of their scores in force."""
    scores, fitted = works.rows @ np.array(list(WEIGHTS.values())), works.rows @ works.fitted()
    unit = scores.std() / max(float(fitted.std()), 1e-9)
    weights = np.round(works.fitted() * unit, 2)
    return weights, round(float(BASE + scores.mean() - (works.rows @ weights).mean()), 1)
