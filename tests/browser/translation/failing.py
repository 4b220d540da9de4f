# SPDX-License-Identifier: GPL-3.0-or-later
"""How something fails, for the samples."""

from __future__ import annotations

from collections.abc import Callable


def failure(action: Callable[[], object]) -> str:
    """The name of the exception that a call raises."""
    try:
        action()
    except Exception as error:
        return type(error).__name__
    return "none"
