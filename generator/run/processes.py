# SPDX-License-Identifier: GPL-3.0-or-later
"""Worker processes: they ignore the signals that stop a run, and end with their parent.

`concurrent.futures` has no way to kill a running task, to keep state in one worker or to say which of its
workers died; these processes and their pipes do.
"""

from __future__ import annotations

import atexit
import errno
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

_STOP_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class WorkerLostError(RuntimeError):
    """A worker process ended by itself: by a bug, by a signal, or out of memory."""


class WorkerProcess:
    """A process at the other end of a pipe: ``work``, a module's function, gets that end and the arguments. It ends
    with its parent. ``work`` exits with ENOMEM where it runs out of memory and cannot go on."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, far_end = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_run_in_worker, args=(work, far_end, *arguments), daemon=True
        )
        with stop_signals_blocked():
            self._process.start()
            # It ignores the signal by which `multiprocessing` ends daemons.
            atexit.register(self._process.kill)
        far_end.close()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def send(self, message: Any) -> None:
        """Raises `WorkerLostError`."""
        try:
            self.pipe.send(message)
        except OSError:
            raise self._lost() from None

    def receive(self) -> Any:
        """Wait for a message of the process. Raises `WorkerLostError`."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            raise self._lost() from None

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def join(self) -> None:
        """Wait for the end of the process."""
        self._process.join()
        atexit.unregister(self._process.kill)

    def close(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        self.join()
        self.pipe.close()

    def _lost(self) -> WorkerLostError:
        self._process.join()
        if self._process.exitcode == errno.ENOMEM:
            return WorkerLostError("out of memory in a worker process")
        return WorkerLostError(f"a worker process ended with status {self._process.exitcode}")


W = TypeVar("W", bound=WorkerProcess)


@contextmanager
def started_processes(number: int, start: Callable[[], W]) -> Iterator[list[W]]:
    """Start some workers; they are killed at the end of the block."""
    with ExitStack() as stack:
        yield [stack.enter_context(closing(start())) for _ in range(number)]


def _run_in_worker(work: Callable[..., None], *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it could not be blocked
    threading.Thread(target=end_with_parent, daemon=True).start()
    work(*arguments)


@contextmanager
def stop_signals_blocked() -> Iterator[None]:
    """Processes started in the block never receive Ctrl-C: the parent decides when to stop."""
    if sys.platform == "win32":  # no signals to block
        yield
        return
    resource_tracker.ensure_running()  # started later, it would unblock the signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Wait for the parent to end, then end this process at once. To be run in a thread of its own."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
