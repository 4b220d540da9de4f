# SPDX-License-Identifier: GPL-3.0-or-later
"""Reverse construction: mated positions or given problems are extended backwards, move by move."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import log1p
from typing import NamedTuple, TypeVar

import numpy as np

from generator.acceptance import KNOWN_AGAIN, Rejection, RootStatistics
from generator.acceptance.pipeline import CandidateAcceptance, CandidateValidator, may_meet_constraints
from generator.candidate import Candidate
from generator.constraints.line_pattern import king_steps
from generator.constraints.options import ComposingOptions, Effort
from generator.constraints.position import allowed_kind_bits, fewest_pieces_allowed, is_mate
from generator.constraints.problem import ProblemConstraints, parse_hand, parse_kinds
from generator.kernel.positions import EDIT_ROOM, edit_position_randomly
from generator.replay import cells_of_pieces
from generator.reverse.extender import Extender, MaterialLimits, add_stage_counts
from generator.reverse.seeds import SeedCandidates
from generator.theme_names import NAMES, limits_of_themes
from generator.themes.predicates import REPETITIONS
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import LimitReached, Limits
from tsume_rules.kernel.state import lift, put
from tsume_rules.kernel.tables import (
    ATT,
    BISHOP,
    CELL,
    DEF,
    DIST,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    LIKE,
    OURS,
    PAWN,
    PROMOTION,
    ROOK,
    SILVER,
    SQUARE,
    STEP,
    WALL,
)
from tsume_rules.packed import (
    attacker_turns,
    dropped,
    is_promotion,
    moved_by,
    origin_of,
    pack,
    start_faults,
    target_of,
    unpack,
)
from tsume_rules.position import (
    ALL_PIECES,
    HAND_KINDS,
    SET_COUNT,
    SQUARES,
    Hand,
    Kind,
    Piece,
    Position,
    Side,
    file_of,
    rank_of,
    structural_faults,
)

# --- constraints as limits and preferences of reverse construction ---------------------------------

FOR_A_THEME = 4.0
"""Merit of each theme looked for that the line shows already."""
BIASED_ROOTS = 24
"""Without constraints, one root in this many has a bias to a rare theme."""
BIASED_LENGTH = 7
"""From this length on; shorter problems show few of these themes and are found too quickly."""
_RARE = ("moved-interposition", "interposition", "distant-drop", "knight-mate", "switchback", "block")
"""Themes that seldom come by chance (docs/themes.md)."""
_FOR_AN_OPEN_CHECK = 0.15
"""Merit lost for each other check that is not refuted for good: it makes settling harder."""
_ROOM_TO_SHRINK = 1
"""Pieces above the limit that a position may have before it is minimised."""


def material_limits(constraints: ProblemConstraints) -> MaterialLimits:
    """Return the limits of every extension."""
    hand: tuple[int, ...] = (ALL_PIECES,) * 8
    if constraints.hand is not None:
        hand = (0, *parse_hand(constraints.hand).counts)
    elif constraints.hand_only is not None:
        hand = (0, *(ALL_PIECES * (kind in parse_kinds(constraints.hand_only)) for kind in HAND_KINDS))
    most = min(fewest_pieces_allowed(constraints) + _ROOM_TO_SHRINK, ALL_PIECES)
    return MaterialLimits(most, allowed_kind_bits(constraints), hand)


@dataclass(frozen=True)
class ThemeBias:
    """Themes that a root looks for: it restarts until a line of ``height`` plies shows one (0: never)."""

    themes: frozenset[str] = frozenset()
    height: int = 0

    def of(self, candidate: Candidate) -> int:
        """Return how many of the themes a candidate's line shows."""
        return len(candidate.shown_themes(self.themes))

    def merit(self, candidate: Candidate) -> float:
        """Merit of a candidate for the themes its line shows, and of what leads to interpositions.

        A dropped piece is captured sooner or later, and the mate must use it up. So interpositions
        are found before positions with pieces in the attacker's hand.
        """
        interposes = any(NAMES[theme].interposes for theme in self.themes)
        promise = float(candidate.packed.hand[0].sum()) if interposes else 0.0
        # Pieces that keep a first position from a form: moves back must take them from the board.
        limits = limits_of_themes(self.themes)
        sides = [ATT] * any(not one.attackers for one in limits) + [DEF] * any(not one.defenders for one in limits)
        obstructions = sum(len(cells_of_pieces(candidate.replayed.start, side)) for side in sides)
        return FOR_A_THEME * self.of(candidate) + promise - float(obstructions)


def theme_bias(constraints: ProblemConstraints, length: int, index: int) -> ThemeBias:
    """Return the bias of a root: to the required themes, or now and then to a rare one."""
    themes = frozenset(constraints.themes)
    if not constraints.has_any and length >= BIASED_LENGTH and index % BIASED_ROOTS == 0:
        themes = frozenset({_RARE[index // BIASED_ROOTS % len(_RARE)]})
    heights = (NAMES[theme].sought_from for theme in themes)
    height = min((height for height in heights if height is not None), default=0)
    return ThemeBias(themes, height if height <= length else 0)


def merit(constraints: ProblemConstraints, candidate: Candidate) -> float:
    """Merit of a candidate as a parent: for the required hand and for a key that does not capture."""
    total = (
        -0.5 * bool(candidate.packed.board[target_of(candidate.line[0])]) - _FOR_AN_OPEN_CHECK * candidate.open_checks
    )
    wished = parse_hand(constraints.hand or constraints.min_hand or "-")
    return total + sum(min(int(candidate.packed.hand[0, kind]), wished[kind]) for kind in HAND_KINDS)


def similarity_labels(candidate: Candidate) -> tuple[object, ...]:
    """What makes candidates alike: the final position, the line's shape, the key's kind, the pieces."""
    key = candidate.line[0]
    kind = dropped(key) or int(candidate.packed.board[origin_of(key)])
    shape = tuple(dropped(move) for move in candidate.line[::2])
    hands = candidate.packed.hand
    held, others = int(hands[0].sum()), int(hands[1].sum())
    return candidate.family, (candidate.family, shape), (kind, bool(dropped(key))), held, held, held, others


# --- which positions go on: a random choice that keeps a population varied -------------------------
#
# Each has a merit, to which a random number of the Gumbel distribution is added. That alone would draw a sample with
# weights exp(merit / temperature). Moreover, each position chosen makes those that share something with it less
# welcome: the final position, the shape of the line, the kind of the key, the number of pieces.

Item = TypeVar("Item")


def select_varied(
    items: Sequence[Item],
    labels: Sequence[Sequence[Hashable]],
    merits: Sequence[float],
    most: int,
    rng: np.random.Generator,
    temperature: float = 1.0,
) -> list[Item]:
    """Up to ``most`` of the items, the most welcome first. ``labels`` has the same number of labels for each item. An
    item that is chosen takes one unit of merit from each other item for each place in which their labels are equal."""
    welcome = np.array(merits, dtype=np.float64) + rng.gumbel(size=len(items)) * temperature
    columns = []
    for place in zip(*labels, strict=True):
        numbers: dict[Hashable, int] = {}
        columns.append(np.array([numbers.setdefault(label, len(numbers)) for label in place]))
    chosen: list[Item] = []
    while len(chosen) < min(most, len(items)):
        best = int(welcome.argmax())
        chosen.append(items[best])
        for column in columns:
            welcome[column == column[best]] -= 1.0
        welcome[best] = -np.inf
    return chosen


# --- reverse construction --------------------------------------------------------------------------

_LOOKED_AT = 200
"""Children of which the unnecessary pieces are counted."""
RESTARTS = 25
"""How often a root with a theme bias draws final positions at most."""


class ReverseConstruction:
    """Composes backwards with one engine; random choices of kernels follow ``state``, a uint64 array [1]."""

    _is_lenient = False
    """Whether blemishes pass on the way (`Extender`) even if the problems may have none."""

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, acceptance: CandidateAcceptance
    ) -> None:
        self._engine = engine
        self._options = options
        self._acceptance = acceptance
        lenient = self._is_lenient or options.accepts_blemishes
        self._extender = Extender(engine, options.effort, state, lenient=lenient)
        self._extender.keep_to(material_limits(options.wishes))
        self._seeds = SeedCandidates(engine, self._extender, options)
        self._draws_picture = options.wishes.draws_picture
        self._statistics = RootStatistics()
        self._before = self._extender.tally.copy()

    @property
    def tally(self) -> np.ndarray:
        """Counts of the tests of extensions so far (`generator.reverse.extender`)."""
        return self._extender.tally

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root: nothing is remembered of others."""
        self._extender.forget()
        self._statistics = statistics
        self._before = self._extender.tally.copy()
        self._bias = theme_bias(self._options.wishes, self._options.length, index)

    def end(self) -> None:
        """Add the tests of extensions to the statistics of the root."""
        add_stage_counts(self._statistics.counts, self._extender.tally - self._before)

    def shortlist(self, index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Yield the candidates of a root that are worth the last tests."""
        population = self.candidates(index, rng)
        if population and population[0].length == self._options.length:
            with self._statistics.timed("choose"):
                # One candidate for each line; a known line only if there is no other, if at all.
                options, counts = self._options, self._statistics.counts
                by_line: dict[int, tuple[Candidate, bool]] = {}
                for i in rng.permutation(len(population)):
                    candidate = population[int(i)]
                    keys = self._acceptance.key_hashes(candidate)
                    by_line[keys[0]] = candidate, not self._acceptance.known.has_any(keys)
                new = [candidate for candidate, is_new in by_line.values() if is_new]
                old = [candidate for candidate, is_new in by_line.values() if not is_new]
                if options.has_distinct_lines:
                    counts[self._acceptance.repeat_rejection] += len(population) - len(new)
                    counts[KNOWN_AGAIN] += len(old)
                    old = []
                else:
                    counts[self._acceptance.repeat_rejection] += len(population) - len(by_line)
                fitting = [one for one in new if may_meet_constraints(options.wishes, one)]
                counts[Rejection.NOT_WISHED] += len(new) - len(fitting)
                chosen = self._chosen(fitting, options.finalists, rng)
                if not fitting:
                    known = [one for one in old if may_meet_constraints(options.wishes, one)]
                    chosen = self._chosen(known, 1, rng)
            yield from chosen

    def candidates(self, index: int, rng: np.random.Generator) -> list[Candidate]:
        """Return positions of the length asked for; shorter ones if the population died out before.

        With a theme bias, final positions are drawn until some short lines that end in them show the theme:
        short lines are found far more quickly than long ones.
        """
        population = self._seeds.of(index, rng, self._statistics)
        given = self._options.starts or self._options.final
        best: list[Candidate] = []
        height = 0 if given else self._bias.height
        for _ in range(RESTARTS if height else 0):
            while population and population[0].length < height:
                population = self._next_generation(population, rng)
            most = max((self._bias.of(candidate) for candidate in (*best, *population)), default=0)
            best = [candidate for candidate in (*best, *population) if self._bias.of(candidate) == most > 0]
            if most >= len(self._bias.themes):
                break
            population = self._seeds.of(index, rng, self._statistics)
        population = best or population
        while population and population[0].length < self._options.length:
            population = self._next_generation(population, rng)
        return population

    def _next_generation(self, population: list[Candidate], rng: np.random.Generator) -> list[Candidate]:
        children: list[Candidate] = []
        with self._statistics.timed("grow"):
            wishes, length = self._options.wishes, self._options.length
            if wishes.asks_for_line:
                fitting = [one for one in population if wishes.line_nearness(*one.readable, length) == 1.0]
                self._statistics.counts[Rejection.NOT_WISHED] += len(population) - len(fitting)
                population = fitting
            for parent in self._chosen(population, self._options.beam, rng):
                if parent.length == 1 or self._acceptance.has_one_solution(parent, self._statistics):
                    children += self._extender.children(parent)
            if not self._draws_picture:
                return children
            # A picture needs all its pieces. One that is unnecessary may become necessary later, so children
            # are kept that have not the fewest.
            some = [children[int(i)] for i in rng.permutation(len(children))[:_LOOKED_AT]]
            numbers = [self._extender.unnecessary_pieces(child) for child in some]
            order = sorted(range(len(some)), key=lambda place: numbers[place])
            return [some[i] for i in order[: 2 * self._options.beam]]

    def _chosen(self, candidates: list[Candidate], most: int, rng: np.random.Generator) -> list[Candidate]:
        if not candidates:
            return []
        constraints, temperature = self._options.wishes, self._options.temperature
        merits = [merit(constraints, candidate) + self._bias.merit(candidate) for candidate in candidates]
        return select_varied(candidates, list(map(similarity_labels, candidates)), merits, most, rng, temperature)


# --- long works: positions of every length are kept on the way back --------------------------------
#
# A child of a sound position is sound if its first turn is: so two plies more cost the same at 11 plies and at 61.
# Most positions have no sound child, a few have dozens. The longest that are left go on, the best of them first; where
# none is left, those two plies shorter do.

_STARTS = 80
"""Given problems with which a root begins, at most."""
_PARENTS = 6_000
"""Positions of a root that are extended, at most."""
_ENOUGH = 60
"""Positions of the length asked for after which a root ends."""
_SHARE, _FEW = 6, 4
"""Of the positions that go on at a time, at most one in so many, or so many, come from one core."""
_FOR_A_SQUARE, _FOR_A_PIECE, _FOR_HELD = 0.5, -0.2, -0.25
"""Merit for each square on which the king stands, for each piece on the board, for each one in hand beyond `_HELD`."""
_HELD = 3
_FOR_A_CHECK, _FOR_A_NEIGHBOUR, _FOR_A_GUARD = -0.12, -0.2, -0.3
"""Merit for each check that the position has, and for each neighbour of the king: the attacker's, the defender's.
Positions with many of these seldom have a sound child (rank correlations of -0.5, -0.4, -0.4 at 21 to 24 pieces)."""
_WELCOME = 4.0
"""Merit that a core loses when all positions that go on at a time have been its own."""


def pieces_on_board(candidate: Candidate) -> int:
    """Return the number of pieces on the board, kings included."""
    board = np.asarray(candidate.packed.board)
    return int(((board > 0) & (board < WALL)).sum())


def merit_of_long_work(candidate: Candidate) -> float:
    """How good a position is among others of its length: likely to go on, and the king travels among few pieces."""
    packed = candidate.packed
    squares = len({int(turn.king[DEF]) for turn in attacker_turns(packed, candidate.line)})
    board = np.asarray(packed.board)
    cells = np.flatnonzero((board > 0) & (board < WALL))
    near = board[cells[DIST[int(packed.king[DEF]), cells] == 1]] >> 4  # next to the king, or a knight's jump from it
    return (
        _FOR_A_SQUARE * squares
        + _FOR_A_PIECE * len(cells)
        + _FOR_HELD * max(0, int(packed.hand[0].sum()) - _HELD)
        + _FOR_A_CHECK * candidate.checks
        + _FOR_A_NEIGHBOUR * int((near == ATT).sum())
        + _FOR_A_GUARD * int((near == DEF).sum())
    )


class Weighed(NamedTuple):
    """A position with its merit."""

    merit: float
    candidate: Candidate

    @classmethod
    def of(cls, candidate: Candidate) -> Weighed:
        """Weigh a position."""
        return cls(merit_of_long_work(candidate), candidate)


class LongConstruction(ReverseConstruction):
    """Extends given problems to the length asked for."""

    _is_lenient = True
    """The judge knows which blemishes count."""

    def shortlist(self, index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Yield the candidates of a root, the best first."""
        for candidate in self.candidates(index, rng):
            if not self._acceptance.known.has_any(self._acceptance.key_hashes(candidate)):
                yield candidate

    def candidates(self, _index: int, rng: np.random.Generator) -> list[Candidate]:
        """Return the positions of the length asked for that a root comes to, the best first; none if it does not get so
        far."""
        length, most = self._options.length, self._options.beam
        waiting: defaultdict[int, list[Weighed]] = defaultdict(list)
        for start in self._starts(rng):
            waiting[start.length].append(Weighed.of(start))
        gone_on: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for _ in range(_PARENTS // most):
            at = max((plies for plies, some in waiting.items() if some and plies < length), default=0)
            if not at or len(waiting[length]) >= _ENOUGH:
                break
            with self._statistics.timed("grow"):
                parents, waiting[at] = self._parted(waiting[at], gone_on[at], rng)
                for parent in parents:
                    waiting[at + 2] += map(Weighed.of, self._extender.children(parent))
        return sorted((one.candidate for one in waiting[length]), key=merit_of_long_work, reverse=True)

    def _starts(self, rng: np.random.Generator) -> Iterator[Candidate]:
        starts = self._options.starts
        for family in rng.permutation(len(starts))[:_STARTS]:
            found = self._seeds.given(starts[family])
            if found is not None:
                yield replace(found, family=int(family))

    def _parted(
        self, some: list[Weighed], gone_on: Counter[int], rng: np.random.Generator
    ) -> tuple[list[Candidate], list[Weighed]]:
        """Return the best positions of one length, which go on now, few of them of one core, and those that wait."""
        most = self._options.beam
        noise = rng.gumbel(size=len(some)) * self._options.temperature
        dues = {family: _WELCOME * number / most for family, number in gone_on.items()}
        order = sorted(
            range(len(some)),
            key=lambda i: some[i].merit - dues.get(some[i].candidate.family, 0.0) + float(noise[i]),
            reverse=True,
        )
        families = Counter[int]()
        chosen: list[Candidate] = []
        left: list[Weighed] = []
        for i in order:
            candidate = some[i].candidate
            if len(chosen) < most and families[candidate.family] < max(_FEW, most // _SHARE):
                chosen.append(candidate)
                families[candidate.family] += 1
            else:
                left.append(some[i])
        gone_on.update(families)
        return chosen, left


# --- smoke (煙詰): nearly all pieces stand on the board, and three are left at the mate ---------------
#
# What a position is worth is how far the best that came from it got. A regression over the positions that went on
# some time ago tells it from what a position looks like; it is made again and again, so that a root learns which
# material and which corners are dead ends.

_FEATURES = (
    "checks", "open checks", "siblings", "held", "held pawns", "moves beyond pieces",
    "king from the middle", "rank of the king", "king on the top or bottom", "king on the side",
    "attackers 1", "defenders 1", "attackers 2", "defenders 2", "attackers 3", "defenders 3", "attackers", "defenders",
    "big attackers", "big attackers 2", "pawns", "defending pawns", "promoted pawns", "defending promoted pawns",
    "pawns left", "lances and knights left", "silvers and golds left", "big pieces left",
)  # fmt: skip
"""What a position looks like. A number: how many steps from the king, at most."""
_AT_FIRST = {
    "checks": 0.06, "held": 0.6, "attackers 1": -0.22, "defenders 1": -0.3, "attackers 2": 0.1,
    "king on the top or bottom": -0.3,
}  # fmt: skip
"""Weights before the first regression."""
_REFIT, _RIPE, _LEARNED, _LEAST_LEARNED, _RIDGE = 1_000, 2_000, 12_000, 800, 30.0
"""After so many positions weights are fitted to those that went on `_RIPE` ago, to at most and at least so many."""
_MOST_GAINED, _MOST_CHECKS = 16, 20
"""Levels beyond a position, and checks, that count; more of them tell nothing."""
_CORNERS = {int(CELL[sq]) for sq in (0, 8, SQUARES - 9, SQUARES - 1)}
"""A king in a corner of a crowded board came from one of two squares: hundreds of such positions end there."""
_DEEP, _DEEP_FROM = Effort(400, 200, 60, 8, nodes=30_000, parent_nodes=2_000_000, margin=4), 32
"""How positions from this level on are extended: three times as many have a child if tests are not cut short."""
_SMOKE_PARENTS, _SWEPT = 60_000, 10
"""Positions of a root that are extended, at most; and the levels below the highest one that every sweep passes."""
_AT_LOW_LEVELS, _WAITING = 3, 8_000
"""The part of the positions that go on at lower levels; positions that wait at a level, at most."""
_WORTH, _GONE_ON, _SMOKE_LUCK = 3.0, 0.9, 1.8
"""How much the worth of a position counts, in standard deviations at its level; what those lose that share the final
position, the king's square or the material left with others that went on; and what is given by chance."""
_FINALS, _DRAWS = 400, 60_000
"""Mates with three pieces with which a root begins, and draws for them, at most."""
_NEAR, _BOTH_NEAR = 2, 0.6
"""One attacker is drawn within so many squares of the king; the share of draws in which the other one is, too."""
_FILES, _RANKS = np.divmod(np.arange(SQUARES), 9)
_STEPS_BETWEEN = np.maximum(abs(_FILES[:, None] - _FILES), abs(_RANKS[:, None] - _RANKS))
"""Steps of a king between two squares."""


def smoke_features(candidate: Candidate, siblings: int) -> np.ndarray:
    """What tells how far a position leads (`_FEATURES`); it was found with so many siblings."""
    packed, king = candidate.packed, int(SQUARE[int(candidate.packed.king[DEF])])
    board = np.asarray(packed.board)[CELL]
    men = (board > 0) & (board < WALL)
    men[king] = False
    mine, theirs, kinds = men & (board < OURS), men & (board >= OURS), board & 15
    big = mine & ((kinds == ROOK) | (kinds == BISHOP) | (kinds == ROOK + PROMOTION) | (kinds == BISHOP + PROMOTION))
    file, rank = file_of(king), rank_of(king)
    steps = _STEPS_BETWEEN[king]
    held, left = np.asarray(packed.hand[ATT]), np.asarray(packed.hand[DEF])
    near = [int((side & (steps == far)).sum()) for far in (1, 2, 3) for side in (mine, theirs)]
    numbers = (
        min(candidate.checks, _MOST_CHECKS), candidate.open_checks, log1p(siblings), held.sum(), held[PAWN],
        candidate.length - men.sum(), abs(file - 5), rank, rank in (1, 9), file in (1, 9), *near, mine.sum(),
        theirs.sum(), big.sum(), (big & (steps <= 2)).sum(),
        *(int((side & (kinds == kind)).sum()) for kind in (PAWN, PAWN + PROMOTION) for side in (mine, theirs)),
        left[PAWN], left[LANCE] + left[KNIGHT], left[SILVER] + left[GOLD], left[BISHOP] + left[ROOK],
    )  # fmt: skip
    return np.array(numbers, dtype=np.float64)


def smoke_level(candidate: Candidate) -> int:
    """How far a position is on the way to smoke: two for each piece on the board, one more for each pawn: there are
    eighteen, which come last if nothing draws them."""
    hands = candidate.packed.hand
    held = int(hands[0][PAWN]) + int(hands[1][PAWN])
    return 2 * pieces_on_board(candidate) + SET_COUNT[Kind.PAWN] - held


class _Reached:
    """A position on the way, what it looks like, and the highest level of those that came from it."""

    def __init__(self, candidate: Candidate, siblings: int, parent: _Reached | None = None) -> None:
        self.candidate = candidate
        self.features = smoke_features(candidate, siblings)
        self.level = self.highest = smoke_level(candidate)
        self.parent = parent
        king, left = int(candidate.packed.king[DEF]), tuple(map(int, candidate.packed.hand[DEF]))
        # What makes positions alike: the final position, the king's square, the material left.
        self.labels: tuple[Hashable, ...] = candidate.family, ("king", king), left
        self.is_dead_end = self.level >= _DEEP_FROM and king in _CORNERS

    def tell_ancestors(self) -> None:
        """Raise the highest level of all from which this one came."""
        one = self.parent
        while one is not None and one.highest < self.level:
            one.highest = self.level
            one = one.parent


def learned_weights(some: Sequence[_Reached]) -> np.ndarray:
    """Return the weights of `smoke_features` that tell best how many levels more came from positions: better or worse
    than others of their level."""
    features = np.array([one.features for one in some])
    gained = np.array([min(one.highest - one.level, _MOST_GAINED) for one in some], dtype=np.float64)
    levels = np.array([one.level for one in some])
    for level in np.unique(levels):
        at = levels == level
        features[at] -= features[at].mean(axis=0)
        gained[at] -= gained[at].mean()
    scale = features.std(axis=0) + 1e-6
    scaled = features / scale
    solved = np.linalg.solve(scaled.T @ scaled + _RIDGE * np.eye(len(_FEATURES)), scaled.T @ gained)
    return np.asarray(solved / scale)


class SmokeConstruction(LongConstruction):
    """Goes back from mates with three pieces, and puts a piece on the board with nearly every move. Sweeps pass from
    bare positions to full ones; at each level the most promising go on."""

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, acceptance: CandidateAcceptance
    ) -> None:
        super().__init__(engine, options, state, acceptance)
        self._deep = Extender(engine, _DEEP, state, self._extender.tally, lenient=True)
        self._deep.keep_to(material_limits(options.wishes))

    def candidates(self, _index: int, rng: np.random.Generator) -> list[Candidate]:
        """Return the positions of a root that have as many pieces as asked for, and mate in time."""
        self._deep.forget()
        wanted = self._options.wishes.min_pieces or ALL_PIECES
        waiting: defaultdict[int, list[_Reached]] = defaultdict(list)
        with self._statistics.timed("draw"):
            for start in self._starts(rng):
                waiting[smoke_level(start)].append(_Reached(start, 1))
        weights = np.array([_AT_FIRST.get(name, 0.0) for name in _FEATURES])
        gone_on: list[_Reached] = []
        found: list[Candidate] = []
        spent: Counter[Hashable] = Counter()
        sweep, fitted = 0, 0
        while len(gone_on) < _SMOKE_PARENTS and len(found) < _ENOUGH and any(waiting.values()):
            with self._statistics.timed("grow"):
                top, before = max(level for level, some in waiting.items() if some), len(gone_on)
                at = min(waiting) if sweep % 4 == 0 else top - _SWEPT
                while at <= max(waiting):
                    most = self._options.beam // (_AT_LOW_LEVELS if at < top - _SWEPT else 1)
                    parents = self._promising(waiting, at, most, weights, spent, rng)
                    gone_on += parents
                    for parent in parents:
                        children = (self._extender if at < _DEEP_FROM else self._deep).children(parent.candidate)
                        for child in (child for child in children if child.length <= self._options.length):
                            one = _Reached(child, len(children), parent)
                            one.tell_ancestors()
                            if not one.is_dead_end:
                                waiting[one.level].append(one)
                            if pieces_on_board(child) >= wanted:
                                found.append(child)
                    at += 1
                if len(gone_on) - fitted >= _REFIT:
                    fitted = len(gone_on)
                    ripe = gone_on[max(0, fitted - _RIPE - _LEARNED) : max(0, fitted - _RIPE)]
                    weights = learned_weights(ripe) if len(ripe) >= _LEAST_LEARNED else weights
            sweep += 1 if len(gone_on) > before else 4 - sweep % 4
        return sorted(found, key=merit_of_long_work, reverse=True)

    @staticmethod
    def _promising(
        waiting: dict[int, list[_Reached]],
        level: int,
        most: int,
        weights: np.ndarray,
        spent: Counter[Hashable],
        rng: np.random.Generator,
    ) -> list[_Reached]:
        """Take the positions of a level that go on now out of those that wait."""
        some = waiting[level]
        if not some:
            return []
        worth = np.array([one.features for one in some]) @ weights
        worth = _WORTH * (worth - worth.mean()) / max(worth.std(), 0.05)
        labels = [one.labels for one in some]
        worth -= _GONE_ON * np.array([sum(log1p(spent[level, label]) for label in all_) for all_ in labels])
        chosen = select_varied(range(len(some)), labels, list(worth), most, rng, _SMOKE_LUCK)
        spent.update((level, label) for i in chosen for label in labels[i])
        gone = set(chosen)
        waiting[level] = [one for i, one in enumerate(some) if i not in gone][-_WAITING:]
        return [some[i] for i in chosen]

    def _starts(self, rng: np.random.Generator) -> Iterator[Candidate]:
        finals = islice(mates_with_three_pieces(rng, _DRAWS), _FINALS)
        for family, final in enumerate(finals):
            yield from self._extender.first_moves(pack(final), family)


def mates_with_three_pieces(rng: np.random.Generator, draws: int) -> Iterator[Position]:
    """Yield mated positions with two attackers, drawn at random; the king stands on an edge, as it must."""
    seen: set[Position] = set()
    kinds = [kind for kind in Kind if kind is not Kind.KING]
    edge = [sq for sq in range(SQUARES) if file_of(sq) in (1, 9) or rank_of(sq) in (1, 9)]
    near = {king: [sq for sq in range(SQUARES) if 0 < king_steps(sq, king) <= _NEAR] for king in edge}
    for _ in range(draws):
        king = edge[int(rng.integers(len(edge)))]
        places = near[king], near[king] if rng.random() < _BOTH_NEAR else range(SQUARES)
        squares = [some[int(rng.integers(len(some)))] for some in places]
        pieces = [Piece(Side.ATTACKER, kinds[int(rng.integers(len(kinds)))]) for _ in squares]
        board: list[Piece | None] = [None] * SQUARES
        for sq, piece in zip(squares, pieces, strict=True):
            board[sq] = piece
        board[king] = Piece(Side.DEFENDER, Kind.KING)
        position = Position.completed(tuple(board), Hand.of({}))
        three = position.piece_count() == len(squares) + 1 and position not in seen
        if three and not structural_faults(position) and is_mate(position):
            seen.add(position)
            yield position


# --- works in which a motif repeats (趣向): what comes later in a line is put before it once more ------------------
#
# Lines of short positions are looked at for a king who comes back, or steps on, after a few turns: if the last of these
# turns can be taken back once more, and the one before it, there is a round more. Few positions have two rounds; edits
# of these, one at a time, lead to more.

_MOST_TURNS = 4
"""Turns of a round, at most. A round of one turn is a sacrifice: others are walks along an edge as a rule."""
_AGAIN = Effort(200, 400, 40, 40, nodes=20_000, parent_nodes=600_000, margin=4)
"""How a turn is taken back once more: there are few un-moves to try."""
_TREES, _FIRST, _WIDTH, _PARENTS_OF_BASES = 600, 6, 24, 8
"""Mates drawn by a root; of each, positions that mate in one, positions of each greater length, and how many of them
are extended."""
_LONGEST_BASE = 9
_RETURNING = 0.7
"""The share of generations in which positions are preferred whose king returns after two to four turns, the more if he
has but two squares."""
_TAKEN_BACK, _MORE, _BRANCHES = 60, 400, 12
"""Positions from which one more turn is looked for, of one base, and as many again for each round beyond the first; and
those of one parent that go on."""
_EDITS, _TRIED_EDITS, _OF_A_NICHE = 1_000, 15, 15
"""Positions that are edited, how often each, and how many are kept of one motif."""
_SLIDES = 0.5
"""The share of edits that move a piece along a line, which makes room for others to follow."""
_SPENT, _LUCK, _LUCK_OF_ONE = 0.3, 1.0, 0.3
"""What a motif loses for what was spent on it, and the most that it, and one of its positions, is given by chance, in
rounds."""
_SHORTEST_BASE = 5


class Repeating(NamedTuple):
    """A position whose line begins with so many rounds of a motif of some turns, and the base from which they were
    taken back."""

    repetitions: float
    candidate: Candidate
    base: Candidate
    turns: int

    @property
    def worth(self) -> tuple[float, int]:
        """What makes one of a base better than another."""
        return self.repetitions, self.candidate.length

    @property
    def motif(self) -> tuple[object, ...]:
        """What the checks of a round are: the pieces, and where they stand to the king, whichever comes first."""
        played = attacker_turns(self.candidate.packed, self.candidate.line[: 2 * self.turns])
        checks = [
            (
                0 if dropped(move) else int(LIKE[turn.board[origin_of(move)] & 15]),
                int(target_of(move)) - int(turn.king[DEF]),
            )
            for turn, move in zip(played, self.candidate.line[::2], strict=False)
        ]
        return min(tuple(checks[i:] + checks[:i]) for i in range(len(checks)))


class RepeatingConstruction(LongConstruction):
    """Goes back from random mates to short positions, and from these round by round."""

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, acceptance: CandidateAcceptance
    ) -> None:
        super().__init__(engine, options, state, acceptance)
        self._state = state
        self._room = np.zeros(EDIT_ROOM, dtype=np.int64)
        self._validator = CandidateValidator(engine)
        self._again = Extender(engine, _AGAIN, state, self._extender.tally, lenient=True)
        self._again.keep_to(material_limits(options.wishes))

    def candidates(self, _index: int, rng: np.random.Generator) -> list[Candidate]:
        """Return the positions of a root whose line begins with rounds enough, the barest of each motif before others
        of them."""
        niches: defaultdict[tuple[object, ...], list[Repeating]] = defaultdict(list)
        with self._statistics.timed("draw"):
            for family in range(_TREES):
                for base in self._bases(family, rng):
                    self._keep(self._most_repetitions(base, rng), niches, rng)
        with self._statistics.timed("grow"):
            spent: Counter[tuple[object, ...]] = Counter()
            for _ in range(_EDITS):
                live = [motif for motif, some in niches.items() if sum(map(_repeats_enough, some)) < _FEW]
                if not live:
                    break
                worth = {
                    one: niches[one][0].repetitions - _SPENT * log1p(spent[one]) + _LUCK * float(rng.random())
                    for one in live
                }
                motif = max(live, key=lambda one: worth[one])
                spent[motif] += 1
                parent = niches[motif][int(rng.integers(len(niches[motif])))]
                for _ in range(_TRIED_EDITS):
                    edited = self._edited(parent.base, rng)
                    if edited is not None:
                        self._keep(self._most_repetitions(edited, rng), niches, rng)
        done = [
            sorted(filter(_repeats_enough, some), key=lambda one: pieces_on_board(one.candidate))
            for some in niches.values()
        ]
        return [one.candidate for place in range(_OF_A_NICHE) for some in done for one in some[place : place + 1]]

    def _bases(self, family: int, rng: np.random.Generator) -> Iterator[Candidate]:
        final = self._extender.draw_final()
        if final is None:
            return
        self._extender.forget()
        some = self._extender.first_moves(final.copy(), family)
        while some and some[0].length < min(_LONGEST_BASE, self._options.length):
            parents = [some[int(i)] for i in rng.permutation(len(some))[: _FIRST if some[0].length == 1 else None]]
            children = [child for parent in parents[:_PARENTS_OF_BASES] for child in self._extender.children(parent)]
            preferred = rng.random() < _RETURNING
            ranks = []
            for child in children:
                kings = [int(turn.king[DEF]) for turn in attacker_turns(child.packed, child.line)]
                returns = kings[2 : _MOST_TURNS + 1].count(kings[0]) + 0.5 * (len(set(kings)) <= 2)
                ranks.append(returns * preferred + float(rng.random()))
            some = [children[i] for i in sorted(range(len(children)), key=lambda i: -ranks[i])[:_WIDTH]]
            yield from (one for one in some if one.length >= _SHORTEST_BASE)

    def _most_repetitions(self, base: Candidate, rng: np.random.Generator) -> Repeating | None:
        """Return the position with most rounds of a motif that comes to a base; None if nothing repeats."""
        best: Repeating | None = None
        kings = [int(turn.king[DEF]) for turn in attacker_turns(base.packed, base.line)]
        for turns in range(1, min(_MOST_TURNS, len(kings) - 1) + 1):
            steps = {after - before for before, after in pairwise(kings[: turns + 1])}
            if turns > 1:
                is_round = len(steps) > 1  # else each turn is one
            else:
                is_round = steps != {0} and target_of(base.line[0]) == target_of(base.line[1])
            if not is_round:
                continue
            self._again.forget()
            waiting = [(0, base)]
            left = float(_TAKEN_BACK)
            most = 0
            while waiting and left > 0:
                left -= 1
                number, candidate = waiting.pop()
                if candidate.length + 2 > self._options.length:
                    continue
                children = self._once_more(candidate, turns)
                for i in rng.permutation(len(children))[:_BRANCHES]:
                    one = Repeating(1 + (number + 1) / turns, children[int(i)], base, turns)
                    waiting.append((number + 1, one.candidate))
                    if number + 1 > most and number + 1 >= turns:
                        left += _MORE / turns
                    most = max(most, number + 1)
                    if best is None or one.worth > best.worth:
                        best = one
        return best

    def _once_more(self, candidate: Candidate, turns: int) -> list[Candidate]:
        """Take back what is played ``turns`` turns later, as far from there as the king goes in between."""
        played = attacker_turns(candidate.packed, candidate.line[: 2 * turns + 1])
        shift = int(played[turns].king[DEF]) - int(played[0].king[DEF])
        check, answer = candidate.line[2 * turns - 2], candidate.line[2 * turns - 1]
        target, origin = int(target_of(check)), int(origin_of(check))
        piece = 0 if dropped(check) else int(played[turns - 1].board[origin]) + PROMOTION * is_promotion(check)
        self._again.repeat(moved_by(answer, -shift), piece, target - shift, 0 if dropped(check) else target - origin)
        return self._again.children(candidate)

    def _edited(self, base: Candidate, rng: np.random.Generator) -> Candidate | None:
        """Return a base after an edit or two; None if it is no longer sound, or mates in another number of plies."""
        packed = base.packed.copy()
        for _ in range(int(rng.integers(1, 3))):
            if rng.random() >= _SLIDES:
                if not edit_position_randomly(packed, self._state, self._room):
                    return None
                continue
            board = packed.board
            cells = [int(cell) for cell in CELL if board[cell] and int(board[cell]) & 15 != KING]
            if not cells:
                return None
            cell = cells[int(rng.integers(len(cells)))]
            target = cell + int(STEP[rng.integers(8)]) * int(rng.integers(1, 7))
            if not 0 <= target < len(board) or board[target]:
                return None
            piece = int(board[cell])
            lift(packed, cell)
            put(packed, target, piece)
        if start_faults(unpack(packed)):
            return None
        try:
            with self._engine.within(Limits(nodes=_AGAIN.nodes)):
                line = self._validator.solution(packed, base.length)
        except LimitReached:
            return None
        return None if line is None else Candidate(packed, base.length, line, base.family)

    def _keep(
        self, one: Repeating | None, niches: defaultdict[tuple[object, ...], list[Repeating]], rng: np.random.Generator
    ) -> None:
        if one is not None:
            some = niches[one.turns, *one.motif]
            some.append(one)
            some.sort(key=lambda other: -other.repetitions - _LUCK_OF_ONE * float(rng.random()))
            del some[_OF_A_NICHE:]


def _repeats_enough(one: Repeating) -> bool:
    return one.repetitions >= REPETITIONS
