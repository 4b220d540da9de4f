"""`scripts/fit likeness`: the values of traits by which the walk composes what people compose.

The generator composes with the values it has; each trait that is rarer than in published problems
then gains, each that is more frequent loses (iterative scaling, Darroch and Ratcliff 1972).
Many traits say nearly the same, so the steps are small. What is fitted are the problems before
the last tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
import numpy as np

from generator.compose import Composer
from generator.kernel import traits
from generator.kernel.traits import TRAITS, line_traits, position_traits
from generator.likeness.model import Model, stored, write_models
from generator.options import Options, Style
from scripts.measuring.problem_files import Lined, read_problems
from tsume_rules.packing import Record, pack, pack_move
from tsume_rules.record_play import Moves

_ROOM = 4096
_SMOOTH = 0.015
"""Added to the mean counts of both sides: it keeps rare traits from large values."""
_MOST = 1.5
_SHRINK = 0.995
"""What is left of each value but those of single pieces after a step."""
_BELOW = 4.0
"""How far an unsettled line lies below the mean of the others: so walks stay where problems are sound."""


class Counter:
    """Counts traits."""

    def __init__(self) -> None:
        self._list = np.zeros(_ROOM, dtype=np.int64)
        self._captured = np.zeros(256, dtype=np.int64)

    def traits(self, record: Record, line: Moves) -> np.ndarray:
        """The traits of a position and its line."""
        first = position_traits(record, self._list, 0)
        return self._list[: self._line(record, line, first)].copy()

    def of_line(self, record: Record, line: Moves) -> np.ndarray:
        """The traits of a line."""
        return self._list[: self._line(record, line, 0)].copy()

    def _line(self, record: Record, line: Moves, first: int) -> int:
        moves = np.array(line, dtype=np.int64)
        return int(line_traits(record, moves, len(line), self._captured, self._list, first))


def means(lists: Iterable[np.ndarray]) -> np.ndarray:
    """How often each trait comes in a problem, on average."""
    total, number = np.zeros(TRAITS), 0
    for one in lists:
        np.add.at(total, one, 1)
        number += 1
    return total / max(number, 1)


def first_values(people: np.ndarray) -> np.ndarray:
    """Values to begin with, as if pieces came to their places and into the hand independently."""
    values = np.zeros(TRAITS)
    for begin, end, places in (
        (traits.OFFSET, traits.RANKS, 1),
        (traits.KINGS, traits.HANDS, 1),
        (traits.HANDS, traits.IN_HAND, 1),
    ):
        share = np.clip((people[begin:end] + 1e-4) / places, 1e-4, 0.9)
        values[begin:end] = np.log(share)
    return values


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-m", "--moves", type=click.IntRange(3), required=True, help="The length to fit.")
@click.option("--rounds", default=60, show_default=True, help="Steps of the fit.")
@click.option("--roots", default=150, show_default=True, help="Roots composed in each.")
@click.option("--rate", default=0.2, show_default=True, help="The size of the first step.")
@click.option("--afresh", is_flag=True, help="Begin anew, not with the values there are.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write; the model's own file.")
def likeness(
    files: tuple[Path, ...], moves: int, rounds: int, roots: int, rate: float, afresh: bool,
    output: Path | None,
) -> None:  # fmt: skip
    """Fit the model of what people compose, for one length, to published problems."""
    counter = Counter()
    published = [one for one in read_problems(files) if one.length == moves]
    people = means(counter.traits(*_packed(one)) for one in published)
    models = {} if afresh else stored()
    start = models.get(moves) or next(iter(models.values()), None) or Model(first_values(people), -5.0)
    values, crude = start.values.copy(), start.crude
    click.echo(f"{len(published)} published problems of {moves} moves")
    for number in range(rounds):
        options = Options.of(moves, style=Style.NATURAL)
        composer = Composer(number, options, "fit", model=Model(values, crude))
        found = [sprout for index in range(roots) for sprout in composer.sprouts(index)]
        click.echo(f"round {number + 1}: {len(found)} composed")
        if not found:
            raise click.ClickException("nothing was composed; begin --afresh, or with smaller steps")
        composed = means(counter.traits(one.record, one.line) for one in found)
        gain = np.log((people + _SMOOTH) / (composed + _SMOOTH))
        values[traits.RANKS :] *= _SHRINK
        values += rate * 0.98**number * min(1.0, len(found) / 400) * np.clip(gain, -_MOST, _MOST)
        crude = (
            float(np.mean([values[counter.of_line(one.record, one.line)].sum() for one in found])) - _BELOW
        )
        write_models({**models, moves: Model(values, crude)}, output)


def _packed(problem: Lined) -> tuple[Record, Moves]:
    return pack(problem.position), tuple(map(pack_move, problem.line))
