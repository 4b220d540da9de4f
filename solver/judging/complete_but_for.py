# SPDX-License-Identifier: GPL-3.0-or-later
"""What a work is complete but for: second solutions that are no faults (docs/rules.md)."""

from __future__ import annotations

from solver.judging.cook_classes import SHORT, CookClass
from solver.judging.findings import SecondSolution
from solver.results import Grade, Judgement

EQUAL_DEFENCE = "equal_defence"
"""The name of a second solution that would be a fault if it were not behind an equally long defence."""


def complete_but_for(judgement: Judgement) -> dict[str, list[SecondSolution]]:
    """The second solutions of a work of more than `SHORT` plies without a fault, by their classes.

    A class has the name of its `CookClass`; one more is `EQUAL_DEFENCE`. Empty for any other work.
    """
    length = judgement.length or 0
    if judgement.grade in (None, Grade.UNSOUND) or length <= SHORT:
        return {}
    groups: dict[str, list[SecondSolution]] = {}
    for one in sorted(_classified(judgement), key=lambda one: one.turn):
        assert one.kind is not None
        groups.setdefault(_name(one.kind, one.same_check, length), []).append(one)
    return groups


def _name(kind: CookClass, same_check: bool, length: int) -> str:
    return kind.value if kind.blemish(length, same_check=same_check) else EQUAL_DEFENCE


def _classified(judgement: Judgement) -> list[SecondSolution]:
    found = [one for one in judgement.findings if isinstance(one, SecondSolution)]
    return [one for one in found if one.kind not in (None, CookClass.SAME_POSITION)]
