# SPDX-License-Identifier: GPL-3.0-or-later
"""The judgement of one position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tsume.web.rendered_judgement import rendered_judgement
from tsume.web.work.results import SECONDS, Rendered, json_bytes, search_timeout
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext


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
        """The rendered judgement."""
        judgement = context.checker.check(self.parsed.position, self.moves, self.line, self.limit)
        content = json_bytes(rendered_judgement(judgement, self.parsed, context.checker))
        yield Rendered(content, settled=judgement.settled)
