# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench perft`: moves made and taken back, ours against python-shogi."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import Any

import click
import numpy as np
import shogi

from scripts.measuring.kernel.perft import LEVEL
from scripts.measuring.kernel.perft import perft as count_compiled
from scripts.measuring.options import FILE
from scripts.measuring.position_files import Named, read
from tsume_rules.kernel.checks import MAX_MOVES
from tsume_rules.packing import Record, pack
from tsume_rules.sfen import format_sfen, parse_sfen

LEAST_SECONDS = 0.5
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
    named = [position for path in files for position in read(path, number)] or _default()
    nodes, ours, theirs = 0, 0.0, 0.0
    for position in named:
        counted, seconds, plain = _compare(position, depth)
        print(
            f"{position.name}: {counted} nodes, {counted / seconds:,.0f} nodes/s, "
            f"python-shogi {counted / plain:,.0f} nodes/s, ratio {plain / seconds:,.0f}"
        )
        nodes, ours, theirs = nodes + counted, ours + seconds, theirs + plain
    print(
        f"all: {nodes} nodes, {nodes / ours:,.0f} nodes/s, "
        f"python-shogi {nodes / theirs:,.0f} nodes/s, ratio {theirs / ours:,.0f}"
    )


def _default() -> list[Named]:
    return [Named(f"position {i}", sfen, parse_sfen(sfen).position) for i, sfen in enumerate(_SFENS, start=1)]


def _compare(named: Named, depth: int) -> tuple[int, float, float]:
    """The tree's nodes, and the CPU seconds that ours and python-shogi took."""
    nodes, seconds = _time_ours(pack(named.position), depth)
    board = shogi.Board(format_sfen(named.position))
    started = process_time()
    plain = count_plainly(board, depth)
    spent = process_time() - started
    if plain != nodes:
        raise click.ClickException(f"{named.name}: ours counts {nodes} nodes, python-shogi {plain}")
    return nodes, seconds, spent


def _time_ours(record: Record, depth: int) -> tuple[int, float]:
    moves, stack = scratch(depth)
    count_compiled(record, 1, moves, stack)  # compiles
    times = 0
    started = process_time()
    while True:
        nodes = int(count_compiled(record, depth, moves, stack))
        times += 1
        spent = process_time() - started
        if spent >= LEAST_SECONDS:
            return nodes, spent / times


def scratch(depth: int) -> tuple[np.ndarray, np.ndarray]:
    """The two arrays that the compiled count works on: moves and stack."""
    return np.empty(depth * MAX_MOVES, dtype=np.int64), np.empty((depth, LEVEL), dtype=np.int64)


def count_plainly(board: Any, depth: int) -> int:
    """The same count by a ``shogi.Board``, the attacker (Black) to move at even plies."""
    nodes = 0
    attacker = board.turn == shogi.BLACK
    for move in board.legal_moves:
        board.push(move)
        if not attacker or board.is_check():
            nodes += 1
            if depth > 1:
                nodes += count_plainly(board, depth - 1)
        board.pop()
    return nodes
