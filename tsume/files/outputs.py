# SPDX-License-Identifier: GPL-3.0-or-later
"""Where problems and pictures are written: stdout, one file, or a folder with a file for each."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

import click

from tsume.diagrams.typesetting import png_images, require_typst
from tsume.files.writing import chunked, file_for_writing, is_folder, make_folder, require_usable_output, write_file
from tsume.formats.game_record import GameRecord
from tsume.formats.registry import RecordWriter
from tsume.formats.text import ENCODINGS, UnencodableError, record_encoder

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
        self._names = UniqueFileNames()


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
        path = self._folder / f"{self._names.stem(name)}{self._writer.ending(encoding)}"
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


class UniqueFileNames:
    """The names of the files in a folder, each once, also where case makes no difference."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def stem(self, name: str) -> str:
        """Return a file's name without its ending: the given one, if files may be called so and none is."""
        usable = _STEM.fullmatch(name) and len(os.fsencode(name)) <= _LONGEST_STEM
        stem = name if usable else f"problem-{len(self._used) + 1}"
        while stem.casefold() in self._used:
            stem += "_"
        self._used.add(stem.casefold())
        return stem


# --- where pictures are written: stdout, one file, or a folder with a file for each ----------------

Form = Literal["svg", "png"]
FORMS: tuple[Form, ...] = ("svg", "png")
_BATCH = 64
"""PNGs that are drawn together."""


class PictureFiles(_Destination):
    """Takes pictures as SVG and writes them in a format; `close` writes those that still wait.

    ``scale`` is the number of pixels for a unit of SVG in a PNG. Raises `tsume.extras.Missing` where what
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
            write_file(folder / f"{self._names.stem(name)}.{self._form}", data)
        self._waiting = []

    def _data(self) -> list[bytes]:
        pictures = [picture for _, picture in self._waiting]
        return png_images(pictures, self._scale) if self._form == "png" else [p.encode() for p in pictures]
