# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench likeness`: can composed problems be told from published ones?"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import click

from generator.likeness.features import Features, placement_and_shape, shape_and_line
from scripts.measuring.options import FILE
from scripts.measuring.problem_files import Lined, read_problems
from scripts.measuring.separation import FEWEST, Separation, Sign, separate, signs

VIEWS: dict[str, Callable[[Lined], Features]] = {
    "shape and line": lambda problem: shape_and_line(problem.position, problem.line),
    "where pieces stand": lambda problem: placement_and_shape(problem.position),
}
_FILES = ("--published", "--composed")


@dataclass(frozen=True)
class Compared:
    """What one view says of the problems of one length."""

    separation: Separation
    signs: list[Sign]


class ManyFiles(click.Command):
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


@click.command(cls=ManyFiles)
@click.option("--published", metavar="FILE...", multiple=True, required=True, type=FILE)
@click.option("--composed", metavar="FILE...", multiple=True, required=True, type=FILE)
@click.option("--moves", multiple=True, type=int, help="Only this length; may be given several times.")
@click.option(
    "--most",
    default=400,
    show_default=True,
    type=click.IntRange(FEWEST),
    help="Problems of a set and length.",
)
@click.option("--seeds", default=2, show_default=True, type=click.IntRange(1))
@click.option("--features", "shown", default=12, show_default=True, help="How many features are shown.")
@click.option("--solve", "solve_all", is_flag=True, help="Use the program's main lines for all problems.")
@click.option("--jsonl", is_flag=True, help="Print one JSON object for each length.")
def likeness(
    published: tuple[Path, ...],
    composed: tuple[Path, ...],
    moves: tuple[int, ...],
    most: int,
    seeds: int,
    shown: int,
    solve_all: bool,
    jsonl: bool,
) -> None:
    """Whether classifiers tell composed problems from published ones of the same length.

    They are trained on as many of one set as of the other and tested on problems they have not seen,
    once by shape and line, once by where the pieces stand. AUC 0.5: they cannot be told apart; 1: always.
    """
    ours = by_length(read_problems(composed, solve_all=solve_all))
    theirs = by_length(read_problems(published, solve_all=solve_all))
    for length in sorted(ours):
        if moves and length not in moves:
            continue
        sets = theirs[length], ours[length]
        size = min(most, *map(len, sets))
        if size < FEWEST:
            click.echo(
                f"{length} moves: {len(sets[0])} published, {len(sets[1])} composed: too few", err=True
            )
            continue
        found = {name: _compare(view, sets, most, seeds, shown) for name, view in VIEWS.items()}
        print(_json(length, size, found) if jsonl else _text(length, size, found), flush=True)


def by_length(problems: Sequence[Lined]) -> defaultdict[int, list[Lined]]:
    groups: defaultdict[int, list[Lined]] = defaultdict(list)
    for problem in problems:
        groups[problem.length].append(problem)
    return groups


def _compare(
    view: Callable[[Lined], Features],
    sets: tuple[list[Lined], list[Lined]],
    most: int,
    seeds: int,
    shown: int,
) -> Compared:
    published, composed = ([view(problem) for problem in problems] for problems in sets)
    found = separate(published, composed, most, range(1, seeds + 1))
    return Compared(found, signs(published, composed, shown))


def _text(length: int, size: int, found: dict[str, Compared]) -> str:
    lines = [f"{length} moves: {size} published, {size} composed"]
    for name, view in found.items():
        trees, linear = view.separation.trees, view.separation.linear
        lines.append(
            f"  {name}: AUC {fmean(trees):.3f} by trees ({min(trees):.2f} to {max(trees):.2f}), "
            f"{fmean(linear):.3f} linear"
        )
        lines.append(f"    {'':40} {'AUC':>6} {'published':>10} {'composed':>10}")
        lines += [
            f"    {sign.name:40} {sign.auc:6.3f} {sign.published:10.3f} {sign.composed:10.3f}"
            for sign in view.signs
        ]
    return "\n".join(lines)


def _json(length: int, size: int, found: dict[str, Compared]) -> str:
    views = {
        name: {
            "auc": round(fmean(view.separation.trees), 4),
            "auc_linear": round(fmean(view.separation.linear), 4),
            "features": [
                {"name": sign.name, "auc": round(sign.auc, 4)}
                | {"published": round(sign.published, 4), "composed": round(sign.composed, 4)}
                for sign in view.signs
            ],
        }
        for name, view in found.items()
    }
    return json.dumps({"length": length, "number": size, "views": views}, ensure_ascii=False)
