# SPDX-License-Identifier: GPL-3.0-or-later
"""What scoring asks of many positions, compiled with Numba. Imports only kernels."""

import tsume_rules.kernel  # noqa: F401  (sets where compiled code is cached, before numba compiles)
