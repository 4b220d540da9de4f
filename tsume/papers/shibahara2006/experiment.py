# SPDX-License-Identifier: GPL-3.0-or-later
"""The paper's experiment: every game of the list solved, beside its result and the judge's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from solver.results import Limits
from tsume.papers.shibahara2006.game import Result, ShogiVariant
from tsume.papers.shibahara2006.retrograde import EndgameTable, endgame_table_bytes
from tsume.papers.shibahara2006.rows import (
    CHECKS_PER_DRAW,
    LATER_RESEARCHES_PER_DRAW,
    RESEARCHES_PER_DRAW,
    PaperGame,
    games_of_the_paper,
)
from tsume.papers.shibahara2006.search import VariantSearch, solve_game
from tsume.papers.stored_row import (
    InvalidRow,
    StoredRow,
    is_number_row_value,
    is_whole_row_value,
    read_row_fields,
    require_valid_row,
)

T = TypeVar("T")
JUDGE_BYTES = 20 << 30
"""Sets of pieces that take more memory are not judged."""


@dataclass(frozen=True)
class ShibaharaRow(StoredRow):
    """One game of the list: its value for the first player (None: the limit was reached) and the work.

    ``limit`` in seconds; the rest as in `tsume.papers.shibahara2006.search.SolvedGame`.
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
    def from_json(cls, text: str) -> ShibaharaRow:
        """The row of such a line. Raises ValueError for any other."""
        return _row_from_json(cls, text)


@dataclass(frozen=True)
class EndgameRow(StoredRow):
    """One game of the list by the judge, with the plies to a win or a loss and the size of its set."""

    number: int
    result: int
    plies: int | None
    legal: int

    @classmethod
    def from_json(cls, text: str) -> EndgameRow:
        """The row of such a line. Raises ValueError for any other."""
        return _row_from_json(cls, text)


def _row_from_json(kind: type[T], text: str) -> T:
    fields = read_row_fields(text)
    try:
        row = kind(**fields)
    except TypeError:
        raise InvalidRow from None
    for name, value in fields.items():
        if value is None:
            require_valid_row(name == "plies" or (name == "result" and kind is ShibaharaRow))
        elif name == "result":
            require_valid_row(is_whole_row_value(value) and value in tuple(Result), "a result out of range")
        elif name == "number":
            require_valid_row(
                is_whole_row_value(value) and 1 <= value <= len(games_of_the_paper()),
                "a number that is not in the list",
            )
        else:
            require_valid_row(
                is_number_row_value(value) and (is_whole_row_value(value) or name in {"limit", "seconds"})
            )
    return row


def measure_all(
    chosen: Sequence[PaperGame], known: Mapping[int, ShibaharaRow], seconds: float, table_bits: int
) -> Iterator[ShibaharaRow]:
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
    start = games_of_the_paper()[0]
    solve_game(start.game, start.state, Limits(nodes=20_000), VariantSearch(start.game, 16))


def _measured(start: PaperGame, seconds: float, table_bits: int) -> ShibaharaRow:
    search = VariantSearch(start.game, table_bits)
    solved = solve_game(start.game, start.state, Limits(seconds=seconds), search)
    return ShibaharaRow(start.number, seconds, **asdict(solved))


def judge_all(chosen: Iterable[PaperGame], known: Mapping[int, EndgameRow]) -> Iterator[EndgameRow]:
    """The judge's word on each game, one set of pieces after the other; none on sets too large."""
    sets: dict[ShogiVariant, list[PaperGame]] = {}
    for start in chosen:
        sets.setdefault(start.game, []).append(start)
    for game, members in sets.items():
        if all(start.number in known for start in members):
            yield from (known[start.number] for start in members)
        elif endgame_table_bytes(game) <= JUDGE_BYTES:
            yield from (known.get(row.number, row) for row in _endgame_rows(game, members))


def _endgame_rows(game: ShogiVariant, members: Sequence[PaperGame]) -> list[EndgameRow]:
    endgame = EndgameTable(game)
    for _ in endgame.solve():
        pass
    values = [(start.number, *endgame.value(start.state)) for start in members]
    return [EndgameRow(number, int(result), plies, endgame.legal) for number, result, plies in values]


@dataclass(frozen=True)
class SummaryLine:
    """One line of the summary: what came out here, and the paper's figure where it has one."""

    name: str
    here: str
    paper: str


def summary_lines(rows: Sequence[ShibaharaRow]) -> list[SummaryLine]:
    """Wins, losses and draws by zone, and what a draw took."""
    zone = {start.number: start for start in games_of_the_paper()}
    lines = []
    for ranks in (1, 2, 3):
        here = [row.result for row in rows if zone[row.number].zone == ranks]
        paper = [zone[row.number].paper for row in rows if zone[row.number].zone == ranks]
        if here:
            lines.append(
                SummaryLine(
                    f"zone of {ranks}: won / lost / drawn / open",
                    _result_counts_text(here),
                    _result_counts_text(paper),
                )
            )
    lines.append(
        SummaryLine(
            "all: won / lost / drawn / open",
            _result_counts_text([row.result for row in rows]),
            _result_counts_text([zone[row.number].paper for row in rows]),
        )
    )
    for run, first, researches, checks in (
        ("first run", True, str(RESEARCHES_PER_DRAW), str(CHECKS_PER_DRAW)),
        ("second run", False, str(LATER_RESEARCHES_PER_DRAW), ""),
    ):
        draws = [row for row in rows if row.result == Result.DRAW and zone[row.number].first_run == first]
        if draws:
            lines += [
                SummaryLine(
                    f"new starts a draw, {run}", _mean_text(row.researches for row in draws), researches
                ),
                SummaryLine("  candidates searched", _mean_text(row.verified for row in draws), checks),
                SummaryLine(
                    "  candidates of the last starts", _mean_text(row.candidates for row in draws), ""
                ),
                SummaryLine("  candidates of all starts", _mean_text(row.logged for row in draws), ""),
            ]
    return lines


def _result_counts_text(results: Sequence[int | None]) -> str:
    return " / ".join(str(results.count(value)) for value in (Result.WIN, Result.LOSS, Result.DRAW, None))


def _mean_text(numbers: Iterable[int]) -> str:
    listed = list(numbers)
    return f"{sum(listed) / len(listed):.1f}"
