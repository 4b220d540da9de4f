# SPDX-License-Identifier: GPL-3.0-or-later
"""Local search: a root draws a position, repairs it and goes on from it in a Metropolis walk."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from generator.acceptance.pipeline import may_meet_constraints
from generator.acceptance.reasons import Rejection, RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.constraints.position import position_constraints
from generator.likeness.model import BoostedTrees, LikenessModel, model_for_length, trees_for_length
from generator.local_search.sampler import REPAIR_EDITS, PositionSampler, biased_model, nodes_for_length
from generator.quality import has_two_last_moves
from generator.theme_names import ThemeDetail
from generator.themes.purposes import NEARNESS, LineProbe
from generator.themes.table import THEMES, shows_detail
from solver.engines.dfpn.engine import DfPnEngine

# --- walks that look for themes: once a line shows one, or what leads to it, the walk keeps it -----

_LEADS_TO = {
    "chuai": {"interposition", "moved-interposition"},
    "given-interposition": {"interposition", "moved-interposition"},
    "interposed-piece-moves": {"interposition"},
    "pawn-drop-avoidance": {"non-promotion"},
    "pawn-drop-lure": {"interposition", "moved-interposition"},
    "long-drop": {"distant-drop"},
    "smothered-mate": {"knight-mate"},
    "reverse-check": {"interposition", "moved-interposition"},
}
"""Rare themes, and those that lead to them in a walk."""
_FIRST_STEPS, _FIRST_PARTS = 40, 20
_STEPS = 16
_PURPOSE_NODES = 2_000
"""Nodes for the purpose of a theme; the last tests have more."""
_PROVED, _SHOWN, _OTHER_PIECE, _NEARER = 10.0, 2.0, 1.5, 4.0
"""The rank of a theme with its purpose, of one without, of one by another piece or not often enough, and what
nearness adds at most."""


class ThemeTarget:
    """What a walk looks for: all of some themes, each for its purpose."""

    def __init__(self, engine: DfPnEngine, themes: tuple[str, ...], details: tuple[str, ...] = ()) -> None:
        """The engine tests purposes; its table makes no difference but for the nodes.

        ``details``: those of the themes with a piece or a number (`generator.theme_names`).
        """
        self._engine = engine
        self._details = [ThemeDetail.parse(text) for text in details]
        self._themes = frozenset(themes)
        self._leading = frozenset().union(*(_LEADS_TO.get(theme, ()) for theme in themes))

    def rank(self, candidate: Candidate) -> float:
        """How near a line is: each theme counts, less one without its purpose or that leads to another."""
        shown = candidate.shown_themes(self._themes)
        probe = LineProbe(self._engine, candidate.replayed, candidate.readable[1])
        return sum(self._rank_of_theme(theme, probe) for theme in sorted(shown)) + len(
            candidate.shown_themes(self._leading)
        )

    def _rank_of_theme(self, theme: str, probe: LineProbe) -> float:
        details = (detail for detail in self._details if detail.tag == theme)
        if not all(shows_detail(probe.replayed, detail) for detail in details):
            return _OTHER_PIECE
        purpose, nearness = THEMES[theme].purpose, NEARNESS.get(theme)
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
        return not self._themes.isdisjoint(_LEADS_TO.keys() | NEARNESS.keys())

    @property
    def promising_rank(self) -> float:
        """The least rank of a position that is worth a repair: a theme for its purpose, or nearly."""
        return _SHOWN + 0.5 * _NEARER

    @property
    def enough_rank(self) -> float:
        """The rank of a line that shows all themes for their purposes."""
        return _PROVED * len(self._themes)


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
"""The shares of candidates with two last moves, and with checks that capture, that are looked at further.
A quarter to a third have either, of published problems one in 20: more than the trees make up for."""


class LocalSearch:
    """Composes by edits with one engine; random choices of kernels follow ``state``, a uint64 array [1]."""

    def __init__(
        self,
        engine: DfPnEngine,
        options: ComposingOptions,
        state: np.ndarray,
        model: LikenessModel | None = None,
    ) -> None:
        """``model`` is the target distribution; None: the model for the length."""
        self._options = options
        self._sampler = PositionSampler(engine, state)
        self._repairs, self._edits = _REPAIRS_FOR_A_THEME, _EDITS_FOR_A_THEME
        themes, details = options.wishes.themes, options.wishes.theme_details
        self._target = ThemeTarget(engine, themes, details) if themes else None
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

    def _unfit(
        self, candidate: Candidate, trees: BoostedTrees | None, rng: np.random.Generator
    ) -> Rejection | None:
        if not may_meet_constraints(self._options.wishes, candidate):
            return Rejection.NOT_WISHED
        if trees is None:
            return None
        if rng.random() >= _WITH_CAPTURES and any(turn.check.captured for turn in candidate.replayed.turns):
            return Rejection.UNLIKELY
        if rng.random() >= _WITH_TWO_LAST_MOVES and has_two_last_moves(candidate.record, candidate.line):
            return Rejection.UNLIKELY
        likely = rng.random() < trees.probability_published(*candidate.readable)
        return None if likely else Rejection.UNLIKELY
