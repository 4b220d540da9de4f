"""Composing on wishes, without the store."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from generator.constraints.options import Options, Style
from generator.constraints.problem import Wishes
from generator.problem import Problem
from solver.results import Grade
from tsume import __version__
from tsume.proofread import proofread
from tsume.repeats import Repeats
from tsume.web.work.messages import SECONDS, SPARE, as_json
from tsume_rules.sfen import format_sfen

if TYPE_CHECKING:
    from generator.run.composer import RootResult
    from tsume.web.work.context import WorkerContext

_EVERY = 1.0
"""Seconds between two reports of progress."""


@dataclass(frozen=True)
class GeneratingJob:
    """Composes ``count`` problems of ``moves`` plies; the seed fixes what is found.

    After ``limit`` seconds what was found is what there is.
    """

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
    def seconds(self) -> float:
        """After this time the process is killed."""
        return 1.2 * self.limit + 2 * SPARE

    @property
    def wishes(self) -> Wishes:
        """What is wished of each problem."""
        return Wishes(max_pieces=self.pieces, themes=self.themes, stars=self.stars)

    def run(self, context: WorkerContext) -> Iterator[bytes]:
        """Progress and problems, the end."""
        from generator.run.composer import Composer
        from generator.run.roots import compose_until

        style = Style.NATURAL if self.natural else Style.FREE
        grade = Grade.SOUND if self.sound else Grade.PERFECT
        options = Options.of(
            self.moves, wishes=self.wishes, style=style, grade=grade, table_bits=context.table_bits
        )
        found = _Found(self.count, options.distinct)
        yield found.progress()
        composer = Composer(self.seed, options, __version__, proofread)
        for result in compose_until(composer, found.began + self.limit, context.look):
            yield from found.after(result)
            if found.number == self.count:
                break
        yield found.progress()
        yield as_json({"event": "end", "complete": found.number == self.count, "seed": self.seed})


class _Found:
    """Counts what is found; leaves out what repeats an earlier problem."""

    def __init__(self, most: int, distinct: bool) -> None:
        self.number = 0
        self._most = most
        self._repeats = Repeats(distinct=distinct)
        self._roots = 0
        self.began = self._told = time.monotonic()

    @property
    def seconds(self) -> float:
        """The time so far."""
        return time.monotonic() - self.began

    def after(self, result: RootResult) -> Iterator[bytes]:
        """What is to be told after one more root."""
        self._roots += 1
        for problem in result.problems:
            if self.number < self._most and self._repeats.is_new(problem):
                self.number += 1
                yield as_json(_fields(problem))
        if time.monotonic() - self._told > _EVERY:
            self._told = time.monotonic()
            yield self.progress()

    def progress(self) -> bytes:
        """How far it is."""
        seconds = round(self.seconds, 1)
        fields = {"event": "progress", "roots": self._roots, "found": self.number, "seconds": seconds}
        return as_json(fields)


def _fields(problem: Problem) -> dict[str, object]:
    return {
        "event": "problem",
        "sfen": format_sfen(problem.position),
        "length": problem.length,
        "line": [move.usi for move in problem.line],
        "grade": problem.grade.value if problem.grade else None,
        "score": problem.difficulty.score,
        "stars": problem.difficulty.stars,
        "themes": sorted(problem.themes),
        "quality": problem.quality,
    }
