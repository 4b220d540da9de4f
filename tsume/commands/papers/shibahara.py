"""``tsume papers shibahara``: the list of 237 games, solved and judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tsume.commands.options import number
from tsume.commands.papers.files import keep, known
from tsume.output import print_line

if TYPE_CHECKING:
    from papers.shibahara2006.experiment import Judged, Row
    from papers.shibahara2006.rows import Start

_NAMES = {1: "won", 0: "draw", -1: "lost", None: "open"}
_MARK = "   <- differs"


@click.command()
@click.pass_context
@click.option("--first", is_flag=True, help="Only the 206 games that the paper's first run solved.")
@click.option("-n", "--number", "numbers", type=click.IntRange(1, 237), multiple=True,
              help="Only this game of the list. May be given more than once.")  # fmt: skip
@click.option("--time", "seconds", type=click.FloatRange(0), default=600.0, show_default=True,
              callback=number, help="Leave a game open after so many seconds.")  # fmt: skip
@click.option("--table", "table_bits", type=click.IntRange(10, 30), default=24, show_default=True,
              help="The table has 2 to the power of this entries, of 24 bytes.")  # fmt: skip
@click.option("--rows", "rows_path", type=click.Path(dir_okay=False, path_type=Path),
              help="Keep a line for each game here; those in it are not searched again.")  # fmt: skip
@click.option("--judge", "judge_path", type=click.Path(dir_okay=False, path_type=Path),
              help="Judge each game by solving its pieces backwards; keep a line for each here.")  # fmt: skip
@click.option("--judge-only", is_flag=True, help="Do not search, only judge.")
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

    Exits 1 when a game stays open or a result is not the paper's or the judge's.
    """
    from papers.shibahara2006.rows import starts

    if judge_only and judge_path is None:
        raise click.UsageError("--judge-only needs --judge")
    chosen = [
        start for start in starts()
        if (start.first_run or not first) and (not numbers or start.number in numbers)
    ]  # fmt: skip
    if not chosen:
        raise click.ClickException("no game was chosen")
    judged = {row.number: row for row in _judged(chosen, judge_path)} if judge_path else {}
    rows = (
        {} if judge_only else {row.number: row for row in _measured(chosen, rows_path, seconds, table_bits)}
    )
    good = _print_table(chosen, rows, judged)
    _print_summary(list(rows.values()))
    context.exit(0 if good else 1)


def _judged(chosen: list[Start], path: Path) -> list[Judged]:
    from papers.shibahara2006.experiment import Judged, judge_all
    from tsume.progress import counted

    before = {row.number: row for row in known(path, Judged.from_json)}
    rows = []
    for row in counted(judge_all(chosen, before), len(chosen)):
        rows.append(row)
        if row.number not in before:
            keep(row, path)
    return rows


def _measured(chosen: list[Start], path: Path | None, seconds: float, table_bits: int) -> list[Row]:
    from papers.shibahara2006.experiment import Row, measure_all
    from tsume.progress import counted

    before = {row.number: row for row in known(path, Row.from_json)}
    rows = []
    for row in counted(measure_all(chosen, before, seconds, table_bits), len(chosen)):
        rows.append(row)
        if path is not None and row is not before.get(row.number):
            keep(row, path)
    return rows


def _print_table(chosen: list[Start], rows: dict[int, Row], judged: dict[int, Judged]) -> bool:
    """A line for each game; whether all is solved and as it should be."""
    print_line(
        f"{'no':>3} {'ranks':5} zone {'paper':6}{'first run':10}{'here':5} {'judge':9}"
        f"{'nodes':>12} {'seconds':>9} {'new starts':>10} {'candidates':>10}"
    )
    good = True
    for start in chosen:
        row, judge = rows.get(start.number), judged.get(start.number)
        results = [found.result for found in (row, judge) if found is not None]
        fits = all(result in (None, start.paper) for result in results) and bool(results)
        good &= fits and None not in results
        plies = f" in {judge.plies}" if judge is not None and judge.plies is not None else ""
        verdict = _NAMES[judge.result] + plies if judge is not None else ""
        text = (
            f"{start.number:3} {start.back_row} {start.zone:4} {_NAMES[int(start.paper)]:6}"
            f"{'solved' if start.first_run else 'open':10}{_NAMES[row.result] if row else '':5} {verdict:9}"
        )
        if row is not None:
            text += f"{row.nodes:12} {row.seconds:9.2f} {row.researches:10} {row.candidates:10}"
        print_line(text.rstrip() + ("" if fits else _MARK))
    return good


def _print_summary(rows: list[Row]) -> None:
    from papers.shibahara2006.experiment import summary

    if not rows:
        return
    print_line(f"{'':42}{'here':>20}{'paper':>20}")
    for line in summary(rows):
        print_line(f"{line.name:42}{line.here:>20}{line.paper:>20}".rstrip())
