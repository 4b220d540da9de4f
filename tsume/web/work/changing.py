# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs and improvements of one position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from solver.results import Judgement
from tsume.reports.changes import (
    nearest_lines,
    repair_fields,
    repair_text,
    suggestion_fields,
    suggestion_text,
    worth_fields,
)
from tsume.reports.judgement import mark_lines
from tsume.services import rework
from tsume.web.rendered_judgement import VOICES, rendered_judgement
from tsume.web.work.results import SECONDS, SPARE, Event, json_bytes
from tsume_rules.moves import Move
from tsume_rules.position import Square
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from tsume.services.checking import Checker
    from tsume.web.work.context import WorkerContext


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
        """The events, each as JSON."""
        return map(json_bytes, self.events(context))

    @abstractmethod
    def events(self, context: WorkerContext) -> Iterator[Event]:
        """What is found, as it is found."""


@dataclass(frozen=True)
class MendingJob(_ChangeJob):
    """Repairs a position that is no perfect problem, as `tsume mend` does."""

    moves: int | None = None
    count: int = 5

    def events(self, context: WorkerContext) -> Iterator[Event]:
        """The judgement, the repairs, the end; a perfect problem gets none, and that is the ``reason``."""
        checker, position = context.checker, self.parsed.position
        judgement = checker.check(position, self.moves, self.line, self.limit)
        yield _judgement_event(judgement, self.parsed, checker)
        mended = rework.mend(
            checker.engine, position, judgement, self.moves, self.line,
            keep=self.keep, edits=self.edits, count=self.count, seconds=self.limit,
        )  # fmt: skip
        for one in mended.repairs if mended else ():
            texts = {
                name: " — ".join([repair_text(one, voice), *mark_lines(one.judgement, voice)])
                for name, voice in VOICES.items()
            }
            worth = worth_fields(rework.worth_of(one))
            yield {"event": "repair", **repair_fields(one, self.parsed), **worth, "text": texts}
        end = _end_event(mended is None or mended.complete, "perfect" if mended is None else None)
        if mended is not None and not mended.repairs:
            end["text"] = {name: "\n".join(nearest_lines(mended, voice)) for name, voice in VOICES.items()}
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
        checker, position = context.checker, self.parsed.position
        judgement = checker.check(position, line=self.line, seconds=self.limit)
        yield _judgement_event(judgement, self.parsed, checker)
        enriched = rework.enrich(
            checker.engine, position, judgement, keep=self.keep, edits=self.edits, plies=self.plies,
            count=self.count, seconds=self.limit,
        )  # fmt: skip
        for one in enriched.suggestions if enriched else ():
            texts = {name: suggestion_text(one, voice) for name, voice in VOICES.items()}
            yield {"event": "suggestion", **suggestion_fields(one, self.parsed), "text": texts}
        reason = "unsound" if enriched is None and judgement.grade else None
        complete = reason is not None or (enriched is not None and enriched.complete)
        yield _end_event(complete, reason)


def _judgement_event(judgement: Judgement, parsed: ParsedSfen, checker: Checker) -> Event:
    return {"event": "judgement", **rendered_judgement(judgement, parsed, checker)}


def _end_event(complete: bool, reason: str | None) -> Event:
    """The end; the ``reason`` if nothing was searched for, as the grade forbids it."""
    return {"event": "end", "complete": complete, **({"reason": reason} if reason else {})}
