# SPDX-License-Identifier: GPL-3.0-or-later
"""The themes of a problem: those that its line shows and an engine confirms."""

from __future__ import annotations

from collections.abc import Callable

from generator.replay.line import replay_line
from generator.themes.probe import LineProbe
from generator.themes.table import THEMES
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits
from tsume_rules.moves import Move
from tsume_rules.position import Position

NODES = 20_000
"""Nodes for the purpose of one theme; a theme that needs more is left out."""


class ThemeProver:
    """Finds the themes of problems with an engine.

    The engine's table is cleared first, so that the themes depend on the problem alone.
    """

    def __init__(self, engine: DfPnEngine, nodes: int = NODES) -> None:
        self._engine = engine
        self._nodes = nodes

    def themes(self, position: Position, line: tuple[Move, ...]) -> tuple[str, ...]:
        """The tags of the themes of a correct problem's main line, in the order of `THEMES`.

        The attacker moves first; the line ends with the mate. Mirror images have the same themes.
        Raises `LimitReached` only for outer limits.
        """
        replayed = replay_line(position, line)
        probe = LineProbe(self._engine, replayed, line)
        return tuple(
            theme.name
            for theme in THEMES.values()
            if theme.predicate(replayed) and (theme.purpose is None or self._holds(theme.purpose, probe))
        )

    def _holds(self, purpose: Callable[[LineProbe], bool], probe: LineProbe) -> bool:
        self._engine.forget()
        try:
            with self._engine.within(Limits(nodes=self._nodes)):
                return purpose(probe)
        except LimitReached:
            self._engine.check_limits()
            return False
