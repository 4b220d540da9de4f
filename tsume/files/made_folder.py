# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder that a command makes: beside its place, then put there whole, in place of an older one."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tsume.files.writing import default_file_mode, real_path


@dataclass(frozen=True)
class MadeFolderKind:
    """What such a folder holds, in a word, and the file that makes it one of ours.

    The ``marker`` lists the other files of the folder, one a line.
    """

    name: str
    marker: str

    @property
    def unseen(self) -> str:
        """How the names of folders begin that are there only for a while."""
        return f"{self.marker}-"


class NotOurs(ValueError):
    """A folder is not ours to replace."""


class FolderDraft:
    """A folder under construction: its files are not visible yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: set[Path] = set()
        self.names: list[str] = []
        self.size = 0
        """Bytes written."""

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, text in UTF-8; its name is from the folder, with slashes. Raises OSError."""
        data = content.encode() if isinstance(content, str) else content
        self.path(name).write_bytes(data)
        self.add(name, len(data))

    def path(self, name: str) -> Path:
        """Where a file is to be, in a folder that is there. Raises OSError."""
        path = self._folder / name
        if path.parent not in self._made:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(path.parent)
        return path

    def add(self, name: str, size: int) -> None:
        """Count in a file that was written to its `path`."""
        self.names.append(name)
        self.size += size


def require_replaceable(place: Path, kind: MadeFolderKind) -> None:
    """Refuse a place at which no folder may be put: raises `NotOurs`, and OSError where it cannot be."""
    real = real_path(place)
    if real in (Path.cwd(), *Path.cwd().parents):
        raise NotOurs("is the current folder: run the command from elsewhere")
    if real.exists() and not real.is_dir():
        raise _os_error(errno.ENOTDIR)
    if not real.parent.is_dir():
        raise _os_error(errno.ENOENT)
    if not os.access(real.parent, os.W_OK | os.X_OK):
        raise _os_error(errno.EACCES)
    if real.is_dir() and any(real.iterdir()) and not (real / kind.marker).is_file():
        raise NotOurs(f"is not empty and not a {kind.name} made by tsume")


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@contextmanager
def new_folder(place: Path, kind: MadeFolderKind) -> Iterator[FolderDraft]:
    """A draft that becomes the folder at a place when the block ends well; else nothing is changed.

    What an older one has beside its own files (``.git``, ``CNAME``) stays. Raises OSError.
    """
    real = real_path(place)
    draft = Path(tempfile.mkdtemp(dir=real.parent, prefix=kind.unseen))
    try:
        making = FolderDraft(draft)
        yield making
        making.write(kind.marker, "".join(f"{name}\n" for name in making.names))
        draft.chmod(stat.S_IMODE(real.stat().st_mode) if real.is_dir() else default_file_mode(0o777))
        _put_in_place(draft, real, kind)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put_in_place(draft: Path, place: Path, kind: MadeFolderKind) -> None:
    """Put a draft at its place; an older folder there is only removed when the new one is whole."""
    if not place.is_dir():
        draft.rename(place)
        return
    others = _foreign_files(place, _own_files(place, kind.marker))
    for name in others:
        if os.path.lexists(draft / name):
            raise FileExistsError(errno.EEXIST, f"{name} is in the way and was not made by tsume")
    older = Path(tempfile.mkdtemp(dir=place.parent, prefix=f"{kind.unseen}older-"))
    place.rename(older / place.name)
    try:
        draft.rename(place)
    except BaseException:
        (older / place.name).rename(place)
        older.rmdir()
        raise
    for name in others:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (older / place.name / name).rename(place / name)
    shutil.rmtree(older, ignore_errors=True)


def _own_files(place: Path, marker: str) -> set[str]:
    """The names of the files that an earlier call made."""
    listed = place / marker
    names = listed.read_text(encoding="utf-8", errors="replace").splitlines() if listed.is_file() else []
    return {marker, *names}


def _foreign_files(folder: Path, own: set[str]) -> list[str]:
    """The names of what is in a folder and not listed: files, links, and folders without anything listed."""
    folders = {parent.as_posix() for name in own for parent in Path(name).parents}

    def within(inner: Path) -> Iterator[str]:
        for path in sorted(inner.iterdir()):
            name = path.relative_to(folder).as_posix()
            if name in folders and path.is_dir() and not path.is_symlink():
                yield from within(path)
            elif name not in own:
                yield name

    return list(within(folder))
