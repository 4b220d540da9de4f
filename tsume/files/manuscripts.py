# SPDX-License-Identifier: GPL-3.0-or-later
"""Manuscripts, files of positions that a command is given, and the file of results of each."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import click

from db.errors import store_place_name
from tsume.files.folders import EMPTY_FOLDER, files_of, is_folder
from tsume.files.inputs import Entry, PositionInputs, UnreadableFile, UnreadEntry
from tsume.files.writing import FileError, make_folder, write_file


@dataclass(frozen=True)
class Manuscript:
    """A file of positions; ``name`` is its path from the folder that was given, or its name alone."""

    path: Path
    name: Path
    modified: int = 0
    """When it was changed before it was read, in nanoseconds."""


def manuscripts_of(places: Sequence[str], *, recursive: bool) -> list[Manuscript]:
    """The manuscripts that files and folders are or hold, each once.

    Raises `click.ClickException` for a folder without any.
    """
    found: dict[Path, Manuscript] = {}
    for place in places:
        files = files_of(place, recursive=recursive)
        if not files:
            raise click.ClickException(f"{store_place_name(place)}: {EMPTY_FOLDER}")
        for file in map(Path, files):
            found.setdefault(
                file, Manuscript(file, file.relative_to(place) if is_folder(place) else Path(file.name))
            )
    return list(found.values())


@dataclass(frozen=True)
class ResultPlaces:
    """Where results are written: beside the manuscripts, or in a ``folder`` with the same subfolders.

    They are called ``NAME.kind`` with the ``ending``, for ``NAME`` with its own ending.
    """

    kind: str
    ending: str
    folder: Path | None = None

    def place(self, manuscript: Manuscript) -> Path:
        """The file of the results of a manuscript."""
        beside = manuscript.path if self.folder is None else self.folder / manuscript.name
        return beside.with_name(f"{beside.name}.{self.kind}{self.ending}")

    def is_done(self, manuscript: Manuscript) -> bool:
        """Whether there are results that are not older than the manuscript."""
        try:
            written = self.place(manuscript).stat().st_mtime_ns
            return written >= manuscript.path.stat().st_mtime_ns
        except OSError:
            return False

    def write(self, manuscript: Manuscript, data: bytes) -> None:
        """Write results whole or not at all; a manuscript changed meanwhile is newer than they are.

        Raises `FileError`.
        """
        place = self.place(manuscript)
        make_folder(place.parent)
        write_file(place, data)
        if _modified(manuscript.path) != manuscript.modified:
            os.utime(place, ns=(manuscript.modified, manuscript.modified))

    def require_writable(self, manuscripts: Sequence[Manuscript]) -> None:
        """Raise `FileError` for a folder in which no results can be written, or for two in one place."""
        places: dict[Path, Manuscript] = {}
        for one in manuscripts:
            other = places.setdefault(self.place(one), one)
            if other is not one:
                raise FileError(f"{other.path} and {one.path} would have their results in one file")
        for folder in dict.fromkeys(place.parent for place in places):
            if self.folder is not None:
                make_folder(folder)
            if not os.access(folder, os.W_OK | os.X_OK):
                fault = f"{store_place_name(str(folder))}: {os.strerror(errno.EACCES)}"
                raise FileError(fault + "; -o FOLDER writes the results elsewhere" * (self.folder is None))


class GivenEntry(NamedTuple):
    """Which position of which manuscript is answered: its place in words, whether it is the last one."""

    manuscript: Manuscript
    place: str
    is_last: bool


class ManuscriptInputs(PositionInputs):
    """Iterates over the positions of manuscripts; `next_given` says of each answer what it answers."""

    def __init__(self, manuscripts: Sequence[Manuscript], at: int | None = None) -> None:
        super().__init__((), tuple(str(one.path) for one in manuscripts), allow_none=True, at=at)
        self._manuscripts = manuscripts
        self._given: deque[GivenEntry] = deque()

    def number(self) -> int:
        """How many manuscripts there are."""
        return len(self._manuscripts)

    def next_given(self) -> GivenEntry:
        """What the next answer belongs to; answers come in the order of the positions."""
        return self._given.popleft()

    def _all_entries(self) -> Iterator[Entry | UnreadEntry | UnreadableFile]:
        for one in self._manuscripts:
            manuscript = replace(one, modified=_modified(one.path))
            found = self._entries_from_file(str(one.path))
            waiting = next(found)  # at least that it has none
            for following in found:
                yield self._noted(manuscript, waiting, is_last=False)
                waiting = following
            yield self._noted(manuscript, waiting, is_last=True)

    def _noted(
        self, manuscript: Manuscript, found: Entry | UnreadEntry | UnreadableFile, *, is_last: bool
    ) -> Entry | UnreadEntry | UnreadableFile:
        self._given.append(GivenEntry(manuscript, found.place, is_last))
        return found


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
