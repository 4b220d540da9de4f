# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of CSV, written and read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any, cast

from tsume.formats.errors import FormatError


class _EchoWriter:
    """A file whose write method returns the text."""

    def write(self, text: str) -> str:
        return text


_CSV = csv.writer(_EchoWriter(), lineterminator="\n")


def csv_line(values: Iterable[Any]) -> str:
    """A line of CSV, with its end."""
    return cast(str, _CSV.writerow(values))


def csv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, each with the number of its last line. Raises `FormatError`."""
    rows = csv.reader(io.StringIO(text, newline=""))
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise FormatError(str(error), rows.line_num) from None
        if row is None:
            return
        yield rows.line_num, row
