# SPDX-License-Identifier: GPL-3.0-or-later
"""Changing one problem: repairs of an unsound one, improvements of a correct one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from generator.changes import Improvement
from generator.constraints.problem import ProblemConstraints
from generator.problem import STORED
from solver.results import Grade, Judgement, Limits
from tsume.reports.changes import repair_fields, search_fields, suggestion_fields, worth_fields
from tsume.reports.judgement import judgement_fields
from tsume.uses.checking import Checker
from tsume_rules.moves import Move
from tsume_rules.position import Square
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from generator.mending.enrich import Enriched, ProblemWorth, Suggestion
    from generator.mending.mend import Mended, Repair, ReworkedProblem


@dataclass(frozen=True)
class RepairOptions:
    """Repairs by at most ``edits`` changes that leave the squares to ``keep``, until ``count`` are found.

    ``moves`` is the length that a repair should have, and ``wishes`` are what its position and line must be like; no
    others are looked at. Judging and repairing together may take ``seconds``, judging half of them.
    The defaults are those of the command and the library.
    """

    moves: int | None = None
    keep: frozenset[Square] = frozenset()
    edits: int = 2
    count: int = 5
    seconds: float = 10.0
    wishes: ProblemConstraints = field(default_factory=ProblemConstraints)


@dataclass(frozen=True)
class ImproveOptions:
    """Improvements of some ``kinds``, ``count`` of each, by at most ``edits`` changes outside of ``keep``.

    An introduction adds ``plies`` moves. ``grade``: that of the suggestions; sound: no worse than the problem
    itself. Judging and improving together may take ``seconds``, judging half of
    them. The defaults are those of the command and the library.
    """

    kinds: frozenset[Improvement] = frozenset(Improvement)
    keep: frozenset[Square] = frozenset()
    edits: int = 2
    plies: int = 2
    count: int = 3
    grade: Grade = Grade.SOUND
    seconds: float = 30.0


@dataclass(frozen=True)
class RepairedPosition:
    """The judgement of a position and its repairs; None for a perfect problem as wished, which needs none."""

    parsed: ParsedSfen
    judgement: Judgement
    found: Mended | None

    @property
    def repairs(self) -> Sequence[Repair]:
        """The repairs, nearest first."""
        return self.found.repairs if self.found else ()

    @property
    def complete(self) -> bool:
        """Whether the time did not run out."""
        return self.found is None or self.found.complete

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume mend --jsonl`` (docs/cli.md)."""
        return {
            **judgement_fields(self.judgement, self.parsed),
            "repairs": [repair_fields(one, self.parsed) for one in self.repairs],
            **search_fields(self.found, self.parsed),
            "complete": self.complete,
        }


@dataclass(frozen=True)
class ImprovedProblem:
    """The judgement of a problem and its improvements; None for one that is not correct, or not judged."""

    parsed: ParsedSfen
    judgement: Judgement
    found: Enriched | None

    @property
    def suggestions(self) -> Sequence[Suggestion]:
        """The improvements, best first."""
        return self.found.suggestions if self.found else ()

    @property
    def complete(self) -> bool:
        """Whether improvements were searched for, and the time did not run out."""
        return self.found is not None and self.found.complete

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume enrich --jsonl`` (docs/cli.md)."""
        return {
            **judgement_fields(self.judgement, self.parsed),
            **worth_fields(self.found.worth if self.found else None),
            "suggestions": [suggestion_fields(one, self.parsed) for one in self.suggestions],
            "complete": self.complete,
        }


def repair(
    checker: Checker,
    parsed: ParsedSfen,
    line: Sequence[Move],
    options: RepairOptions,
    judgement: Judgement | None = None,
) -> RepairedPosition:
    """Repair a position with the composer's line; of a sound problem only perfect repairs are wanted. A perfect problem
    that is not as wished is changed, too.

    ``judgement``: that of this position, made just now by the ``checker``. Without a line the main line, if
    there is a mate, is the intended one.
    """
    position, engine = parsed.position, checker.engine
    with engine.within(Limits(seconds=options.seconds)):
        if judgement is None:
            judgement = checker.judge(position, options.moves, line, options.seconds / 2)
        left = Limits(seconds=engine.seconds_left)
    wishes = options.wishes
    if (
        judgement.is_a(Grade.PERFECT, options.moves)
        and wishes.allow_position(position)
        and wishes.allow_line(position, judgement.line)
    ):
        return RepairedPosition(parsed, judgement, None)
    from generator.mending.mend import Mender, RepairRequest

    perfect = judgement.is_a(Grade.SOUND, options.moves)
    request = RepairRequest(
        options.moves, options.keep, tuple(line) or judgement.line, perfect=perfect, wishes=wishes
    )  # fmt: skip
    found = Mender(engine).mend(position, request, options.edits, options.count, left)
    return RepairedPosition(parsed, judgement, found)


def improve(
    checker: Checker,
    parsed: ParsedSfen,
    line: Sequence[Move],
    options: ImproveOptions,
    judgement: Judgement | None = None,
) -> ImprovedProblem:
    """Improve a problem with the composer's line; ``judgement`` as for `repair`."""
    position, engine = parsed.position, checker.engine
    with engine.within(Limits(seconds=options.seconds)):
        if judgement is None:
            judgement = checker.judge(position, line=line, seconds=options.seconds / 2)
        left = Limits(seconds=engine.seconds_left)
    if judgement.grade not in STORED:
        return ImprovedProblem(parsed, judgement, None)
    from generator.mending.enrich import Enricher, ImprovementRequest

    request = ImprovementRequest(
        options.kinds, options.keep, options.edits, options.plies, options.count, options.grade
    )
    return ImprovedProblem(parsed, judgement, Enricher(engine).enrich(position, judgement, request, left))


def worth_of_repair(made: ReworkedProblem) -> ProblemWorth:
    """Return the quality, likeness and material of a repair; nothing is searched."""
    from generator.mending.enrich import worth_of_problem

    return worth_of_problem(made.position, made.judgement.line)
