# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging training: persons, results, runs and repetitions are taken over; ratings follow from results."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from db.training.log import TrainingLog
from db.training.merging import TrainingCounts, TrainingMerge
from db.training.records import CARDS, RESULTS, TRAINING_RUNS, PlayedRating, Rating
from tsume.merging.copies import DESTINATION
from tsume.merging.merge import StorePool
from tsume.training.persons import name_key
from tsume.training.ratings import UNRATED_MODES, current_rating, played_ratings


def merge_training(stores: StorePool) -> TrainingCounts:
    """Merge what the stores have of training, after their problems. Raises `db.errors.StoreError`."""

    def others() -> Iterator[tuple[int, TrainingLog]]:
        return ((number, store.training) for number, store in stores if number != DESTINATION)

    persons = [one for number, training in others() for one in training.persons_to_merge(number)]
    with stores[DESTINATION].training.merging() as merge:
        merge.add_persons(persons, name_key)
        for number, training in others():
            merge.add_results(number, training.rows_to_merge(RESULTS))
            merge.add_runs(number, training.rows_to_merge(TRAINING_RUNS))
            merge.add_cards(number, training.rows_to_merge(CARDS))
        if merge.counts.results:
            merge.sort_results()
            rate_anew(merge)
    return merge.counts


def rate_anew(merge: TrainingMerge) -> None:
    """Compute all ratings from all results in the order of time, as `tsume.training.trainer.Trainer` does.

    A result whose problem is gone does not count: the score of the problem is not known any more.
    """
    persons: dict[int, tuple[Rating, datetime | None]] = {}
    rated_persons: dict[int, tuple[Rating, datetime]] = {}
    problems: dict[int, PlayedRating] = {}
    seen: set[tuple[int, int]] = set()
    for one in merge.results():
        rating, last = persons.setdefault(one.person, (Rating(), None))
        is_rated = False
        if one.problem is not None and one.score is not None:
            is_rated = (one.person, one.problem) not in seen and one.mode not in UNRATED_MODES
            seen.add((one.person, one.problem))
            if is_rated:
                played = problems.get(one.problem)
                problem = current_rating(one.score, played)
                rating, problem = played_ratings(rating, last, problem, one.ended_at, clean=one.clean)
                persons[one.person] = rated_persons[one.person] = rating, one.ended_at
                problems[one.problem] = PlayedRating(problem, 1 + (played.plays if played else 0))
        if (is_rated, rating.rating) != (one.rated, one.rating):
            merge.write_result(one.id, rating.rating, rated=is_rated)
    merge.write_ratings(rated_persons, problems)
