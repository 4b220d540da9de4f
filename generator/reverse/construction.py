# SPDX-License-Identifier: GPL-3.0-or-later
"""Reverse construction: mated positions or given problems are extended backwards, move by move."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from generator.acceptance import KNOWN_AGAIN, Rejection, RootStatistics
from generator.acceptance.pipeline import CandidateAcceptance, may_meet_constraints
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.constraints.position import allowed_kind_bits, fewest_pieces_allowed
from generator.constraints.problem import ProblemConstraints, parse_hand, parse_kinds
from generator.replay import cells_of_pieces
from generator.reverse.extender import Extender, MaterialLimits, add_stage_counts
from generator.reverse.seeds import SeedCandidates
from generator.theme_names import NAMES, limits_of_themes
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packed import dropped, origin_of, target_of
from tsume_rules.position import ALL_PIECES, HAND_KINDS

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
            if self._options.wishes.asks_for_line:
                population = [one for one in population if self._may_end_as_wished(one)]
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

    def _may_end_as_wished(self, candidate: Candidate) -> bool:
        ends = self._options.wishes.line_nearness(*candidate.readable, self._options.length) == 1.0
        self._statistics.counts[Rejection.NOT_WISHED] += not ends
        return ends

    def _chosen(self, candidates: list[Candidate], most: int, rng: np.random.Generator) -> list[Candidate]:
        if not candidates:
            return []
        constraints, temperature = self._options.wishes, self._options.temperature
        merits = [merit(constraints, candidate) + self._bias.merit(candidate) for candidate in candidates]
        return select_varied(candidates, list(map(similarity_labels, candidates)), merits, most, rng, temperature)
