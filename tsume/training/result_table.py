# SPDX-License-Identifier: GPL-3.0-or-later
"""Results as fields and as lines of CSV, for `tsume results export` and for the list of a server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from db.training.records import StoredResult
from tsume.formats.text import csv_line

_COLUMNS = (
    "solved", "problem", "sfen", "moves", "seconds", "mistakes", "hints",
    "person", "mode", "success", "rated", "rating",
)  # fmt: skip
"""Those of the CSV of a browser (results.js) come first; ``solved`` is a time there."""

_FORMULA = tuple("=+-@")
"""With these a spreadsheet would take the name of a person for a formula; an apostrophe prevents it."""


def result_csv_lines(found: Iterable[StoredResult]) -> Iterator[str]:
    """Yield a line of names, then one for each result."""
    yield csv_line(_COLUMNS)
    for one in found:
        fields = result_fields(one)
        yield csv_line(_csv_value(fields[name]) for name in _COLUMNS)


def result_fields(one: StoredResult) -> dict[str, Any]:
    """Return the fields of a result by name."""
    values = {
        "solved": _browser_time(one.ended_at),
        "success": one.solved,
        "rating": round(one.rating),
        **{name: getattr(one, name) for name in _COLUMNS if name not in ("solved", "success", "rating")},
    }
    return {name: values[name] for name in _COLUMNS}


def _browser_time(moment: datetime) -> str:
    """Return a time as JavaScript writes it."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _csv_value(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    is_formula = isinstance(value, str) and value[:1] in _FORMULA
    return f"'{value}" if is_formula else value
