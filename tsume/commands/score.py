# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume score``"""

from __future__ import annotations

from functools import partial

import click

from tsume.commands.answering import AnswerBatch, PrintedAnswer, batch_options, print_answers
from tsume.commands.file_options import position_arguments
from tsume.commands.options import jsonl_option, lang_option, memory_option, seconds_option
from tsume.commands.output import json_text
from tsume.files.inputs import Entry, PositionInputs, complaint, with_start_faults
from tsume.formats.symbols import stars_text
from tsume.language.voice import Voice
from tsume.services.scoring import SECONDS, PositionScorer, Scored, score_fields
from tsume.warmup import KernelPart


@click.command()
@position_arguments
@seconds_option(SECONDS)
@memory_option
@click.option(
    "--cells",
    type=click.IntRange(1),
    help="Maximum number of subtrees kept in memory; it does not change the score.",
)
@batch_options()
@lang_option(Voice.of("en"))
@jsonl_option("position")
@click.pass_context
def score(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    seconds: float,
    memory: int,
    cells: int | None,
    jobs: int | None,
    skip: int,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Score each position with a mate: difficulty, quality, likeness, themes.

    All are proxies (docs/difficulty.md, docs/themes.md). Quality, likeness and themes are those of
    the line given with the position if it is a best line, otherwise of the program's line.

    Exits with status 1 if a position is invalid, has no mate or is unresolved.
    """
    inputs = PositionInputs(sfens, files, at=at)
    answerer = partial(_ScoreAnswerer, memory, cells, seconds, voice if not jsonl else None)
    good = print_answers(AnswerBatch(inputs, jobs, answerer, skip, (KernelPart.ENGINE, KernelPart.LIKENESS)))
    context.exit(0 if good else 1)


class _ScoreAnswerer:
    """Scores positions; without a voice it answers in JSON."""

    def __init__(self, memory: int, cells: int | None, seconds: float, voice: Voice | None) -> None:
        self._scorer = PositionScorer(memory, cells, seconds)
        self._voice = voice

    def __call__(self, entry: Entry) -> PrintedAnswer:
        """What is printed about a position."""
        found, error = self._score(entry)
        told = ""
        if self._voice is None:
            told = json_text(**entry.names, sfen=entry.sfen, **score_fields(found), error=error or None)
        elif found is not None:
            told = _score_text(found, self._voice)
        return PrintedAnswer(told, complaint(entry.place, error) if error else "", not error)

    def _score(self, given: Entry) -> tuple[Scored | None, str]:
        entry = with_start_faults(given)
        if entry.parsed is None:
            return None, entry.error
        try:
            return self._scorer.score(entry.parsed.position, entry.line), ""
        except ValueError as error:
            return None, str(error)


def _score_text(found: Scored, voice: Voice) -> str:
    appraisal = found.appraisal
    stars, themes = found.difficulty.stars, voice.listed(map(voice.theme, appraisal.themes))
    length = voice("common.length", length=found.length)
    head = f"{stars_text(stars)} {found.difficulty.score:.2f}  {length}"
    quality = voice("common.quality", quality=appraisal.quality)
    likeness = voice("common.likeness", likeness=appraisal.likeness)
    first = [
        voice(f"common.{name}", **{name: found.difficulty.features[name]})
        for name in ("resistance", "surprise")
    ]
    return "  ".join([head, quality, likeness, *first, *([themes] if themes else [])])
