# SPDX-License-Identifier: GPL-3.0-or-later
"""Ratings and repetition in the pages' scripts, compared with those of the server."""

from __future__ import annotations

import random
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

from db.training.records import Card, Outcome, Rating
from tests.javascript.node import answers
from tsume.training.glicko2 import rated
from tsume.training.scheduling import rescheduled

NUMBER = 200
BEGAN = datetime(2026, 3, 1, 8, tzinfo=UTC)


def a_rating(draw: random.Random) -> Rating:
    return Rating(draw.uniform(600, 2600), draw.uniform(30, 350), draw.uniform(0.03, 0.2))


def test_ratings_are_those_of_the_server() -> None:
    draw = random.Random(1)
    games = [
        (a_rating(draw), a_rating(draw), draw.random() < 0.5, draw.uniform(0, 20)) for _ in range(NUMBER)
    ]
    asked = [
        {"game": {"player": asdict(one), "opponent": asdict(other), "won": won, "periods": periods}}
        for one, other, won, periods in games
    ]
    for told, (one, other, won, periods) in zip(answers("training_twin.mjs", asked), games, strict=True):
        assert told == pytest.approx(asdict(rated(one, [(other, float(won))], periods)), rel=1e-6)


def some_reviews(draw: random.Random) -> list[tuple[Outcome, datetime]]:
    """Results for one problem, some of them on the same day."""
    now, found = BEGAN, []
    for _ in range(draw.randint(1, 12)):
        solved = draw.random() < 0.8
        outcome = Outcome(1, "training", solved, 3, draw.choice([0, 0, 1]), draw.choice([0, 0, 1]),
                          draw.randint(1, 60))  # fmt: skip
        found.append((outcome, now))
        now += timedelta(minutes=draw.choice([10, 60 * 24 * draw.randint(1, 40)]))
    return found


def scripted(outcome: Outcome) -> dict[str, Any]:
    return {
        "isSolved": outcome.solved, "moves": 3, "mistakes": outcome.mistakes, "hints": outcome.hints,
        "seconds": outcome.seconds,
    }  # fmt: skip


def test_problems_come_back_on_the_days_of_the_server() -> None:
    draw = random.Random(2)
    histories = [some_reviews(draw) for _ in range(NUMBER)]
    asked = [
        {"length": 3, "reviews": [{"result": scripted(one), "now": now.isoformat()} for one, now in history]}
        for history in histories
    ]
    for told, history in zip(answers("training_twin.mjs", asked), histories, strict=True):
        card: Card | None = None
        for found, (outcome, now) in zip(told, history, strict=True):
            card = rescheduled(card, outcome, 3, now)
            assert (datetime.fromisoformat(found["due"]), found["failed"]) == (card.due, card.failed)
