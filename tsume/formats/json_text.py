# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON in game records and lines."""

from __future__ import annotations

import json
from typing import Any, TypeGuard


class JsonError(ValueError):
    """A text that is not JSON; ``line`` (from 1) is where that shows, 1 if it is not known."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


def parse_json(text: str) -> Any:
    """The value of a text. Raises `JsonError`, also for values nested too deep."""
    try:
        return json_value(text)
    except (ValueError, RecursionError) as error:
        raise JsonError(str(error), getattr(error, "lineno", 1)) from None


def json_value(text: str) -> Any:
    """The value of a text. Raises ValueError or RecursionError."""
    return json.loads(text)


def json_excerpt(value: object) -> str:
    """A value as JSON, for a message."""
    return json.dumps(value, ensure_ascii=False)


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value of JSON is an integer; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)
