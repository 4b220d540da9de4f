# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command needs is compiled before its clock starts, by as many processes as there are processors.

The kernels come in parts. A part is compiled once, and the cache notes that it is complete
(`tsume_rules.kernel.cache`). First its units (`tsume_rules.kernel.compile`) are compiled, the
largest first. Then a small example is run (`_EXAMPLES`): it compiles the kernels that only
Python calls. A part without units has only the example.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager, suppress
from enum import Enum
from functools import partial
from importlib import import_module

from solver.results import Limits, Mate
from tsume.child_processes import child_command, exclusive_file_lock
from tsume.progress import compiling_progress
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

# --- small examples: each runs the kernels of one part that only Python calls, so that they get compiled ---

_MATE_IN_ONE = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
_MATE_IN_THREE = "7kn/5G3/7G1/9/9/9/9/9/9 b 2r2b2g4s3n4l18p 1"
_WITH_FUTILE_DROPS = "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1"
_WITH_PAWN_DROP = "7nk/9/7G1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1"


def run_engine_example() -> None:
    """Solve, explain, judge and score two positions."""
    from solver.certificates.writer import EngineOracle
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.explaining.explainer import explain
    from solver.judging.judge import Judge
    from solver.scoring.difficulty import Scorer
    from solver.solving.solve import solve
    from tsume_rules.kernel.retract import captured_of
    from tsume_rules.kernel.state import dropped, hand_contains, origin_of, target_of
    from tsume_rules.packed import forbidden_drop, pack

    for sfen in (_MATE_IN_THREE, _WITH_FUTILE_DROPS):
        position = parse_sfen(sfen).position
        engine = DfPnEngine(table_bits=10)
        found = solve(position, Limits(), engine)
        assert isinstance(found, Mate)
        explain(engine, position, found.line)
        Judge().judge(position, found.length)
        Scorer().score(position, found.length)
        EngineOracle(engine).look(pack(position), 1, attacker=True)
    forbidden_drop(pack(parse_sfen(_WITH_PAWN_DROP).position))
    for kernel in (target_of, origin_of, dropped, captured_of):
        kernel(0)
    hand_contains(0, 0)


def run_likeness_example() -> None:
    """Measure one problem."""
    from generator.likeness import likeness_of

    likeness_of(parse_sfen(_MATE_IN_ONE).position, (parse_move("G*1b"),))


def run_generator_example() -> None:
    """One root, and what other roots may call."""
    from generator.constraints.options import ComposingOptions
    from generator.run.composer import Composer
    from solver.engines.dfpn.engine import DfPnEngine
    from tsume_rules.packed import pack_all

    Composer(1, ComposingOptions(length=3), "warm-up").root(0)
    records = pack_all([parse_sfen(sfen).position for sfen in (_MATE_IN_ONE, _WITH_PAWN_DROP)])
    DfPnEngine(table_bits=10).short_lengths(records, 1, 100)


def run_iterative_example() -> None:
    """Solve a position by both iterative engines."""
    from solver.engines.iterative.engine import IterativeEngine
    from solver.engines.iterative.sekine import SekineEngine
    from solver.solving.solve import solve

    position = parse_sfen(_MATE_IN_THREE).position
    for engine in (IterativeEngine(table_bits=10), SekineEngine(table_bits=10)):
        solve(position, Limits(), engine)


def run_rsearch_example() -> None:
    """Solve a position by the search in few cells."""
    from solver.engines.rsearch.engine import RSearchEngine
    from solver.solving.solve import solve

    solve(parse_sfen(_MATE_IN_THREE).position, Limits(), RSearchEngine(cells=64))


# --- compiling what a command needs before its clock starts ----------------------------------------


class KernelPart(Enum):
    """A part of the kernels, named after what it compiles."""

    ENGINE = "engine"
    LIKENESS = "likeness"
    GENERATOR = "generator"
    ITERATIVE = "iterative"
    RSEARCH = "rsearch"


_warm: set[KernelPart] = set()
"""The parts known to be compiled: this process does not look again."""
_warming = threading.RLock()
"""Held by the thread that compiles; others wait for it."""


def warm_up(*parts: KernelPart, jobs: int | None = None) -> None:
    """Compile these parts unless that was done before; progress is shown on stderr.

    ``jobs``: how many processes; None: one for each processor. Where no cache can be written,
    nothing can be handed from one process to another, so this process compiles everything.
    """
    with _missing(parts) as missing:
        if missing:
            _compile_parts(missing, jobs=jobs)


def _compile_parts(wanted: list[KernelPart], *, jobs: int | None) -> None:
    """Compile parts, one process at a time: what another one has compiled meanwhile is not compiled again."""
    from tsume_rules.kernel.cache import mark_compiled, use_kernel_cache

    folder = use_kernel_cache()
    with ExitStack() as locked:
        if folder:
            with suppress(OSError):
                text = "another process compiles; waiting for it"
                say = partial(print, text, file=sys.stderr, flush=True)
                locked.enter_context(exclusive_file_lock(folder / _LOCK, say))
        missing = [part for part in wanted if not _has_stored_code(part.value)]
        if not missing:
            return
        alone = folder is None or multiprocessing.current_process().daemon  # which has no children
        most = 1 if alone else jobs or os.cpu_count() or 1
        last = [part for part in missing if part in _HOMES]
        tasks = _tasks(missing)
        with compiling_progress(len(tasks) + len(last)) as advance:
            many = min(most, len(tasks)) > 1
            for _ in _compile_in_processes(tasks, most) if many else map(_compile_unit, tasks):
                advance()
            for part in last:
                run_example(part)
                advance()
        for part in missing:
            mark_compiled(part.value)


_LOCK = f"compiling-{hashlib.sha256(__file__.encode()).hexdigest()[:16]}.lock"
"""Of this installation: others have code of their own in the cache."""


def warm_up_silently(*parts: KernelPart) -> None:
    """As `warm_up`, inside another program: nothing is printed.

    The parts are compiled by a Python process of their own. Worker processes of the caller would import the
    caller's main module again. What it leaves open, this process compiles at the first call of each kernel.
    """
    with _missing(parts) as missing:
        command = warm_up_command(*missing) if missing else None
        if command is not None:
            pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
            with suppress(OSError), subprocess.Popen(command, stdin=pipe, stdout=nothing, stderr=nothing) as child:
                child.wait()


@contextmanager
def _missing(parts: tuple[KernelPart, ...]) -> Iterator[list[KernelPart]]:
    """Yield the parts that are to be compiled in the block; after it they are known to be."""
    if _warm.issuperset(parts):
        yield []
        return
    with _warming:
        wanted = _with_required_parts(parts)
        missing = [part for part in wanted if not (part in _warm or _has_stored_code(part.value))]
        yield missing if missing and not _is_jit_disabled() else []
        _warm.update(wanted)


def _is_jit_disabled() -> bool:
    import numba

    return bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]


def _has_stored_code(part: str) -> bool:
    from tsume_rules.kernel.cache import is_compiled, is_precompiled

    return is_precompiled(part) or is_compiled(part)


def warm_up_command(*parts: KernelPart) -> list[str] | None:
    """Return the command of a process that compiles these parts; None if it could not hand them on.

    Its standard input has to be a pipe to which nothing is written: it ends when the pipe is closed.
    """
    from tsume_rules.kernel.cache import use_kernel_cache

    if use_kernel_cache() is None:
        return None
    return child_command(__name__, warm_up_named.__name__, *(part.value for part in parts))


def warm_up_named(*names: str) -> None:
    """As `warm_up`, for parts by name: what `warm_up_command` runs."""
    warm_up(*map(KernelPart, names))


def are_kernels_compiled(*parts: KernelPart) -> bool:
    """Return whether these parts are compiled."""
    return _is_jit_disabled() or all(one in _warm or _has_stored_code(one.value) for one in _with_required_parts(parts))


def _with_required_parts(parts: tuple[KernelPart, ...]) -> list[KernelPart]:
    """Return the parts, and before them the engine, on which they are built."""
    return list(dict.fromkeys((KernelPart.ENGINE, *parts)))


# --- units --------------------------------------------------------------------------------

Task = tuple[str, str]
"""A unit or an example: its module and its name."""

_HOMES: dict[KernelPart, tuple[tuple[str, ...], str]] = {
    KernelPart.ENGINE: (
        ("tsume_rules.", "solver.engines.kernel.", "solver.engines.dfpn.", "solver.scoring.kernel."),
        "solver.scoring.difficulty",
    ),
    KernelPart.LIKENESS: (("generator.kernel.traits",), "generator.likeness"),
    KernelPart.GENERATOR: (("generator.",), "generator.run.composer"),
}
"""For each part with units: the packages that hold them, and a module that imports them all."""


def _tasks(parts: list[KernelPart]) -> list[Task]:
    """Return the examples of parts without units, then the units of the others, the largest first."""
    from tsume_rules.kernel.compile import units

    tasks = [(__name__, _EXAMPLES[part].__name__) for part in parts if part not in _HOMES]
    for packages, module in (_HOMES[part] for part in parts if part in _HOMES):
        import_module(module)
        mine = (unit for unit in units if unit.py_func.__module__.startswith(packages))
        largest_first = sorted(mine, key=lambda unit: -unit.size)
        tasks += [(unit.py_func.__module__, unit.py_func.__name__) for unit in largest_first]
    return list(dict.fromkeys(tasks))  # a unit may belong to two parts


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
    from generator.run.processes import end_with_parent, stop_signals_blocked

    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(min(most, len(tasks)), context, _start_thread, (end_with_parent,))
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


def _start_thread(work: Callable[[], None]) -> None:
    threading.Thread(target=work, daemon=True).start()


# --- examples -----------------------------------------------------------------------------

_EXAMPLES: dict[KernelPart, Callable[[], None]] = {
    KernelPart.ENGINE: run_engine_example,
    KernelPart.LIKENESS: run_likeness_example,
    KernelPart.GENERATOR: run_generator_example,
    KernelPart.ITERATIVE: run_iterative_example,
    KernelPart.RSEARCH: run_rsearch_example,
}


def run_example(part: KernelPart) -> None:
    """Run the small example of a part, which loads or compiles the kernels that Python calls."""
    _EXAMPLES[part]()
