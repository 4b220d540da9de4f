"""The second engine's kernels: they use those of `rules` and no others."""

from rules.kernel.cache import use_cache

use_cache()
