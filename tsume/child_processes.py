# SPDX-License-Identifier: GPL-3.0-or-later
"""Python processes that work for this one and end with it, and a lock that processes share."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from importlib import import_module
from tsume.child_processes import exit_when_stdin_closes
exit_when_stdin_closes()
getattr(import_module(sys.argv[2]), sys.argv[3])(*sys.argv[4:])
"""
_PAUSE = 0.2
"""Seconds between two attempts to lock."""


def child_command(module: str, function: str, *arguments: str) -> list[str] | None:
    """Return the command of a Python process that calls a function with texts; None in a frozen program.

    Its standard input has to be a pipe to which nothing is written: it ends when the pipe is closed.
    """
    if getattr(sys, "frozen", False):  # its executable is no Python
        return None
    places = json.dumps([str(place) for place in sys.path])
    return [sys.executable, "-c", _PROGRAM, places, module, function, *arguments]


def exit_when_stdin_closes() -> None:
    """End this process as soon as its standard input, which its parent holds, is closed."""

    def wait() -> None:
        os.read(0, 1)  # waits until the parent, which writes nothing, has ended
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def exclusive_file_lock(path: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Run the block in one process at a time, of all that lock this file; the system unlocks it if one ends.

    ``on_wait`` is called if another process has the lock. Raises OSError if the file cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        if not _locks(file.fileno()):
            on_wait()
            while not _locks(file.fileno()):
                time.sleep(_PAUSE)
        yield


if sys.platform == "win32":
    import msvcrt

    def _locks(file: int) -> bool:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _locks(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
