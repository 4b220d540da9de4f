# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that differ by promotion or distance only; `solver.solving.form` is the slow twin."""

from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.play import dropped, origin_of, target_of
from tsume_rules.kernel.tables import DEF, LINE, SLIDES


@jit
def differs_in_form_only(pos, one, other):
    """Whether two checks, given before either is played, are one move in two forms."""
    if origin_of(one) != origin_of(other) or dropped(one) != dropped(other):
        return False
    if target_of(one) == target_of(other):
        return True
    origin = origin_of(one)
    piece = dropped(one) if dropped(one) else int(pos.board[origin])
    if not SLIDES[piece]:
        return False
    king = pos.king[DEF]
    ray = LINE[king, target_of(one)]
    if 0 <= ray < 8 and ray == LINE[king, target_of(other)]:
        return True
    return origin != 0 and LINE[origin, target_of(one)] == LINE[origin, target_of(other)]
