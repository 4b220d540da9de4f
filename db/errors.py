# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors of a store, and how they name places and values."""

from __future__ import annotations

from math import isfinite
from typing import Any

_SHOWN = 200


class StoreError(ValueError):
    """A store cannot be opened, read or written; one line names the place and the error."""


class DamageError(ValueError):
    """A store has invalid contents; `db.engine.database_errors_reported` names the place."""


class LostConnectionError(StoreError):
    """A connection to the server was lost or could not be made. It is unknown whether a transaction being committed is
    in the store."""


class BusyRunError(StoreError):
    """A run is further than this process took it: another process is continuing it."""


def store_place_name(place: object) -> str:
    """Return the name of a place on one line, as Python writes it if it has unprintable characters."""
    text = str(place)
    return text if text.isprintable() else repr(text)


def require_finite(value: Any) -> float:
    """Return a value of a column. Raises ValueError for what is no finite number."""
    if not isinstance(value, float | int) or not isfinite(value):
        raise ValueError(f"not a number: {stored_value_excerpt(repr(value))}")
    return float(value)


def stored_value_excerpt(value: object) -> str:
    """Return an external value as quoted in an error: on one line, shortened if long."""
    line = store_place_name(value)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
