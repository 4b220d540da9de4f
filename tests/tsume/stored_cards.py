# SPDX-License-Identifier: GPL-3.0-or-later
"""Stored problems, and their cards, without a store."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from db.stored_problem import StoredProblem
from solver.results import Defect, Difficulty
from tests.tsume.problems import CORRECT, CORRECT_LINE
from tsume.cards import FIELDS, Card, CardBuilder
from tsume.diagrams.look import DiagramLook
from tsume.language.catalogue import Language
from tsume.reports.explanation import ExplanationText, explanation_text
from tsume.uses.explaining import PRINTED, Explainer
from tsume_rules.moves import parse_move
from tsume_rules.position import Position
from tsume_rules.sfen import canonical_sfen, format_sfen, parse_sfen

SEVEN = "8B/8k/9/7+N1/5N3/9/9/2B6/9 b 2r4g4s2n4l18p 1"
SEVEN_LINE = ["4e3c+", "1b1a", "7h1b+", "1a1b", "2d2c", "1b1a", "2c2b"]
PLAIN = DiagramLook()
MIRRORED = "9/k8/2+S6/2G6/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
MIRRORED_LINE = ["7d8c", "9b9a", "8c8b"]


def stored(
    sfen: str = CORRECT, line: list[str] = CORRECT_LINE, number: int = 12, **fields: Any
) -> StoredProblem:
    """A problem as it would be stored."""
    position: Position = parse_sfen(sfen).position
    return StoredProblem(
        id=number,
        canonical=canonical_sfen(position),
        sfen=format_sfen(position),
        length=len(line),
        line=tuple(map(parse_move, line)),
        **{
            "difficulty": Difficulty({}, 27.5, 2),
            "provenance": None,
            "searched": None,
            "remarks": Defect.NONE,
            "version": "0",
            "run_id": None,
            "created_at": datetime(2026, 11, 22, tzinfo=UTC),
            "themes": ("big-piece-sacrifice", "sacrifice"),
            **fields,
        },
    )


def explained(problem: StoredProblem) -> ExplanationText:
    explanation = Explainer(PRINTED).explain_judged(problem.problem, checks=False)
    return explanation_text(problem.problem, explanation, "ja")


def made(
    problem: StoredProblem,
    *languages: Language,
    look: DiagramLook = PLAIN,
    text: ExplanationText | None = None,
) -> Card:
    return CardBuilder(look, languages or ("ja",)).card(problem, text)


def fields(card: Card) -> dict[str, str]:
    return dict(zip(FIELDS, card.fields, strict=True))
