# SPDX-License-Identifier: GPL-3.0-or-later
"""Prior art: which problems equal known ones, or nearly so (`generator.resemblance`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from generator.resemblance import Placement, Resemblance, ResemblanceIndex
from tsume.files.entries import Entry
from tsume_rules.moves import Move
from tsume_rules.position import Position


@dataclass(frozen=True)
class KnownProblem:
    """A known problem that resembles another one: where it stands, and how much they are alike.

    ``excludes``: the other one is to be left out.
    """

    place: str
    kind: Resemblance
    excludes: bool


class PriorArt:
    """Known problems, which exclude equal ones and, unless ``keeps_near``, near ones."""

    def __init__(self, entries: Iterable[Entry] = (), *, keeps_near: bool = False) -> None:
        self._keeps_near = keeps_near
        self._index = ResemblanceIndex()
        self._places: list[str] = []
        for entry in entries:
            assert entry.parsed is not None
            self._index.add(Placement(entry.parsed.position, entry.line))
            self._places.append(entry.place)

    def __len__(self) -> int:
        return len(self._places)

    def resembling(self, position: Position, line: tuple[Move, ...] = ()) -> KnownProblem | None:
        """The known problem that is most like this one; None without any. ``line`` is empty if unknown."""
        found = self._index.nearest(Placement(position, line)) if self._places else None
        if found is None:
            return None
        excludes = found.kind.is_equal or not self._keeps_near
        return KnownProblem(self._places[found.number], found.kind, excludes)


NO_PRIOR_ART = PriorArt()
