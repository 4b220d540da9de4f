# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading traits of positions and lines, compiled with Numba. Imports only kernels."""

import solver.engines.dfpn.kernel  # noqa: F401  (decides where compiled code is cached, before numba compiles anything)
