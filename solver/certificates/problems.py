# SPDX-License-Identifier: GPL-3.0-or-later
"""A certificate of several problems: what a judgement says of each, as claims and facts."""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from solver.certificates.checker import EVER, FOREVER, TITLE, Position, after, text_position
from solver.certificates.writer import FactWriter, Needed, Oracle, Unproved
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.findings import SecondSolution
from solver.limits import LimitReached
from solver.results import Defect, Grade, Judgement, Limits, MateBounds
from solver.solving.deepening import LAST_RAISED, search_length
from tsume_rules.moves import parse_move
from tsume_rules.packed import attacker_turns, pack, pack_move
from tsume_rules.position import Position as RulesPosition
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen

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
        self._file.write(TITLE)

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
            writer = FactWriter(facts, Oracle(engine), self._progress)
            engine.forget()  # so that the file does not depend on what the engine knows
            with engine.within(limits or Limits()), engine.for_long_works():
                problem.search()
                try:
                    writer.write_all(problem.needed(claim))
                except Unproved as error:
                    raise NotCertified(str(error)) from None
                for part in parts:
                    try:
                        writer.write_all(problem.needed(part))
                    except (LimitReached, Unproved):
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
                yield {**claim, "no_mate": EVER}
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
            yield {"unique": EVER}
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

    def needed(self, part: dict[str, Any]) -> Iterator[Needed]:
        """Yield the facts that a part of the claim needs."""
        start = text_position(self._position)
        if "no_mate" in part:
            yield Needed("N", start, FOREVER if part["no_mate"] == EVER else part["no_mate"])
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
                yield Needed("D", after(turn, _code(usi), Side.ATTACKER), plies - 1)
        if "unique" in part:
            yield Needed("U", start, n, FOREVER if part["unique"] == EVER else part["unique"])


def _code(usi: str) -> int:
    return pack_move(parse_move(usi))


def _exactly(position: Position, n: int) -> list[Needed]:
    return [Needed("A", position, n), *([Needed("N", position, n - 2)] if n > 1 else [])]


def _along(position: Position, n: int, moves: list[str]) -> tuple[Position, list[Needed]]:
    """Return the position after a line of the main tree, and the facts which show that it is one."""
    needs: list[Needed] = []
    for ply, usi in enumerate(moves):
        side = Side(ply % 2)
        position = after(position, _code(usi), side)
        if side is Side.ATTACKER:
            needs.append(Needed("D", position, n - ply - 1))
        else:
            needs += _exactly(position, n - ply - 1)
    return position, needs
