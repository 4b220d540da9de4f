# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets of small numbers as the bits of an integer."""

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def lowest(bits):
        """Return the smallest number in a set that is not empty."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def size(bits):
        """Return the number of elements."""
        return int(bits).bit_count()

else:

    @intrinsic
    def lowest(_typing, _bits):
        """Return the smallest number in a set that is not empty."""

        def generate(_context, builder, _signature, arguments):
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def size(_typing, _bits):
        """Return the number of elements."""

        def generate(_context, builder, _signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate
