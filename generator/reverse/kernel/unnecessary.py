# SPDX-License-Identifier: GPL-3.0-or-later
"""How many pieces of a position on the way to a problem are unnecessary."""

from generator.local_search.kernel.edits import restore_position
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import SOUND, YES, is_sound, keeps_line
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import INTEGERS, structs, unit
from tsume_rules.kernel.state import POSITION, hand_kind, lift
from tsume_rules.kernel.tables import CELL, DEF, KING


@unit(arena=ARENA, line=INTEGERS, stack=INTEGERS, saved=structs(POSITION))
def count_unnecessary_pieces(arena, line, stack, saved, margin, turns, nodes):
    """How many pieces on the board can each be taken off so that a line stays the only solution.

    Second solutions are looked for up to ``margin`` plies beyond the end, and in at most ``turns`` turns of
    the main tree; ``nodes`` bounds the tests of one piece, and a piece that needs more is necessary.
    ``saved`` is scratch space for a position, ``stack`` for searches.
    """
    pos = arena.pos
    saved[0] = pos
    n = len(line)
    unnecessary = 0
    for i in range(81):
        cell = CELL[i]
        piece = int(pos.board[cell])
        if piece == 0 or piece & 15 == KING:
            continue
        lift(pos, cell)
        pos.hand[DEF, hand_kind(piece)] += 1
        end = arena.search.nodes + nodes
        unnecessary += (
            not in_check(pos, DEF)
            and keeps_line(arena, line, stack, end) == YES
            and is_sound(arena, n, margin, stack, turns, end) == SOUND
        )
        restore_position(pos, saved[0])
    return unnecessary
