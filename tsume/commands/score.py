"""``tsume score``"""

from __future__ import annotations

from typing import Any

import click

from solver.results import Difficulty, Limits, Mate, NoMate
from tsume.commands.options import DEFAULT_MEMORY, jsonl_option, memory_option
from tsume.inputs import Entry, Inputs, complain, position_arguments, with_start_faults
from tsume.output import print_json, print_line
from tsume_rules.position import Position

SECONDS = 60.0
"""Time limit for one position."""


@click.command()
@position_arguments
@memory_option
@click.option(
    "--cells", type=click.IntRange(1), help="Remember at most this many subtrees; the score is the same."
)
@jsonl_option("position")
@click.pass_context
def score(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    memory: int,
    cells: int | None,
    jsonl: bool,
) -> None:
    """Score the difficulty of each position that mates (a proxy, see docs/difficulty.md).

    Exits 1 when a position is invalid, has no mate or is unresolved.
    """
    inputs = Inputs(sfens, files)
    scorer = PositionScorer(memory, cells)
    good = True
    for entry in inputs:
        length, difficulty, error = _score(scorer, entry)
        if error:
            good = False
            complain(entry.place, error)
        if jsonl:
            print_json(**_fields(entry, length, difficulty, error))
        elif difficulty is not None:
            print_line(_text(length, difficulty))
    context.exit(0 if good and not inputs.unreadable else 1)


class PositionScorer:
    """Finds the length of a position and its difficulty, within ``memory`` MB.

    The search for the length uses the memory. A score depends neither on it nor on how many
    ``cells`` of a proof tree are remembered (`solver.scoring.difficulty.Scorer`).
    """

    def __init__(self, memory: int = DEFAULT_MEMORY, cells: int | None = None) -> None:
        self._memory = memory
        self._cells = cells
        self._engine: Any = None
        self._scorer: Any = None

    def score(self, position: Position) -> tuple[int, Difficulty]:
        """Length and difficulty. Raises ValueError if there is no mate or a limit is reached."""
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.engines.dfpn.memory import table_bits_within
        from solver.limits import LimitReached
        from solver.scoring.difficulty import SCORER_BYTES, Scorer
        from solver.solving.deepening import search_length
        from tsume_rules.packing import pack

        if self._engine is None:
            bits = table_bits_within((self._memory << 20) - SCORER_BYTES)
            self._engine = DfPnEngine(table_bits=bits)
            self._scorer = Scorer(self._cells)
        self._engine.forget()
        result = search_length(self._engine, pack(position), Limits(seconds=SECONDS))
        if isinstance(result, NoMate):
            raise ValueError("no mate")
        if not isinstance(result, Mate):
            raise ValueError(f"unresolved, limit of {result.reason.value} reached")
        try:
            return result.length, self._scorer.score(position, result.length, Limits(seconds=SECONDS))
        except LimitReached as limit:
            raise ValueError(f"unresolved, limit of {limit.reason.value} reached") from None


def _score(scorer: PositionScorer, entry: Entry) -> tuple[int | None, Difficulty | None, str]:
    entry = with_start_faults(entry)
    if entry.parsed is None:
        return None, None, entry.error
    try:
        length, difficulty = scorer.score(entry.parsed.position)
    except ValueError as error:
        return None, None, str(error)
    return length, difficulty, ""


def _fields(entry: Entry, length: int | None, difficulty: Difficulty | None, error: str) -> dict[str, Any]:
    return {
        **entry.names,
        "sfen": entry.sfen,
        "length": length,
        "score": difficulty.score if difficulty else None,
        "stars": difficulty.stars if difficulty else None,
        "features": difficulty.features if difficulty else {},
        "error": error or None,
    }


def _text(length: int | None, difficulty: Difficulty) -> str:
    stars = "★" * difficulty.stars + "☆" * (5 - difficulty.stars)
    return f"{stars} {difficulty.score:.2f}  mate in {length}"
