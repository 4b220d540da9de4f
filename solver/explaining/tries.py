"""Tries (紛れ): why a check fails, and which answer shows it most clearly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

from solver.engines.base import MateEngine
from solver.engines.dfpn.kernel.table import FOREVER
from solver.engines.futile_drops import asked_by_cell
from solver.explaining.explanation import OtherMate, Proof, Try
from solver.explaining.manner import Manner
from solver.solving.deepening import defence_length
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.tables import DEF
from tsume_rules.packing import Record, dropped, origin_of, target_of, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import played

P = ParamSpec("P")
T = TypeVar("T")
NODES = 30_000
"""Nodes for each question about the mate after a check or an answer."""
PATIENCE = 10
"""Times as many nodes for the answer shown, if no answer is known to refute the check."""
DEEPEST = 61
"""The largest bound, in plies, of "no mate within n plies", asked where a question stays open."""


@dataclass(frozen=True)
class _Answer:
    """An answer, whether it refutes the check (None: open), and the nodes that took."""

    move: int
    refutes: bool | None
    ends_checks: bool
    work: int
    manner: Manner

    @property
    def clearness(self) -> tuple[bool, int, int, int]:
        """A sort key, the clearest first: no further check, then little work to refute what follows."""
        return not self.ends_checks, self.work.bit_length(), self.manner, self.move


def by_plausibility(tries: Iterable[Try]) -> list[Try]:
    """Tries, the most plausible first: few answers refute them, then much work does."""
    return sorted(tries, key=lambda one: (len(one.refutations), -one.work))


class Trier:
    """Finds out how checks other than the key fail. All methods raise `LimitReached`."""

    def __init__(self, engine: MateEngine, nodes: int = NODES) -> None:
        self._engine = engine
        self._nodes = nodes

    def others(self, record: Record, key: int = 0) -> Iterator[Try | OtherMate]:
        """All legal checks but the key: how they fail, or how soon they mate."""
        return (self.look_at(record, check) for check in legal_checks(record) if check != key)

    def look_at(self, record: Record, check: int) -> Try | OtherMate:
        """How one check fails, or how soon it mates."""
        before = self._engine.nodes
        mates = self._ask(self._engine.mates_ever_after, record, check)
        if mates:
            return OtherMate(unpack_move(check), self._length(record, check))
        with played(record, check, Side.ATTACKER):
            answers = self._answers(record)
            if mates is None and all(answer.refutes is False for answer in answers):
                return OtherMate(unpack_move(check), None)
            return self._try(record, check, answers, before)

    def _try(self, record: Record, check: int, answers: list[_Answer], before: int) -> Try:
        """The try of ``check``; ``record`` stands after it."""
        refuting = sorted((a for a in answers if a.refutes), key=lambda a: a.clearness)
        settled = all(answer.refutes is not None for answer in answers)
        moves = tuple(unpack_move(answer.move) for answer in refuting)
        if refuting:
            proof = Proof.NO_CHECK if refuting[0].ends_checks else Proof.ANY_LENGTH
            return Try(unpack_move(check), moves[0], proof, None, moves, settled, self._engine.nodes - before)
        return self._bounded_try(record, check, [a.move for a in answers if a.refutes is None], before)

    def _bounded_try(self, record: Record, check: int, answers: list[int], before: int) -> Try:
        """The try of a check that no answer is known to refute; its answer is the one that lasts longest."""
        within, best = max((self._no_mate_within(record, move), -move) for move in answers)
        answer = unpack_move(-best)
        with played(record, -best, Side.DEFENDER):
            known = within == FOREVER or self._ask_longer(self._engine.mates_ever, record) is False
        work = self._engine.nodes - before
        if known and not self._may_be_futile(record, -best):
            return Try(unpack_move(check), answer, Proof.ANY_LENGTH, None, (answer,), False, work)
        return Try(unpack_move(check), answer, Proof.BOUNDED, min(within, DEEPEST), work=work)

    def _length(self, record: Record, check: int) -> int | None:
        """The plies that a check known to mate takes; None if finding out takes too many nodes."""
        at_most = self._engine.length
        with played(record, check, Side.ATTACKER):
            length = self._ask(defence_length, self._engine, record, at_most)
        return None if length is None else length + 1

    def _no_mate_within(self, record: Record, answer: int) -> int:
        """The most plies after an answer within which no mate is proved; `FOREVER` at any length."""
        known = 0
        with played(record, answer, Side.DEFENDER):
            for n in range(1, DEEPEST + 1, 2):
                if self._ask(self._engine.mates, record, n) is not False:
                    break
                known = FOREVER if self._engine.refuted_for_good else n
                if known == FOREVER:
                    break
        return known

    def _may_be_futile(self, record: Record, answer: int) -> bool:
        return bool(dropped(answer)) and self._is_futile_ever(record, target_of(answer)) is not False

    # --- the answers to a check ---------------------------------------------------

    def _answers(self, record: Record) -> list[_Answer]:
        found = []

        def futile_ever(cell: int) -> bool | None:
            return self._is_futile_ever(record, cell)

        for move, futile in asked_by_cell(record, legal_evasions(record), futile_ever, False):
            answer = self._answer(record, move)
            if answer.refutes and futile is not False:
                refutes = None if futile is None else False
                answer = _Answer(move, refutes, answer.ends_checks, answer.work, answer.manner)
            found.append(answer)
        return found

    def _answer(self, record: Record, move: int) -> _Answer:
        manner = manner_of(record, move)
        before = self._engine.nodes
        with played(record, move, Side.DEFENDER):
            if not legal_checks(record):
                return _Answer(move, True, True, 0, manner)
            mates = self._ask(self._engine.mates_ever, record)
        refutes = None if mates is None else not mates
        return _Answer(move, refutes, False, self._engine.nodes - before, manner)

    def _is_futile_ever(self, record: Record, cell: int) -> bool | None:
        """Whether the drops on a cell are futile under some bound; None if that stays open."""
        found = [
            self._ask(self._engine.mates_ever_after, record, take)
            for take in self._engine.slides(record, cell)
        ]
        return True if True in found else None if None in found else False

    def _ask(self, question: Callable[P, T], *args: P.args, **options: P.kwargs) -> T | None:
        """The answer to a question; None if it takes more nodes than one question has."""
        return self._engine.answered_within(self._nodes, partial(question, *args, **options))

    def _ask_longer(self, question: Callable[P, T], *args: P.args, **options: P.kwargs) -> T | None:
        """As `_ask`, with `PATIENCE` times as many nodes."""
        return self._engine.answered_within(PATIENCE * self._nodes, partial(question, *args, **options))


def manner_of(record: Record, answer: int) -> Manner:
    """The manner of a legal answer (a kernels' move code); ``record`` stands before it, in check."""
    if dropped(answer):
        return Manner.DROPS_BETWEEN
    count, checker = find_checkers(record, DEF)
    if count == 1 and target_of(answer) == checker:
        return Manner.TAKES_CHECKER
    return Manner.MOVES_KING if origin_of(answer) == int(record.king[DEF]) else Manner.MOVES_BETWEEN
