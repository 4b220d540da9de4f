"""The rules on arrays, compiled with Numba. Kernel packages import only kernels.

Importing this package decides where compiled code is cached (see `cache`), so
it must be the first to import numba.
"""

from tsume_rules.kernel.cache import use_cache

use_cache()
