# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing files and folders: whole or not at all, errors in one line."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

import click

from db.errors import store_place_name


class FileError(click.ClickException):
    """A file cannot be written; the message names it in one line."""


def is_folder(output: str | None) -> bool:
    """Return whether a place to write to is a folder: one that is there, or a name that ends in a slash."""
    if output is None or output in ("", "-"):
        return False
    try:
        return output[-1:] in ("/", os.sep) or Path(output).is_dir()
    except OSError:  # a name too long; writing there says so
        return False


def require_usable_output(output: str | None) -> None:
    """Reject an empty name before any output is produced."""
    if output == "":
        raise click.ClickException(f"-o: {os.strerror(errno.ENOENT)}")


def make_folder(path: Path) -> None:
    """Make a folder unless it is there. Raises `click.ClickException` when that fails."""
    with _write_errors_reported(path):
        path.mkdir(parents=True, exist_ok=True)


def require_one_file(output: str, what: str) -> None:
    """Refuse, before it takes long to make ``what``, a place where one file cannot be written.

    Raises `click.ClickException`, and `click.UsageError` for a folder.
    """
    require_usable_output(output)
    if is_folder(output):
        raise click.UsageError(f"{what} goes into one file, not a folder")
    if output != "-":
        path = Path(output)
        with _write_errors_reported(path):
            real = real_path(path)
            if not real.exists() and not real.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            if not os.access(real if real.exists() else real.parent, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def write_data(data: bytes, output: str) -> None:
    """Write bytes to stdout (``-``) or to a file. Raises `click.ClickException` when that fails."""
    if output == "-":
        click.echo(data, nl=False)
    else:
        write_file(Path(output), data)


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a device or a pipe is written to, not replaced.

    Raises `click.ClickException` when that fails.
    """
    with file_for_writing(path) as file:
        file.write(data)


@contextmanager
def file_for_writing(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be written, as `write_file` does, in the block; an exception leaves what was there."""
    with _write_errors_reported(path):
        real = real_path(path)
        if real.exists() and not real.is_file():
            with real.open("wb") as device:
                yield device
            return
        if real.exists() and not os.access(real, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        mode = real.stat().st_mode if real.exists() else default_file_mode(0o666)
        handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            Path(name).chmod(stat.S_IMODE(mode))
            Path(name).replace(real)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


@contextmanager
def _write_errors_reported(path: Path) -> Iterator[None]:
    """Turn an `OSError` into a `FileError`."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{store_place_name(str(path)) or '-o'}: {error.strerror or error}") from None


def real_path(path: Path) -> Path:
    """Return the file itself where a path is a link to it. Raises OSError."""
    try:
        real = path.resolve()
    except RuntimeError:  # before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
    if real.is_symlink():  # since Python 3.13 a loop is returned as it is
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return real


def default_file_mode(mode: int) -> int:
    """Return the mode of a new file or folder, less the bits of the process's umask."""
    mask = os.umask(0)
    os.umask(mask)
    return mode & ~mask


# ---------------------------------------------------------------------------------------------------
#
# A folder that a command makes: beside its place, then put there whole, in place of an older one.


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
        """Return where a file is to be, in a folder that is there. Raises OSError."""
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
    """Make a draft that becomes the folder at a place when the block ends well; else nothing is changed.

    What an older one has beside its own files (``.git``, ``CNAME``) stays. Raises OSError.
    """
    real = real_path(place)
    draft = Path(tempfile.mkdtemp(dir=real.parent, prefix=kind.unseen))
    try:
        making = FolderDraft(draft)
        yield making
        making.write(kind.marker, "".join(f"{name}\n" for name in making.names))
        draft.chmod(stat.S_IMODE(real.stat().st_mode) if real.is_dir() else default_file_mode(0o777))
        if real.is_dir():
            _replace_folder(draft, real, kind)
        else:
            draft.rename(real)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _replace_folder(draft: Path, place: Path, kind: MadeFolderKind) -> None:
    """Put a draft in place of an older folder, which is only removed when the new one is whole."""
    listed = place / kind.marker  # the names of the files that an earlier call made
    names = listed.read_text(encoding="utf-8", errors="replace").splitlines() if listed.is_file() else []
    own = {kind.marker, *names}
    folders = {parent.as_posix() for name in own for parent in Path(name).parents}

    def foreign(inner: Path) -> Iterator[str]:
        """Yield the names of files, links, and folders without anything listed."""
        for path in sorted(inner.iterdir()):
            name = path.relative_to(place).as_posix()
            if name in folders and path.is_dir() and not path.is_symlink():
                yield from foreign(path)
            elif name not in own:
                yield name

    others = list(foreign(place))
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


# --- a stream in chunks ----------------------------------------------------------------------------

Item = TypeVar("Item")


def chunked(items: Iterable[Item], first: int = 50, size: int = 500) -> Iterator[list[Item]]:
    """Yield lists of ``size`` items, the first of only ``first``; items before an error come first."""
    chunk: list[Item] = []
    try:
        for item in items:
            chunk.append(item)
            if len(chunk) >= first:
                yield chunk
                chunk, first = [], size
    except Exception:
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk
