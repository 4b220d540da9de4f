# SPDX-License-Identifier: GPL-3.0-or-later
"""When a problem comes back: spaced repetition by FSRS (the library ``fsrs``).

Problems come back after days, never within the same sitting: there are no learning steps.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any, cast

import fsrs

from db.errors import StoreError
from db.training.records import Card, Outcome

FAST_SECONDS = 5
"""Seconds for each of the solver's moves of a problem that was easy."""


def grade_of(outcome: Outcome, length: int) -> fsrs.Rating:
    """Return how well a problem of ``length`` plies was remembered."""
    if outcome.failed:
        return fsrs.Rating.Again
    if not outcome.clean:
        return fsrs.Rating.Hard
    fast = outcome.seconds <= FAST_SECONDS * ((length + 1) // 2)
    return fsrs.Rating.Easy if fast else fsrs.Rating.Good


def rescheduled(card: Card | None, outcome: Outcome, length: int, now: datetime) -> Card:
    """Return the card after an attempt; ``card`` is None for the first one, ``now`` is in UTC.

    Raises `StoreError` for a card that cannot be read.
    """
    try:
        before = fsrs.Card(1, due=now) if card is None else fsrs.Card.from_dict(cast(Any, card.state))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"the state of a repetition cannot be read: {error!r}") from None
    after, _ = _scheduler().review_card(before, grade_of(outcome, length), now)
    state = cast("dict[str, Any]", after.to_dict())
    was_failed = card is not None and card.failed
    failed = outcome.failed or (was_failed and not outcome.clean)
    return Card(after.due, failed, state)


@cache
def _scheduler() -> fsrs.Scheduler:
    return fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
