# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing files and folders: whole or not at all, errors in one line."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from db.errors import store_place_name


class FileError(click.ClickException):
    """A file cannot be written; the message names it in one line."""


def is_folder(output: str | None) -> bool:
    """Whether a place to write to is a folder: one that is there, or a name with a slash at its end."""
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
        _require_parent_folder(Path(output))


def _require_parent_folder(path: Path) -> None:
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
    """A file to be written, as `write_file` does, in the block; an exception leaves what was there before."""
    with _write_errors_reported(path):
        real = real_path(path)
        if real.exists() and not real.is_file():
            with real.open("wb") as device:
                yield device
        else:
            with _replacing_file(real) as file:
                yield file


@contextmanager
def _write_errors_reported(path: Path) -> Iterator[None]:
    """Turn an `OSError` into a `FileError`."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{store_place_name(str(path)) or '-o'}: {error.strerror or error}") from None


def real_path(path: Path) -> Path:
    """The file itself where a path is a link to it. Raises OSError."""
    try:
        real = path.resolve()
    except RuntimeError:  # before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
    if real.is_symlink():  # since Python 3.13 a loop is returned as it is
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return real


@contextmanager
def _replacing_file(path: Path) -> Iterator[BinaryIO]:
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    mode = path.stat().st_mode if path.exists() else default_file_mode(0o666)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        Path(name).chmod(stat.S_IMODE(mode))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def default_file_mode(mode: int) -> int:
    """The mode of a new file or folder, less the bits of the process's umask."""
    mask = os.umask(0)
    os.umask(mask)
    return mode & ~mask
