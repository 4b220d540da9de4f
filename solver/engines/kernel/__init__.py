"""What mate and a futile interposition are, on arrays, for every engine that does not say it anew."""

import tsume_rules.kernel  # noqa: F401  (decides where compiled code is cached, before numba compiles anything)
