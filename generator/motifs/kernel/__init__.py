# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of patterns: drawing positions with a forbidden pawn drop, and symmetric ones.

Imports only kernels."""

import solver.engines.dfpn.kernel  # noqa: F401  (decides where compiled code is cached, before numba compiles anything)
