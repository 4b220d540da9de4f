# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs in a worker: chunks of roots, composed with a state that is kept from one to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from generator.run.composer import RootResult
from generator.run.worker_pool import Chunk, RunJob, WorkerState

Keys = tuple[np.ndarray, np.ndarray]
"""What roots found: the roots and the keys, int64 [key] each."""


@dataclass
class _RunState:
    state: WorkerState
    shards: set[str] = field(default_factory=set)
    """The names of the shards it has learnt."""


_run_states: dict[str, _RunState] = {}
"""The state of the run that this process works on, by the run's name."""


def shared_run_value(value: Any) -> Any:
    """A value that all chunks of a run need, as a task of its own: the scheduler repeats it if it is lost."""
    return value


def compose_chunk_task(
    run: str, job: RunJob, chunk: Chunk, last: Keys, names: tuple[str, ...], *shards: Keys
) -> list[RootResult]:
    """The results of a chunk.

    ``shards`` with their ``names``, and ``last``, are what earlier roots found.
    """
    if run not in _run_states:
        _run_states.clear()  # frees the memory of an earlier run
        _run_states[run] = _RunState(WorkerState(job))
    kept = _run_states[run]
    for name, shard in zip(names, shards, strict=True):
        if name not in kept.shards:
            kept.state.add_known_keys(*shard)
            kept.shards.add(name)
    kept.state.add_known_keys(*last)
    return kept.state.compose_chunk(chunk)
