"""The paper's experiment: every game of the list solved, beside its result and the judge's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from solver.results import Limits
from tsume.papers.shibahara2006.game import Game, Result
from tsume.papers.shibahara2006.retrograde import Endgame, memory_of
from tsume.papers.shibahara2006.rows import (
    CHECKS_PER_DRAW,
    LATER_RESEARCHES_PER_DRAW,
    RESEARCHES_PER_DRAW,
    Start,
    starts,
)
from tsume.papers.shibahara2006.search import SmallSearch, solve
from tsume.papers.stored_row import InvalidRow, StoredRow, is_number, is_whole, read_fields, require

T = TypeVar("T")
JUDGE_BYTES = 20 << 30
"""Sets of pieces that take more memory are not judged."""


@dataclass(frozen=True)
class Row(StoredRow):
    """One game of the list: its value for the first player (None: the limit was reached) and the work.

    ``limit`` in seconds; the rest as in `tsume.papers.shibahara2006.search.Solved`.
    """

    number: int
    limit: float
    result: int | None
    nodes: int
    seconds: float
    researches: int
    logged: int
    candidates: int
    verified: int

    @classmethod
    def from_json(cls, text: str) -> Row:
        """The row of such a line. Raises ValueError for any other."""
        return _read(cls, text)


@dataclass(frozen=True)
class Judged(StoredRow):
    """One game of the list by the judge, with the plies to a win or a loss and the size of its set."""

    number: int
    result: int
    plies: int | None
    legal: int

    @classmethod
    def from_json(cls, text: str) -> Judged:
        """The row of such a line. Raises ValueError for any other."""
        return _read(cls, text)


def _read(kind: type[T], text: str) -> T:
    fields = read_fields(text)
    try:
        row = kind(**fields)
    except TypeError:
        raise InvalidRow from None
    for name, value in fields.items():
        if value is None:
            require(name == "plies" or (name == "result" and kind is Row))
        elif name == "result":
            require(is_whole(value) and value in tuple(Result), "a result out of range")
        elif name == "number":
            require(is_whole(value) and 1 <= value <= len(starts()), "a number that is not in the list")
        else:
            require(is_number(value) and (is_whole(value) or name in {"limit", "seconds"}))
    return row


def measure_all(
    chosen: Sequence[Start], known: Mapping[int, Row], seconds: float, table_bits: int
) -> Iterator[Row]:
    """The row of each game; those solved before, or tried as long, are not searched again."""
    compiled = False
    for start in chosen:
        row = known.get(start.number)
        if row is None or (row.result is None and row.limit < seconds):
            if not compiled:
                _compile()
                compiled = True
            row = _measured(start, seconds, table_bits)
        yield row


def _compile() -> None:
    """Solve a draw, so that the seconds of the first game that counts hold no compiling."""
    start = starts()[0]
    solve(start.game, start.state, Limits(nodes=20_000), SmallSearch(start.game, 16))


def _measured(start: Start, seconds: float, table_bits: int) -> Row:
    search = SmallSearch(start.game, table_bits)
    solved = solve(start.game, start.state, Limits(seconds=seconds), search)
    return Row(start.number, seconds, **asdict(solved))


def judge_all(chosen: Iterable[Start], known: Mapping[int, Judged]) -> Iterator[Judged]:
    """The judge's word on each game, one set of pieces after the other; none on sets too large."""
    sets: dict[Game, list[Start]] = {}
    for start in chosen:
        sets.setdefault(start.game, []).append(start)
    for game, members in sets.items():
        if all(start.number in known for start in members):
            yield from (known[start.number] for start in members)
        elif memory_of(game) <= JUDGE_BYTES:
            yield from (known.get(row.number, row) for row in _judged(game, members))


def _judged(game: Game, members: Sequence[Start]) -> list[Judged]:
    endgame = Endgame(game)
    for _ in endgame.solve():
        pass
    values = [(start.number, *endgame.value(start.state)) for start in members]
    return [Judged(number, int(result), plies, endgame.legal) for number, result, plies in values]


@dataclass(frozen=True)
class Line:
    """One line of the summary: what came out here, and the paper's figure where it has one."""

    name: str
    here: str
    paper: str


def summary(rows: Sequence[Row]) -> list[Line]:
    """Wins, losses and draws by zone, and what a draw took."""
    zone = {start.number: start for start in starts()}
    lines = []
    for ranks in (1, 2, 3):
        here = [row.result for row in rows if zone[row.number].zone == ranks]
        paper = [zone[row.number].paper for row in rows if zone[row.number].zone == ranks]
        if here:
            lines.append(Line(f"zone of {ranks}: won / lost / drawn / open", _counted(here), _counted(paper)))
    lines.append(
        Line(
            "all: won / lost / drawn / open",
            _counted([row.result for row in rows]),
            _counted([zone[row.number].paper for row in rows]),
        )
    )
    for run, first, researches, checks in (
        ("first run", True, str(RESEARCHES_PER_DRAW), str(CHECKS_PER_DRAW)),
        ("second run", False, str(LATER_RESEARCHES_PER_DRAW), ""),
    ):
        draws = [row for row in rows if row.result == Result.DRAW and zone[row.number].first_run == first]
        if draws:
            lines += [
                Line(f"new starts a draw, {run}", _mean(row.researches for row in draws), researches),
                Line("  candidates searched", _mean(row.verified for row in draws), checks),
                Line("  candidates of the last starts", _mean(row.candidates for row in draws), ""),
                Line("  candidates of all starts", _mean(row.logged for row in draws), ""),
            ]
    return lines


def _counted(results: Sequence[int | None]) -> str:
    return " / ".join(str(results.count(value)) for value in (Result.WIN, Result.LOSS, Result.DRAW, None))


def _mean(numbers: Iterable[int]) -> str:
    listed = list(numbers)
    return f"{sum(listed) / len(listed):.1f}"
