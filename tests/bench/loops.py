# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops that call a kernel many times: a call from Python takes longer than most kernels.

What a loop returns depends on each of its calls, so that the compiler leaves none out.
"""

import numpy as np

from solver.engines.dfpn.kernel.arena import Arena
from solver.engines.dfpn.kernel.frontier import try_mate_in_three
from solver.engines.dfpn.kernel.mate_in_one import mate_in_one
from solver.engines.dfpn.kernel.table import look_up, store
from tsume_rules.kernel.checks import checks
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.evasions import evasions
from tsume_rules.kernel.play import do, undo
from tsume_rules.kernel.retract import un_evasions
from tsume_rules.kernel.tables import ATT
from tsume_rules.packing import Record

SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""A factor: its products with 1, 2, 3, ... are keys spread all over a table."""


@jit
def repeat_checks(times: int, pos: Record, out: np.ndarray) -> int:
    """`checks`; returns the moves written in all."""
    total = 0
    for _ in range(times):
        total += checks(pos, out, 0)
    return total


@jit
def repeat_evasions(times: int, pos: Record, out: np.ndarray) -> int:
    """`evasions`; returns the moves written in all."""
    total = 0
    for _ in range(times):
        total += evasions(pos, out, 0)
    return total


@jit
def repeat_un_evasions(times: int, pos: Record, out: np.ndarray) -> int:
    """`un_evasions`; returns the moves written in all."""
    total = 0
    for _ in range(times):
        total += un_evasions(pos, out, True)
    return total


@jit
def repeat_do_undo(times: int, pos: Record, moves: np.ndarray, count: int) -> int:
    """`do` and `undo` of the attacker's moves, one after the other; returns how many captured."""
    captures = 0
    for i in range(times):
        move = moves[i % count]
        captured = do(pos, move, ATT)
        captures += captured != 0
        undo(pos, move, ATT, captured)
    return captures


@jit
def repeat_mate_in_one(times: int, pos: Record, mode: int, out: np.ndarray) -> int:
    """`mate_in_one`; returns how often there was one."""
    found = 0
    for _ in range(times):
        move, _, _ = mate_in_one(pos, mode, out, 0)
        found += move != 0
    return found


@jit
def repeat_try_mate_in_three(times: int, a: Arena) -> int:
    """`try_mate_in_three`; returns the sum of the answers."""
    total = 0
    for _ in range(times):
        total += try_mate_in_three(a, 0)
    return total


@jit
def repeat_store(times: int, a: Arena) -> int:
    """`store` of ``times`` boards, each in a place of its own; returns the entries written so far."""
    for i in range(times):
        key = SPREAD * np.uint64(i + 1)
        store(a, key, key, 0, 1, 1, 5, 0, 0, 1)
    return int(a.search.stored)


@jit
def repeat_look_up(times: int, a: Arena) -> int:
    """`look_up` of the boards of `repeat_store`; returns how many are known."""
    known = 0
    for i in range(times):
        key = SPREAD * np.uint64(i + 1)
        pn, _, _, _, _ = look_up(a, key, key, 0, 5)
        known += pn != 0
    return known
