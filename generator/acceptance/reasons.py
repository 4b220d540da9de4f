# SPDX-License-Identifier: GPL-3.0-or-later
"""Why a candidate was rejected: every rejection has one of these reasons and is counted."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum


class Rejection(StrEnum):
    """The reasons, roughly in the order of the tests."""

    NO_FINAL = "no mated position drawn"
    NOT_MENDED = "no sound position near a drawn one"
    NO_WAY_BACK = "no check leads to the final position"
    SHORTER_DEFENCE = "the answer taken back is no longest defence"
    LONGER_DEFENCE = "another answer lasts longer"
    OTHER_DEFENCE = "another longest defence has a second solution or leaves pieces in hand"
    ALREADY_SEEN = "met before in this tree"
    MATE_IN_ONE = "mates in one"
    MATE_IN_THREE = "mates in three"
    SHORTER_MATE = "mates sooner"
    SECOND_MATE = "another check mates as soon or a little later"
    LONGER_COOK = "another check mates later"
    LEFTOVER = "pieces left in hand"
    STARTS_IN_CHECK = "the attacker's king is in check at the start"
    GREY = "depends on the reading of futile interpositions"
    NOT_CORRECT = "defect found by the full check"
    NOT_EXCLUDED = "a longer second solution is not excluded"
    UNRESOLVED = "not resolved within the limits"
    PLAIN_QUALITY = "its quality is below the floor"
    NOT_WISHED = "not as wished"
    SAME_LINE = "its line is that of another problem of the run"
    SAME_PROBLEM = "another problem of the run has its squares, its last moves, or its key and mate"
    UNLIKELY = "unlike what people compose"
    SAME_FRAME = "first move and final position are those of another problem of its root"
    DUPLICATE = "already found or stored"


REJECTIONS = frozenset(reason.value for reason in Rejection)
Counts = Counter[str]
"""How often each thing happened: rejections by reason, and the other counters of a run."""
KNOWN_AGAIN = "known again"
"""The counter of problems that an earlier root had found."""
