"""A long search kept in a file, so that it can be stopped and gone on with.

The file is a zip archive: ``about.json`` says of which position, by which program and reading; the rest is
what the engine has learned.
"""

from __future__ import annotations

import json
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from db.errors import named
from solver.results import Known, Limits, SearchResult, Unresolved
from tsume.files.writing import require_one_file, writing
from tsume.progress import SearchProgress
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

_ABOUT = "about.json"
_SECONDS = 600.0
"""Between two times at which a search that goes on is kept."""
_FAULTS = {
    "format": "the search state was written by another version of tsume",
    "kernels": "the search state was written by another version of tsume",
    "sfen": "the search state is of another position, {was}",
    "reading": "the search state was made with other rules for futile interpositions",
    "places": "the search state was written with another --memory: a table of {was} entries, not {now}",
}
"""What must be as it was, and what is wrong if it is not."""


class KeptSearch:
    """The search of one position, kept in a file.

    ``engine``: a new one; it gets what the file holds, if there is one. Raises `click.ClickException`, in one
    line, if the file cannot be read or written, or is not of the same position, reading, program and
    size of the table.
    """

    def __init__(self, path: Path, position: Position, engine: DfPnEngine) -> None:
        from tsume_rules.kernel.cache import fingerprint

        require_one_file(str(path), "the search state")
        self._path = path
        self._position = position
        self._engine = engine
        self._about: dict[str, Any] = {
            "format": 1,
            "kernels": fingerprint(),
            "sfen": format_sfen(position),
            "reading": engine.mode,
            "places": engine.places,
        }
        self._known: Known | None = None
        self.seconds = 0.0
        """Spent before."""
        self._started = self._written = time.monotonic()
        if path.exists():
            self._read()

    def solve(self, limits: Limits, progress: SearchProgress) -> SearchResult:
        """Go on, for as long as the limits allow, and tell of it.

        The file is written every ten minutes, and when the search stops without an answer; after one it is
        removed. Raises `click.ClickException` if it cannot be written in the end, KeyboardInterrupt.
        """
        from solver.solving.solve import solve

        def hear(known: Known) -> None:
            self._known = known
            progress.hear(known)

        def look() -> None:
            self._look()
            progress.look()

        try:
            with self._engine.watched(look):
                result = solve(self._position, limits, self._engine, hear, self._known)
        except KeyboardInterrupt:
            self._keep()
            raise
        if isinstance(result, Unresolved):
            self._keep()
        else:
            self._path.unlink(missing_ok=True)
        return result

    def _look(self) -> None:
        """Write the file if it is time."""
        if self._known is None or time.monotonic() - self._written < _SECONDS:
            return
        try:
            self._write(self._known)
        except click.ClickException as error:  # the search may still end well
            click.echo(f"{error.message}; the search continues", err=True)
        self._written = time.monotonic()

    def _keep(self) -> None:
        """Write the file and say so."""
        if self._known is None:
            click.echo("nothing to save yet: only mates of at most 11 moves were searched for", err=True)
            return
        self._write(self._known)
        size = self._path.stat().st_size / 1e6
        click.echo(
            f"saved to {named(self._path)} ({size:.0f} MB): run the same command to continue", err=True
        )

    def _write(self, known: Known) -> None:
        """Write the file, whole or not at all. Raises `click.ClickException`."""
        about = {
            **self._about,
            "none_within": known.none_within,
            "within": known.within,
            "seconds": self.seconds + time.monotonic() - self._started,
        }
        with writing(self._path) as file, zipfile.ZipFile(file, "w") as archive:
            archive.writestr(_ABOUT, json.dumps(about))
            self._engine.write_learned(archive)

    def _read(self) -> None:
        try:
            with zipfile.ZipFile(self._path) as archive:
                about = json.loads(archive.read(_ABOUT))
                self._compare(about)
                within = about["within"]
                self._known = Known(int(about["none_within"]), None if within is None else int(within))
                self.seconds = float(about["seconds"])
                self._engine.read_learned(archive)
        except OSError as error:
            raise self._refused(error.strerror or str(error)) from None
        except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError, NotImplementedError):
            raise self._refused("not a search state, or damaged") from None

    def _compare(self, about: Any) -> None:
        for name, fault in _FAULTS.items():
            if about[name] != self._about[name]:
                raise self._refused(fault.format(was=about[name], now=self._about[name]))

    def _refused(self, fault: str) -> click.ClickException:
        return click.ClickException(f"{named(self._path)}: {fault}; the file is unchanged")
