# SPDX-License-Identifier: GPL-3.0-or-later
"""The df-pn search on arrays, compiled with Numba. Imports only kernels."""

import tsume_rules.kernel  # noqa: F401  (sets where compiled code is cached, before numba compiles)
