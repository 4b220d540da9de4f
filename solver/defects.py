# SPDX-License-Identifier: GPL-3.0-or-later
"""The one list of what the judge reports of a problem, and how much each item weighs.

A *fault* makes a problem unsound, a *blemish* (キズ) leaves it sound; the others are only reported
(docs/rules.md, "Grades"). The terms and sentences are in `tsume.language.terms`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Flag, auto
from functools import reduce
from operator import or_


class Defect(Flag):
    """What is wrong with a problem; no flag set means nothing."""

    NONE = 0
    ILLEGAL_START = auto()
    NO_MATE = auto()
    EARLY_MATE = auto()
    WRONG_LENGTH = auto()
    COOK = auto()
    LEFTOVER = auto()
    UNDETERMINED_FORM = auto()
    UNNECESSARY_PIECE = auto()
    GREY_INTERPOSITION = auto()
    MIRROR_KEY = auto()
    COOK_IN_EQUAL_DEFENCE = auto()
    LONGER_WITH_LEFTOVER = auto()
    LEFTOVER_IN_VARIATION = auto()
    EQUAL_DEFENCES = auto()
    LAST_MOVE_ALTERNATIVES = auto()
    DETOUR = auto()
    VARIATION_COOK = auto()
    STARTS_IN_CHECK = auto()
    MERGING = auto()
    ORDER = auto()
    ENDING = auto()
    SAME_POSITION = auto()

    @classmethod
    def union(cls, defects: Iterable[Defect]) -> Defect:
        """All of these together."""
        return reduce(or_, defects, cls.NONE)

    @property
    def names(self) -> list[str]:
        """The names of the flags set, in the order of definition."""
        return [flag.name for flag in self if flag.name]

    @property
    def blemishes(self) -> Defect:
        """The flags set that are blemishes."""
        return self & Defect.union(BLEMISHES.values())

    @property
    def blemish_names(self) -> list[str]:
        """The names of the blemishes set, in the order of `BLEMISHES`."""
        return [name for name, flag in BLEMISHES.items() if flag in self]


FAULTS = (
    Defect.ILLEGAL_START | Defect.NO_MATE | Defect.EARLY_MATE | Defect.WRONG_LENGTH
    | Defect.COOK | Defect.LEFTOVER
)  # fmt: skip
"""What makes a problem unsound (不完全作)."""
BLEMISHES = {
    "FORM": Defect.UNDETERMINED_FORM,
    "MIRROR_KEY": Defect.MIRROR_KEY,
    "EQUAL_DEFENCES": Defect.EQUAL_DEFENCES,
    "COOK_IN_EQUAL_DEFENCE": Defect.COOK_IN_EQUAL_DEFENCE,
    "DETOUR": Defect.DETOUR,
    "MERGING": Defect.MERGING,
    "ORDER": Defect.ORDER,
    "ENDING": Defect.ENDING,
    "UNNECESSARY_PIECE": Defect.UNNECESSARY_PIECE,
    "GREY_INTERPOSITION": Defect.GREY_INTERPOSITION,
    "LEFTOVER_IN_VARIATION": Defect.LEFTOVER_IN_VARIATION,
    "LONGER_WITH_LEFTOVER": Defect.LONGER_WITH_LEFTOVER,
    "STARTS_IN_CHECK": Defect.STARTS_IN_CHECK,
}
"""What a sound problem is marked down for (キズ), by the names stored and shown, in their order."""
CONDITIONS = (
    FAULTS & ~Defect.EARLY_MATE
    | Defect.UNDETERMINED_FORM | Defect.UNNECESSARY_PIECE | Defect.GREY_INTERPOSITION | Defect.MIRROR_KEY
)  # fmt: skip
"""What breaks one of the nine conditions of a correct problem (完全作)."""
WITHOUT_FAULT = Defect.GREY_INTERPOSITION | Defect.UNNECESSARY_PIECE
"""The conditions whose examination is expensive and that no fault depends on."""
REMARKS = (
    Defect.LEFTOVER_IN_VARIATION | Defect.EQUAL_DEFENCES | Defect.LAST_MOVE_ALTERNATIVES
    | Defect.DETOUR | Defect.VARIATION_COOK | Defect.STARTS_IN_CHECK | Defect.SAME_POSITION
)  # fmt: skip
"""What is reported without breaking a condition; some of it is a blemish."""
IMPERFECT = (
    CONDITIONS & ~FAULTS | Defect.COOK_IN_EQUAL_DEFENCE | Defect.LONGER_WITH_LEFTOVER
    | Defect.MERGING | Defect.ORDER | Defect.ENDING
)  # fmt: skip
"""The blemishes that keep a problem from being perfect."""
