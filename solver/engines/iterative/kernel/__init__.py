"""The second engine's kernels: they use those of `rules` and no others."""

from tsume_rules.kernel.cache import use_cache

use_cache()
