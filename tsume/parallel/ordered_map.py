# SPDX-License-Identifier: GPL-3.0-or-later
"""A function mapped over a stream of items by several processes: results in order, as soon as possible.

`ProcessPoolExecutor.map` reads all items first, delays results that are made in one chunk with a slow one,
and cannot kill the tasks that run when the caller stops. Here a thread reads the items, workers get as many
as they handle in a moment and send results several times in it, and all that waits is bounded.
"""

from __future__ import annotations

import errno
import os
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from generator.run.processes import WorkerProcess, started_processes

# --- items of an iterator, read ahead by a thread, so that an item that comes late delays no result ---

Item = TypeVar("Item")
_MOST = 256
"""Items that are read before they are fetched, at most."""


@dataclass(frozen=True)
class _EndOfItems:
    """The end of the items, and the error that ended them, if any."""

    error: Exception | None = None


class ReadAhead(Generic[Item]):
    """Items read by a thread; the connection ``available`` is ready when one can be fetched.

    `fetch` moves items to ``waiting``, each as ``prepare`` returns it, which is called in the thread that
    fetches. ``ended``: nothing is left to fetch.
    """

    def __init__(self, items: Iterable[Item], prepare: Callable[[Item], Any] | None) -> None:
        self.waiting: deque[Any] = deque()
        self.ended = False
        self._prepare = prepare
        self._error: Exception | None = None
        self._read: deque[Item | _EndOfItems] = deque()
        self._change = threading.Condition()
        self._closed = False
        self.available, self._notification = Pipe(duplex=False)
        """Holds one message as long as something that was read is to be fetched."""

        def read() -> None:
            end = _EndOfItems()
            try:
                for item in items:
                    if not self._put(item):
                        return
            except Exception as error:
                end = _EndOfItems(error)
            self._put(end)

        threading.Thread(target=read, daemon=True).start()

    def _put(self, item: Item | _EndOfItems) -> bool:
        """Hand over an item as soon as there is room; return False once `close` was called."""
        with self._change:
            self._change.wait_for(lambda: self._closed or len(self._read) < _MOST)
            if self._closed:
                return False
            self._read.append(item)
            if len(self._read) == 1:
                with suppress(OSError):  # the other end is closed
                    self._notification.send_bytes(b"")
            return True

    def close(self) -> None:
        """Stop reading; the thread ends after the item that it is reading."""
        with self._change:
            self._closed = True
            self._change.notify()
        self.available.close()

    def fetch(self, most: int, timeout: float | None = 0.0) -> None:
        """Move items to ``waiting`` until it holds ``most`` or none comes for ``timeout`` seconds.

        None: wait for as long as it takes.
        """
        while len(self.waiting) < most and not self.ended and (self._read or self.available.poll(timeout)):
            with self._change:
                wanted = min(most - len(self.waiting), len(self._read))
                taken = [self._read.popleft() for _ in range(wanted)]
                if taken and not self._read:
                    self.available.recv_bytes()
                if len(self._read) <= _MOST // 2:
                    self._change.notify()
            for item in taken:
                if isinstance(item, _EndOfItems):
                    self.ended, self._error = True, item.error
                else:
                    self.waiting.append(item if self._prepare is None else self._prepare(item))

    def is_exhausted(self) -> bool:
        """Wait until an item is read or they end; return whether none is left. Raises what ended them."""
        self.fetch(1, None)
        if self.waiting or not self.ended:
            return False
        if self._error is not None:
            raise self._error
        return True


# --- a function mapped over a stream of items by several processes ---------------------------------

MANY = 48
"""Without a number of jobs, processes are started only while at least so many items are waiting, or much work."""
_MUCH = 10.0
"""Processor seconds of work that is much, if the items that wait are like those before."""
_WORTH = 2.0
"""Processor seconds of work before processes are started: more than they take to load."""
_AHEAD = 32
"""Items for each worker that are handed out before an earlier result is there, or more if quick."""
_MAX_AT_ONCE = 64
"""Items that a worker gets at once, at most."""
_MOMENT = 0.1
"""Seconds that the items take which a worker gets at once."""
_PAUSE = 0.02
"""Seconds for which a result may wait for others, to be sent with them."""

Result = TypeVar("Result")
Make = Callable[[], Callable[[Item], Result]]
"""Makes the function that is mapped, in each process that calls it; it is pickled."""


def ordered_map(
    make: Make[Any, Result], items: Iterable[Item], jobs: int | None, prepare: Callable[[Item], Any] | None = None
) -> Generator[Result]:
    """Yield the function's result for each item, in their order, computed by ``jobs`` processes.

    One job is this process. None: this process; once that has taken a while and many items or much work is waiting, one
    process for each processor. What the function raises is raised here at its item's turn. ``prepare`` is called in
    this thread with each item in order; the function gets what it returns. Close the iterator or exhaust it: closing
    kills the processes. Raises `generator.run.processes.WorkerLostError`.
    """
    most = jobs or os.cpu_count() or 1
    if most == 1:
        yield from map(make(), items if prepare is None else map(prepare, items))
        return
    with closing(ReadAhead(items, prepare)) as source:
        function: Callable[[Any], Result] | None = None
        spent, done = 0.0, 0
        while jobs is None and not source.is_exhausted():  # until processes are worth their start
            source.fetch(MANY)
            waiting = len(source.waiting)
            if spent >= _WORTH and (waiting >= MANY or waiting * spent > _MUCH * done):
                break
            began = time.thread_time()
            function = function or make()
            result = function(source.waiting.popleft())
            spent, done = spent + time.thread_time() - began, done + 1
            yield result
        if source.is_exhausted():
            return
        with started_processes(most, partial(_MapWorker, make)) as workers:
            yield from _results_in_order(workers, source)


# --- workers ------------------------------------------------------------------------------

_Outcome = tuple[Any, Exception | None, str]
"""What the function returned, or what it raised, with its traceback."""


class _MapWorker(WorkerProcess):
    """A worker process; ``numbers`` are those of the items it has."""

    def __init__(self, make: Make[Any, Any]) -> None:
        super().__init__(_serve_items, make)
        self.numbers: deque[int] = deque()
        self._seconds = _MOMENT
        """How long an item takes, as far as is known."""
        self._since = 0.0

    @property
    def at_once(self) -> int:
        """How many items make a batch for it."""
        return max(1, min(_MAX_AT_ONCE, int(_MOMENT / self._seconds)))

    def submit(self, first: int, items: list[Any]) -> None:
        """Send items to the worker; the number of the first one is ``first``."""
        if not self.numbers:
            self._since = time.monotonic()
        self.numbers.extend(range(first, first + len(items)))
        self.send(items)

    def outcomes(self) -> Iterator[tuple[int, _Outcome]]:
        """Wait for outcomes; yield them with the numbers of their items. Raises `WorkerLostError`."""
        received: list[_Outcome] = self.receive()
        now = time.monotonic()
        self._seconds = (self._seconds + max(1e-6, now - self._since) / len(received)) / 2
        self._since = now
        for outcome in received:
            yield self.numbers.popleft(), outcome


def _serve_items(pipe: Connection, make: Make[Any, Any]) -> None:
    """Serve in a worker process; each outcome is sent within `_PAUSE`."""
    function, outcomes = make(), list[_Outcome]()
    lock, filled = threading.Lock(), threading.Event()

    def send() -> None:
        with lock:
            filled.clear()
            sent, outcomes[:] = outcomes[:], []
            if sent:
                try:
                    pipe.send(sent)
                except MemoryError:
                    os._exit(errno.ENOMEM)

    def send_soon() -> None:
        with suppress(OSError):  # the parent is gone
            while filled.wait():
                time.sleep(_PAUSE)
                send()

    threading.Thread(target=send_soon, daemon=True).start()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
        while True:
            for item in pipe.recv():
                try:
                    outcome: _Outcome = (function(item), None, "")
                except Exception as error:
                    outcome = (None, error, traceback.format_exc())
                with lock:
                    outcomes.append(outcome)
                filled.set()
            send()


def _results_in_order(workers: list[_MapWorker], source: ReadAhead[Any]) -> Iterator[Any]:
    done: dict[int, _Outcome] = {}
    wanted = upcoming = 0
    while True:
        end = wanted + len(workers) * max(_AHEAD, *(4 * worker.at_once for worker in workers))
        for worker in workers:  # those that have few items get more
            if len(worker.numbers) > worker.at_once // 2 or upcoming >= end:
                continue
            source.fetch(2 * len(workers) * worker.at_once)
            fair = 1 + len(source.waiting) // (2 * len(workers))
            size = min(worker.at_once, fair, end - upcoming, len(source.waiting))
            if size > 0:
                worker.submit(upcoming, [source.waiting.popleft() for _ in range(size)])
                upcoming += size
        if wanted < upcoming and wanted not in done:
            # Wait for outcomes, or for an item if a worker is idle.
            is_fed = source.ended or source.waiting or upcoming == end
            busy = [worker for worker in workers if worker.numbers]
            others = [] if is_fed or len(busy) == len(workers) else [source.available]
            ready = wait([*others, *(worker.pipe for worker in busy)])
            for worker in busy:
                if worker.pipe in ready:
                    done.update(worker.outcomes())
        while wanted in done:
            result, error, trace = done.pop(wanted)
            if error is not None:
                raise error from RuntimeError(f"in a worker process:\n{trace}")
            yield result
            wanted += 1
        if wanted == upcoming and source.is_exhausted():
            return


# --- one call in a process of its own, for work that keeps memory ----------------------------------


def call_in_process(work: Callable[..., None], *arguments: Any) -> None:
    """Call a module's function in a new process, which ends with the call, or at once if this is interrupted.

    What the function raises is raised here. Raises `generator.run.processes.WorkerLostError` if the process is killed.
    """
    with closing(WorkerProcess(_call_in_child, work, arguments)) as process:
        error = process.receive()
    if error is not None:
        raise error


def _call_in_child(pipe: Connection, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    try:
        work(*arguments)
    except Exception as error:
        pipe.send(error)
    else:
        pipe.send(None)
