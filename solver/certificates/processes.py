# SPDX-License-Identifier: GPL-3.0-or-later
"""Verifying a certificate in several processes: each has all facts and checks a share of the lines."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
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
    children: list[int] = []
    try:
        for share in range(1, jobs):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    _check_share(checker, path, share, jobs)
                    status = 0
                finally:
                    os._exit(status)
            children.append(child)
        _check_share(checker, path, 0, jobs)
        failed = [share for share, child in enumerate(children, 1) if os.waitpid(child, 0)[1]]
    except BaseException:
        for child in children:
            with suppress(ProcessLookupError, ChildProcessError):  # it may have ended
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
        raise
    for share in failed:  # here once more, for the error
        _check_share(checker, path, share, jobs)
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
