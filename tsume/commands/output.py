# SPDX-License-Identifier: GPL-3.0-or-later
"""Standard output of the commands, flushed after each line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from tsume.files.writing import chunked
from tsume_rules.position import Hand, Position
from tsume_rules.sfen import ParsedSfen

NOT_PARSED = ParsedSfen(Position((None,) * 81, Hand(), Hand()))
"""Stands for an SFEN that could not be parsed: an empty board."""


def print_json(**fields: Any) -> None:
    """Print a JSON object on one line and flush it."""
    print_line(json_text(**fields))


def json_text(**fields: Any) -> str:
    """Return a JSON object on one line."""
    return json.dumps(fields, ensure_ascii=False)


def print_line(text: str) -> None:
    """Print text and flush it."""
    click.echo(text)
    sys.stdout.flush()


def print_lines(lines: Iterable[str]) -> None:
    """Print lines in chunks; the first chunk is small."""
    for part in chunked(lines):
        print_line("\n".join(part))
