# SPDX-License-Identifier: GPL-3.0-or-later
"""What measurements and fits share: files of problems and positions, options, warm-up, statistics."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import LimitReached, Limits, Mate
from solver.solving.solve import solve
from tsume.files.entries import Entry, read_entry
from tsume_rules.moves import Move, parse_move
from tsume_rules.packed import Moves, first_illegal, pack, pack_move, start_faults
from tsume_rules.position import IllegalPosition, Position
from tsume_rules.sfen import SfenError, format_sfen, parse_line, parse_sfen

# --- problems with their main lines: files with one on each line, in any of our line formats -------

Line = tuple[Move, ...]
LINE_NODES = 2_000_000
"""A problem without a line whose mate is not found within this many nodes is left out."""


@dataclass(frozen=True)
class LinedProblem:
    """A problem and its main line, the attacker being Black."""

    position: Position
    line: Line
    columns: tuple[str, ...] = ()
    """Further columns of its row."""

    @property
    def length(self) -> int:
        return len(self.line)

    @property
    def moves(self) -> Moves:
        return tuple(map(pack_move, self.line))


def read_published(paths: Iterable[str | Path]) -> Iterator[LinedProblem]:
    """Yield the problems of files of ``SFEN moves USI...``, or SFEN, tab, line, columns; unchecked."""
    for path in paths:
        for text in Path(path).read_text(encoding="utf-8").splitlines():
            if text.strip() and not text.startswith("#"):
                sfen, _, rest = text.partition("\t")
                moves, *columns = rest.split("\t")
                sfen, line = parse_line(f"{sfen} moves {moves}" if rest else text)
                parsed = parse_sfen(sfen)
                moves_of_black = (move.rotated if parsed.rotated else move for move in line)
                yield LinedProblem(parsed.position, tuple(moves_of_black), tuple(columns))


def read_problems(paths: Sequence[Path], *, solve_all: bool = False) -> list[LinedProblem]:
    """Return the problems of all files, no position twice, mirror images counting as one.

    A line holds an SFEN with or without ``moves ...``, a JSON object as ``tsume generate --jsonl``
    prints it, or columns separated by tabs, one of which is an SFEN and one after it a line in USI.
    Empty lines and lines that begin with ``#`` are passed over. A problem without a line is solved,
    with ``solve_all`` every problem. What cannot be read, is illegal or has no mate is named on
    stderr and left out. Raises `click.ClickException` if there is no problem.
    """
    engine: DfPnEngine | None = None
    found: dict[str, LinedProblem] = {}
    for path in paths:
        for row, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if not text.strip() or text.startswith("#"):
                continue
            try:
                entry = _entry(text.strip())
                if entry.parsed is None:
                    raise ValueError(entry.error)
                position = entry.parsed.position
                if faults := start_faults(position):
                    raise ValueError("; ".join(faults))
                line = () if solve_all else entry.line
                if not line:
                    engine = engine or DfPnEngine()
                    result = solve(position, Limits(nodes=LINE_NODES), engine)
                    if not isinstance(result, Mate):
                        raise ValueError("no mate found")
                    line = result.line
                if len(line) % 2 == 0:
                    raise ValueError("the line does not end with a move of the attacker")
                ply = first_illegal(pack(position), tuple(map(pack_move, line)))
                if ply is not None:
                    name = "answer" if ply % 2 else "check"
                    raise ValueError(f"move {ply + 1}, {line[ply].usi}, is not a legal {name}")
                key = min(format_sfen(position), format_sfen(position.mirrored))
                found.setdefault(key, LinedProblem(position, line))
            except ValueError as fault:
                click.echo(f"{path}:{row}: {fault}; left out", err=True)
    if not found:
        raise click.ClickException(f"no problems in {', '.join(map(str, paths))}")
    return list(found.values())


def _entry(text: str) -> Entry:
    """Return what one line says, as the commands read it."""

    def is_line(column: str) -> bool:
        with suppress(ValueError):
            return bool([parse_move(word) for word in column.split()])
        return False

    columns = text.split("\t")
    boards = [i for i, column in enumerate(columns) if column.count("/") == 8]
    if text.startswith("{") or not boards:
        return read_entry(text, "")
    sfen, *others = columns[boards[0] :]
    line = next(filter(is_line, others), "")
    return read_entry(f"{sfen} moves {line}" if line and " moves " not in sfen else sfen, "")


# --- the positions that are measured: files with one on each line ----------------------------------

DATA = Path(__file__).parents[3] / "shared" / "data"
"""Files of problems beside the project; they do not belong to it."""
JISSEN = "jissen_mate{}.txt"
LENGTHS = (3, 5, 7, 9, 11)

_LENGTH = re.compile(r"mate(\d+)")


@dataclass(frozen=True)
class NamedSfen:
    """A position as it was written and as it was read, with its name in the file."""

    name: str
    sfen: str
    position: Position


def read_positions(path: Path, number: int | None = None) -> list[NamedSfen]:
    """Return the first ``number`` positions of a file; a line without one is named on stderr and left out.

    A line holds an SFEN (``moves ...`` allowed) or columns separated by tabs, one of which is
    an SFEN; the first other column is the name. Empty lines and lines that begin with ``#`` are
    passed over. Raises `click.ClickException` for a file without any position.
    """
    found: list[NamedSfen] = []
    for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if number is not None and len(found) >= number:
            break
        if line.strip() and not line.startswith("#"):
            try:
                found.append(_named(line, path, row))
            except ValueError as fault:
                click.echo(f"{path}:{row}: {fault}; left out", err=True)
    if not found:
        raise click.ClickException(f"{path}: no positions")
    return found


def _named(line: str, path: Path, row: int) -> NamedSfen:
    fault: ValueError = SfenError("no column holds a board")
    columns = [column.strip() for column in line.split("\t")]
    for i, column in enumerate(columns):
        if column.count("/") != 8:
            continue
        try:
            sfen = parse_line(column)[0]
            position = parse_sfen(sfen).position
        except (SfenError, IllegalPosition) as error:
            fault = error
            continue
        others = [other for other in columns[:i] + columns[i + 1 :] if other]
        return NamedSfen(others[0] if others else f"{path.name}:{row}", sfen, position)
    raise fault


def length_in_name(path: Path) -> int | None:
    """Return the length that a file's name gives all its problems (``...mate7...``)."""
    found = _LENGTH.search(path.name)
    return int(found[1]) if found else None


def files_or_default(files: tuple[Path, ...]) -> list[Path]:
    """Return the files given; without any, those beside the project. Raises `click.UsageError`."""
    if files:
        return list(files)
    default = [DATA / JISSEN.format(length) for length in LENGTHS]
    if not all(path.is_file() for path in default):
        raise click.UsageError(f"give FILES of one SFEN a line: {DATA} has no {JISSEN.format('N')}")
    return default


# --- options and input that several measurements share ---------------------------------------------

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FILES = click.argument("files", nargs=-1, required=True, type=FILE)
_MOVES = click.option("-m", "--moves", multiple=True, type=int, help="Only this length; repeatable.")
_SEED = click.option("--seed", default=1, show_default=True)


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    return FILES(_MOVES(_SEED(command)))


def shuffled(files: Sequence[Path], moves: Sequence[int], seed: int) -> list[LinedProblem]:
    """Return the problems of some lengths, or of all, in random order."""
    problems = [one for one in read_problems(files) if not moves or one.length in moves]
    random.Random(seed).shuffle(problems)
    return problems


# --- what is done before anything is timed ---------------------------------------------------------

_HARD = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1"
_WARMING_NODES = 20_000


def warm_engine(engine: DfPnEngine) -> None:
    """Compile all that a search uses, and touch the memory of the engine's table.

    The system clears memory when it is first written to; for a large table that takes most of a second.
    """
    packed = pack(parse_sfen(_HARD).position)
    engine.raise_bound(packed, 1)
    engine.forget()
    with suppress(LimitReached), engine.within(Limits(nodes=_WARMING_NODES)):
        engine.mates(packed, 11)
    engine.forget()
    with suppress(LimitReached), engine.within(Limits(nodes=_WARMING_NODES)):
        engine.mates_ever(packed)
    engine.forget()


# --- agreement of orders, and quantiles ------------------------------------------------------------


def quantile(ascending: Sequence[float], share: float) -> float:
    """Return the least value that at least this share of the values does not exceed."""
    return ascending[max(0, math.ceil(share * len(ascending)) - 1)]


def auc(better: np.ndarray, worse: np.ndarray) -> float:
    """Return the chance that one of the first values is above one of the second; a tie counts half."""
    worse = np.sort(worse)
    below = np.searchsorted(worse, better, "left")
    not_above = np.searchsorted(worse, better, "right")
    return float((below + not_above).mean() / (2 * len(worse)))


def gamma_within(one: np.ndarray, other: np.ndarray, groups: np.ndarray) -> float:
    """Goodman and Kruskal's gamma over the pairs within a group; pairs tied in either do not count."""
    agreeing = np.sign(one[:, None] - one) * np.sign(other[:, None] - other) * np.triu(groups[:, None] == groups, 1)
    counted = np.count_nonzero(agreeing)
    return float(agreeing.sum() / counted) if counted else 0.0
