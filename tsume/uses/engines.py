# SPDX-License-Identifier: GPL-3.0-or-later
"""The search engines: by name, or the df-pn engine of all other uses."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.engines.rsearch import DEFAULT_CELLS, MIN_CELLS
from solver.results import Interposition

if TYPE_CHECKING:
    from solver.engines.base import MateEngine
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.engines.iterative.engine import IterativeEngine

__all__ = [
    "DEFAULT_CELLS", "DEFAULT_ENGINE", "DEFAULT_MEMORY", "ENGINES", "MAX_MEMORY", "MIN_CELLS", "MIN_MEMORY",
    "EngineOptions", "TooLittleMemory", "df_pn_engine", "df_pn_of_size", "df_pn_of_thread",
    "iterative_engine", "make_engine",
]  # fmt: skip

MIN_MEMORY, MAX_MEMORY = 40, 2**20
"""MB. The least holds a scorer and a small table; the most is beyond any machine."""
DEFAULT_MEMORY = 72
"""MB. A table of 2**20 entries fits, with or without a scorer."""

_of_thread = threading.local()


@dataclass(frozen=True)
class EngineOptions:
    """Options of all engines: at most ``memory`` bytes, ``interposition`` as the reading of futile drops.

    ``jobs`` is the number of threads; df-pn uses as many of them as fit besides its table. ``weight``
    concerns the iterative engine only, ``cells`` RSEARCH only.
    """

    memory: int = DEFAULT_MEMORY << 20
    interposition: Interposition = Interposition.NARROW
    weight: float = 0.4
    jobs: int = 1
    cells: int = DEFAULT_CELLS


DEFAULT_ENGINE = EngineOptions()


class TooLittleMemory(ValueError):
    """An engine with these options does not fit into the memory."""


def make_engine(name: str, options: EngineOptions) -> MateEngine:
    """Return the engine of a name in `ENGINES`. Raises `TooLittleMemory`."""
    return _MAKERS[name](options)


def df_pn_engine(options: EngineOptions) -> DfPnEngine:
    """Return a df-pn engine with the largest table that fits into the memory."""
    from solver.engines.dfpn.memory import table_bits_within, threads_within

    bits = table_bits_within(options.memory)
    threads = min(options.jobs, threads_within(options.memory, bits))
    return df_pn_of_size(bits, options.interposition, threads)


def df_pn_of_size(table_bits: int, interposition: Interposition = Interposition.NARROW, threads: int = 1) -> DfPnEngine:
    """Return a df-pn engine with a table of 2 ** ``table_bits`` entries."""
    from solver.engines.dfpn.engine import DfPnEngine

    return DfPnEngine(table_bits=table_bits, interposition=interposition, threads=threads)


def df_pn_of_thread(options: EngineOptions) -> DfPnEngine:
    """This thread's df-pn engine with these options, its table empty."""
    if getattr(_of_thread, "options", None) != options:
        _of_thread.engine = df_pn_engine(options)
        _of_thread.options = options
    engine: DfPnEngine = _of_thread.engine
    engine.forget()
    return engine


def iterative_engine(memory: int) -> IterativeEngine:
    """Return the engine that checks the answers of the first, within ``memory`` bytes."""
    from solver.engines.iterative.engine import IterativeEngine, table_bits_within

    return IterativeEngine(table_bits=table_bits_within(memory))


def _sekine(options: EngineOptions) -> MateEngine:
    from solver.engines.iterative.engine import SekineEngine, table_bits_within

    try:
        bits = table_bits_within(options.memory // options.jobs)
    except ValueError as error:
        raise TooLittleMemory(f"{options.jobs} jobs: {error}") from None
    return SekineEngine(
        threads=options.jobs, weight=options.weight, table_bits=bits, interposition=options.interposition
    )


def _rsearch(options: EngineOptions) -> MateEngine:
    from solver.engines.rsearch.engine import RSearchEngine, rsearch_bytes

    if rsearch_bytes(options.cells) > options.memory:
        raise TooLittleMemory(f"{options.cells} cells")
    return RSearchEngine(cells=options.cells, interposition=options.interposition)


_MAKERS: dict[str, Callable[[EngineOptions], MateEngine]] = {
    "df-pn": df_pn_engine,
    "iterative": _sekine,
    "rsearch": _rsearch,
}
ENGINES = tuple(_MAKERS)
