# SPDX-License-Identifier: GPL-3.0-or-later
"""The writer of certificates (docs/certificates.md): walks the proofs that an engine finds, problem by problem.

Each fact that is needed is looked up among those written, then justified by a move that the engine knows to be right;
the facts that this needs are noted (`NeededFacts`). So nothing is written that is not needed, and nothing twice.
"""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import heappop, heappush
from typing import IO, Any, BinaryIO, NamedTuple

import numpy as np

from solver.certificates import checker
from solver.engines.base import futility_by_drop_cell
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel import table
from solver.engines.dfpn.kernel.arena import is_open
from solver.engines.dfpn.kernel.sound import ROOM, is_known, known_lengths, known_refutation, known_refutations
from solver.engines.kernel.mate import may_be_futile
from solver.judging.findings import SecondSolution
from solver.results import Defect, Grade, Judgement, LimitReached, Limits, MateBounds, Reason
from solver.solving.deepening import LAST_RAISED, search_length
from tsume_rules.kernel.state import FIELD, SHIFT
from tsume_rules.packed import (
    PackedPosition,
    attacker_turns,
    dropped,
    legal_checks,
    legal_evasions,
    pack,
    pack_move,
    played,
    target_of,
)
from tsume_rules.position import Position as RulesPosition
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen

# --- what an engine answers about a position, with the hand for which its answer holds ------------


class KnownAnswer(NamedTuple):
    """An answer: whether there is a mate; within how many plies, or how many exclude one; with which hand."""

    mates: bool
    plies: int
    hand: int


class EngineOracle:
    """Asks a df-pn engine, its table first. Numbers of plies may be `solver.certificates.checker.FOREVER`."""

    def __init__(self, engine: DfPnEngine) -> None:
        self.engine = engine
        self._out = np.zeros(ROOM, dtype=np.int64)

    def look(self, packed: PackedPosition, plies: int, *, attacker: bool) -> KnownAnswer | None:
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
        return KnownAnswer(mates, checker.FOREVER if length >= table.FOREVER else length, hand)

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
        if plies >= checker.FOREVER:
            return self.engine.mates_ever(packed, attacker=attacker)
        if attacker:
            return self.engine.mates(packed, plies)
        return self.engine.is_mated(packed, plies)


def _bound(plies: int) -> int:
    return table.FOREVER if plies >= checker.FOREVER else plies


_FIELDS = list(zip(SHIFT.tolist()[1:], FIELD.tolist()[1:], strict=True))


# --- the facts of a certificate --------------------------------------------------------------------

MAX_FACTS = 20_000_000
_BUDGETS = (100, 1_000, 10_000, 100_000, None)
"""Nodes to look for an answer that refutes a check, for each answer in turn."""


class UnprovedClaim(Exception):
    """What should be true cannot be shown: a claim that says more than the engine finds."""


class NeededFact(NamedTuple):
    """A fact that the facts written so far rest on and that is still to be written."""

    kind: str
    position: checker.Position
    plies: int
    beyond: int = 0


class NeededFacts:
    """The facts that are still needed, in the order in which they are to be written.

    Those of a mate come first, the last one noted before the others. Those of no mate come from the largest
    number of plies to the smallest. What such a fact needs has fewer plies, so each position comes first with
    the most plies for which it is ever needed, and that fact implies all others: a position is written once,
    however often the lines of a long disproof return to it.
    """

    def __init__(self) -> None:
        self._mates: list[NeededFact] = []
        self._others: list[tuple[int, int, NeededFact]] = []
        self._noted = 0

    def note(self, needs: Iterable[NeededFact]) -> None:
        """Add facts."""
        for item in needs:
            if item.kind in "NE":
                self._noted += 1
                heappush(self._others, (-item.plies, -self._noted, item))
            else:
                self._mates.append(item)

    def next(self) -> NeededFact | None:
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

    def __init__(self, file: IO[bytes], oracle: EngineOracle, progress: Callable[[int], None]) -> None:
        self._file = file
        self._oracle = oracle
        self._progress = progress
        self._known = checker.Facts(0, 1, MAX_FACTS)
        self._setup = checker.PositionSetup()
        self._packed = self._setup.packed
        self._asked = checker.PositionSetup()
        self._agenda = NeededFacts()
        self.number = 0

    def write_all(self, facts: Iterable[NeededFact]) -> None:
        """Write true facts and all that they need.

        Raises `LimitReached` or `UnprovedClaim`; the file is then as before.
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
        except (LimitReached, UnprovedClaim):
            self._file.seek(place)
            self._file.truncate()
            self.number = number
            self._agenda.clear()
            self._known = checker.Facts(0, 1, MAX_FACTS)  # some of what was known is in the file no longer
            raise

    def _emit(self, item: NeededFact, words: list[str], needs: list[NeededFact]) -> None:
        plies = [_plies_text(item.plies), *([_plies_text(item.beyond)] if item.kind == "U" else [])]
        line = " ".join([item.kind, *plies, checker.position_text(item.position), *words])
        self._file.write(line.encode() + b"\n")
        self.number += 1
        try:
            self._known.add(item.kind, item.plies, item.beyond, item.position)
        except MemoryError:
            raise LimitReached(Reason.MEMORY) from None
        self._progress(self.number)
        self._agenda.note(needs)

    def _write(self, item: NeededFact) -> None:
        """Write a fact; the position of ``packed`` is that of the fact."""
        if item.kind == "A":
            position = self._with_proof_hand(item, attacker=True)
            check, n = self._mating_check(position, item.plies)
            with played(self._packed, check, Side.ATTACKER):
                slides, needs = self._met(checker.play_moves(position, check, Side.ATTACKER), n)
            self._emit(NeededFact("A", position, n + 1), [checker.usi_of(check), *slides], needs)
        elif item.kind == "D":
            position = self._with_proof_hand(item, attacker=False)
            known = self._oracle.look(self._packed, item.plies, attacker=False)
            n = item.plies if known is None else known.plies
            slides, needs = self._met(position, n)
            self._emit(NeededFact("D", position, n), slides, needs)
        elif item.kind == "N":
            self._no_mate(item)
        elif item.kind == "E":
            answer = self._refutation(item.position, item.plies)
            self._emit(item, [checker.usi_of(answer)], self._needs(answer, item.position, item.plies))
        else:
            self._unique(item)

    # --- the attacker mates ----------------------------------------------------------

    def _with_proof_hand(self, item: NeededFact, *, attacker: bool) -> checker.Position:
        """Return the position with the hand that the mate needs, set up."""
        position = item.position
        known = self._oracle.look(self._packed, item.plies, attacker=attacker)
        if known is None:
            self._oracle.ask(self._packed, item.plies, attacker=attacker)
            known = self._oracle.look(self._packed, item.plies, attacker=attacker)
        if known is not None and known.mates and known.hand != position.hand:
            position = checker.Position(position.board, known.hand)
            self._setup.place(position)
        return position

    def _mating_check(self, position: checker.Position, n: int) -> tuple[int, int]:
        """Return a check that mates within n plies, and the plies after it."""
        if (found := self._known_check(n)) is None:
            self._oracle.ask(self._packed, n, attacker=True)
            found = self._known_check(n)
        if found is None:
            for code in legal_checks(self._packed):
                with played(self._packed, code, Side.ATTACKER):
                    if self._oracle.ask(self._packed, n - 1, attacker=False):
                        return code, n - 1
            raise UnprovedClaim(f"no mate in {n}: {checker.position_text(position)}")
        return found

    def _known_check(self, n: int) -> tuple[int, int] | None:
        checks = legal_checks(self._packed)
        lengths = self._oracle.lengths(self._packed, checks, n - 1)
        known = [(length, check) for length, check in zip(lengths, checks, strict=True) if length >= 0]
        length, check = min(known, default=(0, 0))
        return (check, length) if known else None

    def _met(self, position: checker.Position, n: int, beyond: int | None = None) -> tuple[list[str], list[NeededFact]]:
        """Return the slides that prove drops futile, and what the mate within n plies after a check needs.
        With ``beyond`` no other mate may exist within so many plies more."""
        slides: list[str] = []
        needs: list[NeededFact] = []
        engine = self._oracle.engine
        by_cell = partial(self._slide if beyond is None else partial(engine.futile_by, self._packed), n=n)
        for code, slide in futility_by_drop_cell(self._packed, legal_evasions(self._packed), by_cell, None):
            if slide is not None:
                if checker.usi_of(slide) not in slides:
                    slides.append(checker.usi_of(slide))
                    needs.append(NeededFact("D", checker.play_moves(position, slide, Side.ATTACKER), n))
                continue
            answered = checker.play_moves(position, code, Side.DEFENDER)
            if beyond is None or n == 2:
                needs.append(NeededFact("A", answered, n - 1))
                continue
            with played(self._packed, code, Side.DEFENDER):
                shorter = n > 2 and self._oracle.ask(self._packed, n - 3, attacker=True)
            if shorter:
                needs.append(NeededFact("A", answered, n - 3))
            else:
                needs.append(NeededFact("U", answered, n - 1, beyond))
        return slides, needs

    def _slide(self, cell: int, n: int) -> int | None:
        """Return the slide that proves the drops on a cell futile; None if all of them are met by mates in time."""
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

    def _no_mate(self, item: NeededFact) -> None:
        position = item.position
        checks = sorted(legal_checks(self._packed), key=checker.usi_of)
        if not checks:
            return
        n = _less(item.plies, 1)
        known = self._oracle.refutations(self._packed, checks, n)
        words: list[str] = []
        needs: list[NeededFact] = []
        for check, known_answer in zip(checks, known, strict=True):
            checked = checker.play_moves(position, check, Side.ATTACKER)
            answer = known_answer
            if answer and not dropped(answer):
                needs += self._needs(answer, checked, n)
            else:
                with played(self._packed, check, Side.ATTACKER):
                    answer = answer or self._refutation(checked, n)
                    needs += self._needs(answer, checked, n)
            words.append(checker.usi_of(answer))
        self._emit(NeededFact("N", position, item.plies), words, needs)

    def _refutation(self, position: checker.Position, n: int) -> int:
        """Return an answer to a check after which there is no mate within n plies."""
        oracle, asked = self._oracle, self._asked
        if known := oracle.refutation(self._packed, n):
            return known
        oracle.ask(self._packed, n, attacker=False)
        if known := oracle.refutation(self._packed, n):
            return known

        def is_true(item: NeededFact, nodes: int | None) -> bool:
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
        raise UnprovedClaim(f"mated in {n}: {checker.position_text(position)}")

    def _needs(self, code: int, position: checker.Position, n: int) -> list[NeededFact]:
        """What an answer needs to refute."""
        needs = [NeededFact("N", checker.play_moves(position, code, Side.DEFENDER), _less(n, 1))] if n >= 2 else []
        if dropped(code) and may_be_futile(self._packed, code):
            slides = self._oracle.engine.slides(self._packed, target_of(code))
            needs += [NeededFact("E", checker.play_moves(position, one, Side.ATTACKER), n) for one in slides]
        return needs

    # --- the only solution -----------------------------------------------------------

    def _unique(self, item: NeededFact) -> None:
        position, n = item.position, item.plies
        key, _ = self._mating_check(position, n)
        needs = [
            NeededFact(
                "E", checker.play_moves(position, code, Side.ATTACKER), min(n - 1 + item.beyond, checker.FOREVER)
            )
            for code in legal_checks(self._packed)
            if code != key
        ]
        with played(self._packed, key, Side.ATTACKER):
            slides, more = self._met(checker.play_moves(position, key, Side.ATTACKER), n - 1, item.beyond)
        self._emit(item, [checker.usi_of(key), *slides], needs + more)


def _less(n: int, plies: int) -> int:
    return n if n >= checker.FOREVER else n - plies


def _plies_text(n: int) -> str:
    return checker.EVER if n >= checker.FOREVER else str(n)


# --- a certificate of several problems: what a judgement says of each, as claims and facts --------

_SECOND = (
    Defect.COOK | Defect.UNDETERMINED_FORM | Defect.MIRROR_KEY | Defect.DETOUR
    | Defect.COOK_IN_EQUAL_DEFENCE | Defect.SAME_POSITION
)  # fmt: skip
"""What says that another check mates too."""
_IN_MEMORY = 1 << 24
"""Bytes of one problem's facts before they go to a temporary file."""


class NotCertified(ValueError):
    """A judgement leaves nothing to certify."""


class CertificateWriter:
    """Writes problems to one file; a problem that fails leaves nothing in it.

    ``progress`` gets the number of facts written of the current problem.
    """

    def __init__(self, file: BinaryIO, progress: Callable[[int], None] = lambda _: None) -> None:
        self._file = gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0, filename="")
        self._progress = progress
        self.facts = 0
        self.problems = 0
        self._file.write(checker.TITLE)

    def add(
        self, engine: DfPnEngine, position: RulesPosition, judgement: Judgement, limits: Limits | None = None
    ) -> list[str]:
        """Write what a judgement proves; returns the fields of the claim that are not: limits were too low,
        or the engine does not find what they say.

        Raises `NotCertified`, and `LimitReached` if limits were too low for all of them.
        """
        problem = _CertifiedProblem(engine, position, judgement)
        claim, *parts = problem.claim()
        left: list[str] = []
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as facts:
            writer = FactWriter(facts, EngineOracle(engine), self._progress)
            engine.forget()  # so that the file does not depend on what the engine knows
            with engine.within(limits or Limits()), engine.for_long_works():
                problem.search()
                try:
                    writer.write_all(problem.needed(claim))
                except UnprovedClaim as error:
                    raise NotCertified(str(error)) from None
                for part in parts:
                    try:
                        writer.write_all(problem.needed(part))
                    except (LimitReached, UnprovedClaim):
                        left += part
                    else:
                        claim |= part
            facts.seek(0)
            self._file.write(json.dumps(claim).encode() + b"\n")
            shutil.copyfileobj(facts, self._file)
        self.facts += writer.number
        self.problems += 1
        return left

    def close(self) -> None:
        """Write the end."""
        self._file.write(b"end %d\n" % self.facts)
        self._file.close()


class _CertifiedProblem:
    """What is claimed of one problem and which facts that needs."""

    def __init__(self, engine: DfPnEngine, position: RulesPosition, judgement: Judgement) -> None:
        self._engine = engine
        self._position = position
        self._packed = pack(position)
        self._judgement = judgement

    def search(self) -> None:
        """Find a long mate again, from above: that takes fewer nodes than to ask for its length at once."""
        if self._judgement.length is not None and self._judgement.length > LAST_RAISED:
            search_length(self._engine, self._packed, Limits(), since=MateBounds(LAST_RAISED))

    def claim(self) -> Iterator[dict[str, Any]]:
        """Yield the claim in parts; the first stands alone. Raises `NotCertified`."""
        judgement = self._judgement
        claim: dict[str, Any] = {"sfen": format_sfen(self._position)}
        if judgement.length is None:
            if Defect.NO_MATE in judgement.defects:
                yield {**claim, "no_mate": checker.EVER}
            elif not judgement.unresolved:
                raise NotCertified("an illegal start")
            elif judgement.no_mate_within < 1:
                raise NotCertified("unresolved")
            else:
                yield {**claim, "no_mate": judgement.no_mate_within}
            return
        yield {**claim, "mate": judgement.length}
        if len(judgement.line) == judgement.length:
            yield {"line": [move.usi for move in judgement.line]}
        if second := list(self._second()):
            yield {"second": second}
        # The plies beyond the end within which no second solution exists, unless some does or may.
        said = judgement.defects | judgement.remarks | judgement.faults | judgement.blemishes
        examined = judgement.complete or judgement.grade is not Grade.UNSOUND
        if said & _SECOND or not judgement.settled or not examined:
            return
        if judgement.searched is None:
            yield {"unique": checker.EVER}
        elif judgement.searched >= judgement.length:
            yield {"unique": judgement.searched - judgement.length}

    def _second(self) -> Iterator[dict[str, Any]]:
        for found in self._judgement.findings:
            if not isinstance(found, SecondSolution) or found.key is None or found.check is None:
                continue
            if found.length is None:
                continue
            # The moves before it must be longest defences: no futile drop, which may last longer.
            moves, engine = found.line[: found.turn], self._engine
            turns = attacker_turns(self._packed, tuple(map(pack_move, moves)))
            lengths = range(self._judgement.length or 0, 0, -2)
            if len(turns) <= len(lengths) and all(
                engine.mates(packed, n) and not (n > 1 and engine.mates(packed, n - 2))
                for packed, n in zip(turns, lengths, strict=False)
            ):
                yield {
                    "after": [move.usi for move in moves], "key": found.key.usi, "check": found.check.usi,
                    "plies": found.length - found.turn,
                }  # fmt: skip

    def needed(self, part: dict[str, Any]) -> Iterator[NeededFact]:
        """Yield the facts that a part of the claim needs."""
        start = checker.position_from_rules(self._position)
        if "no_mate" in part:
            yield NeededFact("N", start, checker.FOREVER if part["no_mate"] == checker.EVER else part["no_mate"])
            return
        n = self._judgement.length or 0
        if "mate" in part:
            yield from _exactly(start, n)
        _, needs = _along(start, n, part.get("line", ()))
        yield from needs
        for second in part.get("second", ()):
            turn, needs = _along(start, n, second["after"])
            yield from needs
            left = n - len(second["after"])
            for usi, plies in ((second["key"], left), (second["check"], second["plies"])):
                yield NeededFact("D", checker.play_moves(turn, checker.code_of(usi), Side.ATTACKER), plies - 1)
        if "unique" in part:
            yield NeededFact("U", start, n, checker.FOREVER if part["unique"] == checker.EVER else part["unique"])


def _exactly(position: checker.Position, n: int) -> list[NeededFact]:
    return [NeededFact("A", position, n), *([NeededFact("N", position, n - 2)] if n > 1 else [])]


def _along(position: checker.Position, n: int, moves: list[str]) -> tuple[checker.Position, list[NeededFact]]:
    """Return the position after a line of the main tree, and the facts which show that it is one."""
    needs: list[NeededFact] = []
    for ply, usi in enumerate(moves):
        side = Side(ply % 2)
        position = checker.play_moves(position, checker.code_of(usi), side)
        if side is Side.ATTACKER:
            needs.append(NeededFact("D", position, n - ply - 1))
        else:
            needs += _exactly(position, n - ply - 1)
    return position, needs
