# SPDX-License-Identifier: GPL-3.0-or-later
"""Where pictures are written: stdout, one file, or a folder with a file for each."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from tsume.diagrams.png import png_images
from tsume.diagrams.typesetting import require_typst
from tsume.files.record_files import UniqueFileNames
from tsume.files.writing import is_folder, make_folder, require_usable_output, write_file

Form = Literal["svg", "png"]
FORMS: tuple[Form, ...] = ("svg", "png")
_BATCH = 64
"""PNGs that are drawn together."""


class PictureFiles:
    """Takes pictures as SVG and writes them in a format; `close` writes those that still wait.

    ``scale`` is the number of pixels for a unit of SVG in a PNG. Raises `tsume.extras.Missing` where what
    makes PNGs is not installed.
    """

    def __init__(self, output: str | None, form: Form | None, scale: float) -> None:
        require_usable_output(output)
        self._folder = Path(output) if output and is_folder(output) else None
        self._file = Path(output) if output not in (None, "-") and self._folder is None else None
        self._form = form or _form_of(self._file)
        self._scale = scale
        self._names = UniqueFileNames()
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


def _form_of(file: Path | None) -> Form:
    """The format that a file's ending says; SVG without one."""
    ending = "" if file is None else file.suffix.lower().removeprefix(".")
    return next((form for form in FORMS if form == ending), "svg")
