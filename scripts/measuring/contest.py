# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench solve`: our solver against cshogi on the same positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from scripts.measuring.cshogi_ways import by_deepened_df_pn, by_df_pn, by_mate_move, cshogi
from scripts.measuring.clock import Contestant, Times, measure
from scripts.measuring.options import FILE
from scripts.measuring.our_way import ours
from scripts.measuring.position_files import Named, files_or_default, length_in_name, read
from solver.engines.dfpn.memory import table_bits_within
from solver.results import Interposition
from tsume_rules.sfen import parse_sfen

_LEAST_SECONDS = 3.0
"""CPU seconds: files that take less are repeated more often."""
_NO_CHECK = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"
_HEADER = ("", "total ms", "median ms", "p95 ms", "total, ours/its", "median, ours/its", "wrong", "open")
_WIDTHS = (28, 11, 11, 11, 17, 18, 7, 6)


@dataclass(frozen=True)
class Entry:
    """A contestant with its times and the lengths it found."""

    name: str
    times: Times
    lengths: Sequence[int]


@click.command()
@click.option("--number", default=200, show_default=True, help="Positions of each file.")
@click.option("--count-futile", is_flag=True, help="Compare ours with every interposition counted.")
@click.option(
    "--repeat", default=3, show_default=True, help="Repeats of all, at least; the medians are printed."
)
@click.option("--memory", default=80, show_default=True, help="MB for each of our two engines.")
@click.option("--last", default=15, show_default=True, help="Plies up to which a mate is looked for.")
@click.argument("files", nargs=-1, type=FILE)
def solve(
    files: tuple[Path, ...], number: int, count_futile: bool, repeat: int, memory: int, last: int
) -> None:
    """Lengths of the problems of files (one SFEN a line): ours against cshogi's ways.

    Without FILES, of those beside the project. Ours is measured with futile interpositions
    counted and not counted; cshogi counts them all.
    """
    try:
        table_bits = table_bits_within(memory << 20)
    except ValueError as error:
        raise click.UsageError(f"--memory: {error}") from None
    for path in files_or_default(files):
        positions = read(path, number)
        entries = _run(_contestants(positions, last, table_bits), len(positions), repeat)
        repeats = len(entries[0].times.totals)
        print(f"{path.name}: {len(positions)} positions, CPU time, medians of {repeats}")
        _print_table(entries, 0 if count_futile else 1, length_in_name(path))
        _print_call(entries[0 if count_futile else 1], entries[-1], _call(table_bits))


def _contestants(positions: list[Named], last: int, table_bits: int) -> list[Contestant]:
    if cshogi is None:
        raise click.ClickException("cshogi is not installed; `scripts/install dev` installs it")
    return [
        ours(positions, Interposition.COUNT_ALL, last, table_bits),
        ours(positions, Interposition.NARROW, last, table_bits),
        by_mate_move(positions, last),
        by_deepened_df_pn(positions, last),
        by_df_pn(positions),
    ]


def _run(contestants: list[Contestant], number: int, repeats: int) -> list[Entry]:
    lengths = [contestant.lengths() for contestant in contestants]  # and warms up
    times = measure(contestants, number, repeats, _LEAST_SECONDS)
    return [
        Entry(contestant.name, taken, found)
        for contestant, taken, found in zip(contestants, times, lengths, strict=True)
    ]


def _print_table(entries: list[Entry], compared: int, length: int | None) -> None:
    counted, narrow, exact = entries[:3]
    known = exact.lengths if length is None else [length] * len(exact.lengths)
    _print_row(_HEADER)
    for entry in entries:
        _print_row(_row(entry, entries[compared], wrong(entry.lengths, known, exact=entry is not narrow)))
    shorter = sum(0 < found < right for found, right in zip(narrow.lengths, known, strict=True))
    print(
        f"futile not counted against counted: total {narrow.times.total / counted.times.total:.2f}, "
        f"median {narrow.times.median / counted.times.median:.2f}; {shorter} lengths are shorter so"
    )


def _call(table_bits: int) -> float:
    """The time of a call for one position without anything to search, in nanoseconds."""
    position = Named("no check", _NO_CHECK, parse_sfen(_NO_CHECK).position)
    call = ours([position], Interposition.COUNT_ALL, 1, table_bits)
    call.lengths()
    return measure([call], 1, 1000, 0)[0].median


def _print_call(ours: Entry, plain: Entry, call: float) -> None:
    bare = ours.times.median - call
    print(
        f"our median and p95 hold {call / 1e6:.3f} ms for the call from Python; the median without it is "
        f"{bare / 1e6:.3f} ms, {bare / plain.times.median:.2f} of plain DfPn's\n"
    )


def wrong(found: Sequence[int], known: Sequence[int], *, exact: bool) -> int:
    """How many lengths are wrong; if not ``exact``, only those that are too long.

    If futile interpositions do not count, a mate may be shorter. Lengths that were not found
    and positions whose length is unknown (negative) are left out.
    """
    return sum(
        length >= 0 and right > 0 and (length > right or length == 0 or (exact and length != right))
        for length, right in zip(found, known, strict=True)
    )


def _row(entry: Entry, ours: Entry, faults: int) -> tuple[str, ...]:
    times = entry.times
    return (
        entry.name,
        *(f"{nanoseconds / 1e6:.3f}" for nanoseconds in (times.total, times.median, times.p95)),
        f"{ours.times.total / times.total:.2f}",
        f"{ours.times.median / times.median:.2f}",
        str(faults),
        str(sum(length < 0 for length in entry.lengths)),
    )


def _print_row(cells: tuple[str, ...]) -> None:
    first = f"{cells[0]:{_WIDTHS[0]}}"
    print(first + "".join(f"{cell:>{width}}" for cell, width in zip(cells[1:], _WIDTHS[1:], strict=True)))
