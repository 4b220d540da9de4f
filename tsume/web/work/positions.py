# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs about a position: its judgement, saving it; composing under constraints, repairs and improvements."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from generator.constraints.options import ComposingOptions
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem
from solver.results import Reason
from tsume.files.entries import Entry
from tsume.reports import changes
from tsume.uses.checking import CheckedPosition
from tsume.uses.composing import checked_constraints, compose, composed_fields, composing_options, generator_table_bits
from tsume.uses.repairing import ImproveOptions, RepairOptions, improve, repair, worth_of_repair
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web.rendered import VOICES, rendered_judgement
from tsume.web.work.results import SECONDS, SPARE, Event, RenderedResult, WorkerContext, json_bytes, search_timeout
from tsume_rules.moves import Move
from tsume_rules.position import Square
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

    def run(self, context: WorkerContext) -> Iterator[RenderedResult]:
        """Yield the rendered judgement."""
        checked = context.checker.check(self.parsed, self.line, self.moves, self.limit)
        yield RenderedResult(json_bytes(rendered_judgement(checked)), settled=checked.judgement.settled)


# --- the examination of a problem that a person wants to save --------------------------------------


@dataclass(frozen=True)
class SavingDecision:
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

    def run(self, context: WorkerContext) -> Iterator[SavingDecision]:
        """Yield one `SavingDecision`."""
        from tsume.uses.importing import BOARD, EntryChecker

        parsed = self.entry.parsed
        assert parsed is not None
        found = EntryChecker(replace(BOARD, seconds=self.limit), context.checker.engine).check(self.entry)
        appraisal = context.checker.appraise(parsed.position, found.judgement)
        rendered = rendered_judgement(CheckedPosition(parsed, found.judgement, appraisal))
        yield SavingDecision(rendered, found.problem, found.limit)


# --- the context of a new worker process, with all that a judgement needs loaded -------------------

_MATE_IN_THREE = "9/8k/6+S2/6G2/9/9/9/9/9 b - 1"


def warmed_up_context(
    memory: int, builder: ReplyTreeBuilder, look: Callable[[], None], post: Callable[[Any], None]
) -> WorkerContext:
    """Return a context that has judged a problem: the first job does not wait for kernels."""
    context = WorkerContext(memory, builder, look, lambda event: post(json_bytes(event)))
    for _ in JudgementJob(parse_sfen(_MATE_IN_THREE)).run(context):
        pass
    return context


# --- composing under constraints -------------------------------------------------------------------

COMPOSING_SECONDS = 10 * SECONDS
"""The default time limit of composing."""
COMPOSED_LENGTHS = range(1, 16, 2)
"""The lengths that are composed."""
MAX_COMPOSED = 50
"""The most problems of one job."""
_REPORT_SECONDS = 1.0
"""Seconds between two reports of progress."""
_FIELDS = ("sfen", "length", "line", "grade", "score", "rating", "stars", "rank_in_length", "themes", "quality")


@dataclass(frozen=True)
class GeneratingJob:
    """Composes ``count`` problems of ``moves`` plies; the seed determines them."""

    moves: int
    count: int
    seed: int
    natural: bool = True
    sound: bool = False
    stars: int | None = None
    themes: tuple[str, ...] = ()
    pieces: int | None = None
    line: str | None = None
    last: str | None = None
    mate_on: str | None = None
    limit: float = COMPOSING_SECONDS

    slot: ClassVar[str] = "long"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return 1.2 * self.limit + 2 * SPARE

    def run(self, context: WorkerContext) -> Iterator[bytes]:
        """Return the events, each as JSON."""
        return map(json_bytes, self.events(context))

    @property
    def wished_line(self) -> ProblemConstraints:
        """What the line must be like. Raises `tsume.uses.composing.ContradictionError`."""
        wishes = ProblemConstraints(line=self.line, last=self.last, mate_on=self.mate_on)
        return checked_constraints(wishes, self.moves)

    def options(self, table_bits: int, kind: type[ComposingOptions] = ComposingOptions) -> ComposingOptions:
        """Return the options of the composer, whose table has so many bits; of a ``kind``."""
        wishes = replace(self.wished_line, max_pieces=self.pieces, themes=self.themes, stars=self.stars)
        return composing_options(self.moves, wishes, table_bits, natural=self.natural, sound=self.sound, kind=kind)

    def events(self, context: WorkerContext, options: ComposingOptions | None = None) -> Iterator[Event]:
        """Progress and problems, the end; progress during a root goes to the context's ``report``.

        ``options`` replace those of the job.
        """
        options = options or self.options(generator_table_bits(context.memory))
        progress = _GenerationProgress()

        def look() -> None:
            context.look()
            if progress.is_due:
                context.report(progress.report())

        yield progress.report()
        for problems in compose(options, self.seed, self.count, self.limit, look):
            progress.count(len(problems))
            for problem in problems:
                fields = composed_fields(problem)
                yield {"event": "problem", **{name: fields[name] for name in _FIELDS}}
        yield progress.report()
        determined = {"seed": self.seed, "network": options.uses_network}  # the problems, with the request
        yield {"event": "end", "complete": progress.composed == self.count, **determined}


class _GenerationProgress:
    """Counts roots and problems. A root may take many seconds, so that reports do not wait for its end."""

    def __init__(self) -> None:
        self.composed = self._roots = 0
        self._began = self._reported = time.monotonic()

    def count(self, found: int) -> None:
        """Count one more root and its problems."""
        self._roots += 1
        self.composed += found

    @property
    def is_due(self) -> bool:
        """Whether it is time for a report."""
        return time.monotonic() - self._reported > _REPORT_SECONDS

    def report(self) -> Event:
        """Return the progress as an event."""
        self._reported = time.monotonic()
        seconds = round(self._reported - self._began, 1)
        return {"event": "progress", "roots": self._roots, "found": self.composed, "seconds": seconds}


# --- repairs and improvements of one position ------------------------------------------------------


@dataclass(frozen=True)
class _ChangeJob(ABC):
    """Changes a position, with the composer's ``line``, within ``limit`` seconds; ``keep`` stays as it is."""

    parsed: ParsedSfen
    line: tuple[Move, ...] = ()
    keep: frozenset[Square] = frozenset()
    edits: int = 2
    limit: float = SECONDS

    slot: ClassVar[str] = "long"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return 3 * self.limit + SPARE

    def run(self, context: WorkerContext) -> Iterator[bytes]:
        """Return the events, each as JSON."""
        return map(json_bytes, self.events(context))

    @abstractmethod
    def events(self, context: WorkerContext) -> Iterator[Event]:
        """Return what is found, as it is found."""


@dataclass(frozen=True)
class MendingJob(_ChangeJob):
    """Repairs a position that is no perfect problem, as `tsume mend` does."""

    moves: int | None = None
    count: int = 5

    def events(self, context: WorkerContext) -> Iterator[Event]:
        """The judgement, the repairs, the end; a perfect problem gets none, and that is the ``reason``."""
        checker, parsed = context.checker, self.parsed
        checked = checker.check(parsed, self.line, self.moves, self.limit)
        yield {"event": "judgement", **rendered_judgement(checked)}
        options = RepairOptions(self.moves, self.keep, self.edits, self.count, self.limit)
        repaired = repair(checker, parsed, self.line, options, checked.judgement)
        for one in repaired.repairs:
            texts = {name: changes.repair_text(one, voice) for name, voice in VOICES.items()}
            yield {
                "event": "repair",
                **changes.repair_fields(one, parsed),
                **changes.worth_fields(worth_of_repair(one)),
                "text": texts,
            }
        found = repaired.found
        end = _end_event(repaired.complete, "perfect" if found is None else None)
        if found is not None and not found.repairs:
            end["text"] = {name: "\n".join(changes.near_miss_lines(found, voice)) for name, voice in VOICES.items()}
        yield end


@dataclass(frozen=True)
class EnrichingJob(_ChangeJob):
    """Improves a correct problem, as `tsume enrich` does."""

    count: int = 3
    plies: int = 2

    def events(self, context: WorkerContext) -> Iterator[Event]:
        """The judgement, the suggestions, the end; an unsound problem gets none, and that is the ``reason``.

        One that could not be judged in time gets none either.
        """
        checker, parsed = context.checker, self.parsed
        checked = checker.check(parsed, self.line, seconds=self.limit)
        yield {"event": "judgement", **rendered_judgement(checked)}
        options = ImproveOptions(
            keep=self.keep, edits=self.edits, plies=self.plies, count=self.count, seconds=self.limit
        )
        improved = improve(checker, parsed, self.line, options, checked.judgement)
        for one in improved.suggestions:
            texts = {name: changes.suggestion_text(one, voice) for name, voice in VOICES.items()}
            yield {"event": "suggestion", **changes.suggestion_fields(one, parsed), "text": texts}
        reason = "unsound" if improved.found is None and checked.judgement.grade else None
        yield _end_event(reason is not None or improved.complete, reason)


def _end_event(complete: bool, reason: str | None) -> Event:
    """Return the end; the ``reason`` if nothing was searched for, as the grade forbids it."""
    return {"event": "end", "complete": complete, **({"reason": reason} if reason else {})}
