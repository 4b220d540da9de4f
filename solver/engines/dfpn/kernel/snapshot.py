# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking back several moves at once: what they changed is copied back instead of undone.

Undoing a move walks the rays of its pieces once more; a copy has no branches. Only the effects are
copied, a kilobyte; the rest of a position is restored move by move, the last one first.
"""

from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.play import PROMOTES, dropped, hand_kind, origin_of, target_of
from tsume_rules.kernel.tables import KING, ON_BOARD, PROMOTION, SIZE


@jit
def save_effects(pos, out, base):
    """Copy the effects to out[base : base + SIZE]."""
    for t in range(SIZE):
        out[base + t] = pos.effects[t]


@jit
def restore_effects(pos, out, base, key, slot):
    """Copy the effects back, and set the keys."""
    for t in range(SIZE):
        pos.effects[t] = out[base + t]
    pos.key = key
    pos.slot = slot


@jit
def take_back(pos, move, side, captured):
    """Undo a side's move except for the effects and the keys; ``captured`` is what `do` returned."""
    target = target_of(move)
    kind = dropped(move)
    if kind:
        pos.board[target] = 0
        pos.hand[side, kind] += 1
        return
    piece = int(pos.board[target])
    pos.board[target] = captured
    if captured:
        pos.hand[side, hand_kind(captured)] -= 1
    if move & PROMOTES:
        piece -= PROMOTION
    origin = origin_of(move) & ON_BOARD
    pos.board[origin] = piece
    if piece & 15 == KING:
        pos.king[side] = origin
