# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of tsume run as processes, with the time they take."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from scripts.measuring.problem_files import Lined
from tsume_rules.sfen import format_sfen

TSUME = [sys.executable, "-m", "tsume"]


@dataclass(frozen=True)
class Finished:
    """A command that has ended: what it printed, its wall-clock and processor ``seconds``."""

    output: bytes
    seconds: float
    processor: float


def run(*words: object, check: bool = False) -> Finished:
    """Run a command of tsume; with ``check``, raise CalledProcessError unless it succeeds."""
    began, before = time.perf_counter(), os.times()
    done = subprocess.run([*TSUME, *map(str, words)], check=check, capture_output=True)
    seconds, after = time.perf_counter() - began, os.times()
    processor = after.children_user - before.children_user + after.children_system - before.children_system
    return Finished(done.stdout, seconds, processor)


def write_sfens(path: Path, problems: list[Lined]) -> Path:
    """Write the positions of problems to a file, one a line."""
    path.write_text("".join(f"{format_sfen(one.position)}\n" for one in problems), encoding="utf-8")
    return path
