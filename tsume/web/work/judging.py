"""The judgement of one position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tsume.web.told_judgement import told_judgement
from tsume.web.work.messages import SECONDS, SPARE, Told, as_json
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from tsume.web.work.bench import Bench


@dataclass(frozen=True)
class Judge:
    """Judges a position as a problem of ``moves`` plies, or of any length, with the composer's ``line``.

    What is not settled after ``limit`` seconds is unresolved.
    """

    parsed: ParsedSfen
    line: tuple[Move, ...] = ()
    moves: int | None = None
    limit: float = SECONDS

    seat: ClassVar[str] = "judgement"

    @property
    def seconds(self) -> float:
        """After this time the process is killed."""
        return 1.5 * self.limit + SPARE

    def run(self, bench: Bench) -> Iterator[Told]:
        """The told judgement."""
        judgement = bench.judged(self.parsed.position, self.moves, self.limit, self.line)
        told = as_json(told_judgement(judgement, self.parsed, bench.engine))
        yield Told(told, settled=not judgement.unresolved)
