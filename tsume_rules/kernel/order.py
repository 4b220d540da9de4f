# SPDX-License-Identifier: GPL-3.0-or-later
"""Ordering of moves in a scratch array."""

from tsume_rules.kernel.compile import jit


@jit
def sort_moves_by_rank(out, first, end):
    """Stable sort of out[first:end] by the ranks in out[end : 2 * end - first], smallest first."""
    for i in range(first + 1, end):
        move = out[i]
        rank = out[end + i - first]
        j = i
        while j > first and out[end + j - 1 - first] > rank:
            out[j] = out[j - 1]
            out[end + j - first] = out[end + j - 1 - first]
            j -= 1
        out[j] = move
        out[end + j - first] = rank


@jit
def bring_move_forward(out, first, end, move):
    """Swap a move with the one at out[first], if it is in out[first:end]."""
    for i in range(first + 1, end):
        if out[i] == move:
            out[i] = out[first]
            out[first] = move
