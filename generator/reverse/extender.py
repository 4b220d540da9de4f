# SPDX-License-Identifier: GPL-3.0-or-later
"""Extending positions backwards: `generator.reverse.kernel.extension` for Python."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import IntEnum

import numpy as np

from generator.acceptance import Counts, Rejection
from generator.candidate import EMPTY, Candidate
from generator.constraints.options import Effort
from generator.kernel.positions import KINDS
from generator.reverse.kernel import extension
from generator.reverse.kernel.extension import (
    CHILD,
    FAILED,
    LIMITS,
    NODES,
    OPEN,
    SEEN,
    TESTED,
    ExtensionWork,
    count_unnecessary_pieces,
    extend_parent,
    mates_in_one_before,
)
from generator.reverse.kernel.final_positions import WHOLE_BOARD, draw_mate
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import STACK
from tsume_rules.kernel.retract import MAX_UNMOVES, move_of
from tsume_rules.kernel.tables import POSITION
from tsume_rules.packed import Moves, PackedPosition, pack
from tsume_rules.position import ALL_PIECES
from tsume_rules.sfen import parse_sfen

# --- the tests a candidate goes through, in their order, and their counters ------------------------
#
# The order is by what a test costs and how many candidates it rejects: `scripts/bench stages`
# measures both again. A candidate is rejected by the first test it fails.

__all__ = ["FAILED", "NODES", "OF_CANDIDATE", "OPEN", "TESTED", "Stage", "new_stage_tally"]


class Stage(IntEnum):
    """What is tested; the numbers are the kernels' (`generator.reverse.kernel.extension`)."""

    ANSWER_HOLDS = extension.ANSWER_HOLDS
    """No other answer to the check lasts longer than the one taken back."""
    ANSWER_LASTS = extension.ANSWER_LASTS
    """The answer taken back is a longest defence."""
    OTHER_ANSWERS = extension.OTHER_ANSWERS
    """Other longest defences have one solution and leave nothing."""
    NEW = extension.NEW
    """The position was not seen before."""
    NO_MATE_IN_ONE = extension.IN_ONE
    """There is no mate in one."""
    NO_MATE_IN_THREE = extension.IN_THREE
    """There is no mate in three."""
    NO_SHORTER_MATE = extension.SHORTER
    """There is no mate two plies shorter."""
    ONE_KEY = extension.ONE_KEY
    """No other check mates as soon or a little later."""


OF_CANDIDATE = (
    Stage.NEW, Stage.NO_MATE_IN_ONE, Stage.NO_MATE_IN_THREE, Stage.NO_SHORTER_MATE, Stage.ONE_KEY,
)  # fmt: skip
"""The order of the tests of a whole candidate; the earlier ones are about the answer alone."""


def new_stage_tally() -> np.ndarray:
    """Return a tally of zeros, int64 [stage, TESTED | FAILED | OPEN | NODES]."""
    return np.zeros((len(Stage), 4), dtype=np.int64)


REASON_OF = {
    Stage.ANSWER_HOLDS: Rejection.LONGER_DEFENCE, Stage.ANSWER_LASTS: Rejection.SHORTER_DEFENCE,
    Stage.OTHER_ANSWERS: Rejection.OTHER_DEFENCE, Stage.NEW: Rejection.ALREADY_SEEN,
    Stage.NO_MATE_IN_ONE: Rejection.MATE_IN_ONE, Stage.NO_MATE_IN_THREE: Rejection.MATE_IN_THREE,
    Stage.NO_SHORTER_MATE: Rejection.SHORTER_MATE, Stage.ONE_KEY: Rejection.SECOND_MATE,
}  # fmt: skip
"""Why a candidate that fails a test of an extension is rejected."""


def add_stage_counts(counts: Counts, tally: np.ndarray) -> None:
    """Add the tests of extensions to the counts of a root."""
    counts["defences"] += int(tally[Stage.ANSWER_HOLDS, 0])
    counts["candidates"] += int(tally[Stage.NEW, 0])
    for stage, reason in REASON_OF.items():
        counts[reason] += int(tally[stage, FAILED])
        counts[Rejection.UNRESOLVED] += int(tally[stage, OPEN])


# --- extending positions backwards -----------------------------------------------------------------

_MAX_CHILDREN = 256


@dataclass(frozen=True)
class MaterialLimits:
    """What each position on the way to a problem must keep to (`generator.reverse.construction`).

    At most ``pieces`` on the board and in the attacker's hand; only kinds whose bit is set in
    ``kinds``; at most ``hand[kind]`` of a kind in the attacker's hand.
    """

    pieces: int = ALL_PIECES
    kinds: int = KINDS
    hand: tuple[int, ...] = (ALL_PIECES,) * 8


@dataclass
class Extender:
    """Extends positions backwards with one engine. Random choices follow ``state``, the caller's uint64 array [1];
    ``tally`` counts what the tests did (`generator.reverse.extender`). A ``lenient`` one lets blemishes pass."""

    engine: DfPnEngine
    effort: Effort
    state: np.ndarray
    tally: np.ndarray = field(default_factory=new_stage_tally)
    lenient: bool = False

    def __post_init__(self) -> None:
        self._options = np.zeros(1, dtype=LIMITS).view(np.recarray)[0]
        for name, value in asdict(self.effort).items():
            self._options[name] = value
        self._options.lenient = self.lenient
        self.keep_to(MaterialLimits())
        self._seen = np.zeros(SEEN, dtype=np.uint64)
        self._records = np.zeros(_MAX_CHILDREN, dtype=POSITION).view(np.recarray)
        self._children = np.zeros(_MAX_CHILDREN, dtype=CHILD).view(np.recarray)
        self._final = pack(parse_sfen(EMPTY).position)
        self._saved = np.zeros(1, dtype=POSITION).view(np.recarray)
        self._scratch = np.zeros(8192, dtype=np.int64)
        self._extension = ExtensionWork(
            self._options, np.array(OF_CANDIDATE, dtype=np.int64), self.state, self.tally, self._seen,
            np.zeros(STACK, dtype=np.int64), np.zeros(MAX_UNMOVES, dtype=np.int64),
            np.zeros(MAX_UNMOVES, dtype=np.int64), self._records, self._children,
        )  # fmt: skip

    def forget(self) -> None:
        """Forget which positions were seen."""
        self._seen[:] = 0

    def keep_to(self, limits: MaterialLimits) -> None:
        """From now on find only positions within these limits."""
        self._options.pieces = limits.pieces
        self._options.kinds = limits.kinds
        self._options.hand[:] = limits.hand

    def take_back_only(self, answer: int, check: int) -> None:
        """From now on take back only these sorts of answers and checks. The sorts are those of
        `generator.reverse.kernel.extension`."""
        self._options.answer = answer
        self._options.check = check

    def repeat(self, answer: int, piece: int, target: int, step: int) -> None:
        """From now on take back only this answer, and checks like one: drops on a cell if ``step`` is 0, else moves to
        it or by the step, of pieces that move alike (`LIKE`)."""
        self.take_back_only(extension.SAME_ANSWER, extension.ALIKE)
        self._options.again[:] = answer, piece, target, step

    def draw_final(self, region: int = WHOLE_BOARD, walled: bool = False, tries: int = 4000) -> PackedPosition | None:
        """Return a random mated position (`draw_mate`), None if no draw was one."""
        kinds = int(self._options.kinds)
        drawn = draw_mate(self._final, self.state, self._scratch, region, walled, kinds, tries)
        return self._final if drawn else None

    def first_moves(self, final: PackedPosition, family: int) -> list[Candidate]:
        """Return the mates in one that lead to a mated position."""
        number = mates_in_one_before(self.engine.arena(final), self._extension)
        return [self._candidate(i, 1, (), family) for i in range(number)]

    def children(self, parent: Candidate) -> list[Candidate]:
        """Positions that mate in two plies more, sound as far as ``effort.margin`` goes."""
        number = extend_parent(self.engine.arena(parent.packed), parent.length, self._extension)
        return [self._candidate(i, parent.length + 2, parent.line, parent.family) for i in range(number)]

    def unnecessary_pieces(self, candidate: Candidate) -> int:
        """How many pieces of a position can each be taken off so that its line stays the only solution. As far as the
        effort goes: a piece whose tests need more nodes counts as necessary."""
        effort, line = self.effort, np.array(candidate.line, dtype=np.int64)
        number = count_unnecessary_pieces(
            self.engine.arena(candidate.packed.copy()), line, self._extension.stack, self._saved,
            effort.margin, effort.turns, effort.nodes,
        )  # fmt: skip
        return int(number)

    def _candidate(self, i: int, length: int, rest: Moves, family: int) -> Candidate:
        child = self._children[i]
        check, answer = int(move_of(int(child.check))), int(move_of(int(child.answer)))
        line = (check, answer, *rest) if length > 1 else (check,)
        numbers = int(child.open), int(child.checks), int(child.defences)
        return Candidate(self._records[i].copy(), length, line, family, *numbers)
