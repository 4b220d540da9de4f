# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that are the key in another form are left out of a list."""

from tsume_rules.kernel.compile import jit_inline
from tsume_rules.kernel.move_generation import differs_in_form_only


@jit_inline
def without_other_forms_of_key(pos, key, moves, stop):
    """Keep those of ``moves[:stop]`` that are the key itself or no other form of it; returns their end."""
    kept = 0
    for i in range(stop):
        move = moves[i]
        if move == key or not differs_in_form_only(pos, key, move):
            moves[kept] = move
            kept += 1
    return kept
