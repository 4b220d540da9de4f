"""What is wrong with a text, and where."""

from __future__ import annotations


class FormatError(ValueError):
    """A text that is no game record: ``reason`` says why, ``line`` where (from 1)."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason, line)
        self.reason = reason
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def shown(text: str) -> str:
    """A piece of foreign text as an error message quotes it, cut when long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


class UnencodableError(ValueError):
    """A character that is not in the encoding asked for."""
