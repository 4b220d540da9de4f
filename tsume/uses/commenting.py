# SPDX-License-Identifier: GPL-3.0-or-later
"""A comment on a problem in one or two sentences, as an editor writes them, made from what is proved.

It tells a natural check that fails and the point: what a move of the line achieves. The purposes of themes prove the
point (`generator.themes`), the explanation the try. Of the points the most remarkable is told, the sooner if a try
fails to just what it prevents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from generator.replay import CELL_OF, DIST, LINE, ReplayedPly, attackers_of_cell, is_strictly_between, replay_line
from generator.themes.predicates import discovers_check, pinned_pieces
from generator.themes.purposes import LineProbe
from generator.themes.table import THEMES
from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explanation import AnswerManner, CauseKind, FailingCheck, Proof, ReplyTree, Try
from solver.explaining.tries import answer_manner
from solver.results import Grade, LimitReached, Limits
from solver.scoring.difficulty import check_traits, weighted_sum
from tsume.reports.explanation import Part, Remark
from tsume.uses.explaining import ExplainedPosition
from tsume_rules.kernel.state import PROMOTES
from tsume_rules.kernel.tables import ATT, DEF, KING, OURS, SQUARE
from tsume_rules.moves import Move
from tsume_rules.packed import (
    PackedPosition,
    dropped,
    forbidden_drop,
    legal_checks,
    legal_evasions,
    origin_of,
    pack_move,
    record_after,
    target_of,
)
from tsume_rules.position import Kind, Position, Square, rank_of

NODES, MOST_NODES = 20_000, 300_000
"""For each theme, and for a whole comment: a long line has many turns."""
NATURAL = 0.7
"""By how much the habit of a player (`solver.scoring.difficulty`) prefers a natural check to the key, in nats."""
_Tries = Sequence[Sequence[FailingCheck | Try]]


def comment_on_tree(engine: DfPnEngine, position: Position, tree: ReplyTree) -> list[Remark]:
    """Return the remarks of a comment on a problem from its tree: at most two, none if nothing is worth one.

    Raises `LimitReached` only for outer limits.
    """
    tries = [[one for one in turn.checks if isinstance(one, FailingCheck)] for turn in tree.line_turns()]
    return _comment(engine, position, tree.line, tries) if tree.length is not None else []


def comment_on_explanation(engine: DfPnEngine, found: ExplainedPosition) -> list[Remark]:
    """Return the same on a position that was explained; none if it is unsound or mates at once."""
    line, turns = found.explanation.line, found.explanation.turns
    if len(line) == 1 or found.judgement.grade not in (Grade.PERFECT, Grade.SOUND):
        return []
    return _comment(engine, found.parsed.position, line, [turn.tries for turn in turns])


def _comment(engine: DfPnEngine, position: Position, line: tuple[Move, ...], tries: _Tries) -> list[Remark]:
    probe, points = LineProbe(engine, replay_line(position, line), line), list[_Said]()
    proved = [[one for one in turn if one.proof is not Proof.BOUNDED] for turn in tries]
    proved += [[] for _ in probe.turns[len(proved) :]]
    try:
        with engine.within(Limits(nodes=MOST_NODES)):
            points.extend(_points(probe, proved))
    except LimitReached:
        engine.check_limits()
    chosen = _chosen(points, list(_tries(probe, proved, points)))
    return sorted(chosen, key=lambda one: (one.name in _OF_THE_END, one.number, not one.name.startswith("try")))


_OF_THE_END = ("pin", "king_returns")
"""They are told last; the others in the order of the moves, a try before the point."""


@dataclass(frozen=True)
class _Said:
    """A remark that may be made, and what it is worth."""

    worth: float
    remark: Remark


def _chosen(points: list[_Said], tries: list[_Said]) -> list[Remark]:
    """Return the best pair of a point and a try, at its move or the first, or of two points; else what there is."""

    def worth(point: _Said, other: _Said) -> float:
        one, two, same = point.remark, other.remark, point.remark.number == other.remark.number
        if other in points:  # a second point that is less than rare is told where no try is
            return -1.0 if same or one.name == two.name else 0.02 * other.worth + max(other.worth - _RARE, 0.0)
        is_near = (same or two.number == 1) and not one.tells_answer_of(two)
        return (0.3 + other.worth) * (1 if same else 0.5) if is_near else -1.0

    pairs = [(point.worth + worth(point, other), point, other) for point in points for other in (*points, *tries)]
    _, point, other = max(pairs, key=lambda pair: pair[0], default=(0.0, None, None))
    if point is None or other is None:
        return [max(tries, key=lambda one: one.worth).remark] if tries else []
    return [point.remark, other.remark] if worth(point, other) > _LITTLE else [point.remark]


_RARE, _LITTLE = 5.5, 0.04
"""What a rare point is worth, and what a second remark is at least."""


# --- the checks that fail ---------------------------------------------------------------------------


def _tries(probe: LineProbe, tries: _Tries, points: Sequence[_Said]) -> Iterator[_Said]:
    """Yield the failing checks before the last turn that a player thinks of: moves of later turns, those that fail to
    what a point prevents, those like the key, and those that habit prefers to it by far."""
    for turn, failing in enumerate(tries[: len(probe.turns) - 1]):
        packed, key = probe.record_before(turn), probe.line[2 * turn]
        by_habit = weighted_sum(check_traits(packed, probe.moves[2 * turn]))
        here = [point.remark for point in points if point.remark.number == 2 * turn + 1]
        for tried in failing:
            traits = check_traits(packed, pack_move(tried.check))
            gap = weighted_sum(traits) - by_habit
            after = record_after(packed, (pack_move(tried.check),))
            manner = answer_manner(after, pack_move(tried.answer))
            is_early = tried.check in probe.line[2 * turn + 2 :: 2]
            is_met = any(_prevents(point, tried.answer, _square(probe.turns[turn].check.king)) for point in here)
            is_plain = traits["stays_unpromoted"] and not traits.get("knight")
            if (gap < 0 or is_plain) and not (is_early and is_met):
                continue
            is_like = tried.check.target == key.target or (
                (tried.check.origin, tried.check.drop) == (key.origin, key.drop) and gap >= NATURAL
            )
            is_lost = tried.answer.target == tried.check.target or manner is AnswerManner.TAKES_CHECKER
            is_plainly_lost = is_lost and tried.check.target != key.target
            if is_early or is_met or (not is_plainly_lost and (is_like or gap >= NATURAL)):
                worth = 2.0 * is_met + 1.0 * is_early + 0.5 * is_like + 0.1 * max(gap, 0.0)
                yield _Said(worth, _remark_on_try(probe, turn, tried, manner, is_early))


def _prevents(point: Remark, answer: Move, king: Square) -> bool:
    """Return whether an answer is what a point prevents."""
    if point.name in ("block", "block_for_now", "decoy_from_own"):
        return answer.origin == king and answer.target == point.parts.get("guarded", point.parts.get("square"))
    return (answer.origin, answer.target) == (point.parts.get("origin"), point.parts.get("guarded"))


def _remark_on_try(
    probe: LineProbe, turn: int, tried: FailingCheck | Try, manner: AnswerManner, is_early: bool
) -> Remark:
    path = (*probe.line[: 2 * turn], tried.check)
    parts: dict[str, Part] = {"check": path, "answer": (*path, tried.answer)}
    taken = probe.turns[turn].check.before[CELL_OF[tried.answer.target]]
    name = "try_taken" if tried.answer.target == tried.check.target else _BY_MANNER[manner]
    if drop := _forbidden_drop(path[:-1], tried):
        name, parts["drop"] = "try_pawn_drop", drop
    elif is_early:
        name = "try_early"
    elif manner is AnswerManner.MOVES_KING and taken and tried.check.origin != tried.answer.target:
        name, parts["taken"] = "try_king_takes", _kind(taken)
    elif tried.proof is Proof.NO_CHECK and name != "try_taken":
        name = "try_no_check"
    return Remark(name, len(path), parts)


_BY_MANNER = {
    AnswerManner.TAKES_CHECKER: "try_taken", AnswerManner.MOVES_KING: "try_flight",
    AnswerManner.DROPS_BETWEEN: "try_dropped_between", AnswerManner.MOVES_BETWEEN: "try_moved_between",
}  # fmt: skip


# --- the points of a line ---------------------------------------------------------------------------


def _points(probe: LineProbe, tries: _Tries) -> Iterator[_Said]:
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
                remark = Remark(name, 2 * turn + 1, {"check": probe.line[: 2 * turn + 1], **parts})
                yield _Said(_WORTH[name] + _FIRST * (turn == 0) - _LATE * turn, remark)


@dataclass(frozen=True)
class _Point:
    """A turn of a line that shows a theme for its purpose."""

    probe: LineProbe
    turn: int
    tries: Sequence[FailingCheck | Try]

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

    def at_the_end(self, name: str, parts: dict[str, Part] | None = None) -> _Found:
        """Return a remark, under another name if its check mates."""
        mates = self.turn + 1 == len(self.probe.turns)
        return f"{name}_mate" if mates else name, {"last": self.line, **(parts or {})}


_Found = tuple[str, dict[str, Part]]
_Describe = Callable[[_Point], _Found | None]


def _kind(code: int) -> Kind:
    return Kind(code % OURS)


def _square(cell: int) -> Square:
    return int(SQUARE[cell])


def _decoy(point: _Point) -> _Found:
    """Tell what the piece could do on the square that it left, or what it does on the other, at the first later check
    that would then fail: it guards a square, stands in the way, leaves its king a square."""
    answer, probe = point.answer, point.probe
    code, moved = answer.before[answer.origin], probe.board_before(point.turn + 1)[answer.target]
    parts: dict[str, Part] = {"piece": _kind(answer.kind), "origin": _square(answer.origin)}
    for later in range(point.turn + 1, len(probe.turns)):
        check, key, left = probe.turns[later].check, probe.moves[2 * later], probe.plies_left(later)
        if check.before[answer.target] != moved or check.before[answer.origin]:
            break  # it moved on, was taken, or its square is used
        packed = probe.record_with_changes(later, {answer.origin: code, answer.target: 0})
        if packed is None or probe.mates_by(packed, key, left):
            continue
        if key not in legal_checks(packed):
            name = "decoy_for_pawn_drop" if key == forbidden_drop(packed) else _hindrance(check, answer.origin)
            return (name, {**parts, "later": point.line[: 2 * later + 1]}) if name else ("decoy", parts)
        after = record_after(packed, (key,))
        escapes = [
            move for move in legal_evasions(after) if not probe.mates(record_after(packed, (key, move)), left - 2)
        ]
        for move in escapes:
            found = _shown_by_escape(point, later, packed, move)
            if found is not None:
                return found
        if probe.moves[2 * later + 1 : 2 * later + 2] not in [(move,) for move in escapes]:
            break
    return "decoy", parts


def _shown_by_escape(point: _Point, later: int, packed: PackedPosition, move: int) -> _Found | None:
    """Tell what a move that escapes a later check, with the drawn piece back on its square, shows of that piece."""
    answer, probe = point.answer, point.probe
    check, key, left = probe.turns[later].check, probe.moves[2 * later], probe.plies_left(later)
    origin, target = origin_of(move), target_of(move)
    parts: dict[str, Part] = {"piece": _kind(answer.kind), "origin": _square(answer.origin)}
    guarded: dict[str, Part] = {**parts, "guarded": _square(target)}
    cells = [int(code) for code in record_after(packed, (key,)).board]
    moves_again = origin == answer.origin and target != answer.target  # where it goes is no square that it leaves
    guards = moves_again and target in check.checkers and origin in attackers_of_cell(point.check.before, target, DEF)
    covers = dropped(move) and answer.origin in attackers_of_cell(cells, target, DEF)
    if guards or (covers and not probe.mates(record_after(packed, (key, move)), left)):
        return "decoy_from_guard", guarded
    if moves_again and target not in check.checkers and not probe.mates(record_after(packed, (key, move)), left):
        return "decoy_from_between", guarded
    if origin != check.king:
        return None
    if target == answer.target:
        name = "block" if later + 1 == len(probe.turns) else "block_for_now"
        return name, {"piece": parts["piece"], "square": _square(target)}
    cells[check.king] = 0
    shut = attackers_of_cell(cells, target, ATT)
    cells[answer.origin] = 0
    opened = set(attackers_of_cell(cells, target, ATT)) - set(shut)
    if opened:
        slider = min(opened)
        return "decoy_from_own", {**guarded, "slider": _kind(cells[slider]), "on": _square(slider)}
    return None


def _hindrance(check: ReplayedPly, cell: int) -> str | None:
    """Return how a piece on a cell hinders a check, if it does: on the square of a drop, or in the way."""
    if check.is_drop and check.target == cell:
        return "decoy_for_drop"
    lines = [(check.origin, check.target), *((checker, check.king) for checker in check.checkers)][check.is_drop :]
    return "decoy_from_way" if any(is_strictly_between(*ends, cell) for ends in lines) else None


def _block(point: _Point) -> _Found | None:
    cell, king = point.answer.target, point.probe.replayed.mated_king
    packed = point.probe.record_with_changes(len(point.probe.turns), {cell: 0})
    flees = packed and any((origin_of(move), target_of(move)) == (king, cell) for move in legal_evasions(packed))
    return ("block", {"piece": _kind(point.answer.kind), "square": _square(cell)}) if flees else None


def _king_lure(point: _Point) -> _Found:
    name = "king_lure_mate" if point.turn + 2 == len(point.probe.turns) else "king_lure"
    return name, {"square": _square(point.check.target), "later": point.line}


def _focus(point: _Point) -> _Found | None:
    check = point.check
    cells = check.cells_after(check.piece_after)
    takers = [cell for cell in attackers_of_cell(cells, check.target, DEF) if cells[cell] % OURS != KING]
    if len(takers) != 2:
        return None
    (one, on), (other, off) = ((_kind(cells[cell]), _square(cell)) for cell in takers)
    return "focus", {"one": one, "on": on, "other": other, "off": off}


def _drop(point: _Point) -> _Found:
    """Tell of the farthest of the nearer squares why the drop fails there."""
    check, move, ranks = point.check, point.line[2 * point.turn], range(1, 4)
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
    parts: dict[str, Part] = {
        "nearer": beside.check.target, "answer": (*point.line[: 2 * point.turn], beside.check, beside.answer)
    }  # fmt: skip
    promotes = any(one.origin == move.target and one.promotes for one in point.line[2 * point.turn + 2 :: 2])
    if promotes and rank_of(move.target) in ranks and all(rank_of(one.check.target) not in ranks for one in nearer):
        return "drop_to_promote", parts
    is_taken = beside.answer.target == beside.check.target
    return "drop_apart" if is_taken else "drop_not_nearer", parts


def _plain(point: _Point) -> _Found | None:
    move, path = point.line[2 * point.turn], point.line[: 2 * point.turn]
    if point.probe.moves[2 * point.turn] | PROMOTES not in legal_checks(point.probe.record_before(point.turn)):
        return None  # no check: nobody thinks of it
    same = (one for one in point.tries if (one.check.origin, one.check.target) == (move.origin, move.target))
    tried = next(same, None)
    if tried is None:
        return "plain", {}
    if drop := _forbidden_drop(path, tried):
        return "plain_for_pawn_drop", {"drop": drop}
    return "plain_fails", {"answer": (*path, tried.check, tried.answer)}


def _forbidden_drop(path: tuple[Move, ...], tried: FailingCheck | Try) -> tuple[Move, ...] | None:
    """Return the moves to the pawn drop that would mate after a failing check and its answer, if that rule decides
    there and then."""
    cause = tried.cause
    decides = cause is not None and cause.kind is CauseKind.PAWN_DROP_MATE and len(cause.line) == 1
    return (*path, tried.check, tried.answer, *cause.line) if cause is not None and decides else None


def _removal(point: _Point) -> _Found:
    piece = point.check.piece
    return "removal", {"piece": _kind(point.probe.replayed.start[piece]), "square": _square(piece)}


def _replacement(point: _Point) -> _Found:
    left, later = point.check.origin, point.probe.turns[point.turn + 1 :]
    other = next(turn.check for turn in later if turn.check.is_drop and turn.check.target == left)
    return "replacement", {"piece": _kind(point.check.kind), "square": _square(left), "other": _kind(other.kind)}


def _answer(name: str) -> _Describe:
    return lambda point: (name, {"answer": point.line[: 2 * point.turn + 2]})


def _discovery(point: _Point) -> _Found | None:
    check = point.check
    if len(check.checkers) > 1 or not discovers_check(check):
        return None
    (checker,) = check.checkers
    return point.at_the_end("discovery", {"piece": _kind(check.before[checker]), "square": _square(checker)})


def _big_sacrifice(point: _Point) -> _Found | None:
    if point.turn and point.probe.turns[point.turn - 1].answer_cell == point.check.target:
        return None
    name = "big_sacrifice_taken" if point.answer.kind != KING else "big_sacrifice"
    return name, {"piece": _kind(point.check.kind), "taker": _kind(point.answer.kind)}


def _pin(point: _Point) -> _Found | None:
    probe, end = point.probe, point.probe.replayed.end
    for pinned, pinner in pinned_pieces(probe.replayed):
        packed = probe.record_with_changes(len(probe.turns), {pinner: 0})
        if packed is not None and any(origin_of(code) == pinned for code in legal_evasions(packed)):
            return "pin", {"piece": _kind(end[pinned]), "square": _square(pinned), "pinner": _kind(end[pinner])}
    return None


def _simple(name: str) -> _Describe:
    return lambda _: (name, {})


_DESCRIBED: tuple[tuple[str, _Describe], ...] = (
    ("pawn-drop-avoidance", _plain),
    ("non-promotion", _plain),
    ("pawn-drop-lure", _answer("pawn_drop_lure")),
    ("long-drop", _drop),
    ("distant-drop", _drop),
    ("replacement", _replacement),
    ("focal-sacrifice", _focus),
    ("obstruction-removal", _removal),
    ("switchback", _simple("switchback")),
    ("chuai", _answer("chuai")),
    ("moved-interposition", _answer("moved_interposition")),
    ("given-interposition", _answer("given_interposition")),
    ("interposition", _answer("interposition")),
    ("reverse-check", _answer("reverse_check")),
    ("decoy", _decoy),
    ("block", _block),
    ("king-lure", _king_lure),
    ("pin-mate", _pin),
    ("double-check", lambda point: point.at_the_end("double_check")),
    ("big-piece-sacrifice", _big_sacrifice),
    ("smothered-mate", lambda point: point.at_the_end("smothered")),
    ("knight-mate", lambda point: point.at_the_end("knight")),
    ("discovered-check", _discovery),
    ("king-returns", lambda point: ("king_returns", {"square": _square(point.probe.replayed.mated_king)})),
    ("sacrifice", _simple("sacrifice")),
)
"""How the themes are described."""
_WORTH = {
    "plain_for_pawn_drop": 10.0, "decoy_for_pawn_drop": 10.0, "pawn_drop_lure": 10.0, "drop_to_promote": 9.0,
    "chuai": 8.5, "drop_not_nearer": 8.0, "reverse_check": 8.0, "focus": 8.0, "replacement": 7.7, "removal": 7.5,
    "plain_fails": 7.5, "switchback": 7.0, "drop": 7.0, "moved_interposition": 6.5, "decoy_for_drop": 6.5,
    "decoy_from_guard": 6.5, "decoy_from_way": 6.5, "decoy_from_between": 6.5, "decoy_from_own": 6.5, "block": 6.0,
    "block_for_now": 6.0, "given_interposition": 5.5, "pin": 5.5, "plain": 5.5, "double_check": 5.0,
    "drop_apart": 5.0, "king_lure_mate": 5.0, "smothered_mate": 5.0, "big_sacrifice_taken": 4.5,
    "big_sacrifice": 4.5, "discovery": 4.5, "interposition": 4.4, "king_lure": 4.0, "double_check_mate": 3.5,
    "decoy": 3.0, "knight_mate": 3.0, "king_returns": 3.0, "discovery_mate": 2.5, "sacrifice": 1.0,
}  # fmt: skip
"""What the points are worth: the rarer and the more telling, the more."""
_FIRST, _LATE = 0.5, 0.2
"""More for the first move, and less for each turn before: the finish of a long problem is easy."""
