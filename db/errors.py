"""The errors of a store, and how they name places and values."""

from __future__ import annotations

_SHOWN = 200


class StoreError(ValueError):
    """A store that cannot be opened, read or written; one line names the place and the fault."""


class DamageError(ValueError):
    """A store holds what none can; `db.engine.reported` names the place."""


class LostConnectionError(StoreError):
    """A connection to the server was lost or could not be made.

    Whether a transaction that was being committed is in the store is not known.
    """


class BusyRunError(StoreError):
    """A run has come further than this process took it: another process is at work on it."""


def named(place: object) -> str:
    """The name of a place on one line: as it is, or as Python writes it where it has odd characters."""
    text = str(place)
    return text if text.isprintable() else repr(text)


def shown(value: object) -> str:
    """A value from outside as an error quotes it: on one line, cut when long."""
    line = named(value)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
