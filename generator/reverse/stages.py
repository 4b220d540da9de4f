# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests a candidate goes through, in their order, and their counters.

The order is by what a test costs and how many candidates it rejects: `scripts/bench stages`
measures both again. A candidate is rejected by the first test it fails.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from generator.acceptance.reasons import Counts, Rejection
from generator.reverse.kernel import stages
from generator.reverse.kernel.stages import FAILED, NODES, TESTED, UNANSWERED

__all__ = ["FAILED", "NODES", "OF_CANDIDATE", "TESTED", "UNANSWERED", "Stage", "new_stage_tally"]


class Stage(IntEnum):
    """What is tested; the numbers are the kernels' (`generator.reverse.kernel.stages`)."""

    ANSWER_HOLDS = stages.ANSWER_HOLDS
    """No other answer to the check lasts longer than the one taken back."""
    ANSWER_LASTS = stages.ANSWER_LASTS
    """The answer taken back is a longest defence."""
    OTHER_ANSWERS = stages.OTHER_ANSWERS
    """Other longest defences have one solution and leave nothing."""
    NEW = stages.NEW
    """The position was not seen before."""
    NO_MATE_IN_ONE = stages.IN_ONE
    """There is no mate in one."""
    NO_MATE_IN_THREE = stages.IN_THREE
    """There is no mate in three."""
    NO_SHORTER_MATE = stages.SHORTER
    """There is no mate two plies shorter."""
    ONE_KEY = stages.ONE_KEY
    """No other check mates as soon or a little later."""


OF_CANDIDATE = (
    Stage.NEW, Stage.NO_MATE_IN_ONE, Stage.NO_MATE_IN_THREE, Stage.NO_SHORTER_MATE, Stage.ONE_KEY,
)  # fmt: skip
"""The order of the tests of a whole candidate; the earlier ones are about the answer alone."""


def new_stage_tally() -> np.ndarray:
    """A tally of zeros, int64 [stage, TESTED | FAILED | UNANSWERED | NODES]."""
    return np.zeros((len(Stage), 4), dtype=np.int64)


REASON_OF = {
    Stage.ANSWER_HOLDS: Rejection.LONGER_DEFENCE,
    Stage.ANSWER_LASTS: Rejection.SHORTER_DEFENCE,
    Stage.OTHER_ANSWERS: Rejection.OTHER_DEFENCE,
    Stage.NEW: Rejection.ALREADY_SEEN,
    Stage.NO_MATE_IN_ONE: Rejection.MATE_IN_ONE,
    Stage.NO_MATE_IN_THREE: Rejection.MATE_IN_THREE,
    Stage.NO_SHORTER_MATE: Rejection.SHORTER_MATE,
    Stage.ONE_KEY: Rejection.SECOND_MATE,
}
"""Why a candidate that fails a test of an extension is rejected."""


def add_stage_counts(counts: Counts, tally: np.ndarray) -> None:
    """Add the tests of extensions to the counts of a root."""
    counts["defences"] += int(tally[Stage.ANSWER_HOLDS, 0])
    counts["candidates"] += int(tally[Stage.NEW, 0])
    for stage, reason in REASON_OF.items():
        counts[reason] += int(tally[stage, FAILED])
        counts[Rejection.UNRESOLVED] += int(tally[stage, UNANSWERED])
