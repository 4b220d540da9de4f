# SPDX-License-Identifier: GPL-3.0-or-later
"""Every claim of the collection, checked: those of each problem, and those of the whole."""

from __future__ import annotations

import hashlib
import os
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from generator.problem import Problem
from scripts.collecting.making import readme_texts
from solver.results import Grade, Judgement
from tsume.collection.problems import (
    COUNTS,
    PROBLEMS,
    CollectionError,
    CollectionProblem,
    checked_text,
    collection_fields,
    collection_line,
    in_levels,
    natural_key_hashes,
    read_collection_line,
    read_collection_text,
)
from tsume.files.entries import read_entry
from tsume.parallel.ordered_map import ordered_map
from tsume.progress import with_progress_bar
from tsume.uses.checking import (
    Checker,
    CheckOptions,
    NothingCertified,
    UnusableCertificate,
    certificate_for_writing,
    verify_certificate,
)
from tsume.uses.importing import EntryChecker, ImportOptions
from tsume.warmup import KernelPart
from tsume_rules.sfen import canonical_sfen, format_sfen

try:
    import cshogi
except ImportError:  # it has no wheels for every Python
    cshogi = None


# --- an engine that is none of ours: what cshogi says of the length of a problem -------------------


def has_outside_engine() -> bool:
    """Whether cshogi is installed."""
    return cshogi is not None


def outside_faults(problem: Problem) -> Iterator[str]:
    """What cshogi denies of a problem's length.

    It counts every interposition, futile ones too, by which a mate can only become longer.
    """
    board, length = cshogi.Board(format_sfen(problem.position)), problem.length
    if length > 1 and _mates_within(board, length - 2):
        yield f"cshogi finds a mate in {length - 2}"
    if problem.same_when_counted and not _mates_within(board, length):
        yield f"cshogi finds no mate in {length}"


def _mates_within(board: cshogi.Board, plies: int) -> bool:
    return bool(board.mate_move_in_1ply() if plies == 1 else board.mate_move(plies))


# --- all claims of a problem of the collection, checked one by one ---------------------------------

SECONDS = 60.0
"""The time that one question about a problem may take."""
_LONGEST_VALUE = 80
"""Characters of a value in a message."""


@dataclass(frozen=True)
class NumberedLine:
    """A line of the file, with its number from 1."""

    number: int
    text: str


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a line; ``problem`` is None if it could not be read."""

    line: NumberedLine
    problem: CollectionProblem | None
    faults: tuple[str, ...]


class ProblemCheck:
    """Checks problems: by the first engine, the second, an outside one, and a certificate."""

    def __init__(self) -> None:
        self._checker = Checker(CheckOptions(evidence=False, cross=True))
        self._entries = EntryChecker(ImportOptions(strict=True))

    def __call__(self, line: NumberedLine) -> Verdict:
        """The verdict on a line."""
        try:
            one = read_collection_line(line.text, "line")
        except CollectionError as error:
            return Verdict(line, None, (str(error),))
        return Verdict(line, one, tuple(self._faults(line, one)))

    def _faults(self, line: NumberedLine, one: CollectionProblem) -> Iterator[str]:
        if collection_line(one) != line.text:
            yield "not written as the program writes it: spaces, order of fields or SFEN"
        problem = one.problem
        judgement = self._checker.judge(problem.position, problem.length, problem.line, SECONDS)
        if judgement.grade is not Grade.PERFECT or judgement.unresolved:
            yield f"not perfect: {judgement.grade and judgement.grade.value}, {judgement.defects.names}"
            return
        yield from self._differences(line, one, judgement)
        yield from self._certificate_faults(one, judgement)
        yield from self._cross_faults(one, judgement)
        if has_outside_engine():
            yield from outside_faults(problem)

    def _differences(self, line: NumberedLine, one: CollectionProblem, judgement: Judgement) -> Iterator[str]:
        """What is computed anew and differs: line, score, stars, quality, themes and everything else."""
        computed = self._entries.check(read_entry(line.text, "line")).problem
        if computed is None:
            yield "a new check refuses it"
            return
        new = replace(computed, judgement=replace(judgement, line=computed.line))
        new = replace(new, provenance=one.problem.provenance)
        said, found = collection_fields(one), collection_fields(replace(one, problem=new))
        yield from (
            f"{name} is {_text(found[name])}, not {_text(said[name])}"
            for name in said
            if said[name] != found[name]
        )

    def _cross_faults(self, one: CollectionProblem, judgement: Judgement) -> Iterator[str]:
        problem = one.problem
        crossed = self._checker.cross_check(
            problem.position, judgement, problem.length, problem.line, SECONDS
        )
        yield from (f"the second engine: {difference}" for difference in crossed.differences)
        if crossed.agrees is None:
            yield "the second engine: a limit was reached"

    def _certificate_faults(self, one: CollectionProblem, judgement: Judgement) -> Iterator[str]:
        """Writes a certificate and has the checker read it."""
        problem, engine = one.problem, self._checker.engine
        with tempfile.TemporaryDirectory(prefix="tsume-collection-") as folder:
            path = Path(folder) / "certificate"
            try:
                with certificate_for_writing(path, lambda _: None) as certifier:
                    left = certifier.add(engine, problem.position, judgement, SECONDS)
                (proved,) = verify_certificate(path)
            except (NothingCertified, UnusableCertificate) as error:
                yield f"certificate: {error or left}"
                return
        if left:
            yield f"certificate: {left}"
        line = tuple(move.usi for move in problem.line)
        said = (problem.length, line, "*" if problem.judgement.searched is None else proved.unique)
        if said != (proved.mate, tuple(proved.line), proved.unique):
            yield f"the certificate proves {proved.mate}, {' '.join(proved.line)}, unique {proved.unique}"


def _text(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


# --- claims of the whole collection ----------------------------------------------------------------

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
