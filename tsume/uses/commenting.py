# SPDX-License-Identifier: GPL-3.0-or-later
"""A comment on a problem in one or two sentences, as an editor writes them, made from what is proved.

It tells the most natural check that fails, if one is more natural than the key, and the point: what a move of the
line achieves. The purposes of themes prove the point (`generator.themes`), the explanation the try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from generator.replay import CELL_OF, DIST, LINE, ReplayedPly, attackers_of_cell, replay_line
from generator.themes.predicates import discovers_check, pinned_pieces
from generator.themes.purposes import LineProbe
from generator.themes.table import THEMES
from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explanation import AnswerManner, CauseKind, FailingCheck, Proof, ReplyTree
from solver.results import LimitReached, Limits
from solver.scoring.difficulty import check_traits, weighted_sum
from tsume.reports.explanation import Part, Remark
from tsume_rules.kernel.tables import DEF, KING, OURS, SQUARE
from tsume_rules.moves import Move
from tsume_rules.packed import legal_checks, legal_evasions, origin_of, pack_move, played, target_of
from tsume_rules.position import Kind, Position, Side, Square

NODES, MOST_NODES = 20_000, 300_000
"""For each theme, and for a whole comment: a long line has many turns."""
MOST = 2
"""The most remarks."""
NATURAL = 0.7
"""By how much the habit of a player (`solver.scoring.difficulty`) prefers a natural check to the key, in nats."""


def comment_on_tree(engine: DfPnEngine, position: Position, tree: ReplyTree) -> list[Remark]:
    """Return the remarks of a comment on a problem from its tree: at most two, none if nothing is worth one.

    Raises `LimitReached` only for outer limits.
    """
    if tree.length is None:
        return []
    line, tries = tree.line, _tries(tree)
    probe = LineProbe(engine, replay_line(position, line), line)
    tried, found = natural_try(probe, tries), list[Remark]()
    try:
        with engine.within(Limits(nodes=MOST_NODES)):
            for point in _points(probe, tries):
                if point.tells_answer_of(tried):
                    tried = None
                if all(point.number != one.number for one in found):
                    found.append(point)
                if len(found) == MOST:
                    break
    except LimitReached:
        engine.check_limits()
    return [tried, *found[: MOST - 1]] if tried is not None else found


def _tries(tree: ReplyTree) -> list[list[FailingCheck]]:
    """Return the checks that are proved to fail at each turn of a tree's line, as far as it has them."""
    found = [
        [one for one in turn.checks if isinstance(one, FailingCheck) and one.proof is not Proof.BOUNDED]
        for turn in tree.line_turns()
    ]
    return found + [[] for _ in tree.line[2 * len(found) :: 2]]


# --- the most natural check that fails --------------------------------------------------------------


def natural_try(probe: LineProbe, tries: Sequence[Sequence[FailingCheck]]) -> Remark | None:
    """Return the failing check that habit prefers most to the key, among all turns but the last; None if habit finds
    each key."""
    best: tuple[float, Remark] | None = None
    for turn, failing in enumerate(tries[: len(probe.turns) - 1]):
        packed = probe.record_before(turn)
        by_habit = weighted_sum(check_traits(packed, probe.moves[2 * turn]))
        for tried in failing:
            traits = check_traits(packed, pack_move(tried.check))
            gap = weighted_sum(traits) - by_habit
            is_plain = traits["stays_unpromoted"] and not traits.get("knight")
            if gap >= NATURAL and not is_plain and (best is None or gap > best[0]):
                best = gap, _remark_on_try(probe, turn, tried)
    return best and best[1]


def _remark_on_try(probe: LineProbe, turn: int, tried: FailingCheck) -> Remark:
    path = (*probe.line[: 2 * turn], tried.check)
    parts: dict[str, Part] = {"check": path, "answer": (*path, tried.answer)}
    if tried.cause is not None and tried.cause.kind is CauseKind.PAWN_DROP_MATE and tried.cause.line:
        return Remark("try_pawn_drop", len(path), {**parts, "drop": (*path, *tried.cause.line)})
    if tried.proof is Proof.NO_CHECK:
        return Remark("try_no_check", len(path), parts)
    if tried.answer.target == tried.check.target:
        return Remark("try_taken", len(path), parts)
    is_flight = tried.manner is AnswerManner.MOVES_KING
    return Remark("try_flight" if is_flight else "try_between", len(path), parts)


# --- the points of a line, the rarest first ---------------------------------------------------------


def _points(probe: LineProbe, tries: Sequence[Sequence[FailingCheck]]) -> Iterator[Remark]:
    for tag, describe in _DESCRIBED:
        theme = THEMES[tag]
        moves = theme.moves
        for turn in moves.turns(probe.replayed) if moves else [len(probe.turns) - 1] * theme.predicate(probe.replayed):
            try:
                probe.engine.forget()
                with probe.engine.within(Limits(nodes=NODES)):
                    if moves and moves.purpose and not moves.purpose(probe, turn):
                        continue
                    if not moves and theme.purpose and not theme.purpose(probe):
                        continue
                    found = describe(_Point(probe, turn, tries[turn]))
            except LimitReached:
                probe.engine.check_limits()
                continue
            if found is not None:
                name, parts = found
                yield Remark(name, 2 * turn + 1, {"check": probe.line[: 2 * turn + 1], **parts})
                break


@dataclass(frozen=True)
class _Point:
    """A turn of a line that shows a theme for its purpose."""

    probe: LineProbe
    turn: int
    tries: Sequence[FailingCheck]

    @property
    def line(self) -> tuple[Move, ...]:
        return self.probe.line

    @property
    def check(self) -> ReplayedPly:
        return self.probe.turns[self.turn].check

    @property
    def answer(self) -> ReplayedPly:
        found = self.probe.turns[self.turn].answer
        assert found is not None
        return found

    @property
    def answer_moves(self) -> tuple[Move, ...]:
        return self.line[: 2 * self.turn + 2]


_Found = tuple[str, dict[str, Part]]
_Describe = Callable[[_Point], _Found | None]


def _kind(code: int) -> Kind:
    return Kind(code % OURS)


def _square(cell: int) -> Square:
    return int(SQUARE[cell])


def _decoy(point: _Point) -> _Found:
    answer = point.answer
    return "decoy", {"piece": _kind(answer.kind), "origin": _square(answer.origin)}


def _decoy_explained(point: _Point) -> _Found | None:
    """What the piece could do on the square that it left: answer a later check, or stand in the way of one."""
    answer, probe = point.answer, point.probe
    _, parts = _decoy(point)
    code = answer.before[answer.origin]
    for later in range(point.turn + 1, len(probe.turns)):
        check = probe.turns[later].check
        if check.before[answer.target] != code or check.before[answer.origin]:
            return None  # it moved on, was taken, or its square is used
        packed = probe.record_with_changes(later, {answer.origin: code, answer.target: 0})
        left = probe.plies_left(later)
        if packed is None or probe.mates_by(packed, probe.moves[2 * later], left):
            continue
        if probe.moves[2 * later] not in legal_checks(packed):
            return "decoy_from_way", {**parts, "later": point.line[: 2 * later + 1]}
        with played(packed, probe.moves[2 * later], Side.ATTACKER):
            for move in legal_evasions(packed):
                if origin_of(move) == answer.origin:
                    with played(packed, move, Side.DEFENDER):
                        if not probe.mates(packed, left - 2):
                            return "decoy_from_guard", {**parts, "guarded": _square(target_of(move))}
        return None
    return None


def _block(point: _Point) -> _Found:
    return "block", {"piece": _kind(point.answer.kind), "square": _square(point.answer.target)}


def _king_lure(point: _Point) -> _Found:
    return "king_lure", {"square": _square(point.check.target), "origin": _square(point.check.king)}


def _focus(point: _Point) -> _Found | None:
    check = point.check
    cells = check.cells_after(check.piece_after)
    takers = [cell for cell in attackers_of_cell(cells, check.target, DEF) if cells[cell] % OURS != KING]
    if len(takers) != 2:
        return None
    one, other = takers
    return "focus", {
        "one": _kind(cells[one]), "on": _square(one), "other": _kind(cells[other]), "off": _square(other)
    }  # fmt: skip


def _drop(point: _Point) -> _Found:
    check, move = point.check, point.line[2 * point.turn]
    nearer = [
        tried
        for tried in point.tries
        if tried.check.drop == move.drop
        and LINE[check.king][CELL_OF[tried.check.target]] == LINE[check.king][check.target]
        and DIST[check.king][CELL_OF[tried.check.target]] < DIST[check.king][check.target]
    ]
    if not nearer:
        return "drop", {}
    beside = max(nearer, key=lambda tried: DIST[check.king][CELL_OF[tried.check.target]])
    path = (*point.line[: 2 * point.turn], beside.check)
    return "drop_not_nearer", {"nearer": beside.check.target, "answer": (*path, beside.answer)}


def _plain(point: _Point) -> _Found:
    move = point.line[2 * point.turn]
    for tried in point.tries:
        if (tried.check.origin, tried.check.target) == (move.origin, move.target):
            path = (*point.line[: 2 * point.turn], tried.check)
            if tried.cause is not None and tried.cause.kind is CauseKind.PAWN_DROP_MATE and tried.cause.line:
                return "plain_for_pawn_drop", {"drop": (*path, *tried.cause.line)}
            return "plain_fails", {"answer": (*path, tried.answer)}
    return "plain", {}


def _removal(point: _Point) -> _Found:
    piece = point.check.piece
    return "removal", {"piece": _kind(point.probe.replayed.start[piece]), "square": _square(piece)}


def _replacement(point: _Point) -> _Found:
    left, later = point.check.origin, point.probe.turns[point.turn + 1 :]
    other = next(turn.check for turn in later if turn.check.is_drop and turn.check.target == left)
    return "replacement", {
        "piece": _kind(point.check.kind), "square": _square(left), "other": _kind(other.kind)
    }  # fmt: skip


def _answer(name: str) -> _Describe:
    return lambda point: (name, {"answer": point.answer_moves})


def _discovery(point: _Point) -> _Found | None:
    check = point.check
    if len(check.checkers) > 1 or not discovers_check(check):
        return None
    (checker,) = check.checkers
    return "discovery", {"piece": _kind(check.before[checker]), "square": _square(checker)}


def _big_sacrifice(point: _Point) -> _Found | None:
    if point.turn and point.probe.turns[point.turn - 1].answer_cell == point.check.target:
        return None
    name = "big_sacrifice_taken" if point.answer.kind != KING else "big_sacrifice"
    return name, {"piece": _kind(point.check.piece_after), "taker": _kind(point.answer.kind)}


def _pin(point: _Point) -> _Found | None:
    probe, end = point.probe, point.probe.replayed.end
    for pinned, pinner in pinned_pieces(probe.replayed):
        packed = probe.record_with_changes(len(probe.turns), {pinner: 0})
        if packed is not None and any(origin_of(code) == pinned for code in legal_evasions(packed)):
            return "pin", {"piece": _kind(end[pinned]), "square": _square(pinned), "pinner": _kind(end[pinner])}
    return None


def _king_returns(point: _Point) -> _Found:
    return "king_returns", {"square": _square(point.probe.replayed.mated_king)}


def _simple(name: str) -> _Describe:
    return lambda _: (name, {})


_DESCRIBED: tuple[tuple[str, _Describe], ...] = (
    ("pawn-drop-avoidance", _plain),
    ("pawn-drop-lure", _answer("pawn_drop_lure")),
    ("chuai", _answer("chuai")),
    ("long-drop", _drop),
    ("distant-drop", _drop),
    ("replacement", _replacement),
    ("focal-sacrifice", _focus),
    ("obstruction-removal", _removal),
    ("switchback", _simple("switchback")),
    ("non-promotion", _plain),
    ("moved-interposition", _answer("moved_interposition")),
    ("given-interposition", _answer("given_interposition")),
    ("interposition", _answer("interposition")),
    ("reverse-check", _answer("reverse_check")),
    ("decoy", _decoy_explained),
    ("block", _block),
    ("decoy", _decoy),
    ("king-lure", _king_lure),
    ("pin-mate", _pin),
    ("double-check", _simple("double_check")),
    ("big-piece-sacrifice", _big_sacrifice),
    ("smothered-mate", _simple("smothered_mate")),
    ("knight-mate", _simple("knight_mate")),
    ("discovered-check", _discovery),
    ("king-returns", _king_returns),
    ("sacrifice", _simple("sacrifice")),
)
"""How the themes are described, the most remarkable first."""
