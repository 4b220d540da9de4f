"""The one way kernels are compiled."""

from typing import Any

import numba

_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}

jit = numba.njit(**_OPTIONS)
"""Compile in nopython mode, cached on disk, without the interpreter lock.

Also without numba's reference counting (``_nrt``), whose atomic counters took a third of
the search's time: kernels make no arrays, they work on those that are handed to them, and
whoever calls keeps these alive.
"""

jit_inline = numba.njit(**_OPTIONS, inline="always")
"""The same for a part of a hot kernel that must not cost a call."""
