"""How long a problem with a theme takes, by `scripts/bench themes`. Nothing here needs a compiler."""

from __future__ import annotations

from typing import NamedTuple


class Taken(NamedTuple):
    """The ``length`` in plies at which a theme came soonest, and in how many CPU ``seconds`` on average."""

    length: int
    seconds: float


class Tried(NamedTuple):
    """The lengths at which themes that are not in `TIMES` were looked for, for how many CPU ``seconds``."""

    lengths: tuple[int, ...]
    seconds: int


TRIED = Tried((3, 5, 7, 9), 25)
TIMES: dict[str, Taken] = {
    "sacrifice": Taken(5, 0.6),
    "big-piece-sacrifice": Taken(7, 0.9),
    "promotion-sacrifice": Taken(5, 1.2),
    "serial-sacrifice": Taken(5, 11.8),
    "focal-sacrifice": Taken(3, 10.3),
    "non-promotion": Taken(5, 12.5),
    "distant-drop": Taken(5, 7.4),
    "discovered-check": Taken(5, 2.5),
    "double-check": Taken(5, 8.0),
    "obstruction-removal": Taken(5, 3.1),
    "replacement": Taken(5, 13.6),
    "switchback": Taken(5, 4.6),
    "knight-mate": Taken(5, 1.0),
    "smothered-mate": Taken(3, 17.7),
    "interposition": Taken(5, 1.2),
    "moved-interposition": Taken(5, 10.3),
    "king-lure": Taken(5, 1.6),
    "decoy": Taken(5, 1.5),
    "block": Taken(5, 7.8),
    "reverse-check": Taken(5, 11.3),
    "king-hunt": Taken(11, 4.3),
    "king-returns": Taken(5, 0.7),
    "pin-mate": Taken(5, 1.3),
    "clean-finish": Taken(5, 0.9),
    "picture": Taken(3, 13.6),
    "double-king": Taken(5, 0.3),
    "lone-king": Taken(5, 0.8),
    "empty-attack": Taken(5, 3.3),
    "one-kind": Taken(5, 12.6),
    "small-pieces": Taken(5, 0.1),
    "big-pieces": Taken(5, 3.7),
    "game-like": Taken(5, 2.0),
    "few-pieces": Taken(5, 20.2),
}
