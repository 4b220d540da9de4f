# SPDX-License-Identifier: GPL-3.0-or-later
"""The library in a program of its own: its first calls from several threads, and from an unguarded module."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.sampling import few
from tests.tsume.problems import CORRECT
from tsume import library

PROGRAM = """
import json, sys, threading
from dataclasses import asdict

sfen, count, kinds = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
answers = [None] * count
at_once = threading.Barrier(count)

def ask(kind):
    from tsume import library
    if kind == "generate":
        return [asdict(one) for one in library.generate(3, 2, seed=1)]
    return asdict(getattr(library, kind)(sfen))

def work(number):
    at_once.wait()
    kind = kinds[number % len(kinds)]
    answers[number] = kind, ask(kind)

threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps(answers))
"""
KINDS = ("solve", "check", "tree", "generate")


@cache
def expected(kind: str) -> Any:
    if kind == "generate":
        found: Any = [asdict(one) for one in library.generate(3, 2, seed=1)]
    else:
        found = asdict(getattr(library, kind)(CORRECT))
    return json.loads(json.dumps(found))


def check_answers(
    folder: Path, threads: int, kinds: tuple[str, ...], before: str = "", **environment: str
) -> None:
    """Run the program in a process of its own; assert that it is silent and every answer right."""
    program = folder / "program.py"  # without a guard: worker processes that import it would run it again
    program.write_text(before + PROGRAM)
    done = subprocess.run(
        [sys.executable, program, CORRECT, str(threads), *kinds],
        capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    answers = json.loads(done.stdout)
    assert len(answers) == threads
    assert all(answer == expected(kind) for kind, answer in answers)


ROUNDS = [(count, kinds) for count in (2, 8, 3, 5) for kinds in (("check",), KINDS)] + 21 * [
    (2, ("check",)), (4, KINDS)
]  # fmt: skip


@pytest.mark.parametrize(("threads", "kinds"), few(ROUNDS, 4))
def test_the_first_calls_may_come_from_several_threads(
    threads: int, kinds: tuple[str, ...], tmp_path: Path
) -> None:
    check_answers(tmp_path, threads, kinds)


@pytest.mark.slow  # compiles everything
@pytest.mark.parametrize(("threads", "kinds"), [(1, ("solve",)), (2, ("check",)), (4, KINDS)])
def test_nothing_may_be_compiled_before(threads: int, kinds: tuple[str, ...], tmp_path: Path) -> None:
    check_answers(tmp_path, threads, kinds, XDG_CACHE_HOME=str(tmp_path))


def test_threads_may_follow_a_call(tmp_path: Path) -> None:
    check_answers(tmp_path, 4, KINDS, before=f"from tsume import library\nlibrary.solve({CORRECT!r})\n")
