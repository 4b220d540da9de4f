# SPDX-License-Identifier: GPL-3.0-or-later
"""Options and input that several measurements share."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from scripts.measuring.problem_files import Lined, read_problems

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FILES = click.argument("files", nargs=-1, required=True, type=FILE)
_MOVES = click.option("-m", "--moves", multiple=True, type=int, help="Only this length; repeatable.")
_SEED = click.option("--seed", default=1, show_default=True)


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add FILES of problems, ``--moves`` and ``--seed``."""
    return FILES(_MOVES(_SEED(command)))


def shuffled(files: Sequence[Path], moves: Sequence[int], seed: int) -> list[Lined]:
    """The problems of some lengths, or of all, in random order."""
    problems = [one for one in read_problems(files) if not moves or one.length in moves]
    random.Random(seed).shuffle(problems)
    return problems
