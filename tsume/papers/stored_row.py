# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements of experiments as lines of JSON, from which an interrupted run continues."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

_LARGEST = 2**63


@dataclass(frozen=True)
class StoredRow:
    """A measurement stored as a line of a file: a dataclass of plain values."""

    def to_json(self) -> str:
        """The row as one line of JSON."""
        return json.dumps(asdict(self))


class InvalidRow(ValueError):
    """A line that is not a measurement of the experiment."""

    def __init__(self, reason: str = "") -> None:
        super().__init__("no row of this experiment" + (f": {reason}" if reason else ""))


def read_row_fields(text: str) -> dict[str, Any]:
    """The fields of a line. Raises `InvalidRow` unless it is an object of finite numbers."""
    try:
        fields = json.loads(
            text, parse_float=_finite_number, parse_int=_bounded_integer, parse_constant=_finite_number
        )
    except (ValueError, RecursionError):
        raise InvalidRow from None
    if not isinstance(fields, dict):
        raise InvalidRow
    return fields


def require_valid_row(holds: bool, reason: str = "a value of another type") -> None:
    """Raise `InvalidRow` unless the condition holds."""
    if not holds:
        raise InvalidRow(reason)


def is_number_row_value(value: object) -> bool:
    """Whether a field is a non-negative number and no Boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def is_whole_row_value(value: object) -> bool:
    """Whether a field is an integer and no Boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def _finite_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _bounded_integer(text: str) -> int:
    number = int(text)
    if abs(number) >= _LARGEST:
        raise ValueError(text)
    return number
