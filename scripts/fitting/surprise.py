# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit surprise`: the habits of a weak player, by which a key is expected or surprising."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from math import log

import click
import numpy as np
from scipy.optimize import minimize

from scripts.fitting.logit import Choice, accuracy, chances
from scripts.measuring.shared import Lined, read_published
from solver.scoring.surprise import WEIGHTS, check_traits
from tsume_rules.packing import pack
from tsume_rules.record_moves import legal_checks

NAMES = tuple(WEIGHTS)
PENALTY = 1.0
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
    """Fit the weights of `solver.scoring.surprise` to the first moves of mates in games."""
    choices = [one for path in games for one in choices_of(islice(read_published([path]), most))]
    random.Random(1).shuffle(choices)
    held, rest = choices[::_HELD], [one for i, one in enumerate(choices) if i % _HELD]
    click.echo(f"{len(choices)} positions with two checks or more")
    for name, weights in (
        ("no habits", np.zeros(len(NAMES))),
        ("weights in force", np.array(list(WEIGHTS.values()))),
        ("fitted on the others", fitted(rest)),
    ):
        click.echo(f"  {name:22} on {len(held)} held back: {_report(held, weights)}")
    weights = fitted(choices)
    click.echo("weight in force, fitted, share of the checks with the trait:")
    shares = np.concatenate([one.rows for one in choices]) != 0
    for name, fresh, share in zip(NAMES, weights, shares.mean(axis=0), strict=True):
        click.echo(f"  {name:18} {WEIGHTS[name]:6.2f} {fresh:6.2f} {share:6.3f}")
    by_length = defaultdict(list)
    for problem in islice(read_published(published), 10**6):
        by_length[problem.length].append(problem)
    for length, some in sorted(by_length.items()):
        click.echo(f"  published, {length:2} plies: {_report(choices_of(some[:most]), weights)}")


def choices_of(problems: Iterable[Lined]) -> list[Choice]:
    """The choice of each problem's first check; those with one check, or an illegal line, have none."""
    found = []
    for problem in problems:
        record, key = pack(problem.position), problem.moves[0]
        checks = legal_checks(record)
        if key in checks and len(checks) > 1:
            traits = [Counter(check_traits(record, check)) for check in checks]
            rows = np.array([[one[name] for name in NAMES] for one in traits])
            found.append(Choice(rows, checks.index(key)))
    return found


def fitted(choices: Sequence[Choice]) -> np.ndarray:
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
        value = -np.log(chosen).sum() + PENALTY / 2 * weights @ weights
        return float(value), shares @ rows - keys.sum(axis=0) + PENALTY * weights

    found = minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B")
    return np.round(np.asarray(found.x), 2)


def _report(choices: Sequence[Choice], weights: np.ndarray) -> str:
    bits = [-log(chances(one, weights)[one.chosen]) / log(2) for one in choices]
    return (
        f"surprise {np.mean(bits):.2f} (median {np.median(bits):.2f}), "
        f"the likeliest check is the key in {accuracy(choices, weights):.0%}"
    )
