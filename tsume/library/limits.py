"""Limits that cannot be kept."""

from __future__ import annotations

from tsume.engines import LEAST_MEMORY


def require_memory(memory: int) -> None:
    """Raise ValueError for fewer MB than an engine needs."""
    if memory < LEAST_MEMORY:
        raise ValueError(f"memory is {memory} MB, at least {LEAST_MEMORY} are needed")
