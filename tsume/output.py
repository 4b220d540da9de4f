"""Output of the commands: each line flushed at once, moves in the orientation of the input."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from tsume_rules.hands import Hand
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, format_sfen

if TYPE_CHECKING:
    from generator.problem import Problem

Item = TypeVar("Item")
NOT_PARSED = ParsedSfen(Position((None,) * 81, Hand(), Hand()))
"""Stands for an SFEN that could not be parsed: an empty board."""


def print_json(**fields: Any) -> None:
    """Print a JSON object on one line and flush it."""
    print_line(json_text(**fields))


def json_text(**fields: Any) -> str:
    """A JSON object on one line."""
    return json.dumps(fields, ensure_ascii=False)


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


_CSV = csv.writer(_Echo(), lineterminator="\n")


def csv_line(values: Iterable[Any]) -> str:
    """A line of CSV, with its end."""
    return cast(str, _CSV.writerow(values))


def print_line(text: str) -> None:
    """Print text and flush it."""
    click.echo(text)
    sys.stdout.flush()


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as they come, some at once; the first few are there at once."""
    for part in parts(lines):
        print_line("\n".join(part))


def parts(items: Iterable[Item], first: int = 50, size: int = 500) -> Iterator[list[Item]]:
    """A stream in lists, the first of which is short; what came before an error is given first."""
    part: list[Item] = []
    try:
        for item in items:
            part.append(item)
            if len(part) >= first:
                yield part
                part, first = [], size
    except Exception:
        if part:
            yield part
        raise
    if part:
        yield part


def problem_line(problem: Problem) -> str:
    """A problem with its line, as `tsume.entries` reads it: the SFEN, ``moves``, the moves in USI."""
    return f"{format_sfen(problem.position)} moves {' '.join(move.usi for move in problem.line)}"


def usi_line(parsed: ParsedSfen, line: Iterable[Move]) -> list[str]:
    """Moves in USI, in the orientation of the given position."""
    return [parsed.outward(move).usi for move in line]
