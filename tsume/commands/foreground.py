# SPDX-License-Identifier: GPL-3.0-or-later
"""The foreground of the terminal, for a command that `make` runs and Ctrl-C ends."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def apart_from_make() -> Iterator[None]:
    """Inside the block Ctrl-C reaches this process and its children, but not the `make` that runs it.

    Otherwise make ends by the signal too, and its status is that of an error, whatever the command's is.
    Ctrl-Z has no effect inside the block: nobody could continue the process. Without make or without a
    terminal nothing changes.
    """
    if sys.platform == "win32" or not _is_run_by_make():
        yield
        return
    terminal, group = sys.stdin.fileno(), os.getpgrp()
    before = {one: signal.signal(one, signal.SIG_IGN) for one in (signal.SIGTTOU, signal.SIGTSTP)}
    try:
        os.setpgid(0, 0)
        os.tcsetpgrp(terminal, os.getpgrp())
        yield
    finally:
        os.tcsetpgrp(terminal, group)
        os.setpgid(0, group)
        for one, handler in before.items():
            signal.signal(one, handler)


def _is_run_by_make() -> bool:
    """Whether make started this process in its own process group, in the foreground of a terminal."""
    if sys.platform == "win32" or "MAKELEVEL" not in os.environ or os.getpgrp() == os.getpid():
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):  # no terminal
        return False
