# SPDX-License-Identifier: GPL-3.0-or-later
"""FindAll: the other first checks that mate as lines of MultiPV, and the judgement of the problem."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from solver.results import Interposition
from tsume.reports.judgement import judgement_text_lines
from tsume.services.checking import Checker
from tsume.usi.events import Info, KnownMate, Note
from tsume.usi.requests import Report, SearchRequest
from tsume_rules.moves import Move, parse_move

if TYPE_CHECKING:
    from solver.engines.base import MateEngine
    from solver.judging.cooks import FirstMate

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
    _report_numbers(request, len(ranking.mates) + 1, report)
    if checks.still_open:
        moves = " ".join(_usi(request, checks.still_open))
        report(Note(settings.voice("usi.first_open", moves=moves)))


def report_judgement(checker: Checker, request: SearchRequest, report: Report) -> None:
    """Report what ``tsume check --all-findings`` prints below the board."""
    settings, parsed = request.settings, request.position.parsed
    if settings.engine.interposition is not Interposition.NARROW:
        report(Note(settings.voice("usi.narrow_only")))
    with checker.engine.reading(Interposition.NARROW):
        judgement = checker.check(parsed.position)
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


def _report_numbers(request: SearchRequest, number: int, report: Report) -> None:
    voice = request.settings.voice
    report(Note(voice("usi.first_mate", number=number)))
    if number > request.settings.lines:
        report(Note(voice("usi.more_lines", number=number - request.settings.lines)))
