# SPDX-License-Identifier: GPL-3.0-or-later
"""Loading of kernels by examples, so that the first search of a GUI is as fast as the others."""

from __future__ import annotations

from tsume.services.checking import Checker
from tsume.usi.options import Settings
from tsume.usi.positions import parse_position
from tsume.usi.protocol import Go
from tsume.usi.requests import SearchRequest
from tsume.usi.search import MateSearch

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
    engine, record = checker.engine, pack(parse_position(_SEVEN_PLIES).parsed.position)
    with engine.for_long_works():
        engine.mates_ever(record)
        known_line(engine, record, engine.length)


def load_judge(checker: Checker) -> None:
    """Load what FindAll needs besides."""
    _search_example(checker, _TWO_SOLUTIONS, find_all=True)


def _search_example(checker: Checker, sfen: str, *, find_all: bool) -> None:
    settings = Settings(find_all=find_all)
    request = SearchRequest(0, parse_position(sfen), Go(mate=True), settings)
    MateSearch(checker, request, lambda _event: None).run()
