"""The one way kernels are compiled."""

import numba

jit = numba.njit(cache=True, nogil=True, error_model="numpy")
"""Compile in nopython mode, cached on disk, without the interpreter lock."""
