"""``tsume generate``"""

from __future__ import annotations

import secrets

import click

from db.errors import StoreError
from db.store import Store
from generator.options import Options, Style
from generator.recipe import RECIPE
from generator.wishes import Wishes
from solver.results import Grade
from tsume import __version__
from tsume.commands.options import (
    MOST,
    grade_option,
    jobs_option,
    jsonl_option,
    memory_option,
    store_option,
)
from tsume.commands.run_session import work
from tsume.commands.time_options import time_options
from tsume.commands.wish_options import wish_options
from tsume.warmup import Part, warm_up

_MOST_DIGITS = 100
STYLE = Style.NATURAL
"""The style if none is given."""


def _odd(_context: click.Context, _parameter: click.Parameter, value: int) -> int:
    if value % 2 == 0:
        raise click.BadParameter(f"a mate has an odd number of moves, not {value}")
    return value


def _not_too_long(_context: click.Context, _parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and value >= 10**_MOST_DIGITS:
        raise click.BadParameter(f"at most {_MOST_DIGITS} digits")
    return value


def _style(_context: click.Context, _parameter: click.Parameter, name: str) -> Style:
    return Style(name)


@click.command()
@click.option(
    "-m",
    "--moves",
    type=click.IntRange(1, 99),
    required=True,
    callback=_odd,
    help="The length of the problems in moves (plies), odd.",
)
@click.option(
    "-n", "--count", type=click.IntRange(1, MOST), default=10, show_default=True, help="How many problems."
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    callback=_not_too_long,
    help="The random seed, which fixes what is found; drawn if not given.",
)
@grade_option("Perfect problems only, or sound ones (with blemishes) too.", Grade.PERFECT)
@click.option(
    "--style",
    type=click.Choice([style.value for style in Style]),
    default=STYLE.value,
    show_default=True,
    callback=_style,
    help="Problems as people compose them, each unlike the others of the run, or all correct ones.",
)
@wish_options
@click.option(
    "--from",
    "source",
    metavar="FILE",
    help="Extend the shorter problems of a file (- for stdin) to the length of -m.",
)
@jobs_option
@memory_option
@store_option
@time_options
@jsonl_option("problem")
@click.pass_context
def generate(
    context: click.Context,
    moves: int,
    count: int,
    seed: int | None,
    grade: Grade,
    style: Style,
    wishes: Wishes,
    source: str | None,
    jobs: int,
    memory: int,
    place: str,
    time_limit: float | None,
    jsonl: bool,
) -> None:
    """Compose problems and store them.

    Each problem is proved correct (with --grade sound: free of faults), scored, stored and printed
    as it is found.
    --memory is for each process; with another value a seed may give other problems.
    `tsume runs resume` continues a run that was stopped or killed.
    """
    warm_up(Part.GENERATOR)
    options = _options(moves, grade, style, memory, wishes, source)
    seed = secrets.randbelow(2**32) if seed is None else seed
    try:
        with Store.open(place) as store:
            run = store.runs.start(
                seed=seed, moves=moves, count=count, version=__version__, recipe=RECIPE,
                options=options.to_dict(),
            )  # fmt: skip
            status = work(store, run, options, jobs=jobs, time_limit=time_limit, jsonl=jsonl)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    context.exit(status)


def _options(
    moves: int, grade: Grade, style: Style, memory: int, wishes: Wishes, source: str | None
) -> Options:
    from solver.engines.dfpn.memory import table_bits_within
    from solver.scoring.difficulty import SCORER_BYTES
    from tsume.starts import starts_from

    bits = table_bits_within((memory << 20) - SCORER_BYTES)
    starts = () if source is None else starts_from(source, moves, wishes, bits)
    if source is not None and not starts:
        raise click.ClickException(f"--from: nothing to extend to {moves} moves")
    return Options.of(moves, grade=grade, style=style, table_bits=bits, wishes=wishes, starts=starts)
