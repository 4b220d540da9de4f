# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of file formats."""

from __future__ import annotations

from tsume_rules.sfen import ParsedSfen


class FormatError(ValueError):
    """An invalid game record: the ``reason``, and the ``line`` (from 1).

    ``illegal``: the position of the record, if the rules do not allow it.
    """

    def __init__(self, reason: str, line: int, illegal: ParsedSfen | None = None) -> None:
        super().__init__(reason, line)
        self.reason = reason
        self.line = line
        self.illegal = illegal

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def text_excerpt(text: str) -> str:
    """A text quoted for an error message, shortened if long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


class UnencodableError(ValueError):
    """A character that the requested encoding lacks."""
