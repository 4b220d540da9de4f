"""Where problems are written: stdout, one file, or a folder with a file for each."""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from db.errors import named
from tsume.formats.encoding import ENCODINGS, encoder
from tsume.formats.errors import UnencodableError
from tsume.formats.game_record import GameRecord
from tsume.formats.writers import Writer
from tsume.output import parts

F = TypeVar("F", bound=Callable[..., Any])
_STEM = re.compile(r"[\w-][\w.-]*")
_LONGEST_STEM = 100
"""Bytes."""


def output_options(command: F) -> F:
    """``-o`` and ``--encoding``: the command gets ``output`` and ``encoding``."""
    command = click.option(
        "--encoding", type=click.Choice(list(ENCODINGS)),
        help="The encoding; by default that of the format and of the file's ending.",
    )(command)  # fmt: skip
    return click.option(
        "-o", "--output", metavar="PATH",
        help="Write to this file, or to this folder a file for each problem; - is stdout.",
    )(command)  # fmt: skip


def is_folder(output: str | None) -> bool:
    """Whether a place to write to is a folder: one that is there, or a name with a slash at its end."""
    if output is None or output in ("", "-"):
        return False
    try:
        return output[-1:] in ("/", os.sep) or Path(output).is_dir()
    except OSError:  # a name too long; writing there says so
        return False


def require_usable(output: str | None) -> None:
    """Refuse a name that is none, before anything is made to be written there."""
    if output == "":
        raise click.ClickException(f"-o: {os.strerror(errno.ENOENT)}")


def write_table(lines: Iterable[str], output: str | None, encoding: str | None) -> None:
    """Write lines as they come to stdout, or to a file, in UTF-8 unless asked otherwise."""
    _stream(lines, output, encoder(ENCODINGS[encoding or "utf-8"], "replace"), as_text=encoding is None)


def write_collection(
    writer: Writer, records: Iterable[GameRecord], output: str | None, encoding: str | None
) -> None:
    """Write a file of several problems as they come.

    Raises `click.ClickException` when that fails.
    """
    assert writer.collection is not None
    path = Path(output) if output not in (None, "-") else None
    usual = writer.encoding if path is None else writer.encoding_of(path)
    encoded = encoder(usual if encoding is None else ENCODINGS[encoding])
    as_text = path is None and encoding is None
    pieces = writer.collection(records)
    if not as_text:
        pieces = (piece.replace("\n", writer.line_end) for piece in pieces)
    try:
        _stream(pieces, output, encoded, as_text=as_text)
    except UnencodableError as error:
        raise click.ClickException(str(error)) from None


def _stream(
    pieces: Iterable[str], output: str | None, encoded: Callable[[str], bytes], *, as_text: bool
) -> None:
    joined = map("".join, parts(pieces))
    if output in (None, "-"):
        for text in joined:
            click.echo(text if as_text else encoded(text), nl=False)
        return
    with writing(Path(str(output))) as file:
        for text in joined:
            file.write(encoded(text))


class RecordFiles:
    """Takes problems and writes them; a single file is written by `close`."""

    def __init__(self, writer: Writer, output: str | None, encoding: str | None) -> None:
        require_usable(output)
        self._writer = writer
        self._folder = Path(output) if output and is_folder(output) else None
        self._file = Path(output) if output not in (None, "-") and self._folder is None else None
        self._encoding = None if encoding is None else ENCODINGS[encoding]
        self._records: list[GameRecord] = []
        self._names = FileNames()

    def write(self, name: str, record: GameRecord) -> None:
        """Take a problem; ``name`` is that of its file in a folder.

        Raises `click.ClickException` when it cannot be written, or is one too many for a file.
        """
        self._records.append(record)
        if self._folder is None:
            if len(self._records) > 1 and self._writer.collection is None:
                raise click.ClickException(
                    f"a file of {self._writer.name} holds one problem: give a folder (-o FOLDER/) for several"
                )
            return
        encoding = self._encoding or self._writer.encoding
        make_folder(self._folder)
        self._write(self._folder / f"{self._names.stem(name)}{self._writer.ending(encoding)}", encoding)
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
            self._write(self._file, self._encoding or self._writer.encoding_of(self._file))
        elif self._encoding is not None:
            click.echo(self._data(self._encoding), nl=False)
        else:
            click.echo(self._text(), nl=False)

    def _text(self) -> str:
        return self._writer.text(self._records) if self._records else ""

    def _data(self, encoding: str) -> bytes:
        try:
            return self._writer.data(self._text(), encoding)
        except ValueError as error:
            raise click.ClickException(str(error)) from None

    def _write(self, path: Path, encoding: str) -> None:
        write_file(path, self._data(encoding))


class FileNames:
    """The names of the files in a folder, each once, also where case makes no difference."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def stem(self, name: str) -> str:
        """A file's name without its ending: the name given, if files may be called so and none is yet."""
        usable = _STEM.fullmatch(name) and len(os.fsencode(name)) <= _LONGEST_STEM
        stem = name if usable else f"problem-{len(self._used) + 1}"
        while stem.casefold() in self._used:
            stem += "_"
        self._used.add(stem.casefold())
        return stem


def make_folder(path: Path) -> None:
    """Make a folder unless it is there. Raises `click.ClickException` when that fails."""
    with _reported(path):
        path.mkdir(parents=True, exist_ok=True)


def require_one_file(output: str, what: str) -> None:
    """Refuse, before it takes long to make ``what``, a place where one file cannot be written.

    Raises `click.ClickException`, and `click.UsageError` for a folder.
    """
    require_usable(output)
    if is_folder(output):
        raise click.UsageError(f"{what} is one file, not a folder")
    if output != "-":
        _require_place(Path(output))


def _require_place(path: Path) -> None:
    with _reported(path):
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
    with writing(path) as file:
        file.write(data)


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A file to be written, as `write_file` does, in the block; an exception leaves what was there before."""
    with _reported(path):
        real = real_path(path)
        if real.exists() and not real.is_file():
            with real.open("wb") as device:
                yield device
        else:
            with _replacing(real) as file:
                yield file


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Turn an `OSError` into one line with the path."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{named(str(path)) or '-o'}: {error.strerror or error}") from None


def real_path(path: Path) -> Path:
    """The file itself where a path is a link to it. Raises OSError."""
    try:
        return path.resolve()
    except RuntimeError:  # before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    mode = path.stat().st_mode if path.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        Path(name).chmod(stat.S_IMODE(mode))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
