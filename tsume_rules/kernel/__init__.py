# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules on arrays, compiled with Numba. Kernel packages import only kernels.

Importing this package sets where compiled code is cached (see `cache`), so it must be
the first module that imports numba.
"""

from tsume_rules.kernel.cache import use_kernel_cache

use_kernel_cache()
