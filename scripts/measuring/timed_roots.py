# SPDX-License-Identifier: GPL-3.0-or-later
"""Roots composed as by `generator.run.roots` in one process, with their CPU time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count

from generator.constraints.options import ComposingOptions
from generator.run.composer import Composer, RootResult
from generator.run.roots import compose_alone

VERSION = "bench"
_WARMING_SEED = 1


def warm_up(options: ComposingOptions) -> None:
    """Compile or load all kernels that composing uses: compose a problem of three moves, then one root."""
    short = Composer(_WARMING_SEED, ComposingOptions.of(3), VERSION)
    next(index for index in count() if short.root(index).problems)
    Composer(_WARMING_SEED, options, VERSION).root(0)


def compose_for(composer: Composer, seconds: float) -> Iterator[tuple[float, RootResult]]:
    """The results of roots from 0 on, with the CPU seconds spent so far, until ``seconds`` have passed."""
    started = time.process_time()
    for result in compose_alone(composer):
        spent = time.process_time() - started
        yield spent, result
        if time.process_time() - started >= seconds:
            return
