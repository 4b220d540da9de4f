# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices among moves: longest defences (`scripts/fit main-line`), first moves (`scripts/fit surprise`)."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from math import log

import click
import numpy as np
from scipy.optimize import minimize

from scripts.fitting.shared import Choice, accuracy, choice_chances, cross_validated, fitted_choices
from scripts.measuring.shared import Lined, read_published
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.given import examine_given
from solver.judging.judge import mirror_order
from solver.limits import LimitReached
from solver.results import Limits
from solver.scoring.difficulty import TRAIT_WEIGHTS as HABIT_WEIGHTS
from solver.scoring.difficulty import check_traits
from solver.solving.tree import WEIGHTS as LINE_WEIGHTS
from solver.solving.tree import Reply, TreeBuilder, defence_features
from tsume_rules.packed import Record, legal_checks, line_played, pack, played
from tsume_rules.position import Side

# --- `scripts/fit main-line`: which of several longest defences published lines follow -------------

LINE_NAMES = tuple(LINE_WEIGHTS)
_MOST_TURNS = 400


class Chooser:
    """Finds the choices among longest defences that published lines make."""

    def __init__(self, seconds: float) -> None:
        self._engine = DfPnEngine()
        self._limits = Limits(seconds=seconds)
        self.choices: list[Choice] = []
        self.agreeing: Counter[int] = Counter()
        self.compared: Counter[int] = Counter()

    def look_at(self, problem: Lined) -> None:
        """Collect a problem's choices; one whose line is not a best line, or takes too long, has none."""
        self._engine.forget()
        try:
            with self._engine.within(self._limits):
                self._look_at(problem)
        except LimitReached:
            pass

    def _look_at(self, problem: Lined) -> None:
        record, line, n = pack(problem.position), problem.moves, problem.length
        if not self._engine.mates(record, n):
            return
        if examine_given(self._engine, record, n, line).reading != "narrow":
            return
        order = mirror_order(problem.position)
        builder = TreeBuilder(self._engine, most_turns=_MOST_TURNS, complete=False, order=order)
        self.compared[n] += 1
        self.agreeing[n] += builder.turn(record, n).line()[: n - 1] == line[: n - 1]
        for ply in range(0, n - 1, 2):
            with line_played(record, line[:ply]):
                found = builder.after(record, line[ply], n - ply).replies
                self._add(record, line[ply], found, line[ply + 1])

    def _add(self, record: Record, key: int, replies: list[Reply], answer: int) -> None:
        fitting = [reply for reply in replies if reply.turn and not reply.turn.leftover]
        chosen = next((i for i, reply in enumerate(fitting) if reply.moves == (answer,)), None)
        if chosen is not None and len(fitting) > 1:
            with played(record, key, Side.ATTACKER):
                rows = np.array([self._row(record, reply) for reply in fitting])
            self.choices.append(Choice(rows, chosen))

    def _row(self, record: Record, reply: Reply) -> list[float]:
        assert reply.turn is not None
        turn = reply.turn
        found = Counter(
            defence_features(self._engine, record, reply.moves[0], turn.n, turn.key, len(turn.replies))
        )
        return [float(found[name]) for name in LINE_NAMES]


@click.command("main-line")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--time", "seconds", type=float, default=30.0, help="Seconds for each problem.")
def main_line(files: tuple[str, ...], seconds: float) -> None:
    """Fit the weights of `solver.solving.tree` on problems with lines.

    FILES hold lines of ``SFEN moves USI...``, or an SFEN, a tab and the line.
    """
    chooser = Chooser(seconds)
    for problem in read_published(files):
        chooser.look_at(problem)
    for n, number in sorted(chooser.compared.items()):
        share = chooser.agreeing[n] / number
        click.echo(
            f"{n:2} plies: {number} problems, {share:.0%} with the line as published but for its last move"
        )
    if not chooser.choices:
        click.echo("no choice between longest defences")
        return
    # The weights in force and fitted, and how many of the choices they make as published.
    choices = chooser.choices
    now = np.array([LINE_WEIGHTS[name] for name in LINE_NAMES])
    new = fitted_choices(choices, len(LINE_NAMES))
    click.echo(f"{len(choices)} choices; made as published:")
    click.echo(f"  weights in force      {accuracy(choices, now):.2f}")
    click.echo(f"  fitted                {accuracy(choices, new):.2f}")
    click.echo(f"  fitted, on other data {cross_validated(choices, len(LINE_NAMES)):.2f}")
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
@click.option(
    "--published", multiple=True, type=click.Path(exists=True), help="Problems to compare with; not fitted."
)
@click.option("--most", default=1000, show_default=True, help="At most this many positions of a file.")
def surprise(games: tuple[str, ...], published: tuple[str, ...], most: int) -> None:
    """Fit the weights of `solver.scoring.difficulty` to the first moves of mates in games."""
    choices = [one for path in games for one in choices_of(islice(read_published([path]), most))]
    random.Random(1).shuffle(choices)
    held, rest = choices[::_HELD], [one for i, one in enumerate(choices) if i % _HELD]
    click.echo(f"{len(choices)} positions with two checks or more")
    for name, weights in (
        ("no habits", np.zeros(len(HABIT_NAMES))),
        ("weights in force", np.array(list(HABIT_WEIGHTS.values()))),
        ("fitted on the others", fitted_habits(rest)),
    ):
        click.echo(f"  {name:22} on {len(held)} held back: {_habit_report(held, weights)}")
    weights = fitted_habits(choices)
    click.echo("weight in force, fitted, share of the checks with the trait:")
    shares = np.concatenate([one.rows for one in choices]) != 0
    for name, fresh, share in zip(HABIT_NAMES, weights, shares.mean(axis=0), strict=True):
        click.echo(f"  {name:18} {HABIT_WEIGHTS[name]:6.2f} {fresh:6.2f} {share:6.3f}")
    by_length = defaultdict(list)
    for problem in islice(read_published(published), 10**6):
        by_length[problem.length].append(problem)
    for length, some in sorted(by_length.items()):
        click.echo(f"  published, {length:2} plies: {_habit_report(choices_of(some[:most]), weights)}")


def choices_of(problems: Iterable[Lined]) -> list[Choice]:
    """The choice of each problem's first check; those with one check, or an illegal line, have none."""
    found = []
    for problem in problems:
        record, key = pack(problem.position), problem.moves[0]
        checks = legal_checks(record)
        if key in checks and len(checks) > 1:
            traits = [Counter(check_traits(record, check)) for check in checks]
            rows = np.array([[one[name] for name in HABIT_NAMES] for one in traits])
            found.append(Choice(rows, checks.index(key)))
    return found


def fitted_habits(choices: Sequence[Choice]) -> np.ndarray:
    """The weights of the greatest penalised likelihood."""
    rows = np.concatenate([one.rows for one in choices])
    starts = np.cumsum([0, *(len(one.rows) for one in choices[:-1])])
    counts = np.array([len(one.rows) for one in choices])
    keys = rows[starts + [one.chosen for one in choices]]

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        sums = rows @ weights
        sums -= np.repeat(np.maximum.reduceat(sums, starts), counts)
        odds = np.exp(sums)
        totals = np.add.reduceat(odds, starts)
        shares = odds / np.repeat(totals, counts)
        chosen = shares[starts + [one.chosen for one in choices]]
        value = -np.log(chosen).sum() + HABIT_PENALTY / 2 * weights @ weights
        return float(value), shares @ rows - keys.sum(axis=0) + HABIT_PENALTY * weights

    found = minimize(loss, np.zeros(len(HABIT_NAMES)), jac=True, method="L-BFGS-B")
    return np.round(np.asarray(found.x), 2)


def _habit_report(choices: Sequence[Choice], weights: np.ndarray) -> str:
    bits = [-log(choice_chances(one, weights)[one.chosen]) / log(2) for one in choices]
    return (
        f"surprise {np.mean(bits):.2f} (median {np.median(bits):.2f}), "
        f"the likeliest check is the key in {accuracy(choices, weights):.0%}"
    )
