# SPDX-License-Identifier: GPL-3.0-or-later
"""The purposes of themes, tested by an engine: without the piece, or with another choice, the mate fails.

There is a function for each theme with a purpose: for a theme of moves it says whether a turn that shows it
does so for its purpose. Every function raises `LimitReached`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from generator.replay.board import DIST, LINE, attackers_of_cell
from generator.replay.line import ReplayedPly
from generator.themes import endings, sacrifices
from generator.themes.probe import LineProbe
from solver.engines.dfpn.kernel.sound import SOUND
from tsume_rules.kernel.state import PROMOTES
from tsume_rules.kernel.tables import DEF, KING
from tsume_rules.packed import Record, dropped, legal_checks, legal_evasions, origin_of, played, target_of
from tsume_rules.position import Side

Purpose = Callable[[LineProbe], bool]
"""Whether a line has a theme for its purpose."""
TurnPurpose = Callable[[LineProbe, int], bool]
"""The same for a turn, by its number."""


# --- what the attacker plays ------------------------------------------------------------------------


def fails_promoted(probe: LineProbe, turn: int) -> bool:
    """Whether the check of a turn would not mate in time if its piece promoted."""
    return not probe.mates_by(
        probe.record_before(turn), probe.moves[2 * turn] | PROMOTES, probe.plies_left(turn)
    )


def is_only_drop(probe: LineProbe, turn: int) -> bool:
    """Whether there is a nearer square to drop on, but no other square of the line mates."""
    check = probe.turns[turn].check
    distances = [DIST[check.king][target_of(code)] for code in _drops_on_line(probe, turn)]
    if not any(each < DIST[check.king][check.target] for each in distances):
        return False
    return not mating_on_line(probe, turn)


def mating_on_line(probe: LineProbe, turn: int) -> list[int]:
    """The drops of a turn's piece on other squares of its line that mate in time as well."""
    return probe.engine.mating(probe.record_before(turn), _drops_on_line(probe, turn), probe.plies_left(turn))


def _drops_on_line(probe: LineProbe, turn: int) -> list[int]:
    """The checks by a drop of a turn's piece on the other squares of its line."""
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
    left = sacrifices.turn_of_leaving(probe.replayed, turn)
    return left is not None and is_shorter_without(probe, left)


def is_shorter_without(probe: LineProbe, turn: int) -> bool:
    """Whether the mate is at least two plies shorter if the square that a turn's piece left were empty."""
    record = probe.record_with_changes(turn, {probe.turns[turn].check.origin: 0})
    return probe.mates(record, probe.plies_left(turn) - 2) is True


# --- what the attacker makes the defender do --------------------------------------------------------


def is_capture_needed(probe: LineProbe, turn: int) -> bool:
    """Whether the mate fails if the capturing piece had stayed on its square."""
    check, answer = probe.turns[turn]
    assert answer is not None
    stood = answer.before[answer.origin]
    record = probe.record_with_changes(turn + 1, {check.target: 0, answer.origin: stood})
    return probe.mates(record, probe.plies_left(turn) - 2) is False


def is_block_needed(probe: LineProbe, turn: int) -> bool:
    """Whether the king would escape without the adjacent piece that captured a sacrificed one."""
    return not probe.is_mate_without(probe.turns[turn].answer_cell)


def is_focus(probe: LineProbe, turn: int) -> bool:
    """Whether two pieces can capture a sacrificed one, and each capture needs a different continuation."""
    check = probe.turns[turn].check
    record = probe.record_after_check(turn)
    takers = [
        code
        for code in legal_evasions(record)
        if target_of(code) == check.target and int(record.board[origin_of(code)]) & 15 != KING
    ]
    replies: dict[int, list[set[int]]] = {}
    for code in takers:
        with played(record, code, Side.DEFENDER):
            mating = set(probe.engine.mating(record, legal_checks(record), probe.plies_left(turn) - 2))
        replies.setdefault(origin_of(code), []).append(mating)
    return any(
        a - b and b - a for one, other in combinations(replies.values(), 2) for a in one for b in other
    )


# --- what the defender plays ------------------------------------------------------------------------

AnswerKind = Callable[[ReplayedPly, ReplayedPly], bool]


def lasts_longest(kind: AnswerKind) -> TurnPurpose:
    """Whether all answers that last as long as that of the line are of its kind."""
    return lambda probe, turn: longest_of_other_kinds(probe, turn, kind) == 0


def longest_of_other_kinds(probe: LineProbe, turn: int, kind: AnswerKind) -> int | None:
    """How many answers of other kinds last as long as that of a turn; None if that is not of the kind."""
    check, answer = probe.turns[turn]
    if answer is None or not kind(check, answer):
        return None
    longest = probe.longest_answers(turn)
    record = probe.record_after_check(turn)
    return (
        None if longest is None else sum(not kind(check, _as_ply(record, code, answer)) for code in longest)
    )


def _as_ply(record: Record, code: int, like: ReplayedPly) -> ReplayedPly:
    """Another answer to the same check."""
    start = origin_of(code)
    kind = dropped(code) or int(record.board[start]) & 15
    return like._replace(
        kind=kind, origin=start, target=target_of(code), captured=int(record.board[target_of(code)])
    )


# --- the mate and the attacker's king ---------------------------------------------------------------


def pin_mate(probe: LineProbe) -> bool:
    """Whether a pinned piece could capture the checker or interpose if it were not pinned."""
    end = len(probe.turns)
    for pinned, pinner in endings.pinned_pieces(probe.replayed):
        record = probe.record_with_changes(end, {pinner: 0})
        if record is not None and any(origin_of(code) == pinned for code in legal_evasions(record)):
            return True
    return False


def double_king(probe: LineProbe) -> bool:
    """Whether the solution differs, or is not unique, without the attacker's king.

    A king in check at the start only restricts the attacker's moves: then the position after the first
    answer is tested.
    """
    start = probe.replayed.start
    turn = 1 if attackers_of_cell(start, start.index(KING), DEF) else 0
    if turn == len(probe.turns):
        return False
    record = probe.record_with_changes(turn, {probe.board_before(turn).index(KING): 0})
    if record is None:
        return False
    n = probe.plies_left(turn)
    if not probe.engine.mates(record, n) or not probe.engine.keeps_line(record, probe.moves[2 * turn :]):
        return True
    return probe.engine.is_sound(record, n, 0, _MOST_TURNS) != SOUND


_MOST_TURNS = 100
