# SPDX-License-Identifier: GPL-3.0-or-later
"""A screen that nobody sees."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

XVFB = Path("/usr/bin/Xvfb")


@contextmanager
def display() -> Iterator[str]:
    """The name of a display."""
    command = [str(XVFB), "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        yield f":{server.stdout.readline().strip()}"
        server.terminate()
