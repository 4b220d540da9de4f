# SPDX-License-Identifier: GPL-3.0-or-later
"""One call in a process of its own, for work that keeps memory."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any

from generator.run.processes import WorkerProcess


def call_in_process(work: Callable[..., None], *arguments: Any) -> None:
    """Call a module's function in a new process, which ends with the call, or at once if this is interrupted.

    What the function raises is raised here. Raises `generator.run.processes.WorkerLostError` if the process
    is killed.
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
