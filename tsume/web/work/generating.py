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
from tsume.web.work.results import SECONDS, SPARE, json_bytes

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext

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
    limit: float = 10 * SECONDS

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
        """Progress and problems, the end."""
        style = Style.NATURAL if self.natural else Style.FREE
        grade = Grade.SOUND if self.sound else Grade.PERFECT
        options = ComposingOptions.of(
            self.moves, wishes=self.wishes, style=style, grade=grade, table_bits=context.table_bits
        )
        progress = _GenerationProgress()
        yield progress.report()
        for problems in compose(options, self.seed, self.count, self.limit, context.look):
            progress.count(len(problems))
            for problem in problems:
                fields = composed_fields(problem)
                yield json_bytes({"event": "problem", **{name: fields[name] for name in _FIELDS}})
            if progress.is_due:
                yield progress.report()
        yield progress.report()
        yield json_bytes({"event": "end", "complete": progress.found == self.count, "seed": self.seed})


class _GenerationProgress:
    """Counts roots and problems."""

    def __init__(self) -> None:
        self.found = self._roots = 0
        self._began = self._reported = time.monotonic()

    def count(self, found: int) -> None:
        """Count one more root and its problems."""
        self._roots += 1
        self.found += found

    @property
    def is_due(self) -> bool:
        """Whether it is time for a report."""
        return time.monotonic() - self._reported > _REPORT_SECONDS

    def report(self) -> bytes:
        """The progress as JSON."""
        self._reported = time.monotonic()
        seconds = round(self._reported - self._began, 1)
        return json_bytes(
            {"event": "progress", "roots": self._roots, "found": self.found, "seconds": seconds}
        )
