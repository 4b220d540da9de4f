# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of jobs as JSON, and the time that jobs may take."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]
"""One object of a stream of results; its field ``event`` is its name."""
SECONDS = 20.0
"""The default time limit of one search."""
SPARE = 10.0
"""Seconds that a job may take apart from searching, loading included, before its process is killed."""


def search_timeout(limit: float) -> float:
    """Seconds after which the process of a job with one search of ``limit`` seconds is killed."""
    return 1.5 * limit + SPARE


@dataclass(frozen=True)
class Rendered:
    """An object as JSON, possibly compressed. If it is not ``settled``, more time might change it."""

    content: bytes
    settled: bool


@dataclass(frozen=True)
class Refused:
    """The result of a job that cannot be done: the fault is in the request."""

    fault: str


class RefusedJobError(ValueError):
    """The job cannot be done; the message says what is wrong with the request."""


def json_bytes(fields: dict[str, Any]) -> bytes:
    """Return an object on one line, UTF-8."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
