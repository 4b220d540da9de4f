# SPDX-License-Identifier: GPL-3.0-or-later
"""The thread that searches, with one engine that is loaded in advance and stays warm between searches."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from solver.results import Interposition, Limits, Mate, MateBounds, NoMate, SearchResult
from tsume.language.voice import Voice
from tsume.reports.judgement import judgement_text_lines
from tsume.uses.checking import UNLIMITED, Checker
from tsume.uses.engines import MIN_MEMORY, EngineOptions, df_pn_engine
from tsume.usi.protocol import (
    Ending,
    Go,
    Info,
    KnownMate,
    MoveToPlay,
    Note,
    Preparation,
    Ready,
    Report,
    SearchEvent,
    SearchRequest,
    Settings,
    parse_position,
)
from tsume.warmup import KernelPart, warm_up_silently
from tsume_rules.moves import Move, in_check, legal_moves, parse_move, position_after_all
from tsume_rules.position import Side
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from solver.engines.base import MateEngine
    from solver.judging.cooks import FirstMate


# ---------------------------------------------------------------------------------------------------
#
# One search: a mate of a position, then perhaps the other first checks and the judgement; or a defence.

# ---------------------------------------------------------------------------------------------------
#
# FindAll: the other first checks that mate as lines of MultiPV, and the judgement of the problem.

MakeInfo = Callable[[int, tuple[str, ...], int], Info]


def report_first_checks(
    engine: MateEngine, request: SearchRequest, known: KnownMate, report: Report, info: MakeInfo
) -> None:
    """Report each other first check that mates, ranked by length; a new one moves the longer ones down."""
    from solver.judging.cooks import FirstChecks

    parsed, settings = request.position.parsed, request.settings
    key = parsed.outward(parse_move(known.line[0]))
    checks = FirstChecks(engine, parsed.position, key, known.length)
    ranking = _Ranking(settings.lines, report, lambda found, rank: _line(request, found, rank, info))
    for found in checks.mates():
        ranking.add(found)
        if not found.exact:
            report(Note(settings.voice("usi.length_open", move=parsed.outward(found.line[0]).usi)))
    number = len(ranking.mates) + 1
    voice = request.settings.voice
    report(Note(voice("usi.first_mate", number=number)))
    if number > request.settings.lines:
        report(Note(voice("usi.more_lines", number=number - request.settings.lines)))
    if checks.still_open:
        moves = " ".join(_usi(request, checks.still_open))
        report(Note(settings.voice("usi.first_open", moves=moves)))


def report_judgement(checker: Checker, request: SearchRequest, report: Report) -> None:
    """Report what ``tsume check --all-findings`` prints below the board."""
    settings, parsed = request.settings, request.position.parsed
    if settings.engine.interposition is not Interposition.NARROW:
        report(Note(settings.voice("usi.narrow_only")))
    with checker.engine.reading(Interposition.NARROW):
        judgement = checker.judge(parsed.position)
    for line in judgement_text_lines(judgement, parsed, settings.voice):
        report(Note(line.strip()))


class _Ranking:
    """The mates by first checks other than the key, which is the first line."""

    def __init__(self, most: int, report: Report, line: Callable[[FirstMate, int], Info]) -> None:
        self.mates: list[FirstMate] = []
        self._most = most
        self._report = report
        self._line = line

    def add(self, found: FirstMate) -> None:
        """Insert a mate behind those as short, and report it and all behind it."""
        place = sum(mate.length <= found.length for mate in self.mates)
        self.mates.insert(place, found)
        for rank, mate in enumerate(self.mates[place : self._most - 1], start=place + 2):
            self._report(self._line(mate, rank))


def _line(request: SearchRequest, found: FirstMate, rank: int, info: MakeInfo) -> Info:
    return info(found.length, tuple(_usi(request, found.line)), rank)


def _usi(request: SearchRequest, moves: tuple[Move, ...]) -> list[str]:
    return [request.position.parsed.outward(move).usi for move in moves]


# --- one search ------------------------------------------------------------------------------------

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
        self._checker = checker
        self._engine = engine = checker.engine
        self._request = request
        self._report = report
        self._take(request.position.parsed)
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
            ending = self._solve_in_roles()
            if ending is Ending.MATE and self._request.settings.find_all:
                with suppress(LimitReached):
                    self._find_all()
        self._report(ending)

    def _take(self, parsed: ParsedSfen) -> None:
        """Search this position from now on."""
        from tsume_rules.packed import pack

        self._parsed = parsed
        self._position = parsed.position
        self._packed = pack(parsed.position)
        self._is_defence = parsed.position.side_to_move is Side.DEFENDER

    @property
    def _finds_all(self) -> bool:
        """Whether `FindAll` has a meaning: the attacker is to move, and no move is excluded."""
        return not self._is_defence and not self._request.go.only

    def _solve_in_roles(self) -> Ending:
        """A mate by the side to move; without one, where it may defend and a move is wanted, its defence."""
        position, wants_move = self._request.position, not self._request.go.mate
        if position.attack is None:
            return self._defend()
        if position.defence is None or not wants_move:
            return self._solve()
        ending = self._solve()
        if ending is Ending.MATE:
            return ending
        self._take(position.defence)
        return self._defend()

    # --- the defence ----------------------------------------------------------------------

    def _defend(self) -> Ending:
        from solver.solving.solve import Defence, InCheck, solve_next
        from tsume_rules.packed import legal_evasions, pack_move

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
            return Ending.FAILED
        if go.mate and not is_checked:
            return Ending.NO_MATE
        root = (InCheck if has_all else Defence)(engine, packed, codes)

        def on_bound(n: int) -> None:
            self._depth = n + 2
            if (lasting := root.lasting(n)) is not None:
                self._play(lasting)

        result = solve_next(engine, root, Limits(max_length=go.depth), on_bound)
        if isinstance(result, NoMate) and (escape := root.escape()) is not None:
            self._play(escape)
        return self._report_result(result, "escapes")

    def _allowed(self, moves: Iterable[Move]) -> list[Move]:
        """Return the moves that ``searchmoves`` leaves."""
        only = self._request.go.only
        return [move for move in moves if not only or self._usi((move,))[0] in only]

    def _play(self, move: int) -> None:
        """Report the move that is played if no more is found."""
        from tsume_rules.packed import unpack_move

        self._report(MoveToPlay(self._usi((unpack_move(move),))[0]))

    # --- the mate -------------------------------------------------------------------------

    def _solve(self) -> Ending:
        from solver.solving.solve import solve

        limits = Limits(max_length=self._request.go.depth)
        try:
            if self._request.go.only:
                result = self._solve_among_checks(limits)
            else:
                result = solve(self._position, limits, self._engine, self._hear)
        except _AnyMate:
            return Ending.MATE
        return self._report_result(result, "no_mate_among" if self._request.go.only else "no_mate")

    def _solve_among_checks(self, limits: Limits) -> SearchResult:
        from solver.solving.solve import SomeChecks, solve_next
        from tsume_rules.packed import legal_checks, unpack_move

        checks = [check for check in legal_checks(self._packed) if self._allowed([unpack_move(check)])]
        if not checks:
            return NoMate()

        def on_bound(n: int) -> None:
            self._depth = n + 2

        return solve_next(self._engine, SomeChecks(self._engine, self._packed, checks), limits, on_bound)

    def _report_result(self, result: SearchResult, without_mate: str) -> Ending:
        if isinstance(result, Mate):
            self._report_mate(result.line, result.length, proved=True)
            return Ending.MATE
        self._report(self._info())
        if isinstance(result, NoMate):
            self._note(without_mate)
            return Ending.NO_MATE
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
            from solver.solving.solve import known_line
            from tsume_rules.packed import unpack_move

            began = time.monotonic()
            line = known_line(self._engine, self._packed, bounds.within)
            self._on_lines += time.monotonic() - began
            if line is not None:
                self._report_mate(tuple(map(unpack_move, line)), bounds.within, proved=proved)
        if self._known and not self._request.settings.shortest:
            raise _AnyMate

    def _has_time_for_lines(self) -> bool:
        return self._known is None or self._on_lines < _LINE_SHARE * (time.monotonic() - self._started)

    def _report_mate(self, line: tuple[Move, ...], length: int, *, proved: bool) -> None:
        self._known = KnownMate(self._usi(line), length, proved)
        self._report(self._known)
        number = 1 if self._request.settings.find_all and self._finds_all else None
        self._report(self._info(-length if self._is_defence else length, self._known.line, number))
        if proved and self._ends_with_futile_drops(line):
            self._note("futile_end")

    def _ends_with_futile_drops(self, line: tuple[Move, ...]) -> bool:
        from tsume_rules.packed import legal_evasions, pack

        return bool(legal_evasions(pack(position_after_all(self._position, line))))

    # --- everything else ------------------------------------------------------------------

    def _find_all(self) -> None:
        """Report the other first checks that mate, then what the judge says."""
        assert self._known is not None
        if not self._finds_all:
            self._note("no_find_all")
            return
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
        self._report(Note(self._voice(f"usi.{name}", **parts)))


# ---------------------------------------------------------------------------------------------------

# ---------------------------------------------------------------------------------------------------
#
# Loading of kernels by examples, so that the first search of a GUI is as fast as the others.

_SEVEN_PLIES = "sfen 1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1"
_TWO_SOLUTIONS = "sfen 8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"


def load_modules() -> None:
    """Import what searches need.

    Loading LLVM keeps the interpreter from running other threads, for up to a second on a busy machine: it is
    better done while the GUI has not asked for anything.
    """
    from solver.judging import judge  # noqa: F401  (imports the engine, numba and the kernels' modules)


def load_search(checker: Checker) -> None:
    """Load what every search needs."""
    from solver.solving.solve import known_line
    from tsume_rules.packed import pack

    _search_example(checker, _SEVEN_PLIES, find_all=False)
    engine, packed = checker.engine, pack(parse_position(_SEVEN_PLIES).parsed.position)
    with engine.for_long_works():
        engine.mates_ever(packed)
        known_line(engine, packed, engine.length)


def load_judge(checker: Checker) -> None:
    """Load what FindAll needs besides."""
    _search_example(checker, _TWO_SOLUTIONS, find_all=True)


def _search_example(checker: Checker, sfen: str, *, find_all: bool) -> None:
    settings = Settings(find_all=find_all)
    request = SearchRequest(0, parse_position(sfen), Go(mate=True), settings)
    MateSearch(checker, request, lambda _event: None).run()


# --- the thread that searches ----------------------------------------------------------------------

_STACK = 1 << 26
"""Bytes of the thread's stack; on some systems a thread has little otherwise."""
Post = Callable[[int, SearchEvent], None]
"""Delivers an event of the search of a number."""


class SearchWorker:
    """Carries out preparations and searches in their order, in a thread of its own."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._jobs: queue.SimpleQueue[Preparation | SearchRequest | None] = queue.SimpleQueue()
        self._checker: Checker | None = None
        self._has_judged = False
        self._options: EngineOptions | None = None
        before = threading.stack_size(_STACK)
        try:
            thread = threading.Thread(target=self._run, name="tsume usi search", daemon=True)
            thread.start()
        finally:
            threading.stack_size(before)
        self._thread = thread

    def submit(self, job: Preparation | SearchRequest) -> None:
        """Carry out a job after those before it."""
        self._jobs.put(job)

    def close(self, seconds: float) -> bool:
        """End the thread after its jobs; returns whether it ended within so many seconds."""
        self._jobs.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        load_modules()
        while (job := self._jobs.get()) is not None:
            if isinstance(job, Preparation):
                try:
                    self._ready_checker(job.settings, 0)
                except Exception as error:
                    self._fail(0, error)
                self._post(0, Ready())
            elif not job.cancelled.is_set():
                self._search(job)

    def _search(self, request: SearchRequest) -> None:
        number = request.number
        try:
            checker = self._ready_checker(request.settings, number)
            self._post(number, Ready())
            MateSearch(checker, request, lambda event: self._post(number, event)).run()
        except SearchCancelled:
            pass
        except Exception as error:  # whatever it is, the GUI must get its answer
            self._fail(number, error)
            self._post(number, Ending.FAILED)

    def _fail(self, number: int, error: Exception) -> None:
        """Report an error, and drop the engine, whose state is unknown."""
        self._checker = self._options = None
        text = str(error).partition("\n")[0]
        self._post(number, Note(f"Error: {type(error).__name__}{': ' * bool(text)}{ascii(text)[1:-1]}"))

    def _ready_checker(self, settings: Settings, number: int) -> Checker:
        """Return the checker, with an engine for these settings, and its kernels loaded."""
        if self._checker is None or self._options != settings.engine:
            warm_up_silently(KernelPart.ENGINE)
            self._checker = None  # its memory is free before the next one is made
            self._checker = self._new_checker(settings, number)
            self._options = settings.engine
            load_search(self._checker)
        if settings.find_all and not self._has_judged:
            load_judge(self._checker)
            self._has_judged = True
        return self._checker

    def _new_checker(self, settings: Settings, number: int) -> Checker:
        """Return a checker with the memory of the settings, or with less if the system refuses so much."""
        size = settings.hash_size
        while True:
            try:
                engine = df_pn_engine(replace(settings, hash_size=size).engine)
                engine.take_memory()
                if engine.threads < settings.threads:
                    text = f"Error: Threads: {engine.threads} fit into USI_Hash {size}"
                    self._post(number, Note(text))
                return Checker(UNLIMITED, engine)
            except MemoryError:
                if size == MIN_MEMORY:
                    raise
                smaller = max(MIN_MEMORY, size // 2)
                self._post(number, Note(f"Error: USI_Hash: no memory for {size} MB; using {smaller} MB"))
                size = smaller
