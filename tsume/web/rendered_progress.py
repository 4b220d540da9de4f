# SPDX-License-Identifier: GPL-3.0-or-later
"""The progress of a person as JSON fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from db.training.records import RUN_MODES, Progress, StoredPerson, Tally
from tsume.language.catalogue import LANGUAGES
from tsume.language.voice import theme_name


def rendered_progress(person: StoredPerson, progress: Progress) -> dict[str, Any]:
    """The fields of ``GET /api/progress`` (docs/board.md). Days are those of this machine."""
    return {
        "rating": round(person.rating.rating),
        "deviation": round(person.rating.deviation),
        "history": _history(progress),
        "results": progress.results,
        "streak": progress.streak,
        "solved": progress.solved,
        "due": progress.due,
        "next_due": progress.next_due and progress.next_due.isoformat(),
        "by_length": [{"length": length, **_tally(one)} for length, one in progress.by_length.items()],
        "by_theme": [
            {"theme": tag, "name": _names(tag), **_tally(one)} for tag, one in progress.by_theme.items()
        ],
        "days": [[one.day, one.problem, one.solved, one.clean] for one in progress.days],
        "runs": {mode: progress.best_runs.get(mode) for mode in RUN_MODES},
        "solved_ids": list(progress.solved_ids),
    }


def _history(progress: Progress) -> list[list[Any]]:
    """The date and the last rating of each day with results."""
    last: dict[str, int] = {}
    for moment, rating in progress.ratings:
        last[moment.astimezone().date().isoformat()] = round(rating)
    return [[day, rating] for day, rating in last.items()]


def _tally(tally: Tally) -> Mapping[str, int]:
    return {"tried": tally.tried, "clean": tally.clean, "solved": tally.solved}


def _names(tag: str) -> dict[str, str]:
    return {language: theme_name(language, tag) for language in LANGUAGES}
