# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches with one engine that is loaded in advance and stays warm between them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from solver.judging import judge  # noqa: F401  (imports the engine and the kernels' modules)
from solver.judging.cooks import FirstChecks, MateByFirstCheck
from solver.results import Interposition, LimitReached, Limits, Mate, MateBounds, NoMate, SearchResult
from solver.solving.solve import ChosenChecks, ChosenDefences, DefenderInCheck, known_line, solve, solve_next
from tsume.reports.judgement import judgement_text_lines
from tsume.uses.checking import UNLIMITED, Checker
from tsume.uses.engines import MIN_MEMORY, EngineOptions, df_pn_engine
from tsume.usi import protocol
from tsume_rules.moves import Move, in_check, legal_moves, parse_move, position_after_all
from tsume_rules.packed import legal_checks, legal_evasions, pack, pack_move, unpack_move
from tsume_rules.position import Side
from tsume_rules.sfen import ParsedSfen

# --- one search: a mate of a position, then perhaps the other first checks and the judgement; or a defence ---

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

    def __init__(
        self, checker: Checker, request: protocol.SearchRequest, report: Callable[[protocol.SearchEvent], None]
    ) -> None:
        self._checker = checker
        self._engine = engine = checker.engine
        self._request = request
        self._settings = request.settings
        self._report = report
        self._take(request.position.parsed)
        self._nodes, self._stored = engine.nodes, engine.stored
        self._started = self._informed = time.monotonic()
        self._on_lines = 0.0
        self._depth = 1
        self._known: protocol.KnownMate | None = None

    def run(self) -> None:
        """Search and report; the last report is a `SearchEnding`. Raises `SearchCancelled`."""
        with self._engine.watched(self._look), self._engine.within(Limits(nodes=self._request.go.nodes)):
            self._look()
            ending = self._solve_in_roles()
            if ending is protocol.SearchEnding.MATE and self._settings.find_all:
                with suppress(LimitReached):
                    self._find_all()
        self._report(ending)

    def _take(self, parsed: ParsedSfen) -> None:
        """Search this position from now on."""
        self._parsed = parsed
        self._position = parsed.position
        self._packed = pack(parsed.position)
        self._is_defence = parsed.position.side_to_move is Side.DEFENDER
        # Whether `FindAll` has a meaning: the attacker is to move, and no move is excluded.
        self._finds_all = not self._is_defence and not self._request.go.only

    def _solve_in_roles(self) -> protocol.SearchEnding:
        """A mate by the side to move; without one, where it may defend and a move is wanted, its defence."""
        position = self._request.position
        if position.attack is None:
            return self._defend()
        ending = self._solve()
        if ending is protocol.SearchEnding.MATE or position.defence is None or self._request.go.mate:
            return ending
        self._take(position.defence)
        return self._defend()

    # --- the defence ----------------------------------------------------------------------

    def _defend(self) -> protocol.SearchEnding:
        engine, packed, go = self._engine, self._packed, self._request.go
        is_checked = in_check(self._position, Side.DEFENDER)
        moves = sorted(
            self._allowed(legal_moves(self._position)), key=lambda move: self._position.board[move.target] is None
        )
        codes = list(map(pack_move, moves))
        has_all = is_checked and len(codes) == len(legal_evasions(packed))
        if not is_checked:
            self._note("no_check")
        if not codes or (has_all and engine.is_mated(packed, 0)):
            self._note("futile_end" if codes else "mated")
            return protocol.SearchEnding.FAILED
        if go.mate and not is_checked:
            return protocol.SearchEnding.NO_MATE
        root = (DefenderInCheck if has_all else ChosenDefences)(engine, packed, codes)

        def play(move: int | None) -> None:  # if no more is found
            if move is not None:
                self._report(protocol.MoveToPlay(self._usi((unpack_move(move),))[0]))

        def on_bound(n: int) -> None:
            self._depth = n + 2
            play(root.lasting(n))

        result = solve_next(engine, root, Limits(max_length=go.depth), on_bound)
        if isinstance(result, NoMate):
            play(root.escape())
        return self._report_result(result, "escapes")

    def _allowed(self, moves: Iterable[Move]) -> list[Move]:
        """Return the moves that ``searchmoves`` leaves."""
        only = self._request.go.only
        return [move for move in moves if not only or self._usi((move,))[0] in only]

    # --- the mate -------------------------------------------------------------------------

    def _solve(self) -> protocol.SearchEnding:
        engine, go = self._engine, self._request.go
        limits = Limits(max_length=go.depth)
        result: SearchResult = NoMate()
        if not go.only:
            try:
                result = solve(self._position, limits, engine, self._hear)
            except _AnyMate:
                return protocol.SearchEnding.MATE
        elif checks := [check for check in legal_checks(self._packed) if self._allowed([unpack_move(check)])]:

            def on_bound(n: int) -> None:
                self._depth = n + 2

            result = solve_next(engine, ChosenChecks(engine, self._packed, checks), limits, on_bound)
        return self._report_result(result, "no_mate_among" if go.only else "no_mate")

    def _report_result(self, result: SearchResult, without_mate: str) -> protocol.SearchEnding:
        if isinstance(result, Mate):
            self._report_mate(result.line, result.length, proved=True)
            return protocol.SearchEnding.MATE
        self._report(self._info())
        if isinstance(result, NoMate):
            self._note(without_mate)
            return protocol.SearchEnding.NO_MATE
        self._note("unresolved", limit=self._settings.voice(f"judgement.limit_{result.reason.value}"))
        if result.no_mate_within > 0:
            self._note("none_within", length=result.no_mate_within)
        return protocol.SearchEnding.OPEN

    def _hear(self, bounds: MateBounds) -> None:
        """Report a mate that a long search has found, with its line unless lines take too much time."""
        self._depth = bounds.none_within + 2
        began = time.monotonic()
        has_time = self._known is None or self._on_lines < _LINE_SHARE * (began - self._started)
        if bounds.within is None or not has_time:
            return
        if self._known is None or self._known.length > bounds.within:
            line = known_line(self._engine, self._packed, bounds.within)
            self._on_lines += time.monotonic() - began
            if line is not None:
                proved = bounds.within <= bounds.none_within + 2
                self._report_mate(tuple(map(unpack_move, line)), bounds.within, proved=proved)
        if self._known and not self._settings.shortest:
            raise _AnyMate

    def _report_mate(self, line: tuple[Move, ...], length: int, *, proved: bool) -> None:
        self._known = protocol.KnownMate(self._usi(line), length, proved)
        self._report(self._known)
        number = 1 if self._settings.find_all and self._finds_all else None
        self._report(self._info(-length if self._is_defence else length, self._known.line, number))
        if proved and len(legal_evasions(pack(position_after_all(self._position, line)))):
            self._note("futile_end")

    # --- FindAll --------------------------------------------------------------------------

    def _find_all(self) -> None:
        """Report each other first check that mates as a line of MultiPV, then what ``tsume check`` prints.

        The lines are ranked by length; a new one moves the longer ones down.
        """
        assert self._known is not None
        if not self._finds_all:
            self._note("no_find_all")
            return
        most, key = self._settings.lines, self._parsed.outward(parse_move(self._known.line[0]))
        checks = FirstChecks(self._engine, self._position, key, self._known.length)
        mates: list[MateByFirstCheck] = []  # but for that by the key, which is the first line
        for found in checks.mates():
            place = sum(mate.length <= found.length for mate in mates)
            mates.insert(place, found)
            for rank, mate in enumerate(mates[place : most - 1], start=place + 2):
                self._report(self._info(mate.length, self._usi(mate.line), rank))
            if not found.exact:
                self._note("length_open", move=self._usi(found.line)[0])
        number = len(mates) + 1
        self._note("first_mate", number=number)
        if number > most:
            self._note("more_lines", number=number - most)
        if checks.still_open:
            self._note("first_open", moves=" ".join(self._usi(checks.still_open)))
        if self._settings.engine.interposition is not Interposition.NARROW:
            self._note("narrow_only")
        with self._engine.reading(Interposition.NARROW):
            judgement = self._checker.judge(self._position)
        for line in judgement_text_lines(judgement, self._parsed, self._settings.voice):
            self._report(protocol.InfoText(line.strip()))

    # --- reports --------------------------------------------------------------------------

    def _look(self) -> None:
        """End a cancelled search, and report how far it is from time to time."""
        if self._request.cancelled.is_set():
            raise SearchCancelled
        now = time.monotonic()
        if now - self._informed >= _INFO_SECONDS:
            self._informed = now
            self._report(self._info())

    def _info(self, mate: int | None = None, line: tuple[str, ...] = (), number: int | None = None) -> protocol.Info:
        engine = self._engine
        return protocol.Info(
            depth=abs(mate or self._depth),
            nodes=engine.nodes - self._nodes,
            milliseconds=round(1000 * (time.monotonic() - self._started)),
            hashfull=min(1000, 1000 * (engine.stored - self._stored) // engine.places),
            number=number,
            mate=mate,
            line=line,
        )

    def _usi(self, line: tuple[Move, ...]) -> tuple[str, ...]:
        return tuple(self._parsed.outward(move).usi for move in line)

    def _note(self, name: str, **parts: object) -> None:
        self._report(protocol.InfoText(self._settings.voice(f"usi.{name}", **parts)))


# --- the jobs of a session, one after the other ----------------------------------------------------

# Kernels are loaded by examples, so that the first search of a GUI is as fast as the others.
_SEVEN_PLIES = "sfen 1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1"
_TWO_SOLUTIONS = "sfen 8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"


class JobRunner:
    """Carries out preparations and searches; ``post`` delivers an event of the search of a number."""

    def __init__(self, post: Callable[[int, protocol.SearchEvent], None]) -> None:
        self._post = post
        self._checker: Checker | None = None
        self._has_judged = False
        self._options: EngineOptions | None = None

    def run(self, job: protocol.PreparationRequest | protocol.SearchRequest) -> None:
        """Carry out a job; an error is reported."""
        if isinstance(job, protocol.PreparationRequest):
            try:
                self._ready_checker(job.settings, 0)
            except Exception as error:
                self._fail(0, error)
            self._post(0, protocol.Ready())
        elif not job.cancelled.is_set():
            number = job.number
            try:
                checker = self._ready_checker(job.settings, number)
                self._post(number, protocol.Ready())
                MateSearch(checker, job, lambda event: self._post(number, event)).run()
            except SearchCancelled:
                pass
            except Exception as error:  # whatever it is, the GUI must get its answer
                self._fail(number, error)
                self._post(number, protocol.SearchEnding.FAILED)

    def _fail(self, number: int, error: Exception) -> None:
        """Report an error, and drop the engine, whose state is unknown."""
        self._checker = self._options = None
        text = str(error).partition("\n")[0]
        self._post(number, protocol.InfoText(f"Error: {type(error).__name__}{': ' * bool(text)}{ascii(text)[1:-1]}"))

    def _ready_checker(self, settings: protocol.Settings, number: int) -> Checker:
        """Return the checker, with an engine for these settings, and its kernels loaded."""
        checker = self._checker
        if checker is None or self._options != settings.engine:
            self._checker = checker = None  # its memory is free before the next one is made
            self._checker = checker = self._new_checker(settings, number)
            self._options = settings.engine
            _search_example(checker, _SEVEN_PLIES)
            engine, packed = checker.engine, pack(protocol.parse_position(_SEVEN_PLIES).parsed.position)
            with engine.for_long_works():
                engine.mates_ever(packed)
                known_line(engine, packed, engine.length)
        if settings.find_all and not self._has_judged:
            _search_example(checker, _TWO_SOLUTIONS, find_all=True)
            self._has_judged = True
        return checker

    def _new_checker(self, settings: protocol.Settings, number: int) -> Checker:
        """Return a checker with the memory of the settings, or with less if the system refuses so much."""
        size = settings.hash_size
        while True:
            try:
                engine = df_pn_engine(replace(settings, hash_size=size).engine)
                engine.take_memory()
                if engine.threads < settings.threads:
                    self._post(number, protocol.InfoText(f"Error: Threads: {engine.threads} fit into USI_Hash {size}"))
                return Checker(UNLIMITED, engine)
            except MemoryError:
                if size == MIN_MEMORY:
                    raise
                smaller = max(MIN_MEMORY, size // 2)
                self._post(number, protocol.InfoText(f"Error: USI_Hash: no memory for {size} MB; using {smaller} MB"))
                size = smaller


def _search_example(checker: Checker, sfen: str, *, find_all: bool = False) -> None:
    request = protocol.SearchRequest(
        0, protocol.parse_position(sfen), protocol.Go(mate=True), protocol.Settings(find_all=find_all)
    )
    MateSearch(checker, request, lambda _event: None).run()
