"""Which stored problems were judged to the end; a judgement itself is not stored."""

from __future__ import annotations

from solver.results import Blemish, Verdict

DEFECTS = {
    Blemish.FORM: Verdict.UNDETERMINED_FORM,
    Blemish.MIRROR_KEY: Verdict.MIRROR_KEY,
    Blemish.COOK_IN_EQUAL_DEFENCE: Verdict.COOK,
    Blemish.UNNECESSARY_PIECE: Verdict.UNNECESSARY_PIECE,
    Blemish.GREY_INTERPOSITION: Verdict.GREY_INTERPOSITION,
}
"""The conditions that do not hold where there is a blemish."""
SETTLING = frozenset({*DEFECTS, Blemish.LONGER_WITH_LEFTOVER})
"""Blemishes that make a problem sound and not perfect. A sound problem without one of these is not perfect
only because a limit was reached."""
