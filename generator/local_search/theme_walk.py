# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks that look for themes: once a line shows one, or what leads to it, the walk keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.candidate import Candidate
from generator.likeness.model import LikenessModel
from generator.local_search.sampler import PositionSampler
from generator.theme_details import ThemeDetail
from generator.themes.details import shows_detail
from generator.themes.nearness import NEARNESS
from generator.themes.probe import LineProbe
from generator.themes.table import THEMES
from solver.engines.dfpn.engine import DfPnEngine

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

        ``details``: those of the themes with a piece or a number (`generator.theme_details`).
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
        """Whether a line is at least as near as the nearest so far, each time one is asked about."""

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
    """The positions that show all themes of a target, of a walk from a start.

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
