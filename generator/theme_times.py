# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a problem with a theme takes, by `scripts/bench themes`. Nothing here needs a compiler."""

from __future__ import annotations

from typing import NamedTuple

_START_SECONDS = 2.0
"""Seconds of a process before it composes, once the kernels are compiled."""
_LIMITS = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 600)
"""What `ThemeTime.within` is rounded up to."""


class ThemeTime(NamedTuple):
    """A ``length`` in plies at which a theme comes, and the mean CPU ``seconds`` of five problems."""

    length: int
    seconds: float

    @property
    def within(self) -> int:
        """Seconds within which one process that starts on a free processor nearly always has a problem.

        Waits for a problem are distributed like those for any rare event: 95% are shorter than three means.
        """
        return next(limit for limit in _LIMITS if limit >= _START_SECONDS + 3 * self.seconds)


class Tried(NamedTuple):
    """The lengths at which themes that are not in `TIMES` were looked for, for how many CPU ``seconds``."""

    lengths: tuple[int, ...]
    seconds: int


TRIED = Tried((5, 7, 9), 240)
TIMES: dict[str, ThemeTime] = {
    "sacrifice": ThemeTime(5, 2.5),
    "big-piece-sacrifice": ThemeTime(5, 2.0),
    "promotion-sacrifice": ThemeTime(5, 1.5),
    "serial-sacrifice": ThemeTime(5, 2.9),
    "focal-sacrifice": ThemeTime(5, 9.2),
    "non-promotion": ThemeTime(5, 1.4),
    "pawn-drop-avoidance": ThemeTime(5, 13.0),
    "distant-drop": ThemeTime(5, 1.6),
    "long-drop": ThemeTime(5, 1.8),
    "discovered-check": ThemeTime(5, 3.9),
    "double-check": ThemeTime(5, 3.4),
    "obstruction-removal": ThemeTime(5, 2.2),
    "replacement": ThemeTime(5, 1.8),
    "switchback": ThemeTime(5, 3.1),
    "knight-mate": ThemeTime(5, 1.0),
    "smothered-mate": ThemeTime(5, 4.0),
    "interposition": ThemeTime(5, 6.0),
    "moved-interposition": ThemeTime(5, 2.3),
    "chuai": ThemeTime(5, 8.9),
    "given-interposition": ThemeTime(5, 60.0),
    "interposed-piece-moves": ThemeTime(7, 29.7),
    "pawn-drop-lure": ThemeTime(7, 60.0),
    "king-lure": ThemeTime(5, 2.7),
    "decoy": ThemeTime(5, 1.5),
    "block": ThemeTime(5, 2.8),
    "reverse-check": ThemeTime(5, 6.9),
    "king-hunt": ThemeTime(11, 4.3),
    "king-returns": ThemeTime(5, 1.4),
    "pin-mate": ThemeTime(5, 2.6),
    "clean-finish": ThemeTime(5, 1.0),
    "picture": ThemeTime(5, 3.5),
    "double-king": ThemeTime(5, 1.7),
    "lone-king": ThemeTime(5, 1.3),
    "empty-attack": ThemeTime(5, 6.0),
    "one-kind": ThemeTime(5, 40.0),
    "small-pieces": ThemeTime(5, 0.8),
    "big-pieces": ThemeTime(5, 3.6),
    "game-like": ThemeTime(5, 1.9),
    "symmetric": ThemeTime(5, 3.3),
    "few-pieces": ThemeTime(5, 30.0),
}
