# SPDX-License-Identifier: GPL-3.0-or-later
"""The examination of a problem that a person wants to save."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from generator.problem import Problem
from solver.results import Reason
from tsume.files.entries import Entry
from tsume.web.rendered_judgement import rendered_judgement
from tsume.web.work.results import SECONDS, SPARE

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext


@dataclass(frozen=True)
class Admission:
    """The rendered judgement, and the problem if it may be stored; ``limit`` as in `CheckedEntry`."""

    judgement: dict[str, Any]
    problem: Problem | None
    limit: Reason | None


@dataclass(frozen=True)
class SavingJob:
    """Judges a problem as `tsume import` does, and completes it for the store; each within ``limit``."""

    entry: Entry
    limit: float = SECONDS

    slot: ClassVar[str] = "saving"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return 4 * self.limit + SPARE

    def run(self, context: WorkerContext) -> Iterator[Admission]:
        """One `Admission`."""
        from tsume.services.importing import EntryChecker

        parsed = self.entry.parsed
        assert parsed is not None
        checker = EntryChecker(engine=context.checker.engine, evidence=True, seconds=self.limit)
        checked = checker.check(self.entry)
        rendered = rendered_judgement(checked.judgement, parsed, context.checker)
        yield Admission(rendered, checked.problem, checked.limit)
