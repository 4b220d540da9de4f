# SPDX-License-Identifier: GPL-3.0-or-later
"""The thread that searches, with one engine that is loaded in advance and stays warm between searches."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import replace

from tsume.uses.checking import UNLIMITED, Checker
from tsume.uses.engines import LEAST_MEMORY, EngineOptions, df_pn_engine
from tsume.usi.messages import Ending, Note, Preparation, Ready, SearchEvent, SearchRequest
from tsume.usi.options import Settings
from tsume.usi.positions import parse_position
from tsume.usi.protocol import Go
from tsume.usi.search import MateSearch, SearchCancelled
from tsume.warmup import KernelPart, warm_up_silently

# ---------------------------------------------------------------------------------------------------
#
# Loading of kernels by examples, so that the first search of a GUI is as fast as the others.

_SEVEN_PLIES = "sfen 1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1"
_TWO_SOLUTIONS = "sfen 8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"


def load_modules() -> None:
    """Import what searches need.

    Loading LLVM keeps the interpreter from running other threads, for up to a second on a busy machine: it is
    better done while the GUI has not asked for anything.
    """
    from solver.judging import judge  # noqa: F401  (imports the engine, numba and the kernels' modules)


def load_search(checker: Checker) -> None:
    """Load what every search needs."""
    from solver.solving.solve import known_line
    from tsume_rules.packed import pack

    _search_example(checker, _SEVEN_PLIES, find_all=False)
    engine, record = checker.engine, pack(parse_position(_SEVEN_PLIES).parsed.position)
    with engine.for_long_works():
        engine.mates_ever(record)
        known_line(engine, record, engine.length)


def load_judge(checker: Checker) -> None:
    """Load what FindAll needs besides."""
    _search_example(checker, _TWO_SOLUTIONS, find_all=True)


def _search_example(checker: Checker, sfen: str, *, find_all: bool) -> None:
    settings = Settings(find_all=find_all)
    request = SearchRequest(0, parse_position(sfen), Go(mate=True), settings)
    MateSearch(checker, request, lambda _event: None).run()


# --- the thread that searches ----------------------------------------------------------------------

_STACK = 1 << 26
"""Bytes of the thread's stack; on some systems a thread has little otherwise."""
Post = Callable[[int, SearchEvent], None]
"""Delivers an event of the search of a number."""


class SearchWorker:
    """Carries out preparations and searches in their order, in a thread of its own."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._jobs: queue.SimpleQueue[Preparation | SearchRequest | None] = queue.SimpleQueue()
        self._checker: Checker | None = None
        self._has_judged = False
        self._options: EngineOptions | None = None
        before = threading.stack_size(_STACK)
        try:
            thread = threading.Thread(target=self._run, name="tsume usi search", daemon=True)
            thread.start()
        finally:
            threading.stack_size(before)
        self._thread = thread

    def submit(self, job: Preparation | SearchRequest) -> None:
        """Carry out a job after those before it."""
        self._jobs.put(job)

    def close(self, seconds: float) -> bool:
        """End the thread after its jobs; returns whether it ended within so many seconds."""
        self._jobs.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        load_modules()
        while (job := self._jobs.get()) is not None:
            if isinstance(job, Preparation):
                try:
                    self._ready_checker(job.settings, 0)
                except Exception as error:
                    self._fail(0, error)
                self._post(0, Ready())
            elif not job.cancelled.is_set():
                self._search(job)

    def _search(self, request: SearchRequest) -> None:
        number = request.number
        try:
            checker = self._ready_checker(request.settings, number)
            self._post(number, Ready())
            MateSearch(checker, request, lambda event: self._post(number, event)).run()
        except SearchCancelled:
            pass
        except Exception as error:  # whatever it is, the GUI must get its answer
            self._fail(number, error)
            self._post(number, Ending.FAILED)

    def _fail(self, number: int, error: Exception) -> None:
        """Report an error, and drop the engine, whose state is unknown."""
        self._checker = self._options = None
        text = str(error).partition("\n")[0]
        self._post(number, Note(f"Error: {type(error).__name__}{': ' * bool(text)}{ascii(text)[1:-1]}"))

    def _ready_checker(self, settings: Settings, number: int) -> Checker:
        """Return the checker, with an engine for these settings, and its kernels loaded."""
        if self._checker is None or self._options != settings.engine:
            warm_up_silently(KernelPart.ENGINE)
            self._checker = None  # its memory is free before the next one is made
            self._checker = self._new_checker(settings, number)
            self._options = settings.engine
            load_search(self._checker)
        if settings.find_all and not self._has_judged:
            load_judge(self._checker)
            self._has_judged = True
        return self._checker

    def _new_checker(self, settings: Settings, number: int) -> Checker:
        """Return a checker with the memory of the settings, or with less if the system refuses so much."""
        size = settings.hash_size
        while True:
            try:
                engine = df_pn_engine(replace(settings, hash_size=size).engine)
                engine.take_memory()
                if engine.threads < settings.threads:
                    text = f"Error: Threads: {engine.threads} fit into USI_Hash {size}"
                    self._post(number, Note(text))
                return Checker(UNLIMITED, engine)
            except MemoryError:
                if size == LEAST_MEMORY:
                    raise
                smaller = max(LEAST_MEMORY, size // 2)
                self._post(number, Note(f"Error: USI_Hash: no memory for {size} MB; using {smaller} MB"))
                size = smaller
