"""What commands print: JSON lines flushed as they are ready, moves as they were given."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from tsume_rules.hands import Hand
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen

NO_READING = ParsedSfen(Position((None,) * 81, Hand(), Hand()))
"""Stands for what could not be read: an empty board."""


def print_json(**fields: Any) -> None:
    """One object on one line, at once."""
    click.echo(json.dumps(fields, ensure_ascii=False))
    sys.stdout.flush()


def print_line(text: str) -> None:
    """One line of text, at once."""
    click.echo(text)
    sys.stdout.flush()


def usi_line(parsed: ParsedSfen, line: Iterable[Move]) -> list[str]:
    """Moves in USI, in the orientation in which the position was given."""
    return [parsed.outward(move).usi for move in line]
