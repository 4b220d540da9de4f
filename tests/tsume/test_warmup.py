"""The program that compiles for another process; here everything is compiled already."""

from __future__ import annotations

import json
import subprocess
import sys

from tsume import warmup
from tsume.warmup import KernelPart


def started(stdin: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", warmup._CHILD, json.dumps(sys.path), KernelPart.ENGINE.value]
    return subprocess.Popen(command, stdin=stdin, stderr=subprocess.DEVNULL)


def test_it_compiles_while_its_parent_lives() -> None:
    with started(subprocess.PIPE) as child:
        assert child.wait() == 0


def test_it_ends_with_its_parent() -> None:
    with started(subprocess.DEVNULL) as child:
        assert child.wait() == 1
