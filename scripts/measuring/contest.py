# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparison with other programs: `scripts/bench solve` (cshogi) and `scripts/bench perft` (python-shogi)."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time, process_time_ns
from typing import Any

import click
import numpy as np
import shogi

from scripts.measuring import FILE, NamedSfen, files_or_default, length_in_name, quantile, read_positions
from scripts.measuring.kernel import LEVEL
from scripts.measuring.kernel import perft as count_compiled
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import table_bits_within
from solver.results import Interposition
from tsume_rules.kernel.move_generation import MAX_MOVES
from tsume_rules.packed import pack, pack_all
from tsume_rules.sfen import format_sfen, parse_sfen

# --- times of contestants: CPU time, one after the other, medians over repeats ---------------------

SLOW = 1_000_000
"""Nanoseconds for a position from which on the time to read the clock does not matter."""


@dataclass(frozen=True)
class Contestant:
    """A way to find the lengths of the mates of some positions.

    ``all`` searches all positions, ``one`` the one with an index. ``lengths`` searches all,
    untimed, and returns the lengths: 0 for no mate, negative if the length was not found.
    ``adds_up`` means that ``all`` does what ``one`` does for each position and nothing else.
    """

    name: str
    all: Callable[[], object]
    one: Callable[[int], object]
    lengths: Callable[[], Sequence[int]]
    adds_up: bool = False


@dataclass
class Timings:
    """The times of a contestant in nanoseconds, one item for each repeat.

    ``totals`` are for all positions, ``singles`` a list for each position by itself.
    """

    totals: list[int] = field(default_factory=list)
    singles: list[list[int]] = field(default_factory=list)

    @property
    def total(self) -> float:
        return median(self.totals)

    @property
    def each(self) -> list[float]:
        """Return the time for each position by itself, in ascending order."""
        return sorted(median(of_one) for of_one in zip(*self.singles, strict=True))


def measure(contestants: Sequence[Contestant], number: int, repeats: int, seconds: float) -> list[Timings]:
    """Time contestants on positions 0 to ``number - 1``, one after the other in each repeat.

    So noise hits them all alike. There are at least ``repeats`` repeats, and more until they have taken ``seconds`` of
    CPU time. The contestants must have been run before: the first run compiles.
    """
    end = process_time_ns() + seconds * 1e9
    times = [Timings() for _ in contestants]
    gc.collect()
    gc.disable()
    try:
        while len(times[0].totals) < repeats or process_time_ns() < end:
            for contestant, taken in zip(contestants, times, strict=True):
                singles = []
                for i in range(number):
                    started = process_time_ns()
                    contestant.one(i)
                    singles.append(process_time_ns() - started)
                taken.singles.append(singles)
                if contestant.adds_up and sum(singles) >= number * SLOW:
                    taken.totals.append(sum(singles))
                    continue
                started = process_time_ns()
                contestant.all()
                taken.totals.append(process_time_ns() - started)
    finally:
        gc.enable()
    return times


# --- our way to find the lengths of mates, to be compared with others ------------------------------

NODES = 1 << 24
"""A search that needs more nodes is given up; no position of a game does."""
COUNTED, NOT_COUNTED = "tsume, futile drops counted", "tsume, futile not counted"


def by_tsume(positions: Sequence[NamedSfen], interposition: Interposition, last: int, table_bits: int) -> Contestant:
    """Our engine by `DfPnEngine.short_lengths`: all positions in one call, or each in its own."""
    engine = DfPnEngine(interposition=interposition, table_bits=table_bits)
    packed_positions = pack_all([named.position for named in positions])
    singles = [packed_positions[i : i + 1] for i in range(len(packed_positions))]
    return Contestant(
        COUNTED if interposition is Interposition.COUNT_ALL else NOT_COUNTED,
        all=lambda: engine.short_lengths(packed_positions, last, NODES),
        one=lambda i: engine.short_lengths(singles[i], last, NODES),
        lengths=lambda: [int(length) for length in engine.short_lengths(packed_positions, last, NODES)],
    )


# --- the ways to find the length of a mate with cshogi ---------------------------------------------
#
# Boards are set up before anything is timed, as our records are.

try:
    import cshogi
except ImportError:  # it has no wheels for every Python
    cshogi = None

NO_DRAW = 1 << 30
DEEP = 63
"""How deep cshogi's plain df-pn may go."""
NOT_FOUND = -1


def by_mate_move(positions: Sequence[NamedSfen], last: int) -> Contestant:
    """cshogi's fixed-depth search, deepened: exact on all but a few mates in one."""

    def length(board: cshogi.Board) -> int:
        if board.mate_move_in_1ply():
            return 1
        for n in range(3, last + 1, 2):
            if board.mate_move(n):
                return n
        return NOT_FOUND

    return _by_boards("cshogi mate_move, deepened", positions, length)


def by_deepened_df_pn(positions: Sequence[NamedSfen], last: int) -> Contestant:
    """cshogi's df-pn asked for 1, 3, 5, ... plies; its limit is soft, so lengths may be too long."""
    engine = cshogi.DfPn(depth=1, nodes=NODES, draw_ply=NO_DRAW)

    def length(board: cshogi.Board) -> int:
        for n in range(1, last + 1, 2):
            engine.set_max_depth(n)
            if engine.search(board):
                return n
        return NOT_FOUND

    return _by_boards("cshogi DfPn, deepened", positions, length)


def by_df_pn(positions: Sequence[NamedSfen]) -> Contestant:
    """cshogi's df-pn as it is: some mate, not the shortest one."""
    engine = cshogi.DfPn(depth=DEEP, nodes=NODES, draw_ply=NO_DRAW)

    def line_length(board: cshogi.Board) -> int:
        return len(engine.get_pv(board)) if engine.search(board) else NOT_FOUND

    return _by_boards("cshogi DfPn, plain", positions, line_length, engine.search)


def _by_boards(
    name: str,
    positions: Sequence[NamedSfen],
    length: Callable[[Any], int],
    timed: Callable[[Any], object] | None = None,
) -> Contestant:
    """``timed``: what is timed on a board, if it is not ``length``."""
    boards, search = [cshogi.Board(named.sfen) for named in positions], timed or length
    return Contestant(
        name,
        all=lambda: [search(board) for board in boards],
        one=lambda i: search(boards[i]),
        lengths=lambda: [length(board) for board in boards],
        adds_up=True,
    )


# --- `scripts/bench solve`: our solver against cshogi on the same positions ------------------------

_MIN_SECONDS = 3.0
"""CPU seconds: files that take less are repeated more often."""
_NO_CHECK = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"
_HEADS = ("total ms", "median ms", "p95 ms", "total, ours/its", "median, ours/its", "wrong", "open")
_WIDTHS = (11, 11, 11, 17, 18, 7, 6)


@click.command()
@click.option("--number", default=200, show_default=True, help="Positions of each file.")
@click.option("--count-futile", is_flag=True, help="Compare ours with every interposition counted.")
@click.option("--repeat", default=3, show_default=True, help="Repeats of all, at least; the medians are printed.")
@click.option("--memory", default=80, show_default=True, help="MB for each of our two engines.")
@click.option("--last", default=15, show_default=True, help="Plies up to which a mate is looked for.")
@click.argument("files", nargs=-1, type=FILE)
def solve(files: tuple[Path, ...], number: int, count_futile: bool, repeat: int, memory: int, last: int) -> None:
    """Lengths of the problems of files (one SFEN a line): ours against cshogi's ways.

    Without FILES, of those beside the project. Ours is measured with futile interpositions
    counted and not counted; cshogi counts them all.
    """
    try:
        table_bits = table_bits_within(memory << 20)
    except ValueError as error:
        raise click.UsageError(f"--memory: {error}") from None
    for path in files_or_default(files):
        positions = read_positions(path, number)
        if cshogi is None:
            raise click.ClickException("cshogi is not installed; `scripts/install dev` installs it")
        contestants = [
            by_tsume(positions, Interposition.COUNT_ALL, last, table_bits),
            by_tsume(positions, Interposition.NARROW, last, table_bits),
            by_mate_move(positions, last),
            by_deepened_df_pn(positions, last),
            by_df_pn(positions),
        ]
        lengths = [contestant.lengths() for contestant in contestants]  # and warms up
        times = measure(contestants, len(positions), repeat, _MIN_SECONDS)
        print(f"{path.name}: {len(positions)} positions, CPU time, medians of {len(times[0].totals)}")
        compared = times[0 if count_futile else 1]
        _print_table([one.name for one in contestants], times, lengths, compared, length_in_name(path))
        # The time of a call for one position without anything to search.
        none = NamedSfen("no check", _NO_CHECK, parse_sfen(_NO_CHECK).position)
        bare = by_tsume([none], Interposition.COUNT_ALL, 1, table_bits)
        bare.lengths()
        call = median(measure([bare], 1, 1000, 0)[0].each)
        rest = median(compared.each) - call
        print(
            f"our median and p95 hold {call / 1e6:.3f} ms for the call from Python; the median without it is "
            f"{rest / 1e6:.3f} ms, {rest / median(times[-1].each):.2f} of plain DfPn's\n"
        )


def _print_table(
    names: list[str], times: list[Timings], lengths: list[Sequence[int]], compared: Timings, length: int | None
) -> None:
    counted, narrow, *_ = times
    _, shortest, exact, *_ = lengths
    known = exact if length is None else [length] * len(exact)
    ours_total, ours_median = compared.total, median(compared.each)
    rows: list[tuple[str, ...]] = [("", *_HEADS)]
    for name, taken, found in zip(names, times, lengths, strict=True):
        total, each = taken.total, taken.each
        faults = count_wrong(found, known, exact=taken is not narrow)
        milliseconds = (f"{spent / 1e6:.3f}" for spent in (total, median(each), quantile(each, 0.95)))
        ratios = f"{ours_total / total:.2f}", f"{ours_median / median(each):.2f}"
        rows.append((name, *milliseconds, *ratios, str(faults), str(sum(n < 0 for n in found))))
    for name, *cells in rows:
        print(f"{name:28}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, _WIDTHS, strict=True)))
    shorter = sum(0 < found < right for found, right in zip(shortest, known, strict=True))
    medians = median(narrow.each) / median(counted.each)
    print(
        f"futile not counted against counted: total {narrow.total / counted.total:.2f}, "
        f"median {medians:.2f}; {shorter} lengths are shorter so"
    )


def count_wrong(found: Sequence[int], known: Sequence[int], *, exact: bool) -> int:
    """Return how many lengths are wrong; if not ``exact``, only those that are too long.

    If futile interpositions do not count, a mate may be shorter. Lengths that were not found
    and positions whose length is unknown (negative) are left out.
    """
    return sum(
        length >= 0 and right > 0 and (length > right or length == 0 or (exact and length != right))
        for length, right in zip(found, known, strict=True)
    )


# --- `scripts/bench perft`: moves made and taken back, ours against python-shogi -------------------

PERFT_SECONDS = 0.5
"""CPU seconds for which ours is repeated at least."""

_SFENS = (
    "l3k3l/3r3+P1/2n1g3p/p2PpBp1g/1P3N1n1/P1Pn2P2/4PKs1P/1G7/L4S2L b RBGS6Ps 1",
    "l4b2l/4k1G2/2+B2Ps2/p1p+N2p2/5p2p/1Ps2rPG1/P2pP1N1P/4p2K1/1N1G1S2L b RSNL5Pg 1",
    "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1",
)
"""Two from games with many kinds in hand, and a bare king that has all other pieces to drop."""


@click.command()
@click.option("--depth", default=4, show_default=True, type=click.IntRange(1, 8))
@click.option("--number", default=5, show_default=True, help="Positions of each file.")
@click.argument("files", nargs=-1, type=FILE)
def perft(files: tuple[Path, ...], depth: int, number: int) -> None:
    """Nodes a second in the tree of checks and answers, against plain python-shogi.

    Every legal check of the attacker, every legal answer of the defender; it is an error if the
    two counts differ. In FILES of SFEN lines, positions with White to move are rotated.
    """
    default = [NamedSfen(f"position {i}", sfen, parse_sfen(sfen).position) for i, sfen in enumerate(_SFENS, start=1)]
    moves, stack = scratch_space(depth)
    rows: list[tuple[str, int, float, float]] = []
    for named in [one for path in files for one in read_positions(path, number)] or default:
        packed, times = pack(named.position), 0
        count_compiled(packed, 1, moves, stack)  # compiles
        started, seconds = process_time(), 0.0
        while seconds < PERFT_SECONDS:
            nodes = int(count_compiled(packed, depth, moves, stack))
            times += 1
            seconds = process_time() - started
        board, started = shogi.Board(format_sfen(named.position)), process_time()
        counted = count_by_python_shogi(board, depth)
        plain = process_time() - started
        if counted != nodes:
            raise click.ClickException(f"{named.name}: ours counts {nodes} nodes, python-shogi {counted}")
        rows.append((named.name, nodes, seconds / times, plain))
    sums = sum(row[1] for row in rows), sum(row[2] for row in rows), sum(row[3] for row in rows)
    for name, nodes, seconds, plain in [*rows, ("all", *sums)]:
        print(
            f"{name}: {nodes} nodes, {nodes / seconds:,.0f} nodes/s, "
            f"python-shogi {nodes / plain:,.0f} nodes/s, ratio {plain / seconds:,.0f}"
        )


def scratch_space(depth: int) -> tuple[np.ndarray, np.ndarray]:
    return np.empty(depth * MAX_MOVES, dtype=np.int64), np.empty((depth, LEVEL), dtype=np.int64)


def count_by_python_shogi(board: Any, depth: int) -> int:
    """Return the same count by a ``shogi.Board``, the attacker (Black) to move at even plies."""
    nodes = 0
    attacker = board.turn == shogi.BLACK
    for move in board.legal_moves:
        board.push(move)
        if not attacker or board.is_check():
            nodes += 1
            if depth > 1:
                nodes += count_by_python_shogi(board, depth - 1)
        board.pop()
    return nodes
