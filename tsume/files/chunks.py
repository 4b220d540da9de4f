# SPDX-License-Identifier: GPL-3.0-or-later
"""A stream in chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def chunked(items: Iterable[Item], first: int = 50, size: int = 500) -> Iterator[list[Item]]:
    """Lists of ``size`` items, the first of only ``first``; items before an error are yielded first."""
    chunk: list[Item] = []
    try:
        for item in items:
            chunk.append(item)
            if len(chunk) >= first:
                yield chunk
                chunk, first = [], size
    except Exception:
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk
