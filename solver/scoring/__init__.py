# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard a problem is; kinds of check, as both the score and the themes understand them (docs/themes.md)."""

from __future__ import annotations

from typing import Protocol

from tsume_rules.kernel.state import can_promote
from tsume_rules.kernel.tables import ATT, DIST, KING, SLIDES

_DIST: list[list[int]] = DIST.tolist()
_SLIDERS = frozenset(kind for kind in range(1, KING) if SLIDES[kind])


class CheckMove(Protocol):
    """A move of the attacker; cells and codes of pieces are those of `tsume_rules.kernel.tables`."""

    @property
    def kind(self) -> int:
        """What the piece was before a promotion."""

    @property
    def origin(self) -> int:
        """Its cell before; 0 for a drop."""

    @property
    def target(self) -> int:
        """Its cell after."""

    @property
    def promotes(self) -> bool:
        """Whether it promotes."""

    @property
    def captured(self) -> int:
        """Return the code of the piece taken; 0 for none."""

    @property
    def king(self) -> int:
        """Return the cell of the defender's king."""


def is_contact(check: CheckMove) -> bool:
    """Return whether the piece that moved is next to the king afterwards, or a knight's jump away."""
    return _DIST[check.target][check.king] == 1


def is_sacrifice(check: CheckMove, answer: int) -> bool:
    """Return whether the answer, which goes to the cell ``answer`` (0: none), takes the piece that moved (捨駒)."""
    return check.target == answer


def is_quiet(check: CheckMove, answer: int) -> bool:
    """Return whether a check is neither in contact with the king nor a capture nor a sacrifice."""
    return not (is_contact(check) or check.captured or is_sacrifice(check, answer))


def is_distant_drop(check: CheckMove) -> bool:
    """Return whether a lance, bishop or rook is dropped away from the king."""
    return check.origin == 0 and check.kind in _SLIDERS and not is_contact(check)


def stays_unpromoted(check: CheckMove) -> bool:
    """Return whether a piece that may promote does not (不成), for any reason."""
    return not check.promotes and check.origin != 0 and bool(can_promote(check.kind, check.origin, check.target, ATT))
