# SPDX-License-Identifier: GPL-3.0-or-later
"""What every command promises for any input: `keep` runs a command and checks it.

The exit status is a documented one. No exception is raised except SystemExit. stderr
has few lines, no control characters, and some text if the status is 1. The command
ends soon after its limits and takes little more memory.
"""

import gc
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import IO, Any
from unittest.mock import patch

from click.testing import CliRunner, Result

from tests.tsume.problems import CORRECT
from tsume.cli import cli
from tsume.uses.solving import SolveOptions

SECONDS = 0.3
"""Seconds for one position where no option sets them."""
PATIENCE = 20.0
"""CPU seconds that a command on a handful of positions may take."""
READING = 3.0
"""CPU seconds that reading a small file may take."""
HANG = 90.0
"""Seconds of wall clock after which a command is taken to hang."""
GROWTH = 300_000
"""Kilobytes by which one command may raise the process's peak."""
MAX_LINES = 300
LONGEST_LINE = 20_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")


class Broken(AssertionError):
    """A promise that was not kept."""


class _Runner(CliRunner):
    """Runs commands as the process around them does: what stdout cannot show is escaped."""

    @contextmanager
    def isolation(self, *arguments: Any, **options: Any) -> Iterator[Any]:
        with super().isolation(*arguments, **options) as streams:
            sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
            yield streams


def compile_kernels() -> None:
    """Run every command that needs kernels once, unchecked, since it may compile them."""
    with tempfile.TemporaryDirectory() as folder:
        for line in (
            ("solve", CORRECT),
            ("check", CORRECT),
            ("score", CORRECT),
            ("explain", CORRECT),
            ("generate", "-m3", "-n1"),
        ):
            place = ("--db", f"{folder}/store.db") if line[0] == "generate" else ()
            _Runner().invoke(cli, [*line, *place], catch_exceptions=False)
    gc.freeze()  # so that the collections in `keep` skip the compiler's many objects


def keep(*arguments: str, stdin: bytes | IO[bytes] = b"") -> Result:
    """Run a command. Raises `Broken` when it breaks a promise."""
    gc.collect()  # memory of the last command must not be counted for this one
    started, peak = time.process_time(), _peak()
    with _short_limits(), _alarm(HANG):
        result = _Runner().invoke(cli, list(arguments), input=stdin)
    spent, grown = time.process_time() - started, _peak() - peak
    _require_an_end(result, arguments[:1] == ("generate",) or arguments[:2] == ("runs", "resume"))
    _require_clear_faults(result)
    if spent > PATIENCE:
        raise Broken(f"took {spent:.1f} s")
    if grown > GROWTH:
        raise Broken(f"took {grown >> 10} MB more")
    return result


def read_soon(read: Callable[[bytes], None], data: bytes) -> None:
    """Read a file's content. Raises `Broken` when that takes too long."""
    started = time.process_time()
    with _alarm(5 * READING):
        read(data)
    if time.process_time() - started > READING:
        raise Broken(f"reading took {time.process_time() - started:.1f} s")


def _require_an_end(result: Result, limited: bool) -> None:
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        raise Broken(f"{type(error).__name__}: {error}") from error
    if result.exit_code not in ((0, 1, 2, 3) if limited else (0, 1, 2)):
        raise Broken(f"exit status {result.exit_code}")


def _require_clear_faults(result: Result) -> None:
    lines = result.stderr.splitlines()
    if "Traceback" in result.stderr:
        raise Broken(f"a traceback: {result.stderr[-1000:]}")
    if len(lines) > MAX_LINES or any(len(line) > LONGEST_LINE for line in lines):
        raise Broken(f"{len(lines)} lines on stderr, {len(result.stderr)} characters")
    if result.exit_code == 1 and not result.output.strip():
        raise Broken("status 1 without a word")
    if _CONTROL.search(result.stderr):
        raise Broken(f"control characters on stderr: {result.stderr[:300]!r}")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@contextmanager
def _short_limits() -> Iterator[None]:
    """Shorten the limits that no option sets."""
    with (
        patch("tsume.uses.scoring.SECONDS", SECONDS),
        patch("tsume.uses.importing.SECONDS", SECONDS),
        patch("tsume.commands.stored_problems.COMMAND", SolveOptions(SECONDS)),
    ):
        yield


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise Broken("still running after the time it may take")
