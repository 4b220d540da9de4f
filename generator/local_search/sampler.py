# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampling positions: compiled drawing, repair and walk (`generator.local_search.kernel`) for Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from generator.candidate import EMPTY, Candidate
from generator.constraints.options import QUICK_MARGIN
from generator.constraints.position import PositionConstraints
from generator.constraints.problem import Key, ProblemConstraints
from generator.kernel.positions import EDIT_ROOM
from generator.kernel.traits import CHECKS, DEFENDERS, OFFSET, PIECES, PLACES, TAKEN_AT_ONCE
from generator.likeness.model import LikenessModel
from generator.local_search.kernel.drawing import draw_likely_position
from generator.local_search.kernel.walk import (
    LINE_ROOM,
    SAVED,
    WALK_OPTIONS,
    Walk,
    count_flaws_in_time,
    find_line_in_time,
    mend_by_one_edit,
    metropolis_walk,
    repair_position,
)
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import STACK
from tsume_rules.kernel.state import POSITION
from tsume_rules.kernel.tables import OURS
from tsume_rules.packed import Record, pack
from tsume_rules.position import HAND_KINDS, Kind
from tsume_rules.sfen import parse_sfen

_MOST_TRAITS = 4096
_WALK = {"margin": QUICK_MARGIN, "turns": 40, "away": 60, "cook": 1.0, "hurry": 1.5}
_DRAWS = 3000
"""Positions drawn, at most, until one mates in the right number of plies."""
REPAIR_EDITS = 120
"""Edits within which a drawn position is repaired, or given up: drawing another one is cheap."""
_EDITS_AT_ONCE = 60
"""Edits tried until one is taken, before limits are looked at again."""
_REPAIR_NODES = {3: 1000, 5: 300, 7: 300, 9: 800}
"""Nodes for the tests of one position until then, by length: expensive positions are skipped."""


class PositionSampler:
    """Composes positions that mate in n plies, each with one solution as far as the margin goes.

    They are drawn and repaired; walks then lead to positions that are likely under the model.
    Random choices follow ``state``, the caller's uint64 array [1].
    """

    def __init__(self, engine: DfPnEngine, state: np.ndarray) -> None:
        self._engine = engine
        self._state = state
        options = np.zeros(1, dtype=WALK_OPTIONS).view(np.recarray)[0]
        for name, value in _WALK.items():
            options[name] = value
        self._work = Walk(
            options, np.zeros(0), np.zeros(0), state, _integer_array(STACK), _integer_array(_MOST_TRAITS),
            _integer_array(LINE_ROOM), _integer_array(LINE_ROOM), _integer_array(LINE_ROOM),
            _integer_array(EDIT_ROOM),
            np.zeros(SAVED, dtype=POSITION).view(np.recarray), PositionConstraints().packed(),
        )  # fmt: skip
        self._empty = pack(parse_sfen(EMPTY).position)

    def set_constraints(self, constraints: PositionConstraints) -> None:
        """From now on find only positions that meet these constraints."""
        self._work = self._work._replace(constraints=constraints.packed())

    def draw(self, n: int, model: LikenessModel) -> Candidate | None:
        """Return a drawn position with a line (`with_line`), not yet sound, or None."""
        drawn = self._drawn_mate(n, model)
        return None if drawn is None else self.with_line(drawn, n, _REPAIR_NODES[n])

    def draw_start(self, n: int, steps: int, model: LikenessModel) -> Candidate | None:
        """Return a drawn position, repaired within ``steps`` edits, or None."""
        drawn = self._drawn_mate(n, model)
        return None if drawn is None else self.repair(drawn, n, steps, _REPAIR_NODES[n], model)

    def _drawn_mate(self, n: int, model: LikenessModel) -> Record | None:
        self._engine.check_limits()
        arena = self._engine.arena(self._empty.copy())
        drawn = draw_likely_position(
            arena, n, _DRAWS, _REPAIR_NODES[n], model.rates, self._state, self._work.constraints
        )
        return arena.pos if drawn else None

    def repair(
        self, record: Record, n: int, steps: int, nodes: int, model: LikenessModel
    ) -> Candidate | None:
        """Return a position that mates in exactly n plies, repaired within ``steps`` edits, or None.

        ``nodes`` bounds the tests of one position.
        """
        work = self._work_for(nodes, model)
        arena = self._engine.arena(record.copy())
        return self._candidate(work, arena.pos, n, 0) if repair_position(arena, n, steps, work) else None

    def repair_keeping(
        self,
        start: Candidate,
        steps: int,
        nodes: int,
        model: LikenessModel,
        keeps: Callable[[Candidate], bool],
    ) -> Candidate | None:
        """As `repair`, by edits after each of which ``keeps`` holds for the position and its line.

        ``start`` has a line (`with_line`). Unnecessary pieces may be left.
        """
        work, n = self._work_for(nodes, model), start.length
        best = start
        flaws = count_flaws_in_time(self._engine.arena(start.record.copy()), n, work)
        for _ in range(steps):
            if flaws == 0:
                return best
            arena = self._engine.arena(best.record.copy())
            other = mend_by_one_edit(arena, n, _EDITS_AT_ONCE, flaws, work)
            if other < 0:
                continue
            edited = self.with_line(arena.pos, n, nodes)
            if edited is not None and keeps(edited):
                best, flaws = edited, other
        return None

    def with_line(self, record: Record, n: int, nodes: int) -> Candidate | None:
        """Return a position that mates in exactly n plies with a best line, whether sound or not.

        None if pieces are left in the hand at its end, or ``nodes`` run out.
        """
        work = self._work
        work.options.nodes = nodes
        arena = self._engine.arena(record.copy())
        return self._candidate(work, arena.pos, n, 0) if find_line_in_time(arena, n, work) else None

    def walks(self, start: Candidate, parts: int, steps: int, model: LikenessModel) -> Iterator[Candidate]:
        """Yield the positions of a walk from a sound one after each ``steps`` steps, if it moved."""
        n = start.length
        work = self._work_for(nodes_for_length(n), model)
        candidate = start
        for part in range(parts):
            self._engine.check_limits()
            work.best[:n] = candidate.line
            arena = self._engine.arena(candidate.record.copy())  # the walk changes it
            if metropolis_walk(arena, n, steps, work):
                candidate = self._candidate(work, arena.pos, n, part)
                yield candidate

    def _work_for(self, nodes: int, model: LikenessModel) -> Walk:
        self._work.options.nodes = nodes
        self._work.options.level = model.level
        return self._work._replace(values=model.values, opening=model.opening)

    def _candidate(self, work: Walk, record: Record, n: int, family: int) -> Candidate:
        return Candidate(record.copy(), n, tuple(int(move) for move in work.best[:n]), family, open_checks=1)


def nodes_for_length(n: int) -> int:
    """Nodes for the tests of one position of n plies."""
    return min(3000 << (max(0, n - 5) // 2), 24_000)


def _integer_array(number: int) -> np.ndarray:
    return np.zeros(number, dtype=np.int64)


# --- the model of published problems, biased towards constraints -----------------------------------
#
# Drawing, repair and walk (`generator.local_search.sampler`) follow the model, so they meet the constraints
# sooner. The bias decides nothing: every candidate is tested all the same.

AGAINST = 3.0
"""The cost of an unwanted trait: a walk accepts it with exp(-3) times the probability."""
_AGAINST_COUNT = 2.0
"""The cost of each piece that there are too many or too few."""
AGAINST_OPENING = 6.0
"""The same where a walk begins: it seldom changes the first move."""
_PROMOTED = [kind + side for kind in Kind if kind.is_promoted for side in (0, OURS)]
_DROPS = range(len(HAND_KINDS))
_MOVES = range(len(HAND_KINDS), 64)
"""The sorts of a check: a kind dropped, or kind, promotion and capture, the last in the lowest place."""


def biased_model(model: LikenessModel, constraints: ProblemConstraints, length: int) -> LikenessModel:
    """Return the model biased for problems of ``length`` plies; unchanged if no constraint is a trait."""
    fewest, key = constraints.defenders or 0, constraints.key
    # Unwanted traits of positions, with their distances in pieces from what is required.
    of_positions = [(DEFENDERS + number, fewest - number) for number in range(fewest)]
    if constraints.no_promoted:
        of_positions += [(OFFSET + code * PLACES + place, 1) for code in _PROMOTED for place in range(PLACES)]
    of_lines: list[int] = []
    if key == Key.DROP:
        of_lines = [CHECKS + sort for sort in _MOVES]
    elif key == Key.QUIET:
        captures = [sort for sort in _MOVES if (sort - _MOVES[0]) % 2]
        of_lines = [CHECKS + sort for sort in (*_DROPS, *captures)]
        of_lines += [TAKEN_AT_ONCE + length // 2] if length > 1 else []
    elif key == Key.SACRIFICE:
        of_lines = [TAKEN_AT_ONCE]
    if not of_positions and not of_lines:
        return model
    values, opening, rates = model.values.copy(), model.opening.copy(), model.rates.copy()
    for trait, times in of_positions:
        values[trait] -= AGAINST * times
        rates[trait] = 0.0
    for trait in of_lines:
        values[trait] -= AGAINST
        opening[trait] -= AGAINST_OPENING
    if not rates[DEFENDERS : DEFENDERS + 40].any():
        rates[DEFENDERS + fewest] = 1.0
    return replace(model, values=values, opening=opening, rates=rates)


def biased_to_counts(model: LikenessModel, defenders: int, pieces: int) -> LikenessModel:
    """Return the model biased towards so many defenders and pieces, kings included."""
    values = model.values.copy()
    for first, size, number in ((DEFENDERS, 40, defenders), (PIECES, 41, pieces)):
        values[first : first + size] -= _AGAINST_COUNT * np.abs(np.arange(size) - number)
    return replace(model, values=values)
