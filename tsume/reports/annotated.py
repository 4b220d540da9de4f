# SPDX-License-Identifier: GPL-3.0-or-later
"""An explanation as a game record: how each answer mates and why checks fail, as variations with comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from solver.explaining.explanation import ExplainedTurn
from tsume.formats.game_record import Branch, GameRecord, integrity_headers
from tsume.reports.explanation import ExplanationText


def annotated_record(record: GameRecord, texts: ExplanationText) -> GameRecord:
    """The record with the explained line as its main line, and the explanation as its variations."""
    turns = texts.explanation.turns
    headers = {**dict(record.headers), **integrity_headers(texts.judgement)}
    comments = [
        (len(turn.path) + 1, text) for turn in turns if turn.key for text in _turn_remarks(texts, turn)
    ]
    branches = [branch for turn in turns for branch in _turn_branches(texts, turn)]
    return replace(
        record,
        line=texts.explanation.line,
        headers=tuple(headers.items()),
        move_comments=tuple(comments),
        branches=tuple(sorted(branches, key=lambda branch: branch.first)),
    )


def _turn_remarks(texts: ExplanationText, turn: ExplainedTurn) -> Iterator[str]:
    """The comments on the key of a turn: futile drops and other mating checks."""
    yield from texts.futile(turn)
    yield from texts.others(turn)


def _turn_branches(texts: ExplanationText, turn: ExplainedTurn) -> Iterator[Branch]:
    """The checks that fail instead of the key, the answers to the key."""
    first = len(turn.path) + 1
    for found in texts.tries_shown(turn):
        comments = ((first + 1, texts.try_text(turn, found)),)
        yield Branch(first, (found.check, found.answer), comments)
    for variation, text in zip(turn.variations, texts.variations(turn), strict=True):
        line = (variation.answers[0], *variation.line)
        yield Branch(first + 1, line, ((first + 1, text),))
