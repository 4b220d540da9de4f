# SPDX-License-Identifier: GPL-3.0-or-later
"""A long search saved in a file, so that it can be stopped and continued.

The file is a zip archive: ``about.json`` names position, program and reading; the rest is what the engine
has learned.
"""

from __future__ import annotations

import json
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from solver.results import Limits, MateBounds, SearchResult, Unresolved
from tsume.files.writing import FileError, file_for_writing
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

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


class Progress(Protocol):
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

    def __init__(
        self, path: Path, warn: Callable[[FileError], None], stopped: Callable[[int | None], None]
    ) -> None:
        self._path = path
        self._warn = warn
        self._stopped = stopped

    def open(self, position: Position, engine: DfPnEngine) -> float:
        """Load the file into a new engine if it exists; returns the seconds spent by earlier runs.

        Raises `UnusableState`.
        """
        from tsume_rules.kernel.cache import kernel_sources_hash

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
                    self._known = MateBounds(
                        int(about["none_within"]), None if within is None else int(within)
                    )
                    self._seconds = float(about["seconds"])
                    self._engine.read_learned(archive)
            except UnusableState:
                raise
            except OSError as error:
                raise UnusableState(error.strerror or str(error)) from None
            except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError, NotImplementedError):
                raise UnusableState("not a search state, or damaged") from None
        return self._seconds

    def solve(self, limits: Limits, progress: Progress | None) -> SearchResult:
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
