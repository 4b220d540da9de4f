# SPDX-License-Identifier: GPL-3.0-or-later
"""The judgement of one position; the examination of a problem to be saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from generator.problem import Problem
from solver.results import Reason
from tsume.files.entries import Entry
from tsume.uses.checking import Checked
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.rendered import rendered_judgement
from tsume.web.work.results import SECONDS, SPARE, Rendered, WorkerContext, json_bytes, search_timeout
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen, parse_sfen


@dataclass(frozen=True)
class JudgementJob:
    """Judges a position as a problem of ``moves`` plies, or of any length, with the composer's ``line``.

    What is not settled after ``limit`` seconds is unresolved.
    """

    parsed: ParsedSfen
    line: tuple[Move, ...] = ()
    moves: int | None = None
    limit: float = SECONDS

    slot: ClassVar[str] = "judgement"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return search_timeout(self.limit)

    def run(self, context: WorkerContext) -> Iterator[Rendered]:
        """Yield the rendered judgement."""
        checked = context.checker.check(self.parsed, self.line, self.moves, self.limit)
        yield Rendered(json_bytes(rendered_judgement(checked)), settled=checked.judgement.settled)


# --- the examination of a problem that a person wants to save --------------------------------------


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
        """Yield one `Admission`."""
        from tsume.uses.importing import BOARD, EntryChecker

        parsed = self.entry.parsed
        assert parsed is not None
        found = EntryChecker(replace(BOARD, seconds=self.limit), context.checker.engine).check(self.entry)
        appraisal = context.checker.appraise(parsed.position, found.judgement)
        rendered = rendered_judgement(Checked(parsed, found.judgement, appraisal))
        yield Admission(rendered, found.problem, found.limit)


# --- the context of a new worker process, with all that a judgement needs loaded -------------------

_MATE_IN_THREE = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"


def loaded_context(
    memory: int, builder: ReplyTreeBuilder, look: Callable[[], None], post: Callable[[Any], None]
) -> WorkerContext:
    """Return a context that has judged a problem: the first job does not wait for kernels."""
    context = WorkerContext(memory, builder, look, lambda event: post(json_bytes(event)))
    for _ in JudgementJob(parse_sfen(_MATE_IN_THREE)).run(context):
        pass
    return context
