# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest mate of a position."""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from solver.results import Limits, Mate, MateBounds, NoMate, SearchResult, Unresolved
from tsume.files.writing import FileError, file_for_writing
from tsume.reports.notation import limit_text, solution_fields
from tsume.uses.engines import DEFAULT_ENGINE, EngineOptions, make_engine
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, format_sfen

if TYPE_CHECKING:
    from solver.engines.base import MateEngine
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.solving.solve import EqualSolutions


# --- a long search saved in a file, so that it can be stopped and continued ------------------------
#
# The file is a zip archive: ``about.json`` names position, program and reading; the rest is what the engine
# has learned.

_ABOUT = "about.json"
_SECONDS = 600.0
"""The time between two savings of a search that goes on."""
_FAULTS = {
    "format": "the search state was written by another version of tsume",
    "kernels": "the search state was written by another version of tsume",
    "sfen": "the search state is of another position, {was}",
    "reading": "the search state was made with other rules for futile interpositions",
    "places": "the search state was written with another --memory: a table of {was} entries, not {now}",
}
"""What must be as it was, and the fault if it is not."""


class SearchObserver(Protocol):
    """Follows a search."""

    def hear(self, known: MateBounds) -> None:
        """Note what is known."""

    def look(self) -> None:
        """Called every few milliseconds."""


class UnusableState(ValueError):
    """A file cannot be read, or is not the state of this search; it is unchanged."""


class SavedSearch:
    """The search of one position, saved in a file.

    ``warn`` is called with the error when the file cannot be written while the search goes on, ``stopped``
    when the search stops without an answer: with the bytes written, None if there was nothing to save.
    """

    def __init__(self, path: Path, warn: Callable[[FileError], None], stopped: Callable[[int | None], None]) -> None:
        self._path = path
        self._warn = warn
        self._stopped = stopped

    def open(self, position: Position, engine: DfPnEngine) -> float:
        """Load the file into a new engine if it exists; returns the seconds spent by earlier runs.

        Raises `UnusableState`.
        """
        from tsume_rules.kernel.compile import kernel_sources_hash

        self._position = position
        self._engine = engine
        self._about: dict[str, Any] = {
            "format": 1,
            "kernels": kernel_sources_hash(),
            "sfen": format_sfen(position),
            "reading": engine.mode,
            "places": engine.places,
        }
        self._known: MateBounds | None = None
        self._seconds = 0.0
        self._started = self._written = time.monotonic()
        if self._path.exists():
            try:
                with zipfile.ZipFile(self._path) as archive:
                    about = json.loads(archive.read(_ABOUT))
                    for name, fault in _FAULTS.items():
                        if about[name] != self._about[name]:
                            raise UnusableState(fault.format(was=about[name], now=self._about[name]))
                    within = about["within"]
                    self._known = MateBounds(int(about["none_within"]), None if within is None else int(within))
                    self._seconds = float(about["seconds"])
                    self._engine.read_learned(archive)
            except UnusableState:
                raise
            except OSError as error:
                raise UnusableState(error.strerror or str(error)) from None
            except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError, NotImplementedError):
                raise UnusableState("not a search state, or damaged") from None
        return self._seconds

    def solve(self, limits: Limits, progress: SearchObserver | None) -> SearchResult:
        """Continue for as long as the limits allow.

        The file is written every ten minutes, and when the search stops without an answer; an answer removes
        it. Raises `tsume.files.writing.FileError` if it cannot be written in the end, KeyboardInterrupt.
        """
        from solver.solving.solve import solve

        def hear(known: MateBounds) -> None:
            self._known = known
            if progress:
                progress.hear(known)

        def look() -> None:
            if self._known is not None and time.monotonic() - self._written >= _SECONDS:
                try:
                    self._write(self._known)
                except FileError as error:  # the search may still end well
                    self._warn(error)
                self._written = time.monotonic()
            if progress:
                progress.look()

        try:
            with self._engine.watched(look):
                result = solve(self._position, limits, self._engine, hear, self._known)
        except KeyboardInterrupt:
            self._save()
            raise
        if isinstance(result, Unresolved):
            self._save()
        else:
            self._path.unlink(missing_ok=True)
        return result

    def _save(self) -> None:
        if self._known is not None:
            self._write(self._known)
        self._stopped(None if self._known is None else self._path.stat().st_size)

    def _write(self, known: MateBounds) -> None:
        """Write the file, whole or not at all. Raises `tsume.files.writing.FileError`."""
        about = {
            **self._about,
            "none_within": known.none_within,
            "within": known.within,
            "seconds": self._seconds + time.monotonic() - self._started,
        }
        with file_for_writing(self._path) as file, zipfile.ZipFile(file, "w") as archive:
            archive.writestr(_ABOUT, json.dumps(about))
            self._engine.write_learned(archive)


# ---------------------------------------------------------------------------------------------------


class NoLineError(ValueError):
    """A position has no line, or none was found in time; the message says which."""


NewProgress = Callable[[Callable[[], int], float], SearchObserver]
"""Makes a `SearchObserver` from a function that counts the nodes and the seconds spent by earlier runs."""


@dataclass(frozen=True)
class SolveOptions:
    """A mate of at most ``max_moves`` plies, searched for within ``nodes`` and ``seconds``.

    By the ``engine`` of a name in `ENGINES`, made by ``of_engine``. ``all_answers``: all checks that mate as
    soon are searched for too.
    """

    seconds: float | None = 30.0
    nodes: int | None = None
    max_moves: int | None = None
    engine: str = "df-pn"
    of_engine: EngineOptions = DEFAULT_ENGINE
    all_answers: bool = False


COMMAND = SolveOptions()
"""Of the command, the library, `solve` in a browser, and lines that pictures need."""


@dataclass(frozen=True)
class SolvedPosition:
    """The result of a search and what it took; ``cells`` only with RSEARCH.

    ``others``: all checks that mate as soon, at each turn of the line; None if they were not wanted, or if
    the time ran out.
    """

    parsed: ParsedSfen
    result: SearchResult
    nodes: int
    seconds: float
    cells: int | None
    others: tuple[EqualSolutions, ...] | None = None

    @property
    def outcome(self) -> str:
        """The result as a word of JSON."""
        if isinstance(self.result, Mate):
            return "mate"
        return "no_mate" if isinstance(self.result, NoMate) else "unresolved"

    @property
    def error(self) -> str | None:
        """The limit that was reached, and what is known nevertheless; None if there is a result."""
        return limit_text(self.result) if isinstance(self.result, Unresolved) else None

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume solve --jsonl`` (docs/cli.md)."""
        mate = self.result if isinstance(self.result, Mate) else None
        return solution_fields(
            self.parsed, self.outcome, mate, self.others,
            nodes=self.nodes, seconds=self.seconds, cells=self.cells, error=self.error,
        )  # fmt: skip


class Solver:
    """Finds shortest mates with one engine, made when it is first needed unless one is given."""

    def __init__(self, options: SolveOptions = COMMAND, engine: MateEngine | None = None) -> None:
        self._options = options
        self._limits = Limits(options.nodes, options.seconds, options.max_moves)
        if engine is not None:
            self.engine = engine

    @cached_property
    def engine(self) -> MateEngine:
        """The engine. Raises `tsume.uses.engines.TooLittleMemory`."""
        return make_engine(self._options.engine, self._options.of_engine)

    def solve(
        self, parsed: ParsedSfen, new_progress: NewProgress | None = None, saved: SavedSearch | None = None
    ) -> SolvedPosition:
        """Find the shortest mate of a position whose start is legal; a ``saved`` search is continued.

        Raises as `SavedSearch` does.
        """
        from solver.results import LimitReached
        from solver.solving.solve import equal_solutions, solve

        engine, position, limits = self.engine, parsed.position, self._limits
        nodes = engine.nodes
        before = saved.open(position, cast("DfPnEngine", engine)) if saved else 0.0
        started = time.perf_counter() - before
        progress = new_progress(lambda: engine.nodes - nodes, before) if new_progress else None
        if saved:
            result = saved.solve(limits, progress)
        elif progress:
            with engine.watched(progress.look):
                result = solve(position, limits, engine, progress.hear)
        else:
            result = solve(position, limits, engine)
        seconds = round(time.perf_counter() - started, 4)
        spent, cells = engine.nodes - nodes, engine.peak_cells
        others = None
        if self._options.all_answers and isinstance(result, Mate):
            with suppress(LimitReached), engine.within(limits):
                others = equal_solutions(engine, position, result.length, result.line)
        return SolvedPosition(parsed, result, spent, seconds, cells, others)

    def line(self, position: Position) -> tuple[Move, ...]:
        """Return the best line. Raises `NoLineError` for an illegal start, without a mate, and at the limit."""
        from tsume_rules.packed import start_faults

        faults = start_faults(position)
        if faults:
            raise NoLineError("; ".join(faults))
        result = self.solve(ParsedSfen(position)).result
        if isinstance(result, Mate):
            return result.line
        raise NoLineError("no mate" if isinstance(result, NoMate) else "unresolved: a limit was reached")
