# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume papers shibahara``: the list of 237 games, solved and judged."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tsume.commands.options import finite_only, memory_errors
from tsume.commands.papers.files import ResultFile
from tsume.commands.papers.options import rows_option
from tsume.commands.papers.tables import print_beside_paper, print_table
from tsume.warmup import KernelPart, warm_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tsume.papers.shibahara2006.experiment import EndgameRow, ShibaharaRow
    from tsume.papers.shibahara2006.rows import PaperGame

_NAMES = {1: "won", 0: "draw", -1: "lost", None: "open"}


@click.command()
@click.pass_context
@click.option("--first", is_flag=True, help="Only the 206 games that the paper's first run solved.")
@click.option("-n", "--number", "numbers", type=click.IntRange(1, 237), multiple=True,
              help="Only this game of the list; repeatable.")  # fmt: skip
@click.option("--time", "seconds", type=click.FloatRange(0), default=600.0, show_default=True,
              callback=finite_only, help="Leave a game unresolved after this many seconds.")  # fmt: skip
@click.option("--table", "table_bits", type=click.IntRange(10, 30), default=24, show_default=True,
              help="Size of the table: 2 to this power entries of 24 bytes each.")  # fmt: skip
@rows_option
@click.option("--judge", "judge_path", type=click.Path(path_type=Path), metavar="PATH",
              help="Also judge each game by retrograde analysis; file with a line per game.")  # fmt: skip
@click.option("--judge-only", is_flag=True, help="Only judge, without searching.")
@partial(memory_errors, fault="out of memory: use a smaller --table, or omit --judge")
def shibahara(
    context: click.Context,
    first: bool,
    numbers: tuple[int, ...],
    seconds: float,
    table_bits: int,
    rows_path: Path | None,
    judge_path: Path | None,
    judge_only: bool,
) -> None:
    """Shibahara's list: who wins shogi on 3 by 4 cells, draws proved by the check search.

    Exits with status 1 if a game stays unresolved, or a result differs from the paper or the judge.
    """
    from tsume.papers.shibahara2006.experiment import EndgameRow, ShibaharaRow
    from tsume.papers.shibahara2006.rows import games_of_the_paper

    if judge_only and judge_path is None:
        raise click.UsageError("--judge-only needs --judge")
    if rows_path is not None and rows_path == judge_path:
        raise click.UsageError("--rows and --judge need different files")
    chosen = [
        start for start in games_of_the_paper()
        if (start.first_run or not first) and (not numbers or start.number in numbers)
    ]  # fmt: skip
    if not chosen:
        raise click.ClickException("no game was selected")
    kept, judgements = (
        ResultFile(rows_path, ShibaharaRow.from_json),
        ResultFile(judge_path, EndgameRow.from_json),
    )
    warm_up(KernelPart.SHIBAHARA)
    judged = {} if judge_path is None else {row.number: row for row in _judged_games(chosen, judgements)}
    rows = (
        {} if judge_only else {row.number: row for row in _measured_games(chosen, kept, seconds, table_bits)}
    )
    good = _print_games(chosen, rows, judged)
    _print_summary(list(rows.values()))
    context.exit(0 if good else 1)


def _judged_games(chosen: list[PaperGame], kept: ResultFile[EndgameRow]) -> list[EndgameRow]:
    from tsume.papers.shibahara2006.experiment import judge_all
    from tsume.progress import with_progress_bar

    known = {row.number: row for row in kept.known}
    with kept.going_on():
        return list(kept.kept(with_progress_bar(judge_all(chosen, known), len(chosen))))


def _measured_games(
    chosen: list[PaperGame], kept: ResultFile[ShibaharaRow], seconds: float, table_bits: int
) -> list[ShibaharaRow]:
    from tsume.papers.shibahara2006.experiment import measure_all
    from tsume.progress import with_progress_bar

    solved_last = sorted(kept.known, key=lambda row: row.result is not None)
    known = {row.number: row for row in solved_last}
    with kept.going_on():
        return list(
            kept.kept(with_progress_bar(measure_all(chosen, known, seconds, table_bits), len(chosen)))
        )


def _print_games(
    chosen: list[PaperGame], rows: dict[int, ShibaharaRow], judged: dict[int, EndgameRow]
) -> bool:
    """Print a line for each game; returns whether all are solved with the expected result."""
    lines, good = [], True
    for start in chosen:
        row, judge = rows.get(start.number), judged.get(start.number)
        results = [found.result for found in (row, judge) if found is not None]
        fits = all(result in (None, start.paper) for result in results)
        good &= fits and bool(results) and None not in results
        work = [row.nodes, f"{row.seconds:.2f}", row.researches, row.candidates] if row else [""] * 4
        lines.append([
            f"{start.number:3} {start.back_row} {start.zone}",
            _NAMES[int(start.paper)],
            "first" if start.first_run else "second",
            "" if row is None else _NAMES[row.result],
            "" if judge is None else _NAMES[judge.result],
            "" if judge is None or judge.plies is None else str(judge.plies),
            *map(str, work),
            "" if fits else "differs",
        ])  # fmt: skip
    heads = ("no ranks zone", "paper", "run", "here", "judge", "moves")
    _print_filled((*heads, "nodes", "seconds", "new starts", "candidates", ""), lines)
    return good


def _print_filled(heads: Sequence[str], lines: list[list[str]]) -> None:
    """Print a table without its empty columns: they belong to what was not asked for."""
    filled = [column for column in range(len(heads)) if any(line[column] for line in lines)]
    print_table([heads[column] for column in filled], [[line[column] for column in filled] for line in lines])


def _print_summary(rows: list[ShibaharaRow]) -> None:
    from tsume.papers.shibahara2006.experiment import summary_lines

    if rows:
        print_beside_paper([(line.name, line.here, line.paper) for line in summary_lines(rows)])
