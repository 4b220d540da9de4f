# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume generate``"""

from __future__ import annotations

import secrets
from typing import Any

import click

from db.errors import StoreError
from db.store import Store
from generator.constraints.options import SAMPLED, ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import GENERATOR_VERSION
from solver.results import Grade
from tsume import __version__
from tsume.collection.lines import CollectionError
from tsume.commands.cluster_options import Scheduler, scheduler_options
from tsume.commands.options import (
    MOST,
    grade_option,
    jobs_option,
    jsonl_option,
    keep_option,
    lang_option,
    memory_option,
    store_option,
    verbose_option,
)
from tsume.commands.run_session import continue_run
from tsume.commands.time_options import time_options
from tsume.commands.wish_options import wish_options
from tsume.formats.errors import text_excerpt
from tsume.language.voice import Voice
from tsume.services.composing import START_LENGTHS, generator_table_bits, given_options
from tsume.warmup import KernelPart, warm_up
from tsume_rules.position import Square

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
    help="Length of the problems in moves (plies), odd.",
)
@click.option(
    "-n", "--count", type=click.IntRange(1, MOST), default=10, show_default=True, help="Number of problems."
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    callback=_not_too_long,
    help="Random seed, which determines the problems; random by default.",
)
@grade_option("Only perfect problems, or also sound ones (with blemishes).", Grade.PERFECT)
@click.option(
    "--style",
    type=click.Choice([style.value for style in Style]),
    default=STYLE.value,
    show_default=True,
    callback=_style,
    help="Problems like those that people compose, each different from the others, or all correct ones.",
)
@wish_options
@click.option(
    "--from",
    "source",
    metavar="PATH",
    help="Extend the shorter problems of a file or a folder to the length of -m; - for stdin.",
)
@click.option(
    "--final", metavar="SFEN",
    help="End in this mated position, with the mated side to move; other pieces may be added.",
)  # fmt: skip
@click.option("--exact", is_flag=True, help="With --final: add no other pieces.")
@click.option(
    "--start", "around", metavar="SFEN",
    help="Compose around the pieces of this position (3 to 9 moves); its hand, if any, is kept.",
)  # fmt: skip
@keep_option("With --start: keep only these squares unchanged")
@jobs_option
@scheduler_options
@memory_option
@store_option
@time_options
@lang_option(Voice.of("en"))
@jsonl_option("problem")
@verbose_option
@click.pass_context
def generate(
    context: click.Context,
    moves: int,
    count: int,
    seed: int | None,
    grade: Grade,
    style: Style,
    wishes: ProblemConstraints,
    source: str | None,
    final: str | None,
    exact: bool,
    around: str | None,
    keep: frozenset[Square],
    jobs: int,
    scheduler: Scheduler | None,
    memory: int,
    place: str,
    time_limit: float | None,
    voice: Voice,
    jsonl: bool,
    verbose: bool,
) -> None:
    """Compose problems and store them.

    Each problem is proved correct (with --grade sound: free of faults), scored, stored and printed
    as soon as it is found. --memory is per process; a different value may give different problems for
    the same seed. `tsume runs resume` continues a run that was stopped or killed.
    """
    if sum(given is not None for given in (source, final, around)) > 1:
        raise click.UsageError("give only one of --from, --final and --start")
    if keep and around is None:
        raise click.UsageError("--keep needs --start")
    if exact and final is None:
        raise click.UsageError("--exact needs --final")
    if around is not None and moves not in SAMPLED:
        raise click.UsageError(f"--start needs -m of {START_LENGTHS}")
    warm_up(KernelPart.GENERATOR)
    bits = generator_table_bits(memory)
    if source is not None:
        given = _shorter_problem_options(source, moves, wishes, bits)
    else:
        given = _given_position_options(final, around, exact, keep, wishes)
    options = ComposingOptions.of(moves, grade=grade, style=style, table_bits=bits, wishes=wishes, **given)
    seed = secrets.randbelow(2**32) if seed is None else seed
    try:
        with Store.open(place) as store:
            run = store.runs.start(
                seed=seed, moves=moves, count=count, version=__version__, recipe=GENERATOR_VERSION,
                options=options.to_dict(),
            )  # fmt: skip
            status = continue_run(
                store, run, options, voice,
                jobs=jobs, scheduler=scheduler, time_limit=time_limit, jsonl=jsonl, verbose=verbose,
            )  # fmt: skip
    except (CollectionError, StoreError) as error:
        raise click.ClickException(str(error)) from None
    context.exit(status)


def _shorter_problem_options(
    source: str, moves: int, wishes: ProblemConstraints, bits: int
) -> dict[str, Any]:
    """The shorter problems to be extended, as options."""
    from tsume.commands.given_problems import given_problems

    starts = given_problems(source, moves, wishes, bits)
    if not starts:
        raise click.ClickException(f"--from: nothing to extend to {moves} moves")
    return {"starts": starts}


def _given_position_options(
    final: str | None, start: str | None, exact: bool, keep: frozenset[Square], wishes: ProblemConstraints
) -> dict[str, Any]:
    """The options for given positions."""
    try:
        return given_options(final, start, exact=exact, keep=keep, wishes=wishes)
    except ValueError as error:
        option = "--start" if final is None else "--final"
        raise click.ClickException(f"{option} {text_excerpt(final or start or '')}: {error}") from None
