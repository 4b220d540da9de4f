"""Worker processes: they do not see the signals that stop a run, and end with their parent."""

from __future__ import annotations

import atexit
import errno
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class WorkerLostError(RuntimeError):
    """A worker process ended by itself: by a bug, by a signal, or out of memory."""


class Worker:
    """A process at the other end of a pipe: ``work``, a module's function, gets that end and the arguments.

    It is to be started while `stop_signals_blocked`, and ends with its parent. Where it runs out of
    memory and cannot go on, ``work`` exits with ENOMEM.
    """

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, far_end = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_work, args=(work, far_end, *arguments), daemon=True
        )
        self._process.start()
        atexit.register(self._process.kill)  # where nobody stops it: it does not see that it is to terminate
        far_end.close()

    def send(self, message: Any) -> None:
        """Raises `WorkerLostError`."""
        try:
            self.pipe.send(message)
        except OSError:
            raise self._lost() from None

    def receive(self) -> Any:
        """What the process sent; waits for it. Raises `WorkerLostError`."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            raise self._lost() from None

    def stop(self) -> None:
        """Kill the process."""
        atexit.unregister(self._process.kill)
        self._process.kill()
        self._process.join()
        self.pipe.close()

    def _lost(self) -> WorkerLostError:
        self._process.join()
        if self._process.exitcode == errno.ENOMEM:
            return WorkerLostError("out of memory in a worker process")
        return WorkerLostError(f"a worker process ended with status {self._process.exitcode}")


def _work(work: Callable[..., None], *arguments: Any) -> None:
    threading.Thread(target=end_with_parent, daemon=True).start()
    work(*arguments)


@contextmanager
def stop_signals_blocked() -> Iterator[None]:
    """Processes started in the block never see Ctrl-C: the parent decides when to stop."""
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
