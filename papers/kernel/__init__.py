# SPDX-License-Identifier: GPL-3.0-or-later
"""The games of the experiments on arrays, compiled with Numba. Imports only kernels."""

from tsume_rules.kernel.cache import use_kernel_cache

use_kernel_cache()
