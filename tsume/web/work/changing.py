"""Repairs and improvements of one position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from generator.mending.kinds import Improvement
from generator.problem import STORED
from solver.results import Grade, Judgement, Limits
from tsume.reports.changes import reworked_fields, reworked_lines, suggestion_fields, suggestion_lines
from tsume.web.rendered_judgement import VOICES, rendered_judgement
from tsume.web.work.results import SECONDS, SPARE, as_json
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen
from tsume_rules.squares import Square

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tsume.web.work.context import WorkerContext


@dataclass(frozen=True)
class _Change:
    """Changes a position, with the composer's ``line``, within ``limit`` seconds; ``keep`` stays as it is."""

    parsed: ParsedSfen
    line: tuple[Move, ...] = ()
    keep: frozenset[Square] = frozenset()
    edits: int = 2
    limit: float = SECONDS

    slot: ClassVar[str] = "long"

    @property
    def seconds(self) -> float:
        """After this time the process is killed."""
        return 3 * self.limit + SPARE


@dataclass(frozen=True)
class MendingJob(_Change):
    """Repairs a position that is no perfect problem, as `tsume mend` does."""

    moves: int | None = None
    count: int = 5

    def run(self, context: WorkerContext) -> Iterator[bytes]:
        """The judgement, the repairs, the end."""
        judgement = context.judged(self.parsed.position, self.moves, self.limit, self.line)
        yield _judgement(judgement, self.parsed, context)
        complete = True
        if not judgement.is_a(Grade.PERFECT, self.moves):
            mended = self._mended(judgement, context)
            complete = mended.complete
            for one in mended.repairs:
                texts = {name: _sentence(reworked_lines(1, one, voice)) for name, voice in VOICES.items()}
                yield as_json({"event": "repair", **reworked_fields(one, self.parsed), "text": texts})
        yield as_json({"event": "end", "complete": complete})

    def _mended(self, judgement: Judgement, context: WorkerContext) -> Any:
        from generator.mending.mend import Aim, Mender

        is_sound = judgement.is_a(Grade.SOUND, self.moves)
        aim = Aim(self.moves, self.keep, self.line, perfect=is_sound)
        limits = Limits(seconds=self.limit)
        return Mender(context.engine).mend(self.parsed.position, aim, self.edits, self.count, limits)


@dataclass(frozen=True)
class EnrichingJob(_Change):
    """Improves a correct problem, as `tsume enrich` does."""

    count: int = 3
    plies: int = 2

    def run(self, context: WorkerContext) -> Iterator[bytes]:
        """The judgement, the suggestions, the end; a problem that is not correct gets none."""
        judgement = context.judged(self.parsed.position, None, self.limit, self.line)
        yield _judgement(judgement, self.parsed, context)
        complete = False
        if judgement.grade in STORED:
            enriched = self._enriched(judgement, context)
            complete = enriched.complete
            for one in enriched.suggestions:
                texts = {name: _sentence(suggestion_lines(1, one, voice)) for name, voice in VOICES.items()}
                yield as_json({"event": "suggestion", **suggestion_fields(one, self.parsed), "text": texts})
        yield as_json({"event": "end", "complete": complete})

    def _enriched(self, judgement: Judgement, context: WorkerContext) -> Any:
        from generator.mending.enrich import Enricher
        from generator.mending.suggestions import Wish

        wish = Wish(frozenset(Improvement), self.keep, self.edits, self.plies, self.count, Grade.SOUND)
        limits = Limits(seconds=self.limit)
        return Enricher(context.engine).enrich(self.parsed.position, judgement, wish, limits)


def _judgement(judgement: Judgement, parsed: ParsedSfen, context: WorkerContext) -> bytes:
    return as_json({"event": "judgement", **rendered_judgement(judgement, parsed, context.engine)})


def _sentence(lines: Sequence[str]) -> str:
    """What is to be changed: the first of numbered lines, without its number."""
    return lines[0].partition(". ")[2]
