# SPDX-License-Identifier: GPL-3.0-or-later
"""Fetching table entries into the processor's cache before they are looked up.

A look-up in a large table waits for memory longer than a small kernel runs. While a node's children are
assessed one after the other, the entries of the next ones are on their way.
"""

import numba
from llvmlite import ir
from numba.core import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic

from solver.engines.dfpn.kernel.table import place_of
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.play import PROMOTES, dropped, origin_of, target_of
from tsume_rules.kernel.tables import ANY_PIECE, ON_BOARD, PROMOTION, ZOBRIST

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def _fetch(_record):
        """Without effect where kernels are plain Python."""

else:

    @intrinsic
    def _fetch(_typing, record):
        """Tell the processor that an element of a structured array is read soon."""

        def generate(_context, builder, _signature, arguments):
            number = ir.IntType(32)
            pointer = ir.IntType(8).as_pointer()
            kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            function = get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            read, keep, data = (ir.Constant(number, value) for value in (0, 3, 1))
            builder.call(function, [builder.bitcast(arguments[0], pointer), read, keep, data])
            return ir.Constant(types_integer, 0)

        types_integer = ir.IntType(64)
        return types.int64(record), generate


@jit
def fetch_children(a, side, first, end):
    """Prefetch the table entries of the positions after the moves in buf[first:end]."""
    pos = a.pos
    for i in range(first, end):
        _fetch(a.table[place_of(a.table, slot_after(pos, a.buf[i], side))])


@jit
def slot_after(pos, move, side):
    """The key for the table's place (`POSITION.slot`) after a move."""
    target = target_of(move)
    kind = dropped(move)
    if kind:
        return pos.slot ^ ZOBRIST[kind + 16 * side, target, 1]
    origin = origin_of(move)
    piece = int(pos.board[origin]) & ANY_PIECE
    arrives = piece + (PROMOTION if move & PROMOTES else 0)
    slot = pos.slot ^ ZOBRIST[piece, origin, 1] ^ ZOBRIST[arrives & ANY_PIECE, target & ON_BOARD, 1]
    captured = int(pos.board[target])
    if captured:
        slot ^= ZOBRIST[captured & ANY_PIECE, target, 1]
    return slot
