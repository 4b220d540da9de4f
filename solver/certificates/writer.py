# SPDX-License-Identifier: GPL-3.0-or-later
"""The facts of a certificate (docs/certificates.md): walks the proofs that an engine finds.

Each fact that is needed is looked up among those written, then justified by a move that the engine knows to
be right; the facts that this needs are noted (`Agenda`). So nothing is written that is not needed, and
nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from heapq import heappop, heappush
from typing import IO, NamedTuple

import numpy as np

from solver.certificates.checker import EVER, FOREVER, Facts, Position, Setup, after, position_text, usi_of
from solver.engines.base import asked_by_cell
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel import table
from solver.engines.dfpn.kernel.arena import is_open
from solver.engines.dfpn.kernel.sound import ROOM, is_known, known_lengths, known_refutation, known_refutations
from solver.engines.kernel.mate import may_be_futile
from solver.limits import LimitReached
from solver.results import Reason
from tsume_rules.kernel.state import FIELD, SHIFT
from tsume_rules.packed import PackedPosition, dropped, legal_checks, legal_evasions, played, target_of
from tsume_rules.position import Side

# --- what an engine answers about a position, with the hand for which its answer holds ------------


class Known(NamedTuple):
    """An answer: whether there is a mate; within how many plies, or how many exclude one; with which hand."""

    mates: bool
    plies: int
    hand: int


class Oracle:
    """Asks a df-pn engine, its table first. Numbers of plies may be `solver.certificates.checker.FOREVER`."""

    def __init__(self, engine: DfPnEngine) -> None:
        self.engine = engine
        self._out = np.zeros(ROOM, dtype=np.int64)

    def look(self, packed: PackedPosition, plies: int, *, attacker: bool) -> Known | None:
        """What the table or a search of a few plies says at once; None if that is nothing."""
        arena = self.engine.arena(packed)
        is_known(arena, _bound(plies), attacker)
        search = arena.search
        if is_open(search) or (search.dn == 0 and search.taint):
            return None
        mates = int(search.pn) == 0
        length = int(search.length)
        # The engine's hand as one of the checker's.
        own = int(search.hand)
        hand = sum(((own >> shift) & field) << (8 * i) for i, (shift, field) in enumerate(_FIELDS))
        return Known(mates, FOREVER if length >= table.FOREVER else length, hand)

    def refutations(self, packed: PackedPosition, checks: list[int], plies: int) -> list[int]:
        """For each check an answer that is known to refute it: no mate within so many plies; 0: unknown."""
        moves = np.array(checks, dtype=np.int64)
        answers = np.zeros_like(moves)
        known_refutations(self.engine.arena(packed), moves, answers, _bound(plies), self._out)
        return [int(answer) for answer in answers]

    def refutation(self, packed: PackedPosition, plies: int) -> int:
        """As `refutations`, the defender to move in check."""
        return int(known_refutation(self.engine.arena(packed), _bound(plies), self._out))

    def lengths(self, packed: PackedPosition, checks: list[int], plies: int) -> list[int]:
        """For each check the plies after it within which it is known to mate; -1 if it is not."""
        moves = np.array(checks, dtype=np.int64)
        lengths = np.zeros_like(moves)
        known_lengths(self.engine.arena(packed), moves, lengths, _bound(plies))
        return [int(length) for length in lengths]

    def ask(self, packed: PackedPosition, plies: int, *, attacker: bool) -> bool:
        """Return whether the attacker mates within so many plies. Raises `LimitReached`."""
        known = self.look(packed, plies, attacker=attacker)
        if known is not None:
            return known.mates
        if plies >= FOREVER:
            return self.engine.mates_ever(packed, attacker=attacker)
        if attacker:
            return self.engine.mates(packed, plies)
        return self.engine.is_mated(packed, plies)


def _bound(plies: int) -> int:
    return table.FOREVER if plies >= FOREVER else plies


_FIELDS = list(zip(SHIFT.tolist()[1:], FIELD.tolist()[1:], strict=True))


# --- the facts of a certificate --------------------------------------------------------------------

MAX_FACTS = 20_000_000
_BUDGETS = (100, 1_000, 10_000, 100_000, None)
"""Nodes to look for an answer that refutes a check, for each answer in turn."""


class Unproved(Exception):
    """What should be true cannot be shown: a claim that says more than the engine finds."""


class Needed(NamedTuple):
    """A fact that is needed."""

    kind: str
    position: Position
    plies: int
    beyond: int = 0


class Agenda:
    """The facts that are still needed, in the order in which they are to be written.

    Those of a mate come first, the last one noted before the others. Those of no mate come from the largest
    number of plies to the smallest. What such a fact needs has fewer plies, so each position comes first with
    the most plies for which it is ever needed, and that fact implies all others: a position is written once,
    however often the lines of a long disproof return to it.
    """

    def __init__(self) -> None:
        self._mates: list[Needed] = []
        self._others: list[tuple[int, int, Needed]] = []
        self._noted = 0

    def note(self, needs: Iterable[Needed]) -> None:
        """Add facts."""
        for item in needs:
            if item.kind in "NE":
                self._noted += 1
                heappush(self._others, (-item.plies, -self._noted, item))
            else:
                self._mates.append(item)

    def next(self) -> Needed | None:
        """Take the next fact out; None if there is none."""
        if self._mates:
            return self._mates.pop()
        return heappop(self._others)[2] if self._others else None

    def clear(self) -> None:
        """Forget all of them."""
        self._mates.clear()
        self._others.clear()


class FactWriter:
    """Writes facts to a file, each with all that it needs."""

    def __init__(self, file: IO[bytes], oracle: Oracle, progress: Callable[[int], None]) -> None:
        self._file = file
        self._oracle = oracle
        self._progress = progress
        self._known = Facts(0, 1, MAX_FACTS)
        self._setup = Setup()
        self._packed = self._setup.packed
        self._asked = Setup()
        self._agenda = Agenda()
        self.number = 0

    def write_all(self, facts: Iterable[Needed]) -> None:
        """Write true facts and all that they need.

        Raises `LimitReached` or `Unproved`; the file is then as before.
        """
        place, number = self._file.tell(), self.number
        try:
            for needed in facts:
                self._setup.place(needed.position)
                self._oracle.ask(self._packed, needed.plies, attacker=needed.kind in "ANU")
                self._agenda.note([needed])
            while item := self._agenda.next():
                if not self._known.has(item.kind, item.position, item.plies, item.beyond):
                    self._setup.place(item.position)
                    self._write(item)
        except (LimitReached, Unproved):
            self._file.seek(place)
            self._file.truncate()
            self.number = number
            self._agenda.clear()
            self._known = Facts(0, 1, MAX_FACTS)  # some of what was known is in the file no longer
            raise

    def _emit(self, item: Needed, words: list[str], needs: list[Needed]) -> None:
        plies = [_plies_text(item.plies), *([_plies_text(item.beyond)] if item.kind == "U" else [])]
        line = " ".join([item.kind, *plies, position_text(item.position), *words])
        self._file.write(line.encode() + b"\n")
        self.number += 1
        try:
            self._known.add(item.kind, item.plies, item.beyond, item.position)
        except MemoryError:
            raise LimitReached(Reason.MEMORY) from None
        self._progress(self.number)
        self._agenda.note(needs)

    def _write(self, item: Needed) -> None:
        """Write a fact; the position of ``packed`` is that of the fact."""
        if item.kind == "A":
            position = self._with_proof_hand(item, attacker=True)
            check, n = self._mating_check(position, item.plies)
            with played(self._packed, check, Side.ATTACKER):
                slides, needs = self._met(after(position, check, Side.ATTACKER), n)
            self._emit(Needed("A", position, n + 1), [usi_of(check), *slides], needs)
        elif item.kind == "D":
            position = self._with_proof_hand(item, attacker=False)
            known = self._oracle.look(self._packed, item.plies, attacker=False)
            n = item.plies if known is None else known.plies
            slides, needs = self._met(position, n)
            self._emit(Needed("D", position, n), slides, needs)
        elif item.kind == "N":
            self._no_mate(item)
        elif item.kind == "E":
            answer = self._refutation(item.position, item.plies)
            self._emit(item, [usi_of(answer)], self._needs(answer, item.position, item.plies))
        else:
            self._unique(item)

    # --- the attacker mates ----------------------------------------------------------

    def _with_proof_hand(self, item: Needed, *, attacker: bool) -> Position:
        """Return the position with the hand that the mate needs, set up."""
        position = item.position
        known = self._oracle.look(self._packed, item.plies, attacker=attacker)
        if known is None:
            self._oracle.ask(self._packed, item.plies, attacker=attacker)
            known = self._oracle.look(self._packed, item.plies, attacker=attacker)
        if known is not None and known.mates and known.hand != position.hand:
            position = Position(position.board, known.hand)
            self._setup.place(position)
        return position

    def _mating_check(self, position: Position, n: int) -> tuple[int, int]:
        """Return a check that mates within n plies, and the plies after it."""
        if (found := self._known_check(n)) is None:
            self._oracle.ask(self._packed, n, attacker=True)
            found = self._known_check(n)
        if found is None:
            for code in legal_checks(self._packed):
                with played(self._packed, code, Side.ATTACKER):
                    if self._oracle.ask(self._packed, n - 1, attacker=False):
                        return code, n - 1
            raise Unproved(f"no mate in {n}: {position_text(position)}")
        return found

    def _known_check(self, n: int) -> tuple[int, int] | None:
        checks = legal_checks(self._packed)
        lengths = self._oracle.lengths(self._packed, checks, n - 1)
        known = [(length, check) for length, check in zip(lengths, checks, strict=True) if length >= 0]
        length, check = min(known, default=(0, 0))
        return (check, length) if known else None

    def _met(self, position: Position, n: int, beyond: int | None = None) -> tuple[list[str], list[Needed]]:
        """Return the slides that prove drops futile, and what the mate within n plies after a check needs.
        With ``beyond`` no other mate may exist within so many plies more."""
        slides: list[str] = []
        needs: list[Needed] = []
        engine = self._oracle.engine
        by_cell = partial(self._slide if beyond is None else partial(engine.futile_by, self._packed), n=n)
        for code, slide in asked_by_cell(self._packed, legal_evasions(self._packed), by_cell, None):
            if slide is not None:
                if usi_of(slide) not in slides:
                    slides.append(usi_of(slide))
                    needs.append(Needed("D", after(position, slide, Side.ATTACKER), n))
                continue
            answered = after(position, code, Side.DEFENDER)
            if beyond is None or n == 2:
                needs.append(Needed("A", answered, n - 1))
                continue
            with played(self._packed, code, Side.DEFENDER):
                shorter = n > 2 and self._oracle.ask(self._packed, n - 3, attacker=True)
            if shorter:
                needs.append(Needed("A", answered, n - 3))
            else:
                needs.append(Needed("U", answered, n - 1, beyond))
        return slides, needs

    def _slide(self, cell: int, n: int) -> int | None:
        """Return the slide that proves the drops on a cell futile; None if all of them are met by mates in
        time."""
        packed, oracle = self._packed, self._oracle
        slides = oracle.engine.slides(packed, cell)
        for code in slides:
            with played(packed, code, Side.ATTACKER):
                known = oracle.look(packed, n, attacker=False)
            if known is not None and known.mates:
                return code
        for code in legal_evasions(packed) if n >= 2 else ():
            if dropped(code) and target_of(code) == cell:
                with played(packed, code, Side.DEFENDER):
                    if not oracle.ask(packed, n - 1, attacker=True):
                        break
        else:
            if n >= 2:
                return None
        for code in slides:
            with played(packed, code, Side.ATTACKER):
                if oracle.ask(packed, n, attacker=False):
                    return code
        return None

    # --- the attacker does not -------------------------------------------------------

    def _no_mate(self, item: Needed) -> None:
        position = item.position
        checks = sorted(legal_checks(self._packed), key=usi_of)
        if not checks:
            return
        n = _less(item.plies, 1)
        known = self._oracle.refutations(self._packed, checks, n)
        words: list[str] = []
        needs: list[Needed] = []
        for check, known_answer in zip(checks, known, strict=True):
            checked = after(position, check, Side.ATTACKER)
            answer = known_answer
            if answer and not dropped(answer):
                needs += self._needs(answer, checked, n)
            else:
                with played(self._packed, check, Side.ATTACKER):
                    answer = answer or self._refutation(checked, n)
                    needs += self._needs(answer, checked, n)
            words.append(usi_of(answer))
        self._emit(Needed("N", position, item.plies), words, needs)

    def _refutation(self, position: Position, n: int) -> int:
        """Return an answer to a check after which there is no mate within n plies."""
        oracle, asked = self._oracle, self._asked
        if known := oracle.refutation(self._packed, n):
            return known
        oracle.ask(self._packed, n, attacker=False)
        if known := oracle.refutation(self._packed, n):
            return known

        def is_true(item: Needed, nodes: int | None) -> bool:
            asked.place(item.position)
            ask = partial(oracle.ask, asked.packed, item.plies, attacker=item.kind == "N")
            return (ask() if nodes is None else oracle.engine.answered_within(nodes, ask)) is False

        # Search after each answer, with more and more nodes.
        answers = legal_evasions(self._packed)
        needs = [self._needs(code, position, n) for code in answers]
        for nodes in _BUDGETS:
            for code, items in zip(answers, needs, strict=True):
                if all(is_true(item, nodes) for item in items):
                    return code
        raise Unproved(f"mated in {n}: {position_text(position)}")

    def _needs(self, code: int, position: Position, n: int) -> list[Needed]:
        """What an answer needs to refute."""
        needs = [Needed("N", after(position, code, Side.DEFENDER), _less(n, 1))] if n >= 2 else []
        if dropped(code) and may_be_futile(self._packed, code):
            slides = self._oracle.engine.slides(self._packed, target_of(code))
            needs += [Needed("E", after(position, one, Side.ATTACKER), n) for one in slides]
        return needs

    # --- the only solution -----------------------------------------------------------

    def _unique(self, item: Needed) -> None:
        position, n = item.position, item.plies
        key, _ = self._mating_check(position, n)
        needs = [
            Needed("E", after(position, code, Side.ATTACKER), min(n - 1 + item.beyond, FOREVER))
            for code in legal_checks(self._packed)
            if code != key
        ]
        with played(self._packed, key, Side.ATTACKER):
            slides, more = self._met(after(position, key, Side.ATTACKER), n - 1, item.beyond)
        self._emit(item, [usi_of(key), *slides], needs + more)


def _less(n: int, plies: int) -> int:
    return n if n >= FOREVER else n - plies


def _plies_text(n: int) -> str:
    return EVER if n >= FOREVER else str(n)
