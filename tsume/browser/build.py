"""The scripts of the solver in the browser."""

from __future__ import annotations


class NotBuilt(Exception):
    """The scripts cannot be made here; the message says why."""


def built_files() -> dict[str, str | bytes]:
    """The scripts by name: ``tsume.js`` and ``tsume-worker.js``. Raises `NotBuilt`."""
    raise NotBuilt("this version has no solver for the browser")
