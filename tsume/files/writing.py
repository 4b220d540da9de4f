# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing files and folders: whole or not at all, errors in one line; problems and pictures in them."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, TypeVar

import click

from db.errors import store_place_name
from tsume.diagrams.svg import png_images, require_typst
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import RecordWriter
from tsume.formats.text import ENCODINGS, UnencodableError, record_encoder


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


# --- a folder that a command makes: beside its place, then put there whole, in place of an older one ---


@dataclass(frozen=True)
class OutputFolderKind:
    """What such a folder holds, in a word, and the file that makes it one of ours.

    The ``marker`` lists the other files of the folder, one a line.
    """

    name: str
    marker: str


class ForeignFolderError(ValueError):
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


def require_replaceable(place: Path, kind: OutputFolderKind) -> None:
    """Refuse a place at which no folder may be put: raises `ForeignFolderError`, and OSError where it cannot be."""
    real = real_path(place)
    if real in (Path.cwd(), *Path.cwd().parents):
        raise ForeignFolderError("is the current folder: run the command from elsewhere")
    if real.exists() and not real.is_dir():
        raise _os_error(errno.ENOTDIR)
    if not real.parent.is_dir():
        raise _os_error(errno.ENOENT)
    if not os.access(real.parent, os.W_OK | os.X_OK):
        raise _os_error(errno.EACCES)
    if real.is_dir() and any(real.iterdir()) and not (real / kind.marker).is_file():
        raise ForeignFolderError(f"is not empty and not a {kind.name} made by tsume")


def _os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@contextmanager
def new_folder(place: Path, kind: OutputFolderKind) -> Iterator[FolderDraft]:
    """Make a draft that becomes the folder at a place when the block ends well; else nothing is changed.

    What an older one has beside its own files (``.git``, ``CNAME``) stays. Raises OSError.
    """
    real = real_path(place)
    draft = Path(tempfile.mkdtemp(dir=real.parent, prefix=f"{kind.marker}-"))
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


def _replace_folder(draft: Path, place: Path, kind: OutputFolderKind) -> None:
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
    older = Path(tempfile.mkdtemp(dir=place.parent, prefix=f"{kind.marker}-older-"))
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


# --- where problems are written: stdout, one file, or a folder with a file for each ----------------

_STEM = re.compile(r"[\w-][\w.-]*")
_LONGEST_STEM = 100
"""Bytes."""


def write_table(lines: Iterable[str], output: str | None, encoding: str | None) -> None:
    """Write lines as they come to stdout, or to a file, in UTF-8 unless asked otherwise."""
    encoded = record_encoder(ENCODINGS[encoding or "utf-8"], "replace")
    _write_stream(lines, output, encoded, as_text=encoding is None)


def write_collection(
    writer: RecordWriter, records: Iterable[GameRecord], output: str | None, encoding: str | None
) -> None:
    """Write a file of several problems as they come. Raises `click.ClickException` when that fails."""
    assert writer.collection is not None
    path = Path(output) if output not in (None, "-") else None
    usual = writer.encoding if path is None else writer.encoding_of(path)
    name = usual if encoding is None else ENCODINGS[encoding]
    encoded = record_encoder(name)
    as_text = path is None and encoding is None
    pieces: Iterable[str] = writer.collection(records)
    if not as_text:
        pieces = (writer.in_encoding(piece, name).replace("\n", writer.line_end) for piece in pieces)
    try:
        _write_stream(pieces, output, encoded, as_text=as_text)
    except UnencodableError as error:
        raise click.ClickException(str(error)) from None


def _write_stream(pieces: Iterable[str], output: str | None, encoded: Callable[[str], bytes], *, as_text: bool) -> None:
    joined = map("".join, chunked(pieces))
    if output in (None, "-"):
        for text in joined:
            click.echo(text if as_text else encoded(text), nl=False)
        return
    with file_for_writing(Path(str(output))) as file:
        for text in joined:
            file.write(encoded(text))


class _Destination:
    """A folder with a file for each, a single file, or stdout."""

    def __init__(self, output: str | None) -> None:
        require_usable_output(output)
        self._folder = Path(output) if output and is_folder(output) else None
        self._file = Path(output) if output not in (None, "-") and self._folder is None else None
        self._used: set[str] = set()

    def _stem(self, name: str) -> str:
        """Return a file's name without its ending: the given one, if files may be called so.

        Each name is used once in a folder, also where case makes no difference.
        """
        usable = _STEM.fullmatch(name) and len(os.fsencode(name)) <= _LONGEST_STEM
        stem = name if usable else f"problem-{len(self._used) + 1}"
        while stem.casefold() in self._used:
            stem += "_"
        self._used.add(stem.casefold())
        return stem


class RecordFiles(_Destination):
    """Takes problems and writes them; a single file is written by `close`."""

    def __init__(self, writer: RecordWriter, output: str | None, encoding: str | None) -> None:
        super().__init__(output)
        self._writer = writer
        self._encoding = None if encoding is None else ENCODINGS[encoding]
        self._records: list[GameRecord] = []

    def write(self, name: str, record: GameRecord) -> None:
        """Take a problem; ``name`` is that of its file in a folder.

        Raises `click.ClickException` when it cannot be written, or is one too many for a file.
        """
        self._records.append(record)
        if self._folder is None:
            if len(self._records) > 1 and self._writer.collection is None:
                one = f"a {self._writer.name} file holds one problem"
                raise click.ClickException(f"{one}: give a folder (-o FOLDER/) for several")
            return
        encoding = self._encoding or self._writer.encoding
        make_folder(self._folder)
        path = self._folder / f"{self._stem(name)}{self._writer.ending(encoding)}"
        write_file(path, self._data(encoding))
        self._records = []

    def break_off(self) -> None:
        """Write what there is for a single file; nothing if there is nothing."""
        if self._records:
            self.close()

    def close(self) -> None:
        """Write the single file, or to stdout."""
        if self._folder is not None:
            return
        if self._file is not None:
            write_file(self._file, self._data(self._encoding or self._writer.encoding_of(self._file)))
        else:
            click.echo(self._text() if self._encoding is None else self._data(self._encoding), nl=False)

    def _text(self) -> str:
        return self._writer.text(self._records) if self._records else ""

    def _data(self, encoding: str) -> bytes:
        try:
            return self._writer.data(self._text(), encoding)
        except ValueError as error:
            raise click.ClickException(str(error)) from None


# --- where pictures are written: stdout, one file, or a folder with a file for each ----------------

Form = Literal["svg", "png"]
FORMS: tuple[Form, ...] = ("svg", "png")
_BATCH = 64
"""PNGs that are drawn together."""


class PictureFiles(_Destination):
    """Takes pictures as SVG and writes them in a format; `close` writes those that still wait.

    ``scale`` is the number of pixels for a unit of SVG in a PNG. Raises `tsume.extras.MissingExtra` where what
    makes PNGs is not installed.
    """

    def __init__(self, output: str | None, form: Form | None, scale: float) -> None:
        super().__init__(output)
        ending = "" if self._file is None else self._file.suffix.lower().removeprefix(".")
        self._form = form or next((one for one in FORMS if one == ending), "svg")
        self._scale = scale
        self._waiting: list[tuple[str, str]] = []
        if self._form == "png":
            require_typst()

    def write(self, name: str, picture: str) -> None:
        """Take a picture; ``name`` is that of its file in a folder.

        Raises `click.ClickException` if it cannot be written, or is one too many for a file: then none is.
        """
        if self._folder is None and self._waiting:
            self._waiting = []
            raise click.ClickException("several pictures need a folder (-o FOLDER/)")
        self._waiting.append((name, picture))
        if self._folder is not None and len(self._waiting) == _BATCH:
            self._write_waiting(self._folder)

    def close(self) -> None:
        """Write what still waits."""
        if self._folder is not None:
            self._write_waiting(self._folder)
        elif self._waiting:
            (data,) = self._data()
            if self._file is None:
                click.echo(data, nl=False)
            else:
                write_file(self._file, data)

    def _write_waiting(self, folder: Path) -> None:
        make_folder(folder)
        for (name, _), data in zip(self._waiting, self._data(), strict=True):
            write_file(folder / f"{self._stem(name)}.{self._form}", data)
        self._waiting = []

    def _data(self) -> list[bytes]:
        pictures = [picture for _, picture in self._waiting]
        return png_images(pictures, self._scale) if self._form == "png" else [p.encode() for p in pictures]
