"""Walks that look for themes: once a line shows one, or what leads to it, the walk keeps it."""

from __future__ import annotations

from collections.abc import Iterator

from generator.candidate import Candidate
from generator.likeness.model import LikenessModel
from generator.local_search.sampler import PositionSampler

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


class ThemeTarget:
    """What a walk looks for: all of some themes."""

    def __init__(self, themes: tuple[str, ...]) -> None:
        self._themes = frozenset(themes)
        self._leading = frozenset().union(*(_LEADS_TO.get(theme, ()) for theme in themes))

    def rank(self, candidate: Candidate) -> int:
        """How near a line is: each theme counts, and less one that leads to another."""
        return 10 * len(candidate.shown_themes(self._themes)) + len(candidate.shown_themes(self._leading))

    @property
    def enough_rank(self) -> int:
        """The rank of a line that shows all themes."""
        return 10 * len(self._themes)


def walk_towards_themes(
    sampler: PositionSampler, start: Candidate, themes: tuple[str, ...], parts: int, model: LikenessModel
) -> Iterator[Candidate]:
    """The positions with all of the themes of a walk from a start.

    The walk first goes on until some theme, or what leads to one, shows. Then it goes on in ``parts``
    short parts, and each is taken back after which less is shown than before.
    """
    target = ThemeTarget(themes)
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
