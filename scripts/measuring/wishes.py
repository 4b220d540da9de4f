# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench wishes`: a search steered by wishes against a filter afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import click

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.run.composer import Composer
from scripts.measuring.timed_roots import VERSION, compose_for, warm_up

WISHES: dict[str, ProblemConstraints] = {
    "theme big-piece-sacrifice": ProblemConstraints(themes=("big-piece-sacrifice",)),
    "theme decoy": ProblemConstraints(themes=("decoy",)),
    "theme double-check": ProblemConstraints(themes=("double-check",)),
    "theme switchback": ProblemConstraints(themes=("switchback",)),
    "stars 2": ProblemConstraints(stars=2),
    "stars 3": ProblemConstraints(stars=3),
    "stars 4": ProblemConstraints(stars=4),
    "pieces 4": ProblemConstraints(max_pieces=4),
    "pieces 6": ProblemConstraints(max_pieces=6),
    "pieces 8": ProblemConstraints(max_pieces=8),
    "region corner": ProblemConstraints(region="corner"),
    "region edge": ProblemConstraints(region="edge"),
    "region centre": ProblemConstraints(region="centre"),
    "hand G": ProblemConstraints(hand="G"),
    "only RBGS": ProblemConstraints(only="RBGS"),
    "without PL": ProblemConstraints(without="PL"),
    "no promoted": ProblemConstraints(no_promoted=True),
    "defenders 3": ProblemConstraints(defenders=3),
    "defenders 5": ProblemConstraints(defenders=5),
    "no equal defences": ProblemConstraints(no_equal_defences=True),
    "no variation cooks": ProblemConstraints(no_variation_cooks=True),
    "one finish": ProblemConstraints(one_finish=True),
    "same when counted": ProblemConstraints(same_when_counted=True),
    "key quiet": ProblemConstraints(key="quiet"),
    "key drop": ProblemConstraints(key="drop"),
    "key sacrifice": ProblemConstraints(key="sacrifice"),
}
"""Common, less common and rare wishes."""


@dataclass
class Hunt:
    """One search: the CPU ``times`` in seconds at which problems as wished were found, in order.

    In all, ``seconds`` were spent; without wishes, on ``problems`` of any kind.
    """

    times: list[float] = field(default_factory=list)
    seconds: float = 0.0
    problems: int = 0


@dataclass(frozen=True)
class Cell:
    """The mean time to a number of problems over several hunts.

    In ``given_up`` hunts the limit came first: then the mean is a lower bound.
    """

    seconds: float
    found: int
    given_up: int

    @classmethod
    def of(cls, hunts: Sequence[Hunt], number: int) -> Cell:
        """The cell of hunts in each of which ``number`` problems were asked for."""
        times = [hunt.times[number - 1] if len(hunt.times) >= number else hunt.seconds for hunt in hunts]
        given_up = sum(len(hunt.times) < number for hunt in hunts)
        return cls(sum(times) / len(times), sum(min(number, len(hunt.times)) for hunt in hunts), given_up)

    def __str__(self) -> str:
        note = f" ({self.found} found)" if self.given_up else ""
        return f"{'>' * bool(self.given_up)}{self.seconds:.1f}{note}"


@click.command()
@click.option("--moves", default=7, show_default=True)
@click.option("--count", "number", default=10, show_default=True, help="Problems to be found.")
@click.option("--seeds", default=3, show_default=True, type=click.IntRange(1))
@click.option("--first-seed", default=1, show_default=True)
@click.option("--seconds", default=120.0, show_default=True, help="At most this many CPU seconds for each.")
@click.option(
    "--style", type=click.Choice([style.value for style in Style]), default=Style.FREE.value,
    show_default=True, help="The style of the problems.",
)  # fmt: skip
@click.argument("names", nargs=-1)
def wishes(
    names: tuple[str, ...], moves: int, number: int, seeds: int, first_seed: int, seconds: float, style: str
) -> None:
    """CPU seconds to the last of some problems as wished: searched for, and filtered from all.

    NAMES choose wishes by how their names begin. ">" or "<": the time ran out in some runs.
    The last column is the share of all problems that are as wished: where most are, there is
    little to gain.
    """
    asked = {name: wish for name, wish in WISHES.items() if not names or name.startswith(names)}
    plain = ComposingOptions.of(moves, style=Style(style))
    warm_up(plain)
    those = range(first_seed, first_seed + seeds)
    filtered = [filter_all(plain, asked, number, seed, seconds) for seed in those]
    print(
        f"{moves} moves, {style}: CPU seconds to {number} problems, mean of {seeds} seeds, "
        f"{seconds:g} s at the most"
    )
    print(f"  {'wish':<28}{'wished for':>22}{'filtered':>22}{'ratio':>8}{'fit %':>8}", flush=True)
    for name, wish in asked.items():
        wished = ComposingOptions.of(moves, wishes=wish, style=Style(style))
        steered = Cell.of([steer(wished, number, seed, seconds) for seed in those], number)
        other = Cell.of([hunts[name] for hunts in filtered], number)
        share = 100 * fitting([hunts[name] for hunts in filtered])
        print(f"  {name:<28}{steered!s:>22}{other!s:>22}{ratio(steered, other):>8}{share:>8.1f}", flush=True)


def ratio(steered: Cell, other: Cell) -> str:
    """The time if wished for divided by the time if filtered; a bound or "?" if time ran out."""
    if steered.given_up and other.given_up:
        return "?"
    sign = ">" if steered.given_up else "<" if other.given_up else ""
    return f"{sign}{steered.seconds / other.seconds:.2f}"


def fitting(hunts: Sequence[Hunt]) -> float:
    """The share of all problems that were as wished."""
    return sum(len(hunt.times) for hunt in hunts) / max(1, sum(hunt.problems for hunt in hunts))


def steer(options: ComposingOptions, number: int, seed: int, seconds: float) -> Hunt:
    """Compose as wished until there are ``number`` problems."""
    hunt = Hunt()
    for spent, result in compose_for(Composer(seed, options, VERSION), seconds):
        hunt.seconds = spent
        hunt.times += [spent] * len(result.problems)
        if len(hunt.times) >= number:
            break
    return hunt


def filter_all(
    plain: ComposingOptions, asked: Mapping[str, ProblemConstraints], number: int, seed: int, seconds: float
) -> dict[str, Hunt]:
    """Compose without wishes, once for all of ``asked``, until each has ``number`` problems."""
    hunts = {name: Hunt() for name in asked}
    for spent, result in compose_for(Composer(seed, plain, VERSION), seconds):
        for name, hunt in hunts.items():
            hunt.seconds = spent
            hunt.problems += len(result.problems)
            hunt.times += [spent] * sum(asked[name].allow(problem) for problem in result.problems)
        if all(len(hunt.times) >= number for hunt in hunts.values()):
            break
    return hunts
