"""Work on a stream of items by several processes: results in the order of the items, as soon as possible.

Items are read by a thread, so that one that comes late keeps nobody waiting. A process gets as many items at
once as it works on in a moment, the next ones before it is done with them, and sends what it has made a few
times a moment. The number of items that are read, worked on or waiting for an earlier result is bounded.
"""

from __future__ import annotations

import errno
import os
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from generator.processes import Worker, stop_signals_blocked
from tsume.read_ahead import Source, reading
from tsume.warmup import Part, warm_up

MANY = 48
"""At least so many items must be waiting before processes are started, if nothing else is asked for."""
_WORTH = 2.0
"""Processor seconds of work before processes are started: more than it takes until they can begin."""
_AHEAD = 32
"""Items for each process that are handed out before an earlier result is there, or more if quick."""
_MOST_AT_ONCE = 64
"""Items that a process gets at once, at most."""
_MOMENT = 0.1
"""Seconds that the items take which a process gets at once."""
_PAUSE = 0.02
"""Seconds for which a result may wait for others, to be sent with them."""

Item = TypeVar("Item")
Made = TypeVar("Made")
Make = Callable[[], Callable[[Item], Made]]
"""Makes the work on one item, in each process that is to do it; it is pickled."""


def worked(
    make: Make[Any, Made],
    items: Iterable[Item],
    jobs: int | None,
    parts: tuple[Part, ...],
    look: Callable[[Item], Any] | None = None,
) -> Generator[Made]:
    """What the work makes of each item, in their order, by ``jobs`` processes.

    With one job this process does it. None: this process; once that has taken a while and many items are
    waiting, as many processes as there are processors. These need ``parts`` of the kernels. What the work
    raises is raised here when its item's turn comes. ``look`` is called in this thread with each item before
    it is worked on, in their order; the work gets what it returns. To be closed: then the processes are
    killed. Raises `generator.processes.WorkerLostError`.
    """
    most = jobs or os.cpu_count() or 1
    if most == 1:
        yield from map(make(), items if look is None else map(look, items))
        return
    with reading(items, look) as source:
        if jobs is None:
            yield from _worked_here(make, source)
        if source.is_over:
            return
        warm_up(*parts)
        with _crew(most, make) as crew:
            yield from _in_order(crew, source)


# --- this process -------------------------------------------------------------------------


def _worked_here(make: Make[Any, Made], source: Source[Any]) -> Iterator[Made]:
    """The results until processes are worth their start, or all are done."""
    work: Callable[[Any], Made] | None = None
    spent = 0.0
    while not source.is_over:
        source.fetch(MANY)
        if spent >= _WORTH and len(source.waiting) >= MANY:
            return
        began = time.thread_time()
        work = work or make()
        made = work(source.waiting.popleft())
        spent += time.thread_time() - began
        yield made


# --- processes ----------------------------------------------------------------------------

_Result = tuple[Any, Exception | None, str]
"""What the work made, or what it raised, with its traceback."""


class _Hand(Worker):
    """A worker process; ``numbers`` are those of the items it has."""

    def __init__(self, make: Make[Any, Any]) -> None:
        super().__init__(_serve, make)
        self.numbers: deque[int] = deque()
        self._seconds = _MOMENT
        """How long an item takes, as far as is known."""
        self._since = 0.0

    @property
    def at_once(self) -> int:
        """How many items it is worth to get at once."""
        return max(1, min(_MOST_AT_ONCE, int(_MOMENT / self._seconds)))

    def hand_out(self, first: int, items: list[Any]) -> None:
        """Give items to a process; the number of the first one is ``first``."""
        if not self.numbers:
            self._since = time.monotonic()
        self.numbers.extend(range(first, first + len(items)))
        self.send(items)

    def results(self) -> Iterator[tuple[int, _Result]]:
        """What the process sent, with the numbers of the items; waits for it. Raises `WorkerLostError`."""
        received: list[_Result] = self.receive()
        now = time.monotonic()
        self._seconds = (self._seconds + max(1e-6, now - self._since) / len(received)) / 2
        self._since = now
        for result in received:
            yield self.numbers.popleft(), result


class _Outbox:
    """The results of a worker process: they are sent at the latest `_PAUSE` after they are there."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._results: list[_Result] = []
        self._lock = threading.Lock()
        self._filled = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def add(self, result: _Result) -> None:
        """Let a result wait to be sent."""
        with self._lock:
            self._results.append(result)
        self._filled.set()

    def send(self) -> None:
        """Send what is waiting. Raises OSError if nobody wants it."""
        with self._lock:
            self._filled.clear()
            results, self._results = self._results, []
            if results:
                try:
                    self._pipe.send(results)
                except MemoryError:
                    os._exit(errno.ENOMEM)

    def _run(self) -> None:
        with suppress(OSError):  # the parent is gone
            while self._filled.wait():
                time.sleep(_PAUSE)
                self.send()


def _serve(pipe: Connection, make: Make[Any, Any]) -> None:
    """What a worker process runs."""
    work, outbox = make(), _Outbox(pipe)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the parent is gone
        while True:
            for item in pipe.recv():
                try:
                    outbox.add((work(item), None, ""))
                except Exception as error:
                    outbox.add((None, error, traceback.format_exc()))
            outbox.send()


@contextmanager
def _crew(number: int, make: Make[Any, Any]) -> Iterator[list[_Hand]]:
    crew: list[_Hand] = []
    try:
        with stop_signals_blocked():
            for _ in range(number):
                crew.append(_Hand(make))
        yield crew
    finally:
        for hand in crew:
            hand.stop()


def _in_order(crew: list[_Hand], source: Source[Any]) -> Iterator[Any]:
    done: dict[int, _Result] = {}
    wanted = upcoming = 0
    while True:
        ahead = max(_AHEAD, *(4 * hand.at_once for hand in crew))
        end = wanted + ahead * len(crew)
        upcoming = _hand_out(crew, source, upcoming, end)
        if wanted < upcoming and wanted not in done:
            _gather(crew, done, None if source.ended or source.waiting or upcoming == end else source.bell)
        while wanted in done:
            yield _made(done.pop(wanted))
            wanted += 1
        if wanted == upcoming and source.is_over:
            return


def _hand_out(crew: list[_Hand], source: Source[Any], upcoming: int, end: int) -> int:
    """Give items to the processes that have few, but not number ``end``; returns the next number."""
    for hand in crew:
        if len(hand.numbers) > hand.at_once // 2 or upcoming >= end:
            continue
        source.fetch(2 * len(crew) * hand.at_once)
        fair = 1 + len(source.waiting) // (2 * len(crew))
        size = min(hand.at_once, fair, end - upcoming, len(source.waiting))
        if size > 0:
            hand.hand_out(upcoming, [source.waiting.popleft() for _ in range(size)])
            upcoming += size
    return upcoming


def _gather(crew: list[_Hand], done: dict[int, _Result], bell: Any) -> None:
    """Wait for results, or for the bell if a process is free."""
    busy = [hand for hand in crew if hand.numbers]
    bells = [bell] if bell is not None and len(busy) < len(crew) else []
    ready = wait([*bells, *(hand.pipe for hand in busy)])
    for hand in busy:
        if hand.pipe in ready:
            done.update(hand.results())


def _made(result: _Result) -> Any:
    made, error, trace = result
    if error is not None:
        raise error from RuntimeError(f"in a worker process:\n{trace}")
    return made
