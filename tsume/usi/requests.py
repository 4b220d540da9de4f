# SPDX-License-Identifier: GPL-3.0-or-later
"""A search that the session requests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tsume.usi.events import SearchEvent
from tsume.usi.options import Settings
from tsume.usi.positions import UsiPosition
from tsume.usi.protocol import Go

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
