# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries (紛れ): a failing check, the answers that refute it, what decides it (a pin, 打歩詰), and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ParamSpec, TypeVar

from solver.engines.base import MateEngine
from solver.engines.kernel.mate import may_be_futile
from solver.explaining.explanation import AnswerManner, Cause, CauseKind, FailingCheck, OtherMate, Proof, Try
from solver.results import LimitReached, Reason
from tsume_rules.kernel.attacks import find_checkers, in_check
from tsume_rules.kernel.state import hand_contains, packed_hand
from tsume_rules.kernel.tables import ATT, CELL, DEF, OURS, PAWN, SQUARE
from tsume_rules.moves import Move, attacked_squares, attacks_square
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    cells_between,
    dropped,
    forbidden_drop,
    legal_checks,
    legal_evasions,
    origin_of,
    pack_move,
    played,
    target_of,
    unpack,
    unpack_move,
)
from tsume_rules.position import Kind, Side, Square

# --- whether a check that does not mate in time fails at any length, and the answer that shows it ---

P = ParamSpec("P")
T = TypeVar("T")
LENGTH_NODES = 300_000
"""Default nodes for finding the length of a check's mate."""
_ANSWER_NODES = (300, 3000, 30_000, 300_000)
"""Nodes for each answer to a failing check, in rounds until one answer is proved to refute it."""


@dataclass(frozen=True)
class MatesLater:
    """The check mates in ``length`` plies; None: at a length that took too many nodes to find."""

    length: int | None


class Refuter:
    """Finds how checks fail. A check does not mate within ``known`` plies.

    ``known`` is odd, or -1. ``length_nodes`` bounds the search for the length of a mate; it may be changed
    between calls, and with 0 the length is not searched for. All methods raise `LimitReached`.

    An answer after which the attacker has no mate is never a futile drop: if sliding to its square
    mates, so does taking it, with one more piece in hand. So one query for each answer is enough.
    """

    def __init__(self, engine: MateEngine, length_nodes: int = LENGTH_NODES) -> None:
        self._engine = engine
        self.length_nodes = length_nodes

    def at_once(self, packed: PackedPosition, check: int) -> FailingCheck | None:
        """Return the failure of a check after which some answer leaves no further check."""
        with played(packed, check, Side.ATTACKER):
            for move in answers_by_manner(packed):
                with played(packed, move, Side.DEFENDER):
                    ends_checks = not legal_checks(packed)
                if ends_checks:
                    return _fails(packed, check, move, Proof.NO_CHECK)
        return None

    def at_any_length(
        self, packed: PackedPosition, check: int, known: int, nodes: int
    ) -> FailingCheck | MatesLater | None:
        """Return how a check fails, or in how many plies it mates; None if that takes more than ``nodes`` nodes."""

        def length() -> int:
            n = known + 1
            while not self._engine.is_mated(packed, n):
                n += 2
            return n + 1

        with played(packed, check, Side.ATTACKER):
            with self._engine.expecting_no():
                mates = self._ask(nodes, self._engine.mates_ever, packed, attacker=False)
            if mates:
                return MatesLater(self._ask(self.length_nodes, length) if self.length_nodes > 0 else None)
            found = None if mates is None else self._refutation(packed)
            return None if found is None else _fails(packed, check, found, Proof.ANY_LENGTH)

    def within_a_bound(
        self, packed: PackedPosition, check: int, known: int, nodes: int
    ) -> FailingCheck | MatesLater | None:
        """Return how a check fails within as many plies as ``nodes`` nodes prove, by the answer that lasts so long.

        ``known``: it is known not to mate within so many plies, the check counted. If it mates after all, in how many
        plies; None if no answer is known to last.
        """
        end, n = self._engine.nodes + nodes, known - 1

        def lasts(move: int, nodes: int) -> bool:
            """Return whether an answer is proved to last longer than n plies."""
            with played(packed, move, Side.DEFENDER):
                if self._ask(nodes, self._engine.mates, packed, n - 1) is not False:
                    return False
            if not may_be_futile(packed, move):
                return True
            return self._ask(nodes, self._engine.is_futile, packed, target_of(move), n) is False

        with played(packed, check, Side.ATTACKER):
            while (left := end - self._engine.nodes) > 0:
                mated = self._ask(left, self._engine.is_mated, packed, n + 2)
                if mated:
                    return MatesLater(n + 3)
                if mated is None:
                    break
                if self._engine.refuted_for_good:
                    found = self._refutation(packed)
                    return None if found is None else _fails(packed, check, found, Proof.ANY_LENGTH)
                n += 2
            found = _first_seen(packed, lasts) if n > 0 else None
            return None if found is None else _fails(packed, check, found, Proof.BOUNDED, n - 1)

    def _refutation(self, packed: PackedPosition) -> int | None:
        """Return the first answer proved to refute a failing check."""

        def refutes(move: int, nodes: int) -> bool:
            with played(packed, move, Side.DEFENDER), self._engine.expecting_no():
                return self._ask(nodes, self._engine.mates_ever, packed) is False

        return _first_seen(packed, refutes)

    def _ask(self, nodes: int, question: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T | None:
        return self._engine.answered_within(nodes, partial(question, *arguments, **options))


def answer_manner(packed: PackedPosition, answer: int) -> AnswerManner:
    """Return the manner of a legal answer (a kernels' move code); ``packed`` stands before it, in check."""
    if dropped(answer):
        return AnswerManner.DROPS_BETWEEN
    count, checker = find_checkers(packed, DEF)
    if count == 1 and target_of(answer) == checker:
        return AnswerManner.TAKES_CHECKER
    return AnswerManner.MOVES_KING if origin_of(answer) == int(packed.king[DEF]) else AnswerManner.MOVES_BETWEEN


def answers_by_manner(packed: PackedPosition) -> Sequence[int]:
    """Return all answers to a check, in the order in which people consider them."""
    return sorted(legal_evasions(packed), key=lambda move: (answer_manner(packed, move), move))


def _first_seen(packed: PackedPosition, shows: Callable[[int, int], bool]) -> int | None:
    """Return the first answer for which ``shows(answer, nodes)``, with few nodes for all answers, then with more."""
    tried = ((move, nodes) for nodes in _ANSWER_NODES for move in answers_by_manner(packed))
    return next((move for move, nodes in tried if shows(move, nodes)), None)


def _fails(packed: PackedPosition, check: int, answer: int, proof: Proof, within: int | None = None) -> FailingCheck:
    """Return the failure of a check; ``packed`` stands after it."""
    piece = dropped(answer) or int(packed.board[origin_of(answer)])
    taken = int(packed.board[target_of(answer)])
    return FailingCheck(
        unpack_move(check),
        unpack_move(answer),
        proof,
        answer_manner(packed, answer),
        Kind(piece % OURS),
        Kind(taken % OURS) if taken else None,
        within,
    )


# --- tries (紛れ) ------------------------------------------------------------------------------------

NODES = 30_000
"""Nodes for each search of the mate after an answer."""
LASTING_PLIES = 3
"""An answer without a mate within this many plies is lasting."""
_LASTING_NODES = 300
"""Nodes for this search; an answer is lasting if they run out."""
_GROWTH, _MAX_NODES = 10, 1_000_000
"""The growth of the nodes until some answer is proved to last, and the most to use."""


def sort_by_plausibility(tries: Iterable[Try]) -> list[Try]:
    """Return tries, the most plausible first: open ones, then those with few refutations, then those with much work.

    If the other answers were not examined, lasting ones count as refutations.
    """

    def implausibility(one: Try) -> tuple[bool, int, int, int]:
        refutations = len(one.refutations) if one.asked else one.lasting
        return one.proof is not Proof.BOUNDED, refutations, one.lasting, -one.work

    return sorted(tries, key=implausibility)


def count_lasting_answers(engine: MateEngine, packed: PackedPosition, check: int) -> int:
    """Return how many answers to a check have no mate within a few plies. Raises `LimitReached`."""
    count = 0
    with played(packed, check, Side.ATTACKER):
        for move in answers_by_manner(packed):
            with played(packed, move, Side.DEFENDER):
                question = partial(engine.mates, packed, LASTING_PLIES)
                count += engine.answered_within(_LASTING_NODES, question) is not True
    return count


def failure_of_check(
    refuter: Refuter, packed: PackedPosition, check: int, known: int, nodes: int
) -> FailingCheck | MatesLater:
    """How a check fails within a bound, or in how many plies it mates, with growing numbers of nodes.

    ``known`` as in `Refuter`. Raises `LimitReached`, also if a million nodes do not decide it.
    """
    while nodes <= _MAX_NODES:
        found = refuter.within_a_bound(packed, check, known, nodes)
        if found is not None:
            return found
        nodes *= _GROWTH
    raise LimitReached(Reason.NODES)


def try_from_failure(found: FailingCheck, lasting: int, work: int) -> Try:
    """Return a failing check as a try; its other answers are not examined."""
    known = () if found.proof is Proof.BOUNDED else (found.answer,)
    return Try(found.check, found.answer, found.proof, found.within, known, lasting=lasting, work=work)


class TryFinder:
    """Finds how checks fail and which answers refute them. All methods raise `LimitReached`."""

    def __init__(self, engine: MateEngine, nodes: int = NODES) -> None:
        self._engine = engine
        self._nodes = nodes
        self._refuter = Refuter(engine, nodes)

    def look_at(self, packed: PackedPosition, check: int) -> Try | OtherMate:
        """How a check fails and which answers refute it, or in how many plies it mates."""
        before, refuter = self._engine.nodes, self._refuter
        found = (
            refuter.at_once(packed, check)
            or refuter.at_any_length(packed, check, -1, self._nodes)
            or failure_of_check(refuter, packed, check, -1, self._nodes)
        )
        if isinstance(found, MatesLater):
            return OtherMate(unpack_move(check), found.length)
        return self.asked(packed, try_from_failure(found, 0, self._engine.nodes - before))

    def asked(self, packed: PackedPosition, found: Try) -> Try | OtherMate:
        """Return a try with all answers examined: which others refute it, and whether all those lose.

        An open check mates if all answers lose; it fails at any length if some answer refutes it.
        """
        engine, before, settled = self._engine, self._engine.nodes, True
        known: list[Move] = []
        with played(packed, pack_move(found.check), Side.ATTACKER):
            for code in answers_by_manner(packed):
                move = unpack_move(code)
                mates: bool | None = False
                if move not in found.refutations:
                    with played(packed, code, Side.DEFENDER), engine.expecting_no():
                        mates = engine.answered_within(self._nodes, partial(engine.mates_ever, packed))
                settled &= mates is not None
                known += [move] if mates is False else []
        if settled and not known:
            return OtherMate(found.check, None)
        if known and found.proof is Proof.BOUNDED:
            found = replace(found, answer=known[0], proof=Proof.ANY_LENGTH, within=None)
        work = found.work + engine.nodes - before
        known.sort(key=lambda move: move != found.answer)
        return replace(found, refutations=tuple(known), asked=True, settled=settled, work=work)


# --- what decides that a check fails (打歩詰, 千日手, 逆王手) or mates (両王手, pins) -------------------------

_NODES_FOR_A_LOSS = 300
"""Nodes for the search whether another answer loses."""
MAX_POSITIONS = 1500
"""Positions for all questions whether the attacker can only repeat, and for each of them."""
POSITIONS_EACH = 150
_DEEPEST = 8
"""The most checks of a repetition."""

Failure = TypeVar("Failure", Try, FailingCheck)
Place = tuple[int, int]
"""The identity of a position: the key of the board, the attacker's hand."""


class CauseFinder:
    """Finds why checks fail, within a number of positions for all of them. Raises `LimitReached`."""

    def __init__(self, engine: MateEngine, positions: int = MAX_POSITIONS) -> None:
        self._engine = engine
        self._left = positions

    def with_cause(self, packed: PackedPosition, found: Failure, *, cycles: bool = False) -> Failure:
        """Return a failing check with what decides that its answer refutes it, if more than the search does.

        ``packed`` stands before the check. It is mate by a dropped pawn only if a pawn, were it allowed,
        would mate after the answer and every other answer loses or is met alike; a repetition only if the
        attacker can check for ever, or, with ``cycles``, if he has nothing to drop and four plies lead back
        to the position after the answer: these are its line.
        """
        start, answer, proof = position_id(packed), pack_move(found.answer), found.proof
        with played(packed, pack_move(found.check), Side.ATTACKER):
            with played(packed, answer, Side.DEFENDER):
                if in_check(packed, ATT):
                    return replace(found, cause=Cause(CauseKind.COUNTER_CHECK))
                line = self._forbidden_line(packed) if proof is not Proof.BOUNDED else ()
                endless = not line and proof is Proof.ANY_LENGTH
                self._least = max(0, self._left - POSITIONS_EACH)
                repeats = endless and self._left > 0 and self._checks_for_ever(packed, (start,))
                idle = endless and cycles and not repeats and not packed_hand(packed)
                cycle = self._cycle(packed) if idle else ()
            if line and self._others_lose(packed, answer):
                return replace(found, cause=Cause(CauseKind.PAWN_DROP_MATE, tuple(map(unpack_move, line))))
        if repeats or cycle:
            return replace(found, cause=Cause(CauseKind.REPETITION, tuple(map(unpack_move, cycle))))
        return replace(found, cause=None)

    def _forbidden_line(self, packed: PackedPosition) -> Moves:
        """Return a forbidden pawn drop at once, or a check, an answer and a forbidden drop, if after each
        answer to the check there is such a drop or a mate in one; empty if there is none."""
        if drop := forbidden_drop(packed):
            return (drop,)
        for check in legal_checks(packed) if packed.hand[ATT, PAWN] and self._left > 0 else ():
            self._left -= 1
            line: Moves = ()
            with played(packed, check, Side.ATTACKER):
                for answer in legal_evasions(packed):
                    with played(packed, answer, Side.DEFENDER):
                        drop = forbidden_drop(packed)
                        if not drop and not self._engine.mates(packed, 1):
                            line = ()
                            break
                    if drop and not line:
                        line = (check, answer, drop)
            if line:
                return line
        return ()

    def _others_lose(self, packed: PackedPosition, answer: int) -> bool:
        """Return whether all other answers lose, or would if the pawn might be dropped."""
        for other in legal_evasions(packed):
            if other == answer:
                continue
            with played(packed, other, Side.DEFENDER):
                if not forbidden_drop(packed) and not self._mates(packed):
                    return False
        return True

    def _mates(self, packed: PackedPosition) -> bool:
        return self._engine.answered_within(_NODES_FOR_A_LOSS, partial(self._engine.mates_ever, packed)) is True

    # --- repetition -----------------------------------------------------------------

    def _checks_for_ever(self, packed: PackedPosition, path: tuple[Place, ...]) -> bool:
        key, hand = here = position_id(packed)
        if any(key == one and hand_contains(hand, least) for one, least in path):
            return True
        self._left -= 1
        if self._left < self._least or len(path) > _DEEPEST:
            return False
        return any(self._holds(packed, check, (*path, here)) for check in legal_checks(packed))

    def _holds(self, packed: PackedPosition, check: int, path: tuple[Place, ...]) -> bool:
        """Return whether after a check each answer lets the attacker check for ever, or mate."""
        with played(packed, check, Side.ATTACKER):
            for answer in legal_evasions(packed):
                with played(packed, answer, Side.DEFENDER):
                    if not self._checks_for_ever(packed, path) and not self._mates(packed):
                        return False
        return True

    def _cycle(self, packed: PackedPosition) -> Moves:
        """Two checks of pieces on the board with answers that lead back to a position; empty if none do."""
        here = position_id(packed)
        for first in self._quiet_pairs(packed):
            with played(packed, first[0], Side.ATTACKER), played(packed, first[1], Side.DEFENDER):
                if position_id(packed) == here or self._left <= 0:
                    continue
                self._left -= 1
                for second in self._quiet_pairs(packed):
                    with played(packed, second[0], Side.ATTACKER), played(packed, second[1], Side.DEFENDER):
                        back = position_id(packed) == here
                    if back:
                        return (*first, *second)
        return ()

    def _quiet_pairs(self, packed: PackedPosition) -> Iterator[tuple[int, int]]:
        """Checks with answers, without drops and captures."""
        for check in legal_checks(packed):
            if dropped(check) or packed.board[target_of(check)]:
                continue
            with played(packed, check, Side.ATTACKER):
                answers = [one for one in legal_evasions(packed) if not dropped(one)]
                quiet = [one for one in answers if not packed.board[target_of(one)]]
            yield from ((check, answer) for answer in quiet)


def position_id(packed: PackedPosition) -> Place:
    """Return the identity of a packed position."""
    return int(packed.key), int(packed_hand(packed))


def forbidden_move(packed: PackedPosition) -> Move | None:
    """Return the pawn drop that is forbidden because it would be mate (打歩詰); None if there is none."""
    drop = forbidden_drop(packed)
    return unpack_move(drop) if drop else None


# --- what decides a mate --------------------------------------------------------------------------


def causes_of_mate(packed: PackedPosition) -> tuple[Cause, ...]:
    """Return what keeps the defender, who is mated, from an answer: pinned pieces, or a double check."""
    position = unpack(packed, Side.DEFENDER)
    king = position.king(Side.DEFENDER)
    assert king is not None
    board = position.board
    attackers = [sq for sq, piece in enumerate(board) if piece and piece.side is Side.ATTACKER]
    checkers = [sq for sq in attackers if attacks_square(board, sq, king)]
    # The defender's pieces, but the king, that reach a checking piece or a square before it.
    targets = [{checker, *_between(checker, king)} for checker in checkers]
    defenders = [sq for sq, one in enumerate(board) if one and one.side is Side.DEFENDER and sq != king]
    reach = {sq: set(attacked_squares(board, sq)) for sq in defenders}
    helpers = tuple(sq for sq in defenders if any(reach[sq] & wanted for wanted in targets))
    if len(checkers) > 1:
        drops = any(kind is not Kind.PAWN for kind in position.defender_hand)
        between = any(_between(checker, king) for checker in checkers)
        return (Cause(CauseKind.DOUBLE_CHECK),) if helpers or (drops and between) else ()
    return (Cause(CauseKind.PIN, squares=helpers),) if helpers else ()


def _between(checker: Square, king: Square) -> list[Square]:
    """Return the squares strictly between a checking piece and the king."""
    return [int(SQUARE[cell]) for cell in cells_between(int(CELL[checker]), int(CELL[king]))]
