"""``tsume score``"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from solver.results import Difficulty, Limits, Mate, NoMate
from tsume.appraisal import appraisal_fields
from tsume.commands.answering import Answer, Batch, answered, batch_options
from tsume.commands.options import DEFAULT_MEMORY, jsonl_option, lang_option, memory_option
from tsume.formats.symbols import stars_text
from tsume.inputs import Entry, Inputs, complaint, position_arguments, with_start_faults
from tsume.language.voice import Voice
from tsume.output import json_text
from tsume.warmup import Part
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

SECONDS = 60.0
"""Time limit for one position."""


@click.command()
@position_arguments
@memory_option
@click.option(
    "--cells", type=click.IntRange(1), help="Remember at most this many subtrees; the score is the same."
)
@batch_options()
@lang_option(Voice.of("en"))
@jsonl_option("position")
@click.pass_context
def score(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    memory: int,
    cells: int | None,
    jobs: int | None,
    skip: int,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Score each position that mates: difficulty, quality, likeness, themes.

    All are proxies (docs/difficulty.md, docs/themes.md). Quality, likeness and themes are those of
    the line given with the position, if it is a best one, else of the program's.

    Exits 1 when a position is invalid, has no mate or is unresolved.
    """
    inputs = Inputs(sfens, files)
    answerer = partial(_Answerer, memory, cells, voice if not jsonl else None)
    good = answered(Batch(inputs, jobs, answerer, skip, (Part.ENGINE, Part.LIKENESS)))
    context.exit(0 if good else 1)


@dataclass(frozen=True)
class Scored:
    """The exact length of a position, its difficulty, and the line to appraise."""

    length: int
    difficulty: Difficulty
    line: tuple[Move, ...]


class PositionScorer:
    """Finds length, difficulty and line of a position, within ``memory`` MB.

    The search for the length uses the memory. A score depends neither on it nor on how many
    ``cells`` of a proof tree are remembered (`solver.scoring.difficulty.Scorer`).
    """

    def __init__(self, memory: int = DEFAULT_MEMORY, cells: int | None = None) -> None:
        self._memory = memory
        self._cells = cells
        self._engine: Any = None
        self._scorer: Any = None

    def score(self, position: Position, given: Sequence[Move] = ()) -> Scored:
        """The position scored; ``given`` is the composer's line, which is kept if it is a best one.

        Raises ValueError if there is no mate or a limit is reached.
        """
        from solver.limits import LimitReached
        from solver.solving.deepening import search_length
        from tsume_rules.packing import pack

        if self._engine is None:
            self._make_engines()
        self._engine.forget()
        result = search_length(self._engine, pack(position), Limits(seconds=SECONDS))
        if isinstance(result, NoMate):
            raise ValueError("no mate")
        if not isinstance(result, Mate):
            raise ValueError(f"unresolved, limit of {result.reason.value} reached")
        try:
            line = self._line(position, result.length, given)
            difficulty = self._scorer.score(position, result.length, Limits(seconds=SECONDS))
        except LimitReached as limit:
            raise ValueError(f"unresolved, limit of {limit.reason.value} reached") from None
        return Scored(result.length, difficulty, line)

    @property
    def engine(self) -> DfPnEngine | None:
        """The scorer's engine, free for other questions between two scores; None before the first."""
        return self._scorer.engine if self._scorer else None

    def _make_engines(self) -> None:
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.engines.dfpn.memory import table_bits_within
        from solver.scoring.difficulty import SCORER_BYTES, Scorer

        bits = table_bits_within((self._memory << 20) - SCORER_BYTES)
        self._engine = DfPnEngine(table_bits=bits)
        self._scorer = Scorer(self._cells)

    def _line(self, position: Position, length: int, given: Sequence[Move]) -> tuple[Move, ...]:
        """The given line if a reading has it as a best one, else the main line that `check` gives."""
        from solver.judging.given import examine_given
        from solver.judging.judge import mirror_order
        from solver.solving.tree import TreeBuilder
        from tsume_rules.packing import pack, pack_move, unpack_move

        record = pack(position)
        with self._engine.within(Limits(seconds=SECONDS)):
            if given and examine_given(self._engine, record, length, tuple(map(pack_move, given))).reading:
                return tuple(given)
            order = mirror_order(position)
            line = TreeBuilder(self._engine, complete=False, order=order).line(record, length)
        return tuple(map(unpack_move, line))


class _Answerer:
    """Scores positions; without a voice it answers in JSON."""

    def __init__(self, memory: int, cells: int | None, voice: Voice | None) -> None:
        self._scorer = PositionScorer(memory, cells)
        self._voice = voice

    def __call__(self, entry: Entry) -> Answer:
        """What is printed about a position."""
        found, error = self._score(entry)
        position = entry.parsed.position if entry.parsed else None
        appraisal = appraisal_fields(position, found.line if found else (), self._scorer.engine)
        told = ""
        if self._voice is None:
            told = json_text(**_fields(entry, found, appraisal, error))
        elif found is not None:
            told = _text(found, appraisal, self._voice)
        return Answer(told, complaint(entry.place, error) if error else "", not error)

    def _score(self, given: Entry) -> tuple[Scored | None, str]:
        entry = with_start_faults(given)
        if entry.parsed is None:
            return None, entry.error
        try:
            return self._scorer.score(entry.parsed.position, entry.line), ""
        except ValueError as error:
            return None, str(error)


def _fields(entry: Entry, found: Scored | None, appraisal: dict[str, Any], error: str) -> dict[str, Any]:
    return {
        **entry.names,
        "sfen": entry.sfen,
        "length": found.length if found else None,
        "score": found.difficulty.score if found else None,
        "stars": found.difficulty.stars if found else None,
        "features": found.difficulty.features if found else {},
        **appraisal,
        "error": error or None,
    }


def _text(found: Scored, appraisal: dict[str, Any], voice: Voice) -> str:
    stars, themes = found.difficulty.stars, voice.listed(map(voice.theme, appraisal["themes"]))
    length = voice("common.length", length=found.length)
    head = f"{stars_text(stars)} {found.difficulty.score:.2f}  {length}"
    quality = voice("common.quality", quality=appraisal["quality"])
    likeness = voice("common.likeness", likeness=appraisal["likeness"])
    return "  ".join([head, quality, likeness, *([themes] if themes else [])])
