"""Drawing positions: pieces where people put them, as often as they do, until one mates in n plies."""

from generator.kernel.chance import STATE, draw
from generator.kernel.edits import add, hand_over
from generator.kernel.final import clear
from generator.kernel.traits import ATTACKERS, DEFENDERS, HANDS, KINGS, OFFSET, PLACES, REACH
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import NO, YES, ask
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import NUMBERS, jit, unit
from tsume_rules.kernel.play import put
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, SQUARE

MORE = 3
"""Some pieces turn out needless: so up to so many defenders more are drawn than people have."""
_TRIES = 8


@unit(a=ARENA, rates=NUMBERS, state=STATE)
def draw_likely(a, n, tries, nodes, rates, state):
    """Draw positions into ``a.pos`` until one mates in exactly n plies; how many were drawn, 0 if none does.

    ``rates`` says how often people have each trait (`generator.kernel.traits`); ``nodes`` bounds the
    search of one.
    """
    pos = a.pos
    for number in range(tries):
        _draw_position(pos, rates, state)
        if in_check(pos, DEF):
            continue
        end = a.search.nodes + nodes
        if n > 1 and ask(a, n - 2, True, end) != NO:
            continue
        if ask(a, n, True, end) == YES:
            return number + 1
    return 0


@jit
def _draw_position(pos, rates, state):
    """Empty the board and put pieces on it, and into the attacker's hand, as often as people do."""
    clear(pos)
    king = CELL[_drawn(rates, KINGS, HANDS, state) - KINGS]
    put(pos, king, KING + 16)
    pos.king[DEF] = king
    for kind in range(1, 8):
        held = _drawn(rates, HANDS + 20 * kind, HANDS + 20 * kind + 20, state) - HANDS - 20 * kind
        for _ in range(min(held, int(pos.hand[DEF, kind]))):
            hand_over(pos, kind, DEF)
    for side in range(2):
        first = ATTACKERS if side == ATT else DEFENDERS
        number = _drawn(rates, first, first + 40, state) - first
        if side == DEF:
            number += draw(state, 1 + MORE)
        for _ in range(number):
            _draw_piece(pos, rates, side, king, state)


@jit
def _draw_piece(pos, rates, side, king, state):
    for _ in range(_TRIES):
        begin = OFFSET + 16 * side * PLACES
        drawn = _drawn(rates, begin, begin + 16 * PLACES, state) - OFFSET
        piece, place = drawn // PLACES, drawn % PLACES
        if place == PLACES - 1 or piece & 15 == KING:
            continue
        file = SQUARE[king] // 9 + place // (2 * REACH + 1) - REACH
        rank = SQUARE[king] % 9 + place % (2 * REACH + 1) - REACH
        if 0 <= file < 9 and 0 <= rank < 9 and add(pos, piece, CELL[file * 9 + rank]):
            return


@jit
def _drawn(rates, begin, end, state):
    """A place between ``begin`` and ``end``, each with the chance of its rate among theirs."""
    total = 0.0
    for i in range(begin, end):
        total += rates[i]
    left = total * (draw(state, 1 << 30) / float(1 << 30))
    for i in range(begin, end):
        left -= rates[i]
        if left < 0:
            return i
    return end - 1
