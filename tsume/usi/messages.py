# SPDX-License-Identifier: GPL-3.0-or-later
"""What the session requests of a search, and what a search reports."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from tsume.usi.options import Settings
from tsume.usi.positions import UsiPosition
from tsume.usi.protocol import Go

# --- what a search reports to the session, and how it is written -----------------------------------


@dataclass(frozen=True)
class Info:
    """An ``info`` line: how far the search is, and a mate with its line if one is known.

    ``mate`` is in plies, negative if the side to move is mated, ``line`` in USI; ``number`` is that of
    several lines (MultiPV).
    """

    depth: int
    nodes: int
    milliseconds: int
    hashfull: int
    number: int | None = None
    mate: int | None = None
    line: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The line."""
        words = ["info"]
        if self.number is not None:
            words.append(f"multipv {self.number}")
        speed = 1000 * self.nodes // max(1, self.milliseconds)
        words.append(f"depth {self.depth} nodes {self.nodes} nps {speed}")
        words.append(f"hashfull {self.hashfull} time {self.milliseconds}")
        if self.mate is not None:
            words.append(f"score mate {self.mate}")
        if self.line:
            words.append("pv " + " ".join(self.line))
        return " ".join(words)


@dataclass(frozen=True)
class Note:
    """A sentence for people: ``info string``."""

    text: str


@dataclass(frozen=True)
class KnownMate:
    """A mate: its line in USI and its length in plies; ``proved``: there is no shorter one.

    With the defender to move the line is a longest defence.
    """

    line: tuple[str, ...]
    length: int
    proved: bool


@dataclass(frozen=True)
class MoveToPlay:
    """The move, in USI, that a player may make although no mate is known: a defence."""

    move: str


class Ending(Enum):
    """How a search ended."""

    MATE = "mate"
    """A mate was reported as a `KnownMate`."""
    NO_MATE = "no mate"
    OPEN = "open"
    """A limit was reached."""
    FAILED = "failed"
    """An error, which was reported; or there is nothing to search, as the side to move is mated."""


@dataclass(frozen=True)
class Ready:
    """The engine is ready."""


SearchEvent = Info | Note | KnownMate | MoveToPlay | Ending | Ready


# --- what the session requests of a search, and what a search reports ------------------------------

Report = Callable[[SearchEvent], None]


@dataclass(frozen=True)
class SearchRequest:
    """A search for the session's ``go`` of a number, until ``cancelled`` is set."""

    number: int
    position: UsiPosition
    go: Go
    settings: Settings
    cancelled: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Preparation:
    """The engine is to be made ready for these settings."""

    settings: Settings
