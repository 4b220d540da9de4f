"""What themes are for, asked of an engine: without the piece, or with another choice, the mate fails.

A function for each theme that has a reason. It says whether the theme occurs for its reason. Every
function raises `LimitReached`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from generator.heuristics.defence import is_moved_interposition, is_unprotected
from generator.replay.board import DIST, LINE, attackers
from generator.replay.line import Ply, Turn
from generator.themes import answers, checks, endings, sacrifices
from generator.themes.trial import Trial
from solver.engines.dfpn.kernel.sound import SOUND
from solver.scoring.check_kinds import is_distant_drop
from tsume_rules.kernel.play import PROMOTES
from tsume_rules.kernel.tables import DEF, KING
from tsume_rules.packing import Record, dropped, origin_of, target_of
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import played

Purpose = Callable[[Trial], bool]


def _turns(trial: Trial) -> Iterator[tuple[int, Turn]]:
    return enumerate(trial.turns)


# --- what the attacker plays ------------------------------------------------------------------------


def non_promotion(trial: Trial) -> bool:
    """Whether a piece stays unpromoted where its promotion would not mate in time."""
    return any(checks.declines(turn.check) and _fails_promoted(trial, k) for k, turn in _turns(trial))


def _fails_promoted(trial: Trial, turn: int) -> bool:
    return not trial.mates_by(trial.before(turn), trial.moves[2 * turn] | PROMOTES, trial.left(turn))


def distant_drop(trial: Trial) -> bool:
    """Whether a slider is dropped at a distance and would mate from no other square of its line."""
    return any(is_distant_drop(turn.check) and _is_only_drop(trial, k) for k, turn in _earlier(trial))


def long_drop(trial: Trial) -> bool:
    """The same for a drop from far away."""
    return any(checks.is_long_drop(turn.check) and _is_only_drop(trial, k) for k, turn in _earlier(trial))


def _earlier(trial: Trial) -> Iterator[tuple[int, Turn]]:
    """The turns but the last, which may have alternatives."""
    return enumerate(trial.turns[:-1])


def _is_only_drop(trial: Trial, turn: int) -> bool:
    """Whether there is a nearer square to drop on, and no other square of the line serves."""
    check = trial.turns[turn].check
    record = trial.before(turn)
    others = [
        code
        for code in legal_checks(record)
        if dropped(code) == check.kind
        and target_of(code) != check.target
        and LINE[check.king][target_of(code)] == LINE[check.king][check.target]
    ]
    distances = [DIST[check.king][target_of(code)] for code in others]
    if not any(each < DIST[check.king][check.target] for each in distances):
        return False
    return not trial.engine.mating(record, others, trial.left(turn))


def obstruction_removal(trial: Trial) -> bool:
    """Whether the mate is shorter by two plies at least without a piece that is sacrificed."""
    left = (sacrifices.leaving(trial.replayed, k) for k, _ in _turns(trial))
    return any(turn is not None and _is_shorter_without(trial, turn) for turn in left)


def replacement(trial: Trial) -> bool:
    """The same for a piece on whose square another kind is dropped later."""
    return any(
        sacrifices.replaces(trial.replayed, k) and _is_shorter_without(trial, k) for k, _ in _turns(trial)
    )


def _is_shorter_without(trial: Trial, turn: int) -> bool:
    record = trial.altered(turn, {trial.turns[turn].check.origin: 0})
    return trial.mates(record, trial.left(turn) - 2) is True


# --- what the attacker makes the defender do --------------------------------------------------------


def _is_needed(trial: Trial, turn: int) -> bool:
    """Whether the mate fails if the piece that took the sacrificed one still stood where it was."""
    check, answer = trial.turns[turn]
    assert answer is not None
    stood = answer.before[answer.origin]
    record = trial.altered(turn + 1, {check.target: 0, answer.origin: stood})
    return trial.mates(record, trial.left(turn) - 2) is False


def king_lure(trial: Trial) -> bool:
    """Whether the king is mated where it took a sacrificed piece and would not be where it stood."""
    return any(sacrifices.lures(trial.replayed, k) and _is_needed(trial, k) for k, _ in _turns(trial))


def decoy(trial: Trial) -> bool:
    """Whether a piece that takes a sacrificed one would save its king where it stood."""
    return any(answers.draws_away(trial.replayed, k) and _is_needed(trial, k) for k, _ in _turns(trial))


def block(trial: Trial) -> bool:
    """Whether the king would escape without a piece that took a sacrificed one and stands beside it."""
    return any(
        sacrifices.blocks(trial.replayed, k) and not trial.is_mate_without(turn.answer_cell)
        for k, turn in _turns(trial)
    )


def focal_sacrifice(trial: Trial) -> bool:
    """Whether two pieces may take a sacrificed one, and neither capture is met as the other is."""
    return any(
        sacrifices.is_on_a_focus(trial.replayed, k) and _is_focus(trial, k) for k, _ in _earlier(trial)
    )


def _is_focus(trial: Trial, turn: int) -> bool:
    check = trial.turns[turn].check
    record = trial.checked(turn)
    takers = [
        code
        for code in legal_evasions(record)
        if target_of(code) == check.target and int(record.board[origin_of(code)]) & 15 != KING
    ]
    replies: dict[int, list[set[int]]] = {}
    for code in takers:
        with played(record, code, Side.DEFENDER):
            mating = set(trial.engine.mating(record, legal_checks(record), trial.left(turn) - 2))
        replies.setdefault(origin_of(code), []).append(mating)
    return any(
        a - b and b - a for one, other in combinations(replies.values(), 2) for a in one for b in other
    )


# --- what the defender plays ------------------------------------------------------------------------

Kind = Callable[[Ply, Ply], bool]


def _lasts_longest(trial: Trial, turn: int, kind: Kind) -> bool:
    """Whether all answers that last as long as the line's are of its kind."""
    check, answer = trial.turns[turn]
    if answer is None or not kind(check, answer):
        return False
    longest = trial.longest_answers(turn)
    record = trial.checked(turn)
    return longest is not None and all(kind(check, _as_ply(record, code, answer)) for code in longest)


def _as_ply(record: Record, code: int, like: Ply) -> Ply:
    """Another answer to the same check."""
    start = origin_of(code)
    kind = dropped(code) or int(record.board[start]) & 15
    return like._replace(
        kind=kind, origin=start, target=target_of(code), captured=int(record.board[target_of(code)])
    )


def _by_kind(kind: Kind) -> Purpose:
    """Whether an answer of a kind occurs that lasts longer than all others."""
    return lambda trial: any(_lasts_longest(trial, k, kind) for k, _ in _turns(trial))


interposition = _by_kind(lambda _, answer: answer.is_drop)
moved_interposition = _by_kind(is_moved_interposition)
chuai = _by_kind(is_unprotected)


def given_interposition(trial: Trial) -> bool:
    """Whether an interposition given away lasts longer than all other answers."""
    return any(
        answers.gives_between(trial.replayed, k) and _lasts_longest(trial, k, answers.is_given)
        for k, _ in _turns(trial)
    )


# --- the mate and the attacker's king ---------------------------------------------------------------


def pin_mate(trial: Trial) -> bool:
    """Whether a pinned piece could take the checker or step between if nothing pinned it."""
    end = len(trial.turns)
    for pinned, pinner in endings.pins(trial.replayed):
        record = trial.altered(end, {pinner: 0})
        if record is not None and any(origin_of(code) == pinned for code in legal_evasions(record)):
            return True
    return False


def double_king(trial: Trial) -> bool:
    """Whether the solution is another one, or not the only one, without the attacker's king.

    A king in check at the start only leaves the attacker few moves: then what comes after
    the first answer is looked at.
    """
    start = trial.replayed.start
    turn = 1 if attackers(start, start.index(KING), DEF) else 0
    if turn == len(trial.turns):
        return False
    record = trial.altered(turn, {trial.board(turn).index(KING): 0})
    if record is None:
        return False
    n = trial.left(turn)
    if not trial.engine.mates(record, n) or not trial.engine.keeps_line(record, trial.moves[2 * turn :]):
        return True
    return trial.engine.is_sound(record, n, 0, _MOST_TURNS) != SOUND


_MOST_TURNS = 100
