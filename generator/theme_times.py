"""How long a problem with a theme takes, by `scripts/bench themes`. Nothing here needs a compiler."""

from __future__ import annotations

from typing import NamedTuple


class ThemeTime(NamedTuple):
    """The ``length`` in plies at which a theme came soonest, and in how many CPU ``seconds`` on average."""

    length: int
    seconds: float


class Tried(NamedTuple):
    """The lengths at which themes that are not in `TIMES` were looked for, for how many CPU ``seconds``."""

    lengths: tuple[int, ...]
    seconds: int


TRIED = Tried((3, 5, 7, 9), 25)
TIMES: dict[str, ThemeTime] = {
    "sacrifice": ThemeTime(5, 0.6),
    "big-piece-sacrifice": ThemeTime(7, 0.9),
    "promotion-sacrifice": ThemeTime(5, 1.2),
    "serial-sacrifice": ThemeTime(5, 11.8),
    "focal-sacrifice": ThemeTime(3, 10.3),
    "non-promotion": ThemeTime(5, 12.5),
    "distant-drop": ThemeTime(5, 7.4),
    "discovered-check": ThemeTime(5, 2.5),
    "double-check": ThemeTime(5, 8.0),
    "obstruction-removal": ThemeTime(5, 3.1),
    "replacement": ThemeTime(5, 13.6),
    "switchback": ThemeTime(5, 4.6),
    "knight-mate": ThemeTime(5, 1.0),
    "smothered-mate": ThemeTime(3, 17.7),
    "interposition": ThemeTime(5, 1.2),
    "moved-interposition": ThemeTime(5, 10.3),
    "king-lure": ThemeTime(5, 1.6),
    "decoy": ThemeTime(5, 1.5),
    "block": ThemeTime(5, 7.8),
    "reverse-check": ThemeTime(5, 11.3),
    "king-hunt": ThemeTime(11, 4.3),
    "king-returns": ThemeTime(5, 0.7),
    "pin-mate": ThemeTime(5, 1.3),
    "clean-finish": ThemeTime(5, 0.9),
    "picture": ThemeTime(3, 13.6),
    "double-king": ThemeTime(5, 0.3),
    "lone-king": ThemeTime(5, 0.8),
    "empty-attack": ThemeTime(5, 3.3),
    "one-kind": ThemeTime(5, 12.6),
    "small-pieces": ThemeTime(5, 0.1),
    "big-pieces": ThemeTime(5, 3.7),
    "game-like": ThemeTime(5, 2.0),
    "few-pieces": ThemeTime(5, 20.2),
}
