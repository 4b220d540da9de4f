# SPDX-License-Identifier: GPL-3.0-or-later
"""The last tests of a candidate: exclude second solutions, minimise, judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from generator.acceptance.reasons import Rejection
from generator.constraints.options import MARGINS, QUICK_MARGIN
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.judging.cooks import of_other_kind
from solver.judging.given import reductions
from solver.judging.judge import Judge, Rigour, mirror_order
from solver.limits import LimitReached
from solver.results import Defect, Grade, Judgement, Limits
from solver.solving.tree import TreeBuilder
from tsume_rules.packed import Moves, PackedPosition, legal_checks, line_played, pack, pack_move, start_faults, unpack
from tsume_rules.position import Position, Side

JUDGING_NODES = 20_000
"""Nodes for each check that the full judgement searches at any length."""
EXCLUSION_NODES = 1_500
"""Nodes for each check that is not refuted for good, before the full judgement."""
_FIRST_NODES = (500, 3_000)
"""Nodes for each check that is not refuted for good in the first passes over all of them: what refutes an
easy one often helps with a hard one."""
_TURNS = 100


class CandidateValidator:
    """Tests candidates with one engine. All methods but `second_solution_within` raise `LimitReached`."""

    exclusion_nodes = EXCLUSION_NODES
    """Nodes for each check that is not refuted for good."""

    def __init__(self, engine: DfPnEngine, exclusion_nodes: int = 0) -> None:
        """``exclusion_nodes``: a lower bound for the class's number."""
        self._engine = engine
        self.exclusion_nodes = max(self.exclusion_nodes, exclusion_nodes)
        rigour = Rigour(MARGINS, len(MARGINS), unbounded_nodes=JUDGING_NODES, first_defect=True)
        self._judge = Judge(engine, rigour)

    def second_solution(self, packed: PackedPosition, key: int, length: int) -> Rejection | None:
        """Return why the first turn may have a second solution at any length; None if it has none."""
        others = self._rivals(packed, key, length)
        mating, open_checks = self._engine.refute_each(packed, others, length + QUICK_MARGIN)
        if mating is not None:
            return Rejection.LONGER_COOK
        with self._engine.expecting_no():
            for nodes in _FIRST_NODES:
                few = min(nodes, self.exclusion_nodes)
                mating, _, open_checks = self._engine.refute_each_ever(packed, open_checks, few)
                if mating is not None:
                    return Rejection.LONGER_COOK
            for check in open_checks:
                ever = partial(self._engine.mates_ever_after, packed, check)
                mates = self._engine.answered_within(self.exclusion_nodes, ever)
                if mates is not False:
                    return Rejection.LONGER_COOK if mates else Rejection.NOT_EXCLUDED
        return None

    def second_solution_within(self, nodes: int, packed: PackedPosition, key: int, length: int) -> Rejection | None:
        """As `second_solution`; a second solution is not excluded either where these nodes run out."""
        try:
            with self._engine.within(Limits(nodes=nodes)):
                return self.second_solution(packed, key, length)
        except LimitReached:
            return Rejection.NOT_EXCLUDED

    def solution(self, packed: PackedPosition, length: int) -> Moves | None:
        """Return the best line if the position is correct as far as the margins show, else None. Needless pieces are
        not looked for, and second solutions may stay that were not excluded."""
        if not self.mates_in(packed, length) or not self.has_one_solution(packed, length):
            return None
        line = self.line(packed, length)
        if line is None or self.second_solution(packed, line[0], length) is Rejection.LONGER_COOK:
            return None
        return line

    def mates_in(self, packed: PackedPosition, length: int) -> bool:
        """Return whether the shortest mate has this length."""
        if length > 1 and self._engine.mates(packed, length - 2):
            return False
        return self._engine.mates(packed, length)

    def _rivals(self, packed: PackedPosition, key: int, length: int) -> list[int]:
        """Return the checks that must not mate beside the key of a mate in ``length`` plies."""
        return [
            check
            for check in legal_checks(packed)
            if check != key and not self._engine.leaves_same_position(packed, key, check, length)
        ]

    def line(self, packed: PackedPosition, length: int) -> Moves | None:
        """Return the best line as the judge gives it; None if only a futile interposition lasts as long."""
        order = mirror_order(unpack(packed, Side.ATTACKER))
        line = TreeBuilder(self._engine, order=order).turn(packed, length).line()
        return line if len(line) == length else None

    def minimised(self, packed: PackedPosition, line: Moves) -> Position:
        """Return the position without its unnecessary pieces, as far as the margins show."""
        position = unpack(packed, Side.ATTACKER)
        is_same = self._same_problem(packed, line)
        start = 0
        while True:
            smaller = None
            for place, (_, reduced) in enumerate(reductions(position)):
                if place >= start and is_same(pack(reduced)) and not start_faults(reduced):
                    smaller, start = reduced, place
                    break
            if smaller is None:
                return position
            position = smaller

    def _same_problem(self, _packed: PackedPosition, line: Moves) -> Callable[[PackedPosition], bool]:
        return lambda reduced: (
            self._engine.keeps_line(reduced, line)
            and self.has_one_solution(reduced, len(line))
            and self.second_solution(reduced, line[0], len(line)) is None
        )

    def has_one_solution(self, packed: PackedPosition, length: int) -> bool:
        """Return whether no turn of the main tree has a second solution soon, and no line leaves pieces."""
        return self._engine.is_sound(packed, length, QUICK_MARGIN, _TURNS) == SOUND

    def judge(self, position: Position, length: int, nodes: int) -> Judgement:
        """Return the full judgement, within ``nodes`` nodes; graded if the problem is correct."""
        judgement = self._judge.judge(position, length, Limits(nodes=nodes))
        if not judgement.correct:
            return judgement
        return replace(judgement, grade=Grade.PERFECT, blemishes=judgement.remarks.blemishes)

    def refusal(self, _position: Position, judgement: Judgement) -> Rejection | None:
        """Return why a judgement keeps a problem from being published."""
        return judgement_rejection(judgement)


def judgement_rejection(judgement: Judgement) -> Rejection | None:
    """Return why a judgement keeps a problem from being published."""
    if judgement.unresolved:
        return Rejection.NOT_EXCLUDED if judgement.searched else Rejection.UNRESOLVED
    if judgement.defects:
        return Rejection.NOT_CORRECT
    if judgement.remarks & Defect.LEFTOVER_IN_VARIATION:
        return Rejection.LEFTOVER
    if judgement.remarks & Defect.STARTS_IN_CHECK:
        return Rejection.STARTS_IN_CHECK
    if judgement.searched is not None:
        return Rejection.NOT_EXCLUDED
    return None


# --- the last tests where blemishes pass: the problem must be sound (docs/rules.md, "Grades") ------

SOUND_EXCLUSION_NODES = 5_000
"""More than for perfect problems: of positions with blemishes more second solutions are hard to exclude."""


class SoundCandidateValidator(CandidateValidator):
    """Tests candidates for what spoils a problem. All methods raise `LimitReached`."""

    exclusion_nodes = SOUND_EXCLUSION_NODES

    def __init__(self, engine: DfPnEngine, exclusion_nodes: int = 0) -> None:
        super().__init__(engine, exclusion_nodes)
        self._grader = Judge(engine, Rigour(evidence=False, classes=False))

    def solution(self, packed: PackedPosition, length: int) -> Moves | None:
        """As of `CandidateValidator`: only a second solution of another kind along the line counts."""
        line = self.line(packed, length) if self.mates_in(packed, length) else None
        if line is None or self._second_solution_on(packed, line) is Rejection.LONGER_COOK:
            return None
        return line

    def _rivals(self, packed: PackedPosition, key: int, length: int) -> list[int]:  # noqa: ARG002
        """Return the checks that are neither a form of the key nor of its mirror image."""
        return of_other_kind(packed, key, [check for check in legal_checks(packed) if check != key])

    def _same_problem(self, packed: PackedPosition, line: Moves) -> Callable[[PackedPosition], bool]:
        """Fewer pieces must not add a second solution, nor another form of a check."""
        checks, alone = self._checks_in_time(packed, line), self.has_one_solution(packed, len(line))
        return lambda reduced: (
            checks == self._checks_in_time(reduced, line)
            and (not alone or self.has_one_solution(reduced, len(line)))
            and self._second_solution_on(reduced, line) is None
        )

    def _checks_in_time(self, packed: PackedPosition, line: Moves) -> list[list[int]] | None:
        """Return the checks that mate as soon as the line's, at each turn before the last. None where the line is not a
        shortest mate against longest defences."""
        found: list[list[int]] = []
        if len(line) > 1 and self._engine.mates(packed, len(line) - 2):
            return None
        for ply, move in enumerate(line):
            n = len(line) - ply
            with line_played(packed, line[:ply]):
                if ply % 2:
                    good = move in self._engine.longest_defences(packed, n)
                else:
                    checks = sorted(legal_checks(packed))
                    good = move in checks and self._engine.mates_after(packed, move, n)
                    if good and (n > 1 or not ply):
                        found.append(self._engine.mating(packed, checks, n))
            if not good:
                return None
        return found

    def judge(self, position: Position, length: int, nodes: int) -> Judgement:
        """Return the full judgement with its grade, within ``nodes`` nodes."""
        return self._grader.judge(position, length, Limits(nodes=nodes))

    def refusal(self, position: Position, judgement: Judgement) -> Rejection | None:
        """Return why a judgement keeps a problem from being published. No second solution of another kind may be left
        possible along the main line, at any length."""
        if not judgement.settled or judgement.grade is None:
            return Rejection.UNRESOLVED
        if judgement.grade is Grade.UNSOUND:
            return Rejection.NOT_CORRECT
        if judgement.searched is None:
            return None
        return self._second_solution_on(pack(position), tuple(map(pack_move, judgement.line)))

    def _second_solution_on(self, packed: PackedPosition, line: Moves) -> Rejection | None:
        """Return why a turn of a line before the last may have a second solution at any length."""
        for ply in range(0, max(len(line) - 1, 1), 2):
            with line_played(packed, line[:ply]):
                why = self.second_solution(packed, line[ply], len(line) - ply)
            if why is not None:
                return why
        return None
