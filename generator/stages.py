"""The tests a candidate goes through, in their order, and what is counted of each.

The order is by what a test costs and how much it turns down: `scripts/bench stages`
measures both again. A candidate is turned down by the first test it fails.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Stage(IntEnum):
    """What is tested; the numbers are the kernels' (`generator.kernel.growth`)."""

    ANSWER_HOLDS = 0
    """No other answer to the check lasts longer than the one taken back."""
    ANSWER_LASTS = 1
    """The answer taken back is a longest defence."""
    OTHER_ANSWERS = 2
    """Other longest defences have one solution and leave nothing."""
    NEW = 3
    """The position was not met before."""
    NO_MATE_IN_ONE = 4
    """There is no mate in one."""
    NO_MATE_IN_THREE = 5
    """There is no mate in three."""
    NO_SHORTER_MATE = 6
    """There is no mate two plies shorter."""
    ONE_KEY = 7
    """No other check mates as soon or a little later."""


OF_CANDIDATE = (
    Stage.NEW, Stage.NO_MATE_IN_ONE, Stage.NO_MATE_IN_THREE, Stage.NO_SHORTER_MATE, Stage.ONE_KEY,
)  # fmt: skip
"""The order of the tests of a whole candidate; those before are of the answer alone."""

TESTED, FAILED, UNANSWERED, NODES = 0, 1, 2, 3


def new_tally() -> np.ndarray:
    """A tally of zeros, int64 [stage, TESTED | FAILED | UNANSWERED | NODES]."""
    return np.zeros((len(Stage), 4), dtype=np.int64)
