# SPDX-License-Identifier: GPL-3.0-or-later
"""Verifying a certificate in several processes: each has all facts and checks a share of the lines."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count

from solver.certificates.checker import FACTS_IN_MEMORY, Checker, Facts, Proved, each_line, verify


def verify_in_processes(path: str, jobs: int, most: int = FACTS_IN_MEMORY) -> list[Proved]:
    """As `solver.certificates.checker.verify`; of several errors another one may be named.

    The processes share the memory of the facts, which needs a system that can fork. Elsewhere, and for a file
    with more facts than ``most``, one process does it all.
    """
    if jobs == 1 or sys.platform == "win32":
        return verify(path, most)
    checker = Checker(Facts(0, 1, most))
    try:
        each_line(path, checker.learn, _pass)
    except MemoryError:
        return verify(path, most)
    shares = [partial(_check_share, checker, path, share, jobs) for share in range(jobs)]
    with _children(shares[1:]) as children:
        shares[0]()
        failed = [share for share, child in zip(shares[1:], children, strict=True) if _status(child)]
    for share in failed:  # here once more, for the error
        share()
    return checker.proved


def _pass(_line: bytes) -> None:
    pass


def _check_share(checker: Checker, path: str, share: int, shares: int) -> None:
    """Check every so many-th fact, and in the first share all claims."""
    numbers = count()

    def check(line: bytes) -> None:
        if next(numbers) % shares == share:
            checker.fact(line)

    each_line(path, check, _pass if share else checker.claim)


@contextmanager
def _children(tasks: Sequence[Callable[[], None]]) -> Iterator[list[int]]:
    """Processes that run the tasks and end with status 0 unless they fail; those that run on are ended."""
    if sys.platform == "win32":
        raise NotImplementedError
    running: list[int] = []
    try:
        for task in tasks:
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    task()
                    status = 0
                finally:
                    os._exit(status)
            running.append(child)
        yield running
    except BaseException:
        for child in running:
            with suppress(ProcessLookupError, ChildProcessError):  # it may have ended
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        raise


def _status(child: int) -> int:
    return os.waitpid(child, 0)[1]
