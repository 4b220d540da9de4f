# SPDX-License-Identifier: GPL-3.0-or-later
"""All claims of a problem of the collection, checked one by one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scripts.collecting.outside import has_outside_engine, outside_faults
from solver.results import Grade, Judgement
from tsume.collection.lines import (
    CollectionError,
    CollectionProblem,
    collection_fields,
    collection_line,
    read_collection_line,
)
from tsume.files.entries import read_entry
from tsume.services.certifying import (
    NothingCertified,
    UnusableCertificate,
    certificate_for_writing,
    verify_certificate,
)
from tsume.services.checking import Checker
from tsume.services.importing import EntryChecker

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
        self._checker = Checker(evidence=False, all_findings=True, cross=True)
        self._entries = EntryChecker(strict=True)

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
        judgement = self._checker.check(problem.position, problem.length, problem.line, SECONDS)
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
