"""The engines of `tsume solve`, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.engines.rsearch.mating_cells import DEFAULT_CELLS
from solver.results import Interposition
from tsume.warmup import Part, warm_up

if TYPE_CHECKING:
    from solver.engines.base import MateEngine

LEAST_MEMORY, MOST_MEMORY = 40, 2**20
"""MB. The least holds a scorer and a small table; the most is beyond any machine."""
DEFAULT_MEMORY = 72
"""MB. A table of 2**20 entries fits, with or without a scorer."""


@dataclass(frozen=True)
class EngineOptions:
    """Options of all engines: at most ``memory`` bytes, ``interposition`` as the reading of futile drops.

    ``jobs``: threads, with df-pn as many of them as fit besides the table. ``weight`` concerns the iterative
    engine only, ``cells`` RSEARCH only.
    """

    memory: int
    interposition: Interposition = Interposition.NARROW
    weight: float = 0.4
    jobs: int = 1
    cells: int = DEFAULT_CELLS


class TooLittleMemory(ValueError):
    """An engine with these options does not fit into the memory."""


def make_engine(name: str, options: EngineOptions) -> MateEngine:
    """The engine of a name in `ENGINES`. Raises `TooLittleMemory`."""
    return _MAKERS[name](options)


def _df_pn(options: EngineOptions) -> MateEngine:
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.engines.dfpn.memory import table_bits_within, threads_within

    bits = table_bits_within(options.memory)
    threads = min(options.jobs, threads_within(options.memory, bits))
    return DfPnEngine(table_bits=bits, interposition=options.interposition, threads=threads)


def _iterative(options: EngineOptions) -> MateEngine:
    warm_up(Part.ITERATIVE)
    from solver.engines.iterative.engine import table_bits_within
    from solver.engines.iterative.sekine import SekineEngine

    try:
        bits = table_bits_within(options.memory // options.jobs)
    except ValueError as error:
        raise TooLittleMemory(f"{options.jobs} jobs: {error}") from None
    return SekineEngine(
        threads=options.jobs,
        weight=options.weight,
        table_bits=bits,
        interposition=options.interposition,
    )


def _rsearch(options: EngineOptions) -> MateEngine:
    warm_up(Part.RSEARCH)
    from solver.engines.rsearch.engine import RSearchEngine, space_bytes

    if space_bytes(options.cells) > options.memory:
        raise TooLittleMemory(f"{options.cells} cells")
    return RSearchEngine(cells=options.cells, interposition=options.interposition)


_MAKERS: dict[str, Callable[[EngineOptions], MateEngine]] = {
    "df-pn": _df_pn,
    "iterative": _iterative,
    "rsearch": _rsearch,
}
ENGINES = tuple(_MAKERS)
