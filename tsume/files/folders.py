# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of positions in a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from tsume.formats.reading import ENDINGS

RESULT_KINDS = ("check", "explain")
"""What the results of manuscripts are called after: ``NAME.check.txt`` (`tsume.files.manuscripts`)."""
EMPTY_FOLDER = f"a folder without problem files ({', '.join(ENDINGS)})"
"""What is wrong with one that holds none."""
EMPTY_FILE = "there is no position in it"
"""What is wrong with a file, or stdin, of which nothing is left without blank lines and comments."""
_RESULT = re.compile(rf".+\.(?:{'|'.join(RESULT_KINDS)})\.[^.]+", re.DOTALL)


def files_of(path: str, *, recursive: bool = True) -> list[str]:
    """The file itself; of a folder and the folders in it, those files whose names end as a format's do.

    They come by name, numbers in names by size: ``2.kif`` before ``10.kif``. Results are left out, and so are
    files whose names begin with a dot.
    """
    if path == "-" or not is_folder(path):
        return [path]
    return sorted(
        (str(file) for file in _files_in(path, recursive) if _is_of_problems(file)), key=_natural_key
    )


def is_file(text: str) -> bool:
    """Whether an argument is the name of a file or a folder, not an SFEN."""
    return os.path.isfile(text) or is_folder(text)  # noqa: PTH113 - as there


def is_folder(path: str) -> bool:
    """Whether a path is that of a folder."""
    return os.path.isdir(path)  # noqa: PTH112 - false, no error, for too long a name


def _files_in(folder: str, recursive: bool) -> Iterator[Path]:
    for inner, _, names in os.walk(folder):
        yield from (Path(inner, name) for name in names)
        if not recursive:
            return


def _is_of_problems(file: Path) -> bool:
    is_named = file.suffix.lower() in ENDINGS and not file.name.startswith(".")
    return is_named and not _RESULT.fullmatch(file.name) and file.is_file()


def _natural_key(name: str) -> list[tuple[str, int]]:
    """A key that sorts names as people do."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)([0-9]*)", name)]
