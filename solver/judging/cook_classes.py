# SPDX-License-Identifier: GPL-3.0-or-later
"""The classes of second solutions, and how much each weighs (docs/rules.md, "Second solutions by name")."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from solver.defects import Defect

if TYPE_CHECKING:
    from tsume_rules.record_play import Moves

SHORT = 15
"""Up to this length a change of order is a fault, as composers see it, and there is no ending."""
LONG = 100
"""From this length on a second solution within the ending is a blemish."""
ENDING = 5
"""The plies of the ending (収束)."""


class CookClass(Enum):
    """What a second solution does; of several classes that fit, the first holds."""

    DETOUR = "detour"
    """It comes back to the turn where it left the line, or to an earlier one (迂回手順)."""
    MERGING = "merging"
    """It joins the line at a later turn, later than the line does or by other moves (合流)."""
    ORDER = "order"
    """The line's moves in another order: it joins at the same ply with the same hand (手順前後)."""
    SAME_POSITION = "same_position"
    """It promotes or not as the line does not, and the piece is captured at once (同一局面)."""
    FORM = "form"
    """The same piece does the same elsewhere or in another form; the lines run alike (非限定)."""
    ENDING = "ending"
    """It mates without the line and leaves it within its last plies (収束余詰)."""
    LEFTOVER = "leftover"
    """It mates without the line, but leaves pieces in hand (駒余り)."""
    TRUE = "true"
    """It mates without the line (余詰)."""

    def blemish(self, length: int, *, same_check: bool = False) -> Defect | None:
        """The blemish or remark that it is in a problem of ``length`` plies; None: it is a fault.

        ``same_check``: whether the check is the line's in another form by rule 6, and not only alike.
        """
        match self:
            case CookClass.DETOUR:
                return Defect.DETOUR
            case CookClass.MERGING:
                return Defect.MERGING
            case CookClass.ORDER:
                return Defect.ORDER if length > SHORT else None
            case CookClass.SAME_POSITION:
                return Defect.SAME_POSITION
            case CookClass.FORM:
                return Defect.UNDETERMINED_FORM if same_check or length > SHORT else None
            case CookClass.ENDING:
                return Defect.ENDING if length >= LONG else None
            case _:
                return None


@dataclass(frozen=True)
class ClassifiedCook:
    """The class of a second solution.

    ``line``: the main line up to it, then its own moves until it joins the line or mates, then the line's;
    None if a limit was reached before it was known. ``joins``: the ply of the turn at which it joins the
    line, None if it does not or that is not known. ``proved``: whether the class needs no further search;
    else a mate that avoids the line is excluded only as far as was searched. ``same_check`` as in
    `CookClass.blemish`.
    """

    kind: CookClass
    line: Moves | None = None
    joins: int | None = None
    proved: bool = True
    same_check: bool = False

    def blemish(self, length: int) -> Defect | None:
        """As `CookClass.blemish`."""
        return self.kind.blemish(length, same_check=self.same_check)
