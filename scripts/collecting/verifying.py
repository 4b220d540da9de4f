# SPDX-License-Identifier: GPL-3.0-or-later
"""Every claim of the collection, checked: those of each problem, and those of the whole."""

from __future__ import annotations

import hashlib
import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from scripts.collecting.pages import readme_texts
from scripts.collecting.problem_check import NumberedLine, ProblemCheck, Verdict
from tsume.collection.folder import PROBLEMS, checked_text, read_collection_text
from tsume.collection.keys import natural_key_hashes
from tsume.collection.levels import COUNTS, in_levels
from tsume.collection.lines import CollectionError, CollectionProblem
from tsume.parallel.ordered_map import ordered_map
from tsume.progress import with_progress_bar
from tsume.warmup import KernelPart
from tsume_rules.sfen import format_sfen
from tsume_rules.symmetry import canonical_sfen

MOST_BYTES = 500_000
"""The largest file of problems."""
CC0_SHA256 = "a2010f343487d3f7618affe54f789f5487602331c0a8d03f49e9a7c547cf0499"
_PARTS = (KernelPart.ENGINE, KernelPart.ITERATIVE, KernelPart.LIKENESS)


def problem_faults(text: str, sample: int | None, seed: int, jobs: int | None) -> Iterator[str]:
    """What is wrong with the problems, line by line; of ``sample`` lines drawn at random, or of all."""
    lines = [NumberedLine(number, line) for number, line in enumerate(text.splitlines(), start=1)]
    if sample is not None and sample < len(lines):
        drawn = random.Random(seed).sample(lines, sample)
        lines = sorted(drawn, key=lambda line: line.number)
    with closing(ordered_map(ProblemCheck, lines, jobs or os.cpu_count() or 1, _PARTS)) as verdicts:
        for verdict in with_progress_bar(verdicts, len(lines)):
            yield from _named_faults(verdict)


def _named_faults(verdict: Verdict) -> Iterator[str]:
    for fault in verdict.faults:
        yield f"{PROBLEMS}, line {verdict.line.number}: {fault}"


def set_faults(folder: Path) -> Iterator[str]:
    """What is wrong with the collection as a whole."""
    yield from _file_faults(folder)
    try:
        problems = read_collection_text(checked_text(folder))
    except CollectionError as error:
        yield str(error)
        return
    yield from _count_faults(problems)
    yield from _level_faults(problems)
    yield from _likeness_faults(problems)
    for name, text in readme_texts(problems).items():
        if _content(folder / name) != text.encode():
            yield f"{name} is not what scripts/collection writes for these problems"


def _file_faults(folder: Path) -> Iterator[str]:
    size = len(_content(folder / PROBLEMS))
    if size > MOST_BYTES:
        yield f"{PROBLEMS} has {size:,} bytes, more than {MOST_BYTES:,}"
    if hashlib.sha256(_content(folder / "LICENSE")).hexdigest() != CC0_SHA256:
        yield "LICENSE is not the text of CC0 1.0"


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _count_faults(problems: Sequence[CollectionProblem]) -> Iterator[str]:
    """A preliminary set may have fewer; its README says so."""
    for length, number in sorted(Counter(one.problem.length for one in problems).items()):
        if number > COUNTS.get(length, 0):
            yield f"{number} problems of {length} moves, more than {COUNTS.get(length, 0)}"


def _level_faults(problems: Sequence[CollectionProblem]) -> Iterator[str]:
    said = {format_sfen(one.problem.position): one for one in problems}
    levels = in_levels((one.problem.length, one.problem.difficulty.score, sfen) for sfen, one in said.items())
    if list(levels) != list(said):
        yield "the problems are not in order of length, score and SFEN"
    yield from (
        f"{sfen}: level {said[sfen].level}, not {level}"
        for sfen, level in levels.items()
        if said[sfen].level != level
    )


def _likeness_faults(problems: Sequence[CollectionProblem]) -> Iterator[str]:
    """Problems with the same position, mirrored or not, or with a key in common."""
    places: dict[str | int, list[int]] = defaultdict(list)
    for number, one in enumerate(problems, start=1):
        for key in _keys(one):
            places[key].append(number)
    alike = {tuple(numbers) for numbers in places.values() if len(numbers) > 1}
    yield from (f"lines {', '.join(map(str, numbers))} are the same problem" for numbers in sorted(alike))


def _keys(one: CollectionProblem) -> Iterable[str | int]:
    return {canonical_sfen(one.problem.position), *natural_key_hashes(one.problem)}
