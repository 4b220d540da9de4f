# SPDX-License-Identifier: GPL-3.0-or-later
"""One search: a mate of a position, then perhaps the other first checks and the judgement."""

from __future__ import annotations

import time
from contextlib import suppress

from solver.results import Limits, Mate, MateBounds, NoMate, SearchResult, Unresolved
from tsume.language.voice import Voice
from tsume.services.checking import Checker
from tsume.usi.all_mates import report_first_checks, report_judgement
from tsume.usi.events import Ending, Info, KnownMate, Note
from tsume.usi.requests import Report, SearchRequest
from tsume_rules.moves import Move

_INFO_SECONDS = 0.5
"""Seconds between two reports of how far a search is."""
_LINE_SHARE = 0.2
"""The share of the time spent on lines of mates that may not be the shortest."""


class SearchCancelled(Exception):  # not an error: the answer was given before
    """The session has answered without waiting for the search."""


class _AnyMate(Exception):  # not an error: the search need not go on
    """A mate is known, and the shortest one is not wanted."""


class MateSearch:
    """A search with the engine of a checker, which reports what it finds as it finds it."""

    def __init__(self, checker: Checker, request: SearchRequest, report: Report) -> None:
        from tsume_rules.packing import pack

        self._checker = checker
        self._engine = engine = checker.engine
        self._request = request
        self._report = report
        self._position = request.position.parsed.position
        self._record = pack(self._position)
        self._voice: Voice = request.settings.voice
        self._nodes, self._stored = engine.nodes, engine.stored
        self._started = self._informed = time.monotonic()
        self._on_lines = 0.0
        self._depth = 1
        self._known: KnownMate | None = None

    def run(self) -> None:
        """Search and report; the last report is an `Ending`. Raises `SearchCancelled`."""
        from solver.limits import LimitReached

        engine, go = self._engine, self._request.go
        with engine.watched(self._look), engine.within(Limits(nodes=go.nodes)):
            self._look()
            ending = self._solve()
            if ending is Ending.MATE and self._request.settings.find_all:
                with suppress(LimitReached):
                    self._find_all()
        self._report(ending)

    # --- the mate -------------------------------------------------------------------------

    def _solve(self) -> Ending:
        from solver.solving.solve import solve

        limits = Limits(max_length=self._request.go.depth)
        try:
            result: SearchResult = solve(self._position, limits, self._engine, self._hear)
        except _AnyMate:
            return Ending.MATE
        if isinstance(result, Mate):
            self._report_mate(result.line, result.length, proved=True)
            return Ending.MATE
        self._report(self._info())
        if isinstance(result, NoMate):
            self._note("no_mate")
            return Ending.NO_MATE
        return self._unresolved(result)

    def _unresolved(self, result: Unresolved) -> Ending:
        limit = self._voice(f"judgement.limit_{result.reason.value}")
        self._note("unresolved", limit=limit)
        if result.no_mate_within > 0:
            self._note("none_within", length=result.no_mate_within)
        return Ending.OPEN

    def _hear(self, bounds: MateBounds) -> None:
        """Report a mate that a long search has found, with its line unless lines take too much time."""
        self._depth = bounds.none_within + 2
        if bounds.within is None or not self._has_time_for_lines():
            return
        proved = bounds.within <= bounds.none_within + 2
        if self._known is None or self._known.length > bounds.within:
            self._find_line(bounds.within, proved=proved)
        if self._known and not self._request.settings.shortest:
            raise _AnyMate

    def _has_time_for_lines(self) -> bool:
        return self._known is None or self._on_lines < _LINE_SHARE * (time.monotonic() - self._started)

    def _find_line(self, length: int, *, proved: bool) -> None:
        from solver.solving.known_line import known_line
        from tsume_rules.packing import unpack_move

        began = time.monotonic()
        line = known_line(self._engine, self._record, length)
        self._on_lines += time.monotonic() - began
        if line is not None:
            self._report_mate(tuple(map(unpack_move, line)), length, proved=proved)

    def _report_mate(self, line: tuple[Move, ...], length: int, *, proved: bool) -> None:
        self._known = KnownMate(self._usi(line), length, proved)
        self._report(self._known)
        number = 1 if self._request.settings.find_all else None
        self._report(self._info(length, self._known.line, number))
        if proved and self._ends_with_futile_drops(line):
            self._note("futile_end")

    def _ends_with_futile_drops(self, line: tuple[Move, ...]) -> bool:
        from tsume_rules.packing import pack_move
        from tsume_rules.record_moves import legal_evasions
        from tsume_rules.record_play import line_played

        with line_played(self._record, tuple(map(pack_move, line))):
            return bool(legal_evasions(self._record))

    # --- everything else ------------------------------------------------------------------

    def _find_all(self) -> None:
        """Report the other first checks that mate, then what the judge says."""
        assert self._known is not None
        report_first_checks(self._engine, self._request, self._known, self._report, self._info)
        report_judgement(self._checker, self._request, self._report)

    # --- reports --------------------------------------------------------------------------

    def _look(self) -> None:
        """End a cancelled search, and report how far it is from time to time."""
        if self._request.cancelled.is_set():
            raise SearchCancelled
        now = time.monotonic()
        if now - self._informed >= _INFO_SECONDS:
            self._informed = now
            self._report(self._info())

    def _info(self, mate: int | None = None, line: tuple[str, ...] = (), number: int | None = None) -> Info:
        engine = self._engine
        return Info(
            depth=mate or self._depth,
            nodes=engine.nodes - self._nodes,
            milliseconds=round(1000 * (time.monotonic() - self._started)),
            hashfull=min(1000, 1000 * (engine.stored - self._stored) // engine.places),
            number=number,
            mate=mate,
            line=line,
        )

    def _usi(self, line: tuple[Move, ...]) -> tuple[str, ...]:
        outward = self._request.position.parsed.outward
        return tuple(outward(move).usi for move in line)

    def _note(self, name: str, **parts: object) -> None:
        self._report(Note(self._voice(f"usi.{name}", **parts)))
