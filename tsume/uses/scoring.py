# SPDX-License-Identifier: GPL-3.0-or-later
"""Length, difficulty and appraisal of a position that mates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from solver.results import Difficulty, Limits, Mate, NoMate
from tsume.reports.notation import limit_text
from tsume.uses.checking import NOT_APPRAISED, Appraisal, appraise_line
from tsume.uses.engines import DEFAULT_MEMORY, EngineOptions, df_pn_engine
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.scoring.difficulty import Scorer

SECONDS = 60.0
"""Time limit for one position."""


@dataclass(frozen=True)
class ScoreOptions:
    """How positions are scored, each within ``seconds`` and ``memory`` MB.

    The search for the length uses the memory. Scores of works of up to `LONGEST_FITTED` plies do not depend
    on it, and none on how many ``cells`` of a proof tree are remembered
    (`solver.scoring.difficulty.Scorer`).
    """

    seconds: float = SECONDS
    memory: int = DEFAULT_MEMORY
    cells: int | None = None


@dataclass(frozen=True)
class PositionScore:
    """The exact length of a position, its difficulty, and the appraisal of its best line."""

    length: int
    difficulty: Difficulty
    appraisal: Appraisal

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume score --jsonl`` (docs/cli.md)."""
        return {
            "length": self.length,
            "score": self.difficulty.score,
            **self.difficulty.scale_fields(self.length),
            "features": self.difficulty.features,
            **asdict(self.appraisal),
        }


class NoScore(ValueError):
    """A position has no score: there is no mate, or a limit was reached; the message says which."""

    def to_json(self) -> dict[str, Any]:
        """Return the same fields, empty."""
        nothing = dict.fromkeys(("length", "score", "rating", "stars", "rank_in_length", "proof_tree"))
        return {**nothing, "features": {}, **asdict(NOT_APPRAISED)}


COMMAND = ScoreOptions()
"""Of the command and the library."""


class PositionScorer:
    """Scores positions with one engine."""

    def __init__(self, options: ScoreOptions = COMMAND) -> None:
        self._options = options

    @cached_property
    def engine(self) -> DfPnEngine:
        """The engine that finds length and line."""
        from solver.scoring.difficulty import SCORER_BYTES

        return df_pn_engine(EngineOptions((self._options.memory << 20) - SCORER_BYTES))

    @cached_property
    def _scorer(self) -> Scorer:
        from solver.scoring.difficulty import Scorer

        return Scorer(self._options.cells, self.engine)

    def score(self, position: Position, given: Sequence[Move] = ()) -> PositionScore:
        """Score a position; ``given`` is the composer's line, which is kept if it is a best one.

        Raises `NoScore`.
        """
        from solver.results import LimitReached
        from solver.solving.deepening import search_length
        from tsume_rules.packed import pack
        from tsume_rules.sfen import canonical

        self.engine.forget()
        with self.engine.within(Limits(seconds=self._options.seconds)):
            result = search_length(self.engine, pack(canonical(position)), Limits())
            if isinstance(result, NoMate):
                raise NoScore("no mate")
            if not isinstance(result, Mate):
                raise NoScore(f"unresolved: {limit_text(result)}")
            length = result.length
            try:
                left = Limits(seconds=self.engine.seconds_left)
                difficulty = self._scorer.score(position, length, left, is_searched=True)
                line = self._line(position, length, given)
            except LimitReached as limit:
                raise NoScore(f"unresolved: {limit.reason.value} limit reached; mate in {length} moves") from None
        return PositionScore(length, difficulty, appraise_line(position, line, self._scorer.engine))

    def _line(self, position: Position, length: int, given: Sequence[Move]) -> tuple[Move, ...]:
        """Return the given line if a reading has it as a best one, else the main line that `check` gives."""
        from solver.judging.given import examine_given
        from solver.solving.deepening import search_suited_to
        from solver.solving.tree import TreeBuilder, deeper_recursion
        from tsume_rules.packed import mirrored, pack, pack_move, unpack_move
        from tsume_rules.sfen import canonical

        # in the canonical position, which the engine knows; the main line of a mirror image is mirrored
        start = canonical(position)
        turned: Callable[[int], int] = int if start == position else mirrored
        record, codes = pack(start), tuple(turned(pack_move(move)) for move in given)
        with search_suited_to(self.engine, length), deeper_recursion(length):
            if given and examine_given(self.engine, record, length, codes).reading:
                return tuple(given)
            line = TreeBuilder(self.engine, complete=False, order=int).line(record, length)
        return tuple(unpack_move(turned(code)) for code in line)
