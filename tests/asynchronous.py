# SPDX-License-Identifier: GPL-3.0-or-later
"""Coroutines in tests: where Playwright runs, this thread has a running loop already."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine, run by a thread of its own."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()
