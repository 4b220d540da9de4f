# SPDX-License-Identifier: GPL-3.0-or-later
"""Changing one problem: repairs of an unsound one, improvements of a correct one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from generator.changes import Improvement
from generator.problem import STORED
from solver.results import Grade, Judgement, Limits
from tsume.warmup import KernelPart, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position, Square

if TYPE_CHECKING:
    from generator.mending.changed_positions import ReworkedProblem
    from generator.mending.enrich import Enriched
    from generator.mending.mend import Mended
    from generator.mending.suggestions import ProblemWorth
    from solver.engines.dfpn.engine import DfPnEngine


def mend(
    engine: DfPnEngine,
    position: Position,
    judgement: Judgement,
    length: int | None = None,
    line: Sequence[Move] = (),
    *,
    keep: frozenset[Square],
    edits: int,
    count: int,
    seconds: float,
) -> Mended | None:
    """The repairs of a position that ``engine`` judged just now as a problem of that length with that line.

    None for a perfect problem; of a sound one only perfect repairs. Without a line the main line, if there is
    a mate, is the intended one.
    """
    if judgement.is_a(Grade.PERFECT, length):
        return None
    warm_up(KernelPart.LIKENESS)
    from generator.mending.mend import Mender, RepairRequest

    aim = RepairRequest(
        length, keep, tuple(line) or judgement.line, perfect=judgement.is_a(Grade.SOUND, length)
    )
    return Mender(engine).mend(position, aim, edits, count, Limits(seconds=seconds))


def worth_of(made: ReworkedProblem) -> ProblemWorth:
    """The quality, likeness and material of a repair; nothing is searched."""
    from generator.mending.suggestions import worth_of_problem

    return worth_of_problem(made.position, made.judgement.line)


def enrich(
    engine: DfPnEngine,
    position: Position,
    judgement: Judgement,
    *,
    kinds: frozenset[Improvement] = frozenset(Improvement),
    keep: frozenset[Square],
    edits: int,
    plies: int,
    count: int,
    grade: Grade = Grade.SOUND,
    seconds: float,
) -> Enriched | None:
    """The improvements of a problem that ``engine`` judged just now; None for one that is not correct."""
    if judgement.grade not in STORED:
        return None
    warm_up(KernelPart.LIKENESS, KernelPart.GENERATOR)
    from generator.mending.enrich import Enricher
    from generator.mending.suggestions import ImprovementRequest

    wish = ImprovementRequest(kinds, keep, edits, plies, count, grade)
    return Enricher(engine).enrich(position, judgement, wish, Limits(seconds=seconds))
