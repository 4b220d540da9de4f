# SPDX-License-Identifier: GPL-3.0-or-later
"""The purposes of themes, tested by an engine: without the piece, or with another choice, the mate fails.

There is a function for each theme with a purpose: for a theme of moves it says whether a turn that shows it
does so for its purpose. Every function raises `LimitReached`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from generator.replay import DIST, LINE, Cells, ReplayedLine, ReplayedPly, ReplayedTurn, attackers_of_cell
from generator.themes import predicates
from solver.engines.dfpn.kernel.sound import SOUND
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.state import PROMOTES
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, OURS, PROMOTION, SET
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    dropped,
    forbidden_drop,
    legal_checks,
    legal_evasions,
    origin_of,
    pack,
    pack_codes,
    pack_move,
    played,
    record_after,
    target_of,
)
from tsume_rules.position import Side

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine
    from tsume_rules.moves import Move


# --- what-if queries to an engine about a line: without a piece, or with another choice ------------

_SQUARES = [int(cell) for cell in CELL]


class LineProbe:
    """A replayed line and the engine that answers queries about it. Turns are numbered from 0. All queries are bounded
    in plies, so the answers do not depend on the engine's table. Every method raises `LimitReached`."""

    def __init__(self, engine: DfPnEngine, replayed: ReplayedLine, line: tuple[Move, ...]) -> None:
        self.engine = engine
        self.replayed = replayed
        self.line = line
        self.moves: Moves = tuple(map(pack_move, line))

    @property
    def turns(self) -> tuple[ReplayedTurn, ...]:
        """The attacker's moves, each with its answer."""
        return self.replayed.turns

    def plies_left(self, turn: int) -> int:
        """Plies to the mate when the attacker is to move at a turn."""
        return len(self.moves) - 2 * turn

    @cached_property
    def _start(self) -> PackedPosition:
        return pack(self.replayed.position)

    def record_before(self, turn: int) -> PackedPosition:
        """Return the position before a turn's check; after the last turn the final one."""
        return record_after(self._start, self.moves[: 2 * turn])

    def record_after_check(self, turn: int) -> PackedPosition:
        """Return the position after a turn's check."""
        return record_after(self._start, self.moves[: 2 * turn + 1])

    def board_before(self, turn: int) -> Cells:
        """Return the board before a turn's check; after the last turn the final one."""
        return self.replayed.turns[turn].check.before if turn < len(self.turns) else self.replayed.end

    def record_with_changes(self, turn: int, changes: dict[int, int]) -> PackedPosition | None:
        """Return the position before a turn with the codes of some cells changed. The missing pieces go to the
        defender's hand; the attacker's hand stays. None if the king would be in check already."""
        cells = self.board_before(turn).copy()
        for cell, code in changes.items():
            cells[cell] = code
        if turn < len(self.turns) and attackers_of_cell(cells, cells.index(KING + OURS), ATT):
            return None
        # The packed position of a board and the attacker's hand.
        hand = self.replayed.hands[turn]
        codes = [int(cells[cell]) for cell in _SQUARES]
        kinds = [code & 15 for code in codes if code]
        used = Counter(kind - PROMOTION if kind > KING else kind for kind in kinds)
        rest = [int(SET[kind]) - used[kind] - hand[kind] if kind else 0 for kind in range(KING)]
        return pack_codes(np.array(codes, dtype=np.int8), np.array((hand, rest), dtype=np.int8))

    def mates(self, packed: PackedPosition | None, n: int) -> bool | None:
        """Return whether the attacker mates within n plies (n below 1: no); None without a position."""
        if packed is None:
            return None
        return n >= 1 and self.engine.mates(packed, n)

    def mates_by(self, packed: PackedPosition, check: int, n: int) -> bool:
        """Return whether a move is legal, gives check and mates within n plies."""
        return n >= 1 and check in legal_checks(packed) and self.engine.mates_after(packed, check, n)

    def longest_answers(self, turn: int) -> list[int] | None:
        """Return the answers to a turn's check that last longest and leave the attacker nothing in hand. None if the
        line's length is not that of the longest defence (by the engine's reading)."""
        n = self.plies_left(turn) - 1
        packed = self.record_after_check(turn)
        if not self.engine.is_mated(packed, n) or (n > 2 and self.engine.is_mated(packed, n - 2)):
            return None
        longest = list(self.engine.longest_defences(packed, n))
        if len(longest) == 1:
            return longest
        kept = []
        for move in longest:
            after = record_after(self._start, (*self.moves[: 2 * turn + 1], move))
            if move == self.moves[2 * turn + 1] or not TreeBuilder(self.engine, order=int).turn(after, n - 1).leftover:
                kept.append(move)
        return kept


# --- the purposes of themes, tested by an engine ---------------------------------------------------

Purpose = Callable[[LineProbe], bool]
"""Whether a line has a theme for its purpose."""
TurnPurpose = Callable[[LineProbe, int], bool]
"""The same for a turn, by its number."""


# --- what the attacker plays ------------------------------------------------------------------------


def fails_promoted(probe: LineProbe, turn: int) -> bool:
    """Return whether the check of a turn would not mate in time if its piece promoted."""
    return not probe.mates_by(probe.record_before(turn), probe.moves[2 * turn] | PROMOTES, probe.plies_left(turn))


def is_only_drop(probe: LineProbe, turn: int) -> bool:
    """Return whether there is a nearer square to drop on, but no other square of the line mates."""
    check = probe.turns[turn].check
    distances = [DIST[check.king][target_of(code)] for code in _drops_on_line(probe, turn)]
    if not any(each < DIST[check.king][check.target] for each in distances):
        return False
    return not mating_on_line(probe, turn)


def mating_on_line(probe: LineProbe, turn: int) -> list[int]:
    """Return the drops of a turn's piece on other squares of its line that mate in time as well."""
    return probe.engine.mating(probe.record_before(turn), _drops_on_line(probe, turn), probe.plies_left(turn))


def _drops_on_line(probe: LineProbe, turn: int) -> list[int]:
    """Return the checks by a drop of a turn's piece on the other squares of its line."""
    check = probe.turns[turn].check
    return [
        code
        for code in legal_checks(probe.record_before(turn))
        if dropped(code) == check.kind
        and target_of(code) != check.target
        and LINE[check.king][target_of(code)] == LINE[check.king][check.target]
    ]


def removal_shortens(probe: LineProbe, turn: int) -> bool:
    """Whether the mate is at least two plies shorter without a sacrificed piece that was in the way."""
    left = predicates.turn_of_leaving(probe.replayed, turn)
    return left is not None and is_shorter_without(probe, left)


def is_shorter_without(probe: LineProbe, turn: int) -> bool:
    """Whether the mate is at least two plies shorter if the square that a turn's piece left were empty."""
    packed = probe.record_with_changes(turn, {probe.turns[turn].check.origin: 0})
    return probe.mates(packed, probe.plies_left(turn) - 2) is True


# --- what the attacker makes the defender do --------------------------------------------------------


def is_capture_needed(probe: LineProbe, turn: int) -> bool:
    """Return whether the mate fails if the capturing piece had stayed on its square."""
    check, answer = probe.turns[turn]
    assert answer is not None
    stood = answer.before[answer.origin]
    packed = probe.record_with_changes(turn + 1, {check.target: 0, answer.origin: stood})
    return probe.mates(packed, probe.plies_left(turn) - 2) is False


def is_block_needed(probe: LineProbe, turn: int) -> bool:
    """Return whether the king would escape without the adjacent piece that captured a sacrificed one."""
    packed = probe.record_with_changes(len(probe.turns), {probe.turns[turn].answer_cell: 0})
    return packed is None or not probe.engine.is_mated(packed, 0)


def is_focus(probe: LineProbe, turn: int) -> bool:
    """Whether two pieces can capture a sacrificed one, and each capture needs a different continuation."""
    check = probe.turns[turn].check
    packed = probe.record_after_check(turn)
    takers = [
        code
        for code in legal_evasions(packed)
        if target_of(code) == check.target and int(packed.board[origin_of(code)]) & 15 != KING
    ]
    replies: dict[int, list[set[int]]] = {}
    for code in takers:
        with played(packed, code, Side.DEFENDER):
            mating = set(probe.engine.mating(packed, legal_checks(packed), probe.plies_left(turn) - 2))
        replies.setdefault(origin_of(code), []).append(mating)
    return any(a - b and b - a for one, other in combinations(replies.values(), 2) for a in one for b in other)


# --- what the defender plays ------------------------------------------------------------------------

AnswerKind = Callable[[ReplayedPly, ReplayedPly], bool]


def lasts_longest(kind: AnswerKind) -> TurnPurpose:
    """Return whether all answers that last as long as that of the line are of its kind."""
    return lambda probe, turn: longest_of_other_kinds(probe, turn, kind) == 0


def longest_of_other_kinds(probe: LineProbe, turn: int, kind: AnswerKind) -> int | None:
    """How many answers of other kinds last as long as that of a turn; None if that is not of the kind."""
    check, answer = probe.turns[turn]
    if answer is None or not kind(check, answer):
        return None
    longest = probe.longest_answers(turn)
    if longest is None:
        return None
    board = probe.record_after_check(turn).board
    plies = (
        answer._replace(
            kind=dropped(code) or int(board[origin_of(code)]) & 15, origin=origin_of(code),
            target=target_of(code), captured=int(board[target_of(code)]),
        )
        for code in longest
    )  # fmt: skip
    return sum(not kind(check, ply) for ply in plies)


# --- the mate and the attacker's king ---------------------------------------------------------------


def pin_mate(probe: LineProbe) -> bool:
    """Return whether a pinned piece could capture the checker or interpose if it were not pinned."""
    end = len(probe.turns)
    for pinned, pinner in predicates.pinned_pieces(probe.replayed):
        packed = probe.record_with_changes(end, {pinner: 0})
        if packed is not None and any(origin_of(code) == pinned for code in legal_evasions(packed)):
            return True
    return False


def double_king(probe: LineProbe) -> bool:
    """Return whether the solution differs, or is not unique, without the attacker's king. A king in check at the start
    only restricts the attacker's moves: then the position after the first answer is tested."""
    start = probe.replayed.start
    turn = 1 if attackers_of_cell(start, start.index(KING), DEF) else 0
    if turn == len(probe.turns):
        return False
    packed = probe.record_with_changes(turn, {probe.board_before(turn).index(KING): 0})
    if packed is None:
        return False
    n = probe.plies_left(turn)
    if not probe.engine.mates(packed, n) or not probe.engine.keeps_line(packed, probe.moves[2 * turn :]):
        return True
    return probe.engine.is_sound(packed, n, 0, _MAX_TURNS) != SOUND


_MAX_TURNS = 100


# --- the forbidden pawn-drop mate (打歩詰): how the attacker avoids it and the defender lures into it -


def avoids_pawn_drop_mate(probe: LineProbe, turn: int) -> bool:
    """Return whether the piece of a turn stays unpromoted to avoid a pawn-drop mate.

    This is the only possible reason for a rook, a bishop or a pawn, which lose no move by promotion. The
    promotion of a lance must turn a pawn drop of the line, or one after an answer, into a mate.
    """
    promoting = probe.moves[2 * turn] | PROMOTES
    before = probe.record_before(turn)
    if promoting not in legal_checks(before) or probe.engine.mates_after(before, promoting, probe.plies_left(turn)):
        return False
    if probe.turns[turn].check.kind in predicates.GAINING:
        return True
    with played(before, promoting, Side.ATTACKER):
        if _is_forbidden_in_the_line(probe, turn, before.copy()):
            return True
        # After an answer a pawn drop mates in the line's position and is forbidden after the promotion.
        own = probe.record_after_check(turn)
        allowed = set(legal_evasions(own))
        for answer in legal_evasions(before):
            drop = forbidden_drop(record_after_answer(before, answer)) if answer in allowed else 0
            if drop and probe.mates_by(record_after_answer(own, answer), drop, probe.plies_left(turn) - 2):
                return True
    return False


def _is_forbidden_in_the_line(probe: LineProbe, turn: int, packed: PackedPosition) -> bool:
    """Return whether a pawn drop of the line is forbidden after a promotion; ``packed``: after it."""
    for later in range(turn + 1, len(probe.turns)):
        answer, check = probe.moves[2 * later - 1], probe.moves[2 * later]
        if answer not in legal_evasions(packed):
            return False
        packed = record_after_answer(packed, answer)
        if check == forbidden_drop(packed):
            return True
        if check not in legal_checks(packed):
            return False
        packed = record_after(packed, (check,))
    return False


def record_after_answer(packed: PackedPosition, answer: int) -> PackedPosition:
    """Return a copy of a packed position after an answer."""
    with played(packed, answer, Side.DEFENDER):
        return packed.copy()


def lures_into_pawn_drop_mate(probe: LineProbe, turn: int) -> bool:
    """Whether after the answer of a turn a pawn drop is forbidden that mates sooner after another answer."""
    packed, played_answer = probe.record_after_check(turn), probe.moves[2 * turn + 1]
    drop = forbidden_drop(record_after_answer(packed, played_answer))
    if not drop:
        return False
    king = int(packed.king[DEF])
    others = (r for r in legal_evasions(packed) if r != played_answer and origin_of(r) != king)
    return any(probe.mates_by(record_after_answer(packed, other), drop, probe.plies_left(turn) - 4) for other in others)


# --- how near a line that shows a theme is to showing it for its purpose ----------------------------
#
# A walk towards the theme climbs this, from 0 to 1: no purpose yet. There is a function for each theme that seldom
# has its purpose by chance; it gets the turns that show the theme. Every function raises `LimitReached`.

Nearness = Callable[[LineProbe, list[int]], float]


def _by_fewest(numbers: list[int | None]) -> float:
    """1 / (1 + the fewest): what is in the way of the purpose, counted for each turn."""
    known = [number for number in numbers if number is not None]
    return 1 / (1 + min(known)) if known else 0.0


def by_fewest_answers(kind: AnswerKind) -> Nearness:
    """By the fewest other answers that last as long as one of a kind."""
    return lambda probe, turns: _by_fewest([longest_of_other_kinds(probe, turn, kind) for turn in turns])


def by_fewest_drops(probe: LineProbe, turns: list[int]) -> float:
    """By the fewest other squares of the line on which the drop mates as well."""
    return _by_fewest([len(mating_on_line(probe, turn)) for turn in turns])


def half_if(test: TurnPurpose) -> Nearness:
    """Half if a turn passes a test."""
    return lambda probe, turns: 0.5 * any(test(probe, turn) for turn in turns)


def forbids_pawn_drop(probe: LineProbe, turn: int) -> bool:
    """Return whether after the answer of a turn a pawn drop is forbidden: then another answer may allow it."""
    return forbidden_drop(record_after_answer(probe.record_after_check(turn), probe.moves[2 * turn + 1])) != 0
