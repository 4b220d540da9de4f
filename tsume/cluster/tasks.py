"""What runs in a worker: chunks of roots, composed by a state that is kept from one to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from generator.run.composer import RootResult
from generator.run.worker_pool import Chunk, Job, WorkerState

News = tuple[np.ndarray, np.ndarray]
"""What roots found: the roots and the keys, int64 [key] each."""


@dataclass
class _Shop:
    state: WorkerState
    learnt: set[str] = field(default_factory=set)
    """The names of the volumes it has heard of."""


_shops: dict[str, _Shop] = {}
"""The state of the run that this process is at work on, by the run's name."""


def handed_on(blob: Any) -> Any:
    """What a run gives to all its chunks, as a task of its own: if it is lost it is made again."""
    return blob


def composed(
    run: str, job: Job, chunk: Chunk, last: News, names: tuple[str, ...], *volumes: News
) -> list[RootResult]:
    """The results of a chunk.

    ``volumes`` by their ``names``, and ``last``, are what earlier roots found.
    """
    if run not in _shops:
        _shops.clear()  # its memory is wanted
        _shops[run] = _Shop(WorkerState(job))
    shop = _shops[run]
    for name, volume in zip(names, volumes, strict=True):
        if name not in shop.learnt:
            shop.state.learn(*volume)
            shop.learnt.add(name)
    shop.state.learn(*last)
    return shop.state.composed(chunk)
