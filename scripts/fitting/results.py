# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of solving (`tsume results export`) and the ratings of problems that they show."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

LEAST_PLAYS, LEAST_PROBLEMS = 5, 30
"""Rated results of a problem, and problems with so many, without which a fit says nothing."""
_NEEDED = ("sfen", "person", "success", "mistakes", "hints", "rated")
_CENTRE, _POINTS = 1500.0, 400.0 / math.log(10)
"""The scale of ratings: points for each unit of the logarithm of odds."""
_SPREAD = 350.0
"""Before any result, persons and problems have ratings of this standard deviation."""
_STEPS = 200


@dataclass(frozen=True)
class PlayedProblem:
    """A problem, the number of its rated results, and the rating that they show."""

    sfen: str
    plays: int
    rating: float


@dataclass(frozen=True)
class _Game:
    person: str
    sfen: str
    won: bool


def read_played_problems(paths: Iterable[str]) -> list[PlayedProblem]:
    """The problems of exported results with at least `LEAST_PLAYS` rated results.

    Raises `click.ClickException` for a file that cannot be read and for fewer than `LEAST_PROBLEMS`.
    """
    games = [game for path in paths for game in _read_games(path)]
    found = [one for one in rated_problems(games) if one.plays >= LEAST_PLAYS]
    if len(found) < LEAST_PROBLEMS:
        raise click.ClickException(
            f"{len(games)} rated results are too few: {len(found)} problems have at least {LEAST_PLAYS} "
            f"of them, and {LEAST_PROBLEMS} such problems are needed"
        )
    return found


def rated_problems(games: Iterable[_Game]) -> list[PlayedProblem]:
    """The ratings of problems that make the results of games the likeliest, those of persons too.

    The chance to win is that of Elo's formula; ratings have a normal prior. Newton's method, persons and
    problems by turns.
    """
    listed = list(games)
    persons, who = _numbered(game.person for game in listed)
    problems, what = _numbered(game.sfen for game in listed)
    won = np.array([game.won for game in listed], dtype=float)
    strengths, levels = np.zeros(len(persons)), np.zeros(len(problems))
    for _ in range(_STEPS):
        strengths += _step(strengths, who, won - _chances(strengths[who], levels[what]))
        levels += _step(levels, what, _chances(strengths[who], levels[what]) - won)
    plays = np.bincount(what, minlength=len(problems))
    ratings = _CENTRE + _POINTS * levels
    return [PlayedProblem(*one) for one in zip(problems, plays.tolist(), ratings.tolist(), strict=True)]


def _chances(strengths: np.ndarray, levels: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(levels - strengths)))


def _step(values: np.ndarray, indices: np.ndarray, surplus: np.ndarray) -> np.ndarray:
    """One step towards the values that explain the surplus of wins, with a bound on the curvature."""
    prior = (_POINTS / _SPREAD) ** 2
    slope = np.bincount(indices, surplus, len(values)) - prior * values
    curvature = np.bincount(indices, minlength=len(values)) / 4 + prior
    return np.asarray(slope / curvature)


def _numbered(words: Iterable[str]) -> tuple[list[str], np.ndarray]:
    numbers: dict[str, int] = {}
    indices = [numbers.setdefault(word, len(numbers)) for word in words]
    return list(numbers), np.array(indices, dtype=np.int64)


def _read_games(path: str) -> Iterator[_Game]:
    """The rated results of a file, CSV or JSON lines."""
    text = Path(path).read_text(encoding="utf-8")
    for number, row in enumerate(_rows(path, text), start=1):
        if missing := [name for name in _NEEDED if row.get(name) is None]:
            raise click.ClickException(f"{path}: result {number} has no {missing[0]} (tsume results export)")
        if _is_true(row["rated"]):
            is_plain = all(str(row[name]) == "0" for name in ("mistakes", "hints"))
            yield _Game(str(row["person"]), str(row["sfen"]), _is_true(row["success"]) and is_plain)


def _rows(path: str, text: str) -> Iterator[dict[str, Any]]:
    if not text.startswith("{"):
        yield from csv.DictReader(text.splitlines())
        return
    try:
        yield from map(json.loads, text.splitlines())
    except ValueError as error:
        raise click.ClickException(f"{path}: {error}") from None


def _is_true(value: object) -> bool:
    return value is True or value == "true"
