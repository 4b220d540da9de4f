# SPDX-License-Identifier: GPL-3.0-or-later
"""Where problems are written: stdout, one file, or a folder with a file for each."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from tsume.files.chunks import chunked
from tsume.files.writing import file_for_writing, is_folder, make_folder, require_usable_output, write_file
from tsume.formats.encoding import ENCODINGS, record_encoder
from tsume.formats.errors import UnencodableError
from tsume.formats.game_record import GameRecord
from tsume.formats.writers import RecordWriter

_STEM = re.compile(r"[\w-][\w.-]*")
_LONGEST_STEM = 100
"""Bytes."""


def write_table(lines: Iterable[str], output: str | None, encoding: str | None) -> None:
    """Write lines as they come to stdout, or to a file, in UTF-8 unless asked otherwise."""
    _write_stream(
        lines, output, record_encoder(ENCODINGS[encoding or "utf-8"], "replace"), as_text=encoding is None
    )


def write_collection(
    writer: RecordWriter, records: Iterable[GameRecord], output: str | None, encoding: str | None
) -> None:
    """Write a file of several problems as they come.

    Raises `click.ClickException` when that fails.
    """
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


def _write_stream(
    pieces: Iterable[str], output: str | None, encoded: Callable[[str], bytes], *, as_text: bool
) -> None:
    joined = map("".join, chunked(pieces))
    if output in (None, "-"):
        for text in joined:
            click.echo(text if as_text else encoded(text), nl=False)
        return
    with file_for_writing(Path(str(output))) as file:
        for text in joined:
            file.write(encoded(text))


class RecordFiles:
    """Takes problems and writes them; a single file is written by `close`."""

    def __init__(self, writer: RecordWriter, output: str | None, encoding: str | None) -> None:
        require_usable_output(output)
        self._writer = writer
        self._folder = Path(output) if output and is_folder(output) else None
        self._file = Path(output) if output not in (None, "-") and self._folder is None else None
        self._encoding = None if encoding is None else ENCODINGS[encoding]
        self._records: list[GameRecord] = []
        self._names = UniqueFileNames()

    def write(self, name: str, record: GameRecord) -> None:
        """Take a problem; ``name`` is that of its file in a folder.

        Raises `click.ClickException` when it cannot be written, or is one too many for a file.
        """
        self._records.append(record)
        if self._folder is None:
            if len(self._records) > 1 and self._writer.collection is None:
                raise click.ClickException(
                    f"a {self._writer.name} file holds one problem: give a folder (-o FOLDER/) for several"
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


class UniqueFileNames:
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
