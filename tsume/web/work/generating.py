# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing under constraints, without the store."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from solver.results import Grade
from tsume.services.composing import compose, composed_fields
from tsume.web.work.results import SECONDS, SPARE, Event, json_bytes

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext

COMPOSING_SECONDS = 10 * SECONDS
"""The default time limit of composing."""
COMPOSED_LENGTHS = range(1, 16, 2)
"""The lengths that are composed."""
MOST_COMPOSED = 50
"""The most problems of one job."""
_REPORT_SECONDS = 1.0
"""Seconds between two reports of progress."""
_FIELDS = ("sfen", "length", "line", "grade", "score", "stars", "themes", "quality")


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
    limit: float = COMPOSING_SECONDS

    slot: ClassVar[str] = "long"

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return 1.2 * self.limit + 2 * SPARE

    @property
    def wishes(self) -> ProblemConstraints:
        """The constraints on each problem."""
        return ProblemConstraints(max_pieces=self.pieces, themes=self.themes, stars=self.stars)

    def run(self, context: WorkerContext) -> Iterator[bytes]:
        """The events, each as JSON."""
        return map(json_bytes, self.events(context))

    def options(self, table_bits: int, kind: type[ComposingOptions] = ComposingOptions) -> ComposingOptions:
        """The options of the composer, whose table has so many bits; of a ``kind``."""
        return kind.of(
            self.moves,
            wishes=self.wishes,
            style=Style.NATURAL if self.natural else Style.FREE,
            grade=Grade.SOUND if self.sound else Grade.PERFECT,
            table_bits=table_bits,
        )

    def events(self, context: WorkerContext, options: ComposingOptions | None = None) -> Iterator[Event]:
        """Progress and problems, the end; progress during a root goes to the context's ``report``.

        ``options`` replace those of the job.
        """
        options = options or self.options(context.table_bits)
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
        yield {"event": "end", "complete": progress.composed == self.count, **self._made_by(options)}

    def _made_by(self, options: ComposingOptions) -> Event:
        """What determined the problems, besides the request."""
        return {"seed": self.seed, "network": options.uses_network}


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
        """The progress as an event."""
        self._reported = time.monotonic()
        seconds = round(self._reported - self._began, 1)
        return {"event": "progress", "roots": self._roots, "found": self.composed, "seconds": seconds}
