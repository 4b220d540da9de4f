"""The judgement of one position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tsume.web.told_judgement import told_judgement
from tsume_rules.moves import Move
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from tsume.web.work.bench import Bench

SECONDS = 20.0
"""The time limit of a judgement; what is not settled then is unresolved."""


@dataclass(frozen=True)
class Judge:
    """Judges a position as a problem of ``moves`` plies, or of any length, with the composer's ``line``."""

    parsed: ParsedSfen
    line: tuple[Move, ...] = ()
    moves: int | None = None

    seat: ClassVar[str] = "judgement"
    seconds: ClassVar[float] = 1.5 * SECONDS

    def run(self, bench: Bench) -> Iterator[bytes]:
        """The told judgement as JSON."""
        judgement = bench.judged(self.parsed.position, self.moves, SECONDS, self.line)
        yield as_json(told_judgement(judgement, self.parsed, bench.engine))


def as_json(fields: dict[str, Any]) -> bytes:
    """An object on one line, UTF-8."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
