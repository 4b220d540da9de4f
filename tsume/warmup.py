"""What a command needs is compiled before its clock starts, by as many processes as there are processors.

The kernels come in parts. A part is compiled once, and the cache notes that it is complete
(`tsume_rules.kernel.cache`). First its units (`tsume_rules.kernel.compile`) are compiled, the
largest first. Then a small example is run: it compiles the kernels that only Python calls. A part
without units has only the example.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from enum import Enum
from functools import partial
from importlib import import_module

from tsume.progress import compiling_progress

_MATE_IN_ONE = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
_MATE_IN_THREE = "7kn/5G3/7G1/9/9/9/9/9/9 b 2r2b2g4s3n4l18p 1"
_WITH_FUTILE_DROPS = "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1"


class KernelPart(Enum):
    """A part of the kernels, named after what it compiles."""

    ENGINE = "engine"
    LIKENESS = "likeness"
    GENERATOR = "generator"
    ITERATIVE = "iterative"
    RSEARCH = "rsearch"
    KATOH = "katoh"
    SHIBAHARA = "shibahara"


_warm: set[KernelPart] = set()
"""The parts known to be compiled: this process does not look again."""
_warming = threading.RLock()
"""Held by the thread that compiles; others wait for it."""


def warm_up(*parts: KernelPart, jobs: int | None = None) -> None:
    """Compile these parts unless that was done before; progress is shown on stderr.

    ``jobs``: how many processes; None: one for each processor. Where no cache can be written,
    nothing can be handed from one process to another, so this process compiles everything.
    """
    _make_kernels_ready(parts, partial(_compile_parts, jobs=jobs))


def warm_up_silently(*parts: KernelPart) -> None:
    """As `warm_up`, inside another program: nothing is printed.

    The parts are compiled by a Python process of their own. Worker processes of the caller would import the
    caller's main module again.
    """
    _make_kernels_ready(parts, _compile_in_child)


def _make_kernels_ready(
    parts: tuple[KernelPart, ...], compile_parts: Callable[[list[KernelPart]], None]
) -> None:
    if _warm.issuperset(parts):
        return
    from tsume_rules.kernel.cache import is_compiled

    with _warming:
        wanted = _with_required_parts(parts)
        missing = [part for part in wanted if not (part in _warm or is_compiled(part.value))]
        if missing and not _is_jit_disabled():
            compile_parts(missing)
        _warm.update(wanted)


def _compile_in_child(missing: list[KernelPart]) -> None:
    """What it leaves open, this process compiles at the first call of each kernel."""
    command = warm_up_command(*missing)
    if command is None:
        return
    with suppress(OSError):
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def warm_up_command(*parts: KernelPart) -> list[str] | None:
    """The command of a Python process that compiles these parts; None if it could not hand them to others."""
    from tsume_rules.kernel.cache import use_kernel_cache

    if getattr(sys, "frozen", False) or use_kernel_cache() is None:  # its executable is not Python
        return None
    program = (
        "import json, signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit()); "
        "sys.path[:] = json.loads(sys.argv[1]); "
        "from tsume.warmup import KernelPart, warm_up; warm_up(*map(KernelPart, sys.argv[2:]))"
    )
    names = [part.value for part in parts]
    return [sys.executable, "-c", program, json.dumps([str(place) for place in sys.path]), *names]


def is_warm(*parts: KernelPart) -> bool:
    """Whether these parts are compiled."""
    from tsume_rules.kernel.cache import is_compiled

    return _is_jit_disabled() or all(
        part in _warm or is_compiled(part.value) for part in _with_required_parts(parts)
    )


def _compile_parts(missing: list[KernelPart], jobs: int | None = None) -> None:
    from tsume_rules.kernel.cache import mark_compiled, use_kernel_cache

    apart = [part for part in missing if part not in _HOMES]
    tasks = [(__name__, _EXAMPLES[part].__name__) for part in apart]
    tasks += [task for part in missing for task in _units_of(part)]
    last = [part for part in missing if part in _HOMES]
    most = (jobs or os.cpu_count() or 1) if use_kernel_cache() else 1
    tasks = list(dict.fromkeys(tasks))  # a unit may belong to two parts
    with compiling_progress(len(tasks) + len(last)) as advance:
        for _ in (
            _compile_in_processes(tasks, most) if min(most, len(tasks)) > 1 else map(_compile_unit, tasks)
        ):
            advance()
        for part in last:
            _EXAMPLES[part]()
            advance()
    for part in missing:
        mark_compiled(part.value)


def _is_jit_disabled() -> bool:
    import numba

    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


def _with_required_parts(parts: tuple[KernelPart, ...]) -> list[KernelPart]:
    """The parts, and before them the engine if one of them is about shogi: it is built on the engine."""
    shogi = any(part not in (KernelPart.KATOH, KernelPart.SHIBAHARA) for part in parts)
    return list(dict.fromkeys(((KernelPart.ENGINE,) if shogi else ()) + parts))


# --- units --------------------------------------------------------------------------------

Task = tuple[str, str]
"""A unit or an example: its module and its name."""

_HOMES: dict[KernelPart, tuple[tuple[str, ...], str]] = {
    KernelPart.ENGINE: (
        ("tsume_rules.", "solver.engines.kernel.", "solver.engines.dfpn.", "solver.scoring.kernel."),
        "solver.scoring.difficulty",
    ),
    KernelPart.LIKENESS: (("generator.likeness.kernel.traits",), "generator.likeness.measure"),
    KernelPart.GENERATOR: (("generator.",), "generator.run.composer"),
}
"""For each part with units: the packages that hold them, and a module that imports them all."""


def _units_of(part: KernelPart) -> list[Task]:
    """The units of a part, the largest first."""
    from tsume_rules.kernel.compile import units

    if part not in _HOMES:
        return []
    packages, module = _HOMES[part]
    import_module(module)
    mine = (unit for unit in units if unit.py_func.__module__.startswith(packages))
    return [(unit.py_func.__module__, unit.py_func.__name__) for unit in sorted(mine, key=lambda u: -u.size)]


def _compile_unit(task: Task) -> None:
    """Compile a unit, or run an example."""
    module, name = task
    found = getattr(import_module(module), name)
    if hasattr(found, "load"):
        found.load()
    else:
        found()


def _compile_in_processes(tasks: list[Task], most: int) -> Iterator[None]:
    """Carry out tasks in processes that do not see Ctrl-C and end with this one."""
    from generator.run.processes import stop_signals_blocked

    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(min(most, len(tasks)), context, _end_with_parent)
    try:
        with stop_signals_blocked():
            futures = [executor.submit(_compile_unit, task) for task in tasks]
        for future in as_completed(futures):
            future.result()
            yield
    except BaseException:
        for process in list((executor._processes or {}).values()):
            process.kill()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    from generator.run.processes import end_with_parent

    threading.Thread(target=end_with_parent, daemon=True).start()


# --- examples -----------------------------------------------------------------------------


def _run_engine_example() -> None:
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.explaining.explain import explain
    from solver.judging.judge import Judge
    from solver.results import Limits, Mate
    from solver.scoring.difficulty import Scorer
    from solver.solving.solve import solve
    from tsume_rules.sfen import parse_sfen

    for sfen in (_MATE_IN_THREE, _WITH_FUTILE_DROPS):
        position = parse_sfen(sfen).position
        engine = DfPnEngine(table_bits=10)
        found = solve(position, Limits(), engine)
        assert isinstance(found, Mate)
        explain(engine, position, found.line)
        Judge().judge(position, found.length)
        Scorer().score(position, found.length)


def _run_likeness_example() -> None:
    from generator.likeness.measure import likeness_of
    from tsume_rules.moves import parse_move
    from tsume_rules.sfen import parse_sfen

    likeness_of(parse_sfen(_MATE_IN_ONE).position, (parse_move("G*1b"),))


def _run_generator_example() -> None:
    from generator.constraints.options import ComposingOptions
    from generator.run.composer import Composer

    Composer(1, ComposingOptions(length=3), "warm-up").root(0)


def _run_iterative_example() -> None:
    from solver.engines.iterative.engine import IterativeEngine
    from solver.engines.iterative.sekine import SekineEngine
    from solver.results import Limits
    from solver.solving.solve import solve
    from tsume_rules.sfen import parse_sfen

    position = parse_sfen(_MATE_IN_THREE).position
    for engine in (IterativeEngine(table_bits=10), SekineEngine(table_bits=10)):
        solve(position, Limits(), engine)


def _run_rsearch_example() -> None:
    from solver.engines.rsearch.engine import RSearchEngine
    from solver.results import Limits
    from solver.solving.solve import solve
    from tsume_rules.sfen import parse_sfen

    solve(parse_sfen(_MATE_IN_THREE).position, Limits(), RSearchEngine(cells=64))


def _run_katoh_example() -> None:
    from solver.engines.rsearch.framework import RSearchCondition
    from tsume.papers.katoh1988.othello import (
        BOARD,
        OthelloSwitchingSearch,
        othello_alpha_beta,
        random_othello_position,
        search_othello,
    )

    position = random_othello_position(random.Random(1))
    search_othello(position, BOARD, RSearchCondition(), plies=2)
    OthelloSwitchingSearch(plies=2, later=1).search_position(position, BOARD, RSearchCondition())
    othello_alpha_beta(position, BOARD, plies=2)


def _run_shibahara_example() -> None:
    from solver.results import Limits
    from tsume.papers.shibahara2006.retrograde import EndgameTable, endgame_table_bytes
    from tsume.papers.shibahara2006.rows import games_of_the_paper
    from tsume.papers.shibahara2006.search import VariantSearch, solve_game

    start = min(games_of_the_paper(), key=lambda start: endgame_table_bytes(start.game))
    solve_game(start.game, start.state, Limits(nodes=20_000), VariantSearch(start.game, 16))
    EndgameTable(start.game).solve()


_EXAMPLES: dict[KernelPart, Callable[[], None]] = {
    KernelPart.ENGINE: _run_engine_example,
    KernelPart.LIKENESS: _run_likeness_example,
    KernelPart.GENERATOR: _run_generator_example,
    KernelPart.ITERATIVE: _run_iterative_example,
    KernelPart.RSEARCH: _run_rsearch_example,
    KernelPart.KATOH: _run_katoh_example,
    KernelPart.SHIBAHARA: _run_shibahara_example,
}
