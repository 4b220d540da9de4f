# SPDX-License-Identifier: GPL-3.0-or-later
"""Local search: a root draws a position, repairs it and goes on from it in a Metropolis walk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

import numpy as np

from generator.acceptance import Rejection, RootStatistics
from generator.acceptance.pipeline import may_meet_constraints
from generator.candidate import EMPTY, Candidate
from generator.constraints.options import QUICK_MARGIN, ComposingOptions
from generator.constraints.position import PositionConstraints, hand_for_line, king_squares, position_constraints
from generator.constraints.problem import Key, ProblemConstraints, parse_kinds
from generator.kernel.positions import EDIT_ROOM
from generator.kernel.traits import CHECKS, DEFENDERS, HANDS, KINGS, OFFSET, PIECES, PLACES, TAKEN_AT_ONCE
from generator.likeness import BoostedTrees, LikenessModel, model_for_length, trees_for_length
from generator.local_search.kernel import walk
from generator.quality import has_two_last_moves
from generator.theme_names import NAMES, ThemeDetail
from generator.themes.purposes import LineProbe
from generator.themes.table import THEMES, shows_detail
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import STACK
from tsume_rules.kernel.tables import OURS, POSITION
from tsume_rules.packed import PackedPosition, pack
from tsume_rules.position import HAND_KINDS, LETTERS_IN_HAND, SQUARES, Kind
from tsume_rules.sfen import parse_sfen

# --- sampling positions: compiled drawing, repair and walk (`generator.local_search.kernel`) for Python ---

_MAX_TRAITS = 4096
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
        """Allocate what the kernels of a walk work on; they draw random numbers from ``state``."""
        self._engine = engine
        self._state = state
        options = np.zeros(1, dtype=walk.WALK_OPTIONS).view(np.recarray)[0]
        for name, value in _WALK.items():
            options[name] = value
        self._work = walk.Walk(
            options, np.zeros(0), np.zeros(0), state, _integer_array(STACK), _integer_array(_MAX_TRAITS),
            _integer_array(walk.LINE_ROOM), _integer_array(walk.LINE_ROOM), _integer_array(walk.LINE_ROOM),
            _integer_array(EDIT_ROOM),
            np.zeros(walk.SAVED, dtype=POSITION).view(np.recarray), PositionConstraints().packed(),
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

    def _drawn_mate(self, n: int, model: LikenessModel) -> PackedPosition | None:
        self._engine.check_limits()
        arena = self._engine.arena(self._empty.copy())
        drawn = walk.draw_likely_position(
            arena, n, _DRAWS, _REPAIR_NODES[n], model.rates, self._state, self._work.constraints
        )
        return arena.pos if drawn else None

    def repair(self, packed: PackedPosition, n: int, steps: int, nodes: int, model: LikenessModel) -> Candidate | None:
        """Return a position that mates in exactly n plies, repaired within ``steps`` edits, or None. ``nodes`` bounds
        the tests of one position."""
        work = self.work_for(nodes, model)
        arena = self._engine.arena(packed.copy())
        return self._candidate(work, arena.pos, n, 0) if walk.repair_position(arena, n, steps, work) else None

    def repair_keeping(
        self, start: Candidate, steps: int, nodes: int, model: LikenessModel, keeps: Callable[[Candidate], bool],
        find_line: Callable[[PackedPosition, int, int], Candidate | None] | None = None,
    ) -> Candidate | None:  # fmt: skip
        """As `repair`, by edits after each of which ``keeps`` holds for the position and its line, which ``find_line``
        finds (`with_line`), as that of ``start``. Unnecessary pieces may be left."""
        work, n = self.work_for(nodes, model), start.length
        find_line = find_line or self.with_line
        best = start
        flaws = walk.count_flaws_in_time(self._engine.arena(start.packed.copy()), n, work)
        for _ in range(steps):
            if flaws == 0:
                return best
            arena = self._engine.arena(best.packed.copy())
            other = walk.mend_by_one_edit(arena, n, _EDITS_AT_ONCE, flaws, work)
            if other < 0:
                continue
            edited = find_line(arena.pos, n, nodes)
            if edited is not None and keeps(edited):
                best, flaws = edited, other
        return None

    def with_line(self, packed: PackedPosition, n: int, nodes: int) -> Candidate | None:
        """Return a position that mates in exactly n plies with a best line, whether sound or not. None if pieces are
        left in the hand at its end, or ``nodes`` run out."""
        work = self._work
        work.options.nodes = nodes
        arena = self._engine.arena(packed.copy())
        return self._candidate(work, arena.pos, n, 0) if walk.find_line_in_time(arena, n, work) else None

    def walks(self, start: Candidate, parts: int, steps: int, model: LikenessModel) -> Iterator[Candidate]:
        """Yield the positions of a walk from a sound one after each ``steps`` steps, if it moved."""
        n = start.length
        work = self.work_for(nodes_for_length(n), model)
        candidate = start
        for part in range(parts):
            self._engine.check_limits()
            work.best[:n] = candidate.line
            arena = self._engine.arena(candidate.packed.copy())  # the walk changes it
            if walk.metropolis_walk(arena, n, steps, work):
                candidate = self._candidate(work, arena.pos, n, part)
                yield candidate

    def work_for(self, nodes: int, model: LikenessModel) -> walk.Walk:
        """Return the arrays of kernels, set for a model and so many nodes for the tests of one position."""
        self._work.options.nodes = nodes
        self._work.options.level = model.level
        return self._work._replace(values=model.values, opening=model.opening)

    def _candidate(self, work: walk.Walk, packed: PackedPosition, n: int, family: int) -> Candidate:
        return Candidate(packed.copy(), n, tuple(int(move) for move in work.best[:n]), family, open_checks=1)


def nodes_for_length(n: int) -> int:
    """Nodes for the tests of one position of n plies."""
    return min(3000 << (max(0, n - 5) // 2), 24_000)


def _integer_array(number: int) -> np.ndarray:
    return np.zeros(number, dtype=np.int64)


# --- the model of published problems, biased towards constraints -----------------------------------
#
# Drawing, repair and walk (`generator.local_search.search`) follow the model, so they meet the constraints
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
    fewest, key, least = constraints.defenders or 0, constraints.key, constraints.min_pieces or 0
    # Unwanted traits of positions, with their distances in pieces from what is required.
    of_positions = [(DEFENDERS + number, fewest - number) for number in range(fewest)]
    of_positions += [(PIECES + number, least - number) for number in range(least)]
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
    # What is drawn: the numbers of a kind in hand, the king's square (on the right, as far as published ones say).
    few, kinds = hand_for_line(constraints, length), parse_kinds(constraints.hand_only or LETTERS_IN_HAND)
    of_hands = [(HANDS + 20 * kind, range(few[kind], 20 if kind in kinds else 1)) for kind in HAND_KINDS]
    drawn: list[tuple[int, Collection[int]]] = [(first, numbers) for first, numbers in of_hands if len(numbers) < 20]
    if constraints.asks_for_squares or constraints.area is not None:
        drawn.append((KINGS, king_squares(constraints, length)))
    if not of_positions and not of_lines and not drawn:
        return model
    values, opening, rates = model.values.copy(), model.opening.copy(), model.rates.copy()
    for first, numbers in drawn:
        shares = [float(rates[first + number]) for number in numbers]
        rates[first : first + (SQUARES if first == KINGS else 20)] = 0.0
        for number, share in zip(numbers, shares, strict=True):
            rates[first + number] = share if any(shares) else 1.0
    for trait, times in of_positions:
        values[trait] -= AGAINST * times
        rates[trait] = 0.0
    for trait in of_lines:
        values[trait] -= AGAINST
        opening[trait] -= AGAINST_OPENING
    if not rates[DEFENDERS : DEFENDERS + 40].any():
        rates[DEFENDERS + fewest] = 1.0
    return replace(model, values=values, opening=opening, rates=rates)


def favouring_counts(model: LikenessModel, defenders: int, pieces: int) -> LikenessModel:
    """Return the model with positions favoured that have so many defenders and pieces, kings included."""
    values = model.values.copy()
    for first, size, number in ((DEFENDERS, 40, defenders), (PIECES, 41, pieces)):
        values[first : first + size] -= _AGAINST_COUNT * np.abs(np.arange(size) - number)
    return replace(model, values=values)


# --- walks that look for themes: once a line shows one, or what leads to it, the walk keeps it -----

_FIRST_STEPS, _FIRST_PARTS = 40, 20
_STEPS = 16
_PURPOSE_NODES = 2_000
"""Nodes for the purpose of a theme; the last tests have more."""
_PROVED, _SHOWN, _OTHER_PIECE, _NEARER = 10.0, 2.0, 1.5, 4.0
"""The rank of a theme with its purpose, of one without, of one by another piece or not often enough, and what
nearness adds at most."""


class ThemeTarget:
    """What a walk looks for: all of some themes, each for its purpose, and a line as constraints ask."""

    def __init__(
        self,
        engine: DfPnEngine,
        themes: tuple[str, ...],
        details: tuple[str, ...] = (),
        constraints: ProblemConstraints | None = None,
    ) -> None:
        """The engine tests purposes; its table makes no difference but for the nodes. ``details``: those of the themes
        with a piece or a number (`generator.theme_names`). ``constraints``: if they are on the line, the walk looks for
        it as for a theme."""
        self._engine = engine
        self._constraints = constraints if constraints is not None and constraints.asks_for_line else None
        self._details = [ThemeDetail.parse(text) for text in details]
        self._themes = frozenset(themes)
        self._leading = frozenset(leading for theme in themes for leading in NAMES[theme].led_to_by)

    def rank(self, candidate: Candidate) -> float:
        """How near a line is: each theme counts, less one without its purpose or that leads to another."""
        shown = candidate.shown_themes(self._themes)
        probe = LineProbe(self._engine, candidate.replayed, candidate.readable[1])
        of_line = 0.0
        if self._constraints is not None:
            near = self._constraints.line_nearness(*candidate.readable, candidate.length)
            of_line = _PROVED if near == 1.0 else (_SHOWN + _NEARER) * near * near
        of_themes = sum(self._rank_of_theme(theme, probe) for theme in sorted(shown))
        return of_line + of_themes + len(candidate.shown_themes(self._leading))

    def _rank_of_theme(self, theme: str, probe: LineProbe) -> float:
        details = (detail for detail in self._details if detail.tag == theme)
        if not all(shows_detail(probe.replayed, detail) for detail in details):
            return _OTHER_PIECE
        purpose, nearness = THEMES[theme].purpose, THEMES[theme].nearness
        if purpose is None or self._engine.answered_within(_PURPOSE_NODES, lambda: purpose(probe)):
            return _PROVED
        near = nearness and self._engine.answered_within(_PURPOSE_NODES, lambda: nearness(probe))
        return _SHOWN + _NEARER * (near or 0.0)

    def climb(self, rank: float) -> Callable[[Candidate], bool]:
        """Return whether a line is at least as near as the nearest so far, each time one is asked about."""

        def is_as_near(candidate: Candidate) -> bool:
            nonlocal rank
            found = self.rank(candidate)
            is_near = found >= rank
            rank = max(rank, found)
            return is_near

        return is_as_near

    @property
    def is_rare(self) -> bool:
        """Whether walks from any sound position seldom find one of the themes."""
        return any(NAMES[theme].led_to_by or THEMES[theme].nearness is not None for theme in self._themes)

    @property
    def promising_rank(self) -> float:
        """The least rank of a position that is worth a repair: a theme for its purpose, or nearly."""
        return _SHOWN + 0.5 * _NEARER

    @property
    def enough_rank(self) -> float:
        """The rank of a line that shows all themes for their purposes."""
        return _PROVED * (len(self._themes) + (self._constraints is not None))


def walk_towards_themes(
    sampler: PositionSampler, start: Candidate, target: ThemeTarget, parts: int, model: LikenessModel
) -> Iterator[Candidate]:
    """Yield the positions that show all themes of a target, of a walk from a start.

    The walk first goes on until some theme, or what leads to one, shows. Then it goes on in ``parts``
    short parts, and each is taken back after which less is shown than before.
    """
    best, rank = start, target.rank(start)
    for candidate in sampler.walks(start, 0 if rank else _FIRST_PARTS, _FIRST_STEPS, model):
        rank = target.rank(candidate)
        if rank:
            best = candidate
            break
    if not rank:
        return
    if rank >= target.enough_rank:
        yield best
    for _ in range(parts):
        for candidate in sampler.walks(best, 1, _STEPS, model):
            found = target.rank(candidate)
            if found >= rank:
                best, rank = candidate, found
                if rank >= target.enough_rank:
                    yield best


# --- local search ----------------------------------------------------------------------------------

_REPAIRS_FOR_A_THEME, _EDITS_FOR_A_THEME = 3, 300
"""Repairs of a position that shows a theme, and how often each looks for an edit that leaves it: such
positions are rare."""
_PARTS_FOR_A_THEME = 300
_WITH_TWO_LAST_MOVES, _WITH_CAPTURES = 0.08, 0.15
"""The shares of positions of a walk with two last moves, and with checks that capture, that are looked at further.
A quarter to a third have either, of published problems one in 20: more than the trees make up for."""


class LocalSearch:
    """Composes by edits with one engine; random choices of kernels follow ``state``, a uint64 array [1]."""

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, model: LikenessModel | None = None
    ) -> None:
        """``model`` is the target distribution; None: the model for the length."""
        self._options = options
        self._sampler = PositionSampler(engine, state)
        self._repairs, self._edits = _REPAIRS_FOR_A_THEME, _EDITS_FOR_A_THEME
        themes, details = options.wishes.themes, options.wishes.theme_details
        sought = bool(themes) or options.wishes.asks_for_line
        self._target = ThemeTarget(engine, themes, details, options.wishes) if sought else None
        model = biased_model(model or model_for_length(options.length), options.wishes, options.length)
        self._model = model.with_any_opening() if options.restricts_problems else model
        self._statistics = RootStatistics()

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root."""
        self._sampler.set_constraints(position_constraints(self._options, index))
        self._statistics = statistics

    def end(self) -> None:
        """End a root: everything is counted already."""

    def shortlist(self, _index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Yield the candidates of a root that are worth the last tests, each as soon as it is met."""
        trees = None if self._options.restricts_problems else trees_for_length(self._options.length)
        for candidate in self.candidates(_index, rng):
            self._statistics.counts["candidates"] += 1
            with self._statistics.timed("choose"):
                why = self._unfit(candidate, trees, rng)
            if why is None:
                yield candidate
            else:
                self._statistics.counts[why] += 1

    def candidates(self, _index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """The positions of a walk from a drawn and repaired one; none if no drawn one can be repaired."""
        for _ in range(self._options.draws):
            with self._statistics.timed("draw"):
                start = self._draw_start(rng)
            if start is not None:
                yield from self._walked(start)
                return
            self._statistics.counts[Rejection.NOT_MENDED] += 1

    def _draw_start(self, _rng: np.random.Generator) -> Candidate | None:
        length = self._options.length
        if self._target is None or not self._target.is_rare:
            return self._sampler.draw_start(length, REPAIR_EDITS, self._model)
        drawn = self._sampler.draw(length, self._model)
        if drawn is None:
            return None
        return self._repaired_for_themes(drawn, nodes_for_length(length), self._model)

    def _repaired_for_themes(self, drawn: Candidate, nodes: int, model: LikenessModel) -> Candidate | None:
        """Return a drawn position repaired by edits that leave what its line shows of the themes, or None."""
        assert self._target is not None
        rank = self._target.rank(drawn)
        if rank < self._target.promising_rank:
            return None
        for _ in range(self._repairs):
            keeping = self._target.climb(rank)
            start = self._sampler.repair_keeping(drawn, self._edits, nodes, model, keeping)
            if start is not None:
                return start
        return None

    def _walked(self, start: Candidate) -> Iterator[Candidate]:
        options, timed_each = self._options, self._statistics.timed_each
        if self._target is not None:
            themes = walk_towards_themes(self._sampler, start, self._target, _PARTS_FOR_A_THEME, self._model)
            yield from timed_each("walk", themes)
            return
        with self._statistics.timed("walk"):
            first = next(self._sampler.walks(start, 1, options.unseen, self._model), start)
        yield first
        yield from timed_each("walk", self._sampler.walks(first, options.kept, options.steps, self._model))

    def _unfit(self, candidate: Candidate, trees: BoostedTrees | None, rng: np.random.Generator) -> Rejection | None:
        if not may_meet_constraints(self._options.wishes, candidate):
            return Rejection.NOT_WISHED
        if trees is None:
            return None
        walked = not self._options.composes_backwards
        if walked and rng.random() >= _WITH_CAPTURES and any(turn.check.captured for turn in candidate.replayed.turns):
            return Rejection.UNLIKELY
        if walked and rng.random() >= _WITH_TWO_LAST_MOVES and has_two_last_moves(candidate.packed, candidate.line):
            return Rejection.UNLIKELY
        likely = rng.random() < trees.probability_published(*candidate.readable)
        return None if likely else Rejection.UNLIKELY
